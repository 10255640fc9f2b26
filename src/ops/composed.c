/*
** composed.c - functions that are made of others: round with decimals,
** nan_to_num. What is computed of the user's arrays goes to memory of its own
** first, so that a call that begins again finds them as they were.
*/
#include "composed.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/slip.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"
#include "symbol.h"

enum { ROOM = 40 };  /* on Lua's stack */

/* {== steps =========================================================== */

/* Calls the method for what is above it: n arguments. All that is called reads
** at one time: if others have come in between, the call begins again. */
static int call_method (lua_State *L, const char *name, int n) {
  State *st = tide_state(L);
  tide_checkcalm(L, st);
  tide_call(L, name, n + 1, 1);
  tide_checkcalm(L, st);
  return lua_gettop(L);
}

/* There is room afterwards for what is pushed up to the next call. */
static void push_method (lua_State *L, const char *name, int x) {
  luaL_checkstack(L, ROOM, NULL);
  x = lua_absindex(L, x);
  tide_pushmethod(L, x, name);
  lua_pushvalue(L, x);
}

int tide_apply (lua_State *L, const char *name, int x) {
  push_method(L, name, x);
  return call_method(L, name, 0);
}

int tide_applyto (lua_State *L, const char *name, int x, int y) {
  y = lua_absindex(L, y);
  push_method(L, name, x);
  lua_pushvalue(L, y);
  return call_method(L, name, 1);
}

int tide_applynumber (lua_State *L, const char *name, int x, lua_Number y) {
  push_method(L, name, x);
  lua_pushnumber(L, y);
  return call_method(L, name, 1);
}

int tide_applywith (lua_State *L, const char *name, int x, int n) {
  push_method(L, name, x);
  lua_rotate(L, -(n + 2), 2);
  return call_method(L, name, n);
}

int tide_applytake (lua_State *L, int x, int places) {
  luaL_checkstack(L, 4, NULL);
  lua_pushvalue(L, places);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "clip");  /* nothing is to be looked for */
  lua_setfield(L, -2, "mode");
  return tide_applywith(L, "take", x, 2);
}

int tide_applyastype (lua_State *L, int x, DType t) {
  lua_pushstring(L, tide_dtypename(t));
  return tide_applywith(L, "astype", x, 1);
}

int tide_keepoption (lua_State *L, int options, const char *name) {
  luaL_checkstack(L, 4, NULL);
  if (lua_istable(L, options))
    tide_getoption(L, options, name);
  else
    lua_pushnil(L);
  return lua_gettop(L);
}

int tide_pushothers (lua_State *L, int options, const char *name) {
  luaL_checkstack(L, 4, NULL);
  if (options == 0 || !lua_istable(L, options)) {
    lua_pushnil(L);
    return lua_gettop(L);
  }
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, options) != 0) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(key, "out") == 0 || (name != NULL && strcmp(key, name) == 0)) {
      lua_pop(L, 1);
      continue;
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_settable(L, -4);
  }
  return lua_gettop(L);
}

int tide_pushaxes (lua_State *L, const Reduction *r, const char *name) {
  luaL_checkstack(L, 8, NULL);
  if (r->options == 2)
    tide_pushothers(L, 2, name);
  else
    lua_pushvalue(L, 2);
  tide_pushothers(L, r->options == 2 ? 0 : 3, name);
  return lua_gettop(L) - 1;
}

int tide_foldlike (lua_State *L, const char *name, int x, int axes) {
  luaL_checkstack(L, 6, NULL);
  lua_pushvalue(L, axes);
  lua_pushvalue(L, axes + 1);
  return tide_applywith(L, name, x, 2);
}

/* What was made on the way goes, if it is arrays; the result is on the top. */
static int give (lua_State *L, int args) {
  return (tide_testarray(L, -1) != NULL) ? tide_return(L, args) : 1;
}

static bool is_symbol (lua_State *L, int arg) {
  return tide_testobject(L, arg, &tide_symbolclass) != NULL;
}

/* ==} */

/* {== round to decimals =============================================== */

/* The last step: by a number, into 'out' of the options at 3, or into the array
** at 1. */
static int finish (lua_State *L, const char *name, int x, lua_Number by,
                   bool in_place) {
  push_method(L, name, x);
  lua_pushnumber(L, by);
  if (in_place) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "out");
  } else {
    lua_pushvalue(L, 3);
  }
  call_method(L, name, 2);
  return give(L, 3);
}

/* As NumPy has it: scaled, rounded, and scaled back. */
static int round_floats (lua_State *L, int decimals, bool in_place) {
  bool after = (decimals >= 0);
  lua_Number by = 1;
  for (int n = after ? decimals : -decimals; n > 0 && by < HUGE_VAL; n--)
    by *= 10;
  int z = tide_applynumber(L, after ? "mul" : "div", 1, by);
  z = tide_apply(L, "round", z);
  return finish(L, after ? "div" : "mul", z, by, in_place);
}

