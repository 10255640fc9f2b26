/*
** decimals.c - round with decimals, for arrays and Symbols. Results computed
** from the user's arrays go to memory of their own first, so that a call that
** begins again finds the arrays unchanged.
*/
#include <math.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "composed.h"
#include "device/current.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "symbol.h"

static bool is_symbol (lua_State *L, int arg) {
  return class_test(L, arg, &symbol_class) != NULL;
}

/* Returns the result on the top, and closes arrays made on the way. */
static int give (lua_State *L, int args) {
  return (array_test(L, -1) != NULL) ? array_return(L, args) : 1;
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
  composed_call(L, name, x, 2);
  return give(L, 3);
}

static void launch (lua_State *L, RtStream *s, Array *z, const Array *x,
                    lua_Number by, bool after) {
  Element scale = {0};
  int64_t over = !after;
  lua_pushnumber(L, by);
  dtype_read_element(L, -1, z->dtype, &scale);
  lua_pop(L, 1);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &scale, &over, &z->size};
  KernelId id = kernel_round_to((DType)z->dtype);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

/* Rounds the array of floats at 1 in one launch; options at 3. */
static int round_array (lua_State *L, lua_Number by, bool after,
                        bool in_place) {
  Target to;
  Array *a = array_check(L, 1);
  RtStream *s = current_get_stream(L, a->dev);
  lua_settop(L, 3);
  if (in_place) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "out");
    lua_replace(L, 3);
  }
  Array *x = operand_push_dense(L, 1, (DType)a->dtype);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  operand_push_target(L, &to, 3, &like, (DType)a->dtype, s, x, NULL);
  if (x->size > 0)
    launch(L, s, to.z, x, by, after);
  return operand_return(L, &to, s);
}

/* Rounds as NumPy does: scaled, rounded, and scaled back, with each step
** rounded to the dtype. */
static int round_floats (lua_State *L, DType t, int decimals, bool in_place) {
  bool after = (decimals >= 0);
  lua_Number by = 1;
  for (int n = after ? decimals : -decimals; n > 0 && by < HUGE_VAL; n--)
    by *= 10;
  if (!is_symbol(L, 1) && dtype_kind(t) == KIND_FLOAT)
    return round_array(L, by, after, in_place);
  int z = composed_scalar(L, after ? "mul" : "div", 1, by);
  z = composed_unary(L, "round", z);
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
  z = composed_binary(L, "astype", 1, lua_gettop(L));
  z = composed_unary(L, "round", composed_scalar(L, "div", z, by));
  composed_binary(L, "astype", composed_scalar(L, "mul", z, by), name);
  if (is_symbol(L, 1))
    return 1;
  Array *a = array_check(L, 1);
  RtStream *s = current_get_stream(L, a->dev);
  if (!in_place)
    return result_deliver(L, 3, s);
  layout_check_writable(L, 1, a);
  array_copyto(L, s, a, array_check(L, -1));
  lua_pushvalue(L, 1);
  return array_return(L, 3);
}

int composed_round (lua_State *L, bool in_place) {
  lua_Integer decimals = arg_check_integer(L, 2);
  lua_settop(L, 3);
  if (!is_symbol(L, 1))
    array_check(L, 1);
  if (decimals > 999 || decimals < -999)
    return argerror_raise(L, 2, "more than 999 decimals");
  class_push_field(L, 1, "dtype");
  DType t = dtype_check(L, 4);
  if (dtype_kind(t) >= KIND_FLOAT)
    return round_floats(L, t, (int)decimals, in_place);
  if (decimals < 0)
    return round_whole(L, (int)decimals, in_place);
  if (!in_place)
    lua_pushvalue(L, 3);
  composed_call(L, in_place ? "round_" : "round", 1, in_place ? 0 : 1);
  return 1; /* there are no digits to round */
}
