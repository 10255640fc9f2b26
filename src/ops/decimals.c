/*
** decimals.c - round with decimals, for arrays and Symbols. Results computed
** from the user's arrays go to memory of their own first, so that a call that
** begins again finds the arrays unchanged.
*/
#include <math.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "composed.h"
#include "device/current.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
#include "symbol.h"

static bool is_symbol (lua_State *L, int arg) {
  return tide_testobject(L, arg, &tide_symbolclass) != NULL;
}

/* Returns the result on the top, and closes arrays made on the way. */
static int give (lua_State *L, int args) {
  return (tide_testarray(L, -1) != NULL) ? tide_return(L, args) : 1;
}

/* Makes the last step, by a number, into 'out' of the options at 3, or into the
** array at 1. */
static int finish (lua_State *L, const char *name, int x, lua_Number by,
                   bool in_place) {
  luaL_checkstack(L, 4, NULL);
  lua_pushnumber(L, by);
  if (in_place) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "out");
  } else {
    lua_pushvalue(L, 3);
  }
  tide_applywith(L, name, x, 2);
  return give(L, 3);
}

static void launch (lua_State *L, RtStream *s, Array *z, const Array *x,
                    lua_Number by, bool after) {
  Element scale = {0};
  int64_t over = !after;
  lua_pushnumber(L, by);
  tide_readelement(L, -1, z->dtype, &scale);
  lua_pop(L, 1);
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, x), pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, &scale, &over, &z->size};
  KernelId id = rt_kernel_round_to((DType)z->dtype);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, z->size), params);
}

/* Rounds the array of floats at 1 in one launch; options at 3. */
static int round_array (lua_State *L, lua_Number by, bool after,
                        bool in_place) {
  Target to;
  Array *a = tide_checkarray(L, 1);
  RtStream *s = tide_currentstream(L, a->dev);
  lua_settop(L, 3);
  if (in_place) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "out");
    lua_replace(L, 3);
  }
  Array *x = tide_pushplain(L, 1, (DType)a->dtype);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  tide_pushtarget(L, &to, 3, &like, (DType)a->dtype, s, x, NULL);
  if (x->size > 0)
    launch(L, s, to.z, x, by, after);
  return tide_reach(L, &to, s);
}

/* Rounds as NumPy does: scaled, rounded, and scaled back, with each step
** rounded to the dtype. */
static int round_floats (lua_State *L, DType t, int decimals, bool in_place) {
  bool after = (decimals >= 0);
  lua_Number by = 1;
  for (int n = after ? decimals : -decimals; n > 0 && by < HUGE_VAL; n--)
    by *= 10;
  if (!is_symbol(L, 1) && tide_kind(t) == KIND_FLOAT)
    return round_array(L, by, after, in_place);
  int z = tide_applynumber(L, after ? "mul" : "div", 1, by);
  z = tide_apply(L, "round", z);
  return finish(L, after ? "div" : "mul", z, by, in_place);
}

/* Rounds integers through float64, and back to their dtype, whose name is on
** the top. */
static int round_whole (lua_State *L, int decimals, bool in_place) {
  int name = lua_gettop(L), z;
  lua_Number by = 1;
  for (int n = decimals; n < 0 && by < HUGE_VAL; n++)
    by *= 10;
  lua_pushliteral(L, "float64");
  z = tide_applyto(L, "astype", 1, lua_gettop(L));
  z = tide_apply(L, "round", tide_applynumber(L, "div", z, by));
  tide_applyto(L, "astype", tide_applynumber(L, "mul", z, by), name);
  if (is_symbol(L, 1))
    return 1;
  Array *a = tide_checkarray(L, 1);
  RtStream *s = tide_currentstream(L, a->dev);
  if (!in_place)
    return tide_deliver(L, 3, s);
  tide_checkwritable(L, 1, a);
  tide_copy(L, s, a, tide_checkarray(L, -1));
  lua_pushvalue(L, 1);
  return tide_return(L, 3);
}

int tide_roundto (lua_State *L, bool in_place) {
  lua_Integer decimals = tide_checkinteger(L, 2);
  lua_settop(L, 3);
  if (!is_symbol(L, 1))
    tide_checkarray(L, 1);
  if (decimals > 999 || decimals < -999)
    return tide_argerror(L, 2, "more than 999 decimals");
  tide_pushfield(L, 1, "dtype");
  DType t = tide_checkdtype(L, 4);
  if (tide_kind(t) >= KIND_FLOAT)
    return round_floats(L, t, (int)decimals, in_place);
  if (decimals < 0)
    return round_whole(L, (int)decimals, in_place);
  if (!in_place)
    lua_pushvalue(L, 3);
  tide_applywith(L, in_place ? "round_" : "round", 1, in_place ? 0 : 1);
  return 1; /* there are no digits to round */
}
