/*
** composed.c - functions made of other functions: the steps, and nan_to_num of
** Symbols; for arrays that is a kernel of its own. Results computed from the
** user's arrays go to memory of their own first, so that a call that begins
** again finds the arrays unchanged.
*/
#include "composed.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/type.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "symbol.h"

enum { ROOM = 40 }; /* on Lua's stack */

/* {== steps =========================================================== */

/* Calls the method under the n arguments on the top. All calls read at one
** time: if others have come in between, the call begins again. */
static int call_method (lua_State *L, const char *name, int n) {
  State *st = state_get(L);
  entry_check_calls(L, st);
  entry_call(L, argerror_caller(L, name), n + 1, 1);
  entry_check_calls(L, st);
  return lua_gettop(L);
}

/* Pushes a method, and makes room for all values up to its call. */
static void push_method (lua_State *L, const char *name, int x) {
  luaL_checkstack(L, ROOM, NULL);
  x = lua_absindex(L, x);
  class_push_method(L, x, name);
  lua_pushvalue(L, x);
}

int composed_unary (lua_State *L, const char *name, int x) {
  push_method(L, name, x);
  return call_method(L, name, 0);
}

int composed_binary (lua_State *L, const char *name, int x, int y) {
  y = lua_absindex(L, y);
  push_method(L, name, x);
  lua_pushvalue(L, y);
  return call_method(L, name, 1);
}

int composed_scalar (lua_State *L, const char *name, int x, lua_Number y) {
  push_method(L, name, x);
  lua_pushnumber(L, y);
  return call_method(L, name, 1);
}

int composed_call (lua_State *L, const char *name, int x, int n) {
  push_method(L, name, x);
  lua_rotate(L, -(n + 2), 2);
  return call_method(L, name, n);
}

int composed_take (lua_State *L, int x, int places) {
  luaL_checkstack(L, 4, NULL);
  lua_pushvalue(L, places);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "clip"); /* the method is always there */
  lua_setfield(L, -2, "mode");
  return composed_call(L, "take", x, 2);
}

int composed_astype (lua_State *L, int x, DType t) {
  lua_pushstring(L, dtype_name(t));
  return composed_call(L, "astype", x, 1);
}

int composed_option (lua_State *L, int options, const char *name) {
  luaL_checkstack(L, 4, NULL);
  if (lua_istable(L, options))
    option_get(L, options, name);
  else
    lua_pushnil(L);
  return lua_gettop(L);
}

int composed_filter_options (lua_State *L, int options, const char *name) {
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

int composed_axes (lua_State *L, const Reduction *r, const char *name) {
  luaL_checkstack(L, 8, NULL);
  if (r->options == 2)
    composed_filter_options(L, 2, name);
  else
    lua_pushvalue(L, 2);
  composed_filter_options(L, r->options == 2 ? 0 : 3, name);
  return lua_gettop(L) - 1;
}

int composed_kept_axes (lua_State *L, const Reduction *r) {
  luaL_checkstack(L, 8, NULL);
  lua_pushnil(L);
  lua_createtable(L, 0, 2);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "keepdims");
  if (r->axes != UINT32_MAX) {
    lua_newtable(L);
    for (int i = 0, n = 0; i < r->a->ndim; i++)
      if ((r->axes >> i & 1) != 0) {
        lua_pushinteger(L, i + 1);
        lua_rawseti(L, -2, ++n);
      }
    lua_setfield(L, -2, "axis");
  }
  return lua_gettop(L) - 1;
}

int composed_reduce (lua_State *L, const char *name, int x, int axes) {
  luaL_checkstack(L, 6, NULL);
  lua_pushvalue(L, axes);
  lua_pushvalue(L, axes + 1);
  return composed_call(L, name, x, 2);
}

static bool is_symbol (lua_State *L, int arg) {
  return class_test(L, arg, &symbol_class) != NULL;
}

/* ==} */

/* {== nan_to_num ====================================================== */

enum { FILLERS = 3, LAST = 5 }; /* values; the last argument */

static const char *const names[] = {"nan", "posinf", "neginf", "out", NULL};

/* Pushes nan, posinf and neginf, from the options or else from the arguments
** before them, or nil. Returns the index of the options. */
static int push_fillers (lua_State *L) {
  int options = 2;
  while (options < LAST && !lua_istable(L, options))
    options++;
  option_check(L, options, names);
  entry_check_end(L, options + 1);
  for (int i = 0; i < FILLERS; i++) {
    int arg = 2 + i, at = composed_option(L, options, names[i]);
    if (!lua_isnil(L, at)) {
      option_number(L, options, names[i], 0);
    } else if (arg < options && !lua_isnil(L, arg)) {
      arg_check_number(L, arg);
      lua_copy(L, arg, at);
    }
  }
  return options;
}