/* Integers by way of float64, and back to their dtype, the name of which is at
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
    return round_floats(L, (int)decimals, in_place);
  if (decimals < 0)
    return round_whole(L, (int)decimals, in_place);
  push_method(L, in_place ? "round_" : "round", 1);  /* there are no digits */
  if (!in_place)
    lua_pushvalue(L, 3);
  return call_method(L, "round", in_place ? 0 : 1), 1;
}

/* ==} */

/* {== nan_to_num ====================================================== */

enum { NAN_VALUE = 2, POSITIVE, NEGATIVE, OPTIONS };  /* arguments */

static const char *const names[] = {"nan", "posinf", "neginf", "out", NULL};

/* The options take the places of the arguments nan, posinf and neginf. */
static void read_values (lua_State *L) {
  int options = NAN_VALUE;
  while (options < OPTIONS && !lua_istable(L, options))
    options++;
  if (lua_istable(L, options) && options < OPTIONS) {
    lua_pushnil(L);
    lua_copy(L, options, OPTIONS);
    lua_replace(L, options);
  }
  tide_checkoptions(L, OPTIONS, names);
  for (int i = 0; i < 3; i++) {
    int arg = NAN_VALUE + i;
    if (lua_istable(L, OPTIONS) &&
        tide_getoption(L, OPTIONS, names[i]) != LUA_TNIL)
      lua_replace(L, arg);
    lua_settop(L, OPTIONS);
    if (!lua_isnil(L, arg))
      tide_checknumber(L, arg);
  }
}

/* Pushes c:where(x, y), and options, if they are given. */
static int choose (lua_State *L, int c, int x, int y, int options) {
  push_method(L, "where", c);
  lua_pushvalue(L, x);
  lua_pushvalue(L, y);
  if (options != 0)
    lua_pushvalue(L, options);
  return call_method(L, "where", options != 0 ? 3 : 2);
}

/* The value at 'arg', if there is one, where x is 'infinity'. */
static int replace (lua_State *L, int z, int arg, lua_Number infinity) {
  return lua_isnil(L, arg) ? z :
         choose(L, tide_applynumber(L, "eq", 1, infinity), arg, z, 0);
}

static lua_Number greatest (DType t) {
  return t == DTYPE_FLOAT16 ? 65504 : t == DTYPE_BFLOAT16 ? 0x1.fep127 :
         t == DTYPE_FLOAT32 ? FLT_MAX : DBL_MAX;
}

/* The table at OPTIONS with 'out' alone, where there is one. */
static int only_out (lua_State *L) {
  if (!tide_getout(L, OPTIONS))
    return 0;
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, "out");
  return lua_gettop(L);
}

/* NaNs are looked for in x last, so that what they become stays. */
static int fill_floats (lua_State *L, DType t) {
  int options = only_out(L);
  push_method(L, "clip", 1);
  lua_pushnumber(L, -greatest(t));
  lua_pushnumber(L, greatest(t));
  int z = replace(L, call_method(L, "clip", 2), POSITIVE, HUGE_VAL);
  z = replace(L, z, NEGATIVE, -HUGE_VAL);
  if (lua_isnil(L, NAN_VALUE)) {
    lua_pushnumber(L, 0);
    lua_replace(L, NAN_VALUE);
  }
  choose(L, tide_apply(L, "isnan", 1), NAN_VALUE, z, options);
  return give(L, OPTIONS);
}

/*
** nan_to_num(x [, nan [, posinf [, neginf]]] [, { nan=, posinf=, neginf=,
** out= }]): NaN and infinities become numbers.
*/
int tide_nan_to_num (lua_State *L) {
  lua_settop(L, OPTIONS);
  read_values(L);
  if (!is_symbol(L, 1))
    tide_checkarray(L, 1);
  /* Its arguments are gone: like this it does not begin again. */
  lua_getfield(L, 1, "dtype");
  DType t = tide_checkdtype(L, OPTIONS + 1);
  lua_settop(L, OPTIONS);
  if (tide_kind(t) == KIND_COMPLEX)
    return luaL_error(L, "'nan_to_num' is not defined for %s arrays",
                      tide_dtypename(t));
  if (tide_kind(t) == KIND_FLOAT)
    return fill_floats(L, t);
  int options = only_out(L);  /* integers have neither */
  push_method(L, "real", 1);
  if (options != 0)
    lua_pushvalue(L, options);
  call_method(L, "real", options != 0 ? 1 : 0);
  return give(L, OPTIONS);
}

/* x:nan_to_num_(...) -> x */
static int array_nan_to_num_ (lua_State *L) {
  tide_checkarray(L, 1);
  lua_settop(L, OPTIONS);
  read_values(L);
  lua_settop(L, OPTIONS - 1);
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "out");
  return tide_nan_to_num(L);
}

/* ==} */

static const Function functions[] = {
  {"nan_to_num", tide_nan_to_num, 5},
  {NULL, NULL, 0}
};

static const Function methods[] = {
  {"nan_to_num_", array_nan_to_num_, 4},
  {NULL, NULL, 0}
};

void tide_opencomposed (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
  tide_addmethods(L, &tide_arrayclass, methods);
}