static lua_Number greatest (DType t) {
  return t == DTYPE_FLOAT16    ? 65504
         : t == DTYPE_BFLOAT16 ? 0x1.fep127
         : t == DTYPE_FLOAT32  ? FLT_MAX
                               : DBL_MAX;
}

/* Returns filler i, which is at LAST + 1 + i, or its default. */
static lua_Number filler (lua_State *L, int i, DType t) {
  int at = LAST + 1 + i;
  return !lua_isnil(L, at) ? lua_tonumber(L, at)
         : i == 0          ? 0
         : i == 1          ? greatest(t)
                           : -greatest(t);
}

/* Pushes c:where(number, z). */
static int choose (lua_State *L, int c, lua_Number number, int z) {
  push_method(L, "where", c);
  lua_pushnumber(L, number);
  lua_pushvalue(L, z);
  return call_method(L, "where", 2);
}

/* nan_to_num of a Symbol. NaNs are replaced last, because a later step could
** change their replacement. */
static int trace_fill (lua_State *L, DType t) {
  push_method(L, "clip", 1);
  lua_pushnumber(L, -greatest(t));
  lua_pushnumber(L, greatest(t));
  int z = call_method(L, "clip", 2);
  for (int i = 1; i < FILLERS; i++)
    if (!lua_isnil(L, LAST + 1 + i))
      z = choose(L, composed_scalar(L, "eq", 1, i == 1 ? HUGE_VAL : -HUGE_VAL),
                 filler(L, i, t), z);
  choose(L, composed_unary(L, "isnan", 1), filler(L, 0, t), z);
  return 1;
}

static void launch_fill (lua_State *L, RtStream *s, Array *z, const Array *x) {
  Element to[FILLERS] = {{0}};
  DType t = (DType)z->dtype;
  for (int i = 0; i < FILLERS; i++) {
    lua_pushnumber(L, filler(L, i, t));
    dtype_read_element(L, -1, t, &to[i]);
    lua_pop(L, 1);
  }
  if (z->size == 0)
    return;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &to[0], &to[1], &to[2], &z->size};
  KernelId id = kernel_nan_to_num(t);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

/* Writes the result to option 'out' of the table at 'options', or a new
** array. */
static int fill_floats (lua_State *L, Array *a, int options) {
  Target to;
  DType t = (DType)a->dtype;
  RtStream *s = current_get_stream(L, a->dev);
  Array *x = operand_push_dense(L, 1, t);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  operand_push_out(L, &to, options, &like, t, s, x, NULL);
  launch_fill(L, s, to.z, x);
  to.args = LAST;
  return operand_return(L, &to, s);
}

/* Returns a copy: integers have neither NaN nor infinities. */
static int fill_whole (lua_State *L, int options) {
  bool out = result_get_out(L, options);
  int at = lua_gettop(L);
  push_method(L, "real", 1);
  if (out) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, at);
    lua_setfield(L, -2, "out");
  }
  entry_call(L, "nan_to_num", out ? 2 : 1, 1);
  return 1;
}

/* 'options': the index of the options with 'out', behind the arguments. */
static int fill (lua_State *L, int options) {
  class_push_field(L, 1, "dtype");
  DType t = dtype_check(L, lua_gettop(L));
  lua_pop(L, 1);
  if (dtype_kind(t) == KIND_COMPLEX)
    return error_raise(L, "'nan_to_num' is not defined for %s arrays",
                       dtype_name(t));
  if (dtype_kind(t) != KIND_FLOAT)
    return fill_whole(L, options);
  return is_symbol(L, 1) ? trace_fill(L, t)
                         : fill_floats(L, array_check(L, 1), options);
}

/*
** nan_to_num(x [, nan [, posinf [, neginf]]] [, { nan=, posinf=, neginf=,
** out= }]): replaces NaN and infinities by numbers.
*/
int composed_nan_to_num (lua_State *L) {
  lua_settop(L, LAST);
  int options = push_fillers(L);
  if (!is_symbol(L, 1))
    array_check(L, 1);
  return fill(L, options);
}

/* x:nan_to_num_(...) -> x */
static int array_nan_to_num_ (lua_State *L) {
  array_check(L, 1);
  lua_settop(L, LAST - 1);
  lua_pushnil(L);
  int given = push_fillers(L);
  if (lua_istable(L, given) && result_get_out(L, given))
    return argerror_raise(L, given, "there is no option 'out' in place");
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "out");
  return fill(L, lua_gettop(L));
}

/* ==} */

static const Function functions[] = {
  {"nan_to_num", composed_nan_to_num, 5},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"nan_to_num_", array_nan_to_num_, 4},
  {NULL, NULL, 0},
};

void open_composed (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
  class_add_methods(L, &array_class, methods);
}
