/*
** split.c - splits an array along an axis into a list of views: split,
** array_split, unstack.
*/
#include <string.h>

#include "array/array.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/type.h"
#include "openers.h"
#include "operands.h"
#include "rt/kernels/dtypes.h"

/* Reads [axis] [, { axis= }] from 'arg' on: an axis of 'a', by default the
** first. */
static int read_axis (lua_State *L, int arg, const Array *a) {
  static const char *const names[] = {"axis", NULL};
  int axis;
  argerror_check(L, a->ndim > 0, 1, "an array without axes cannot be split");
  operand_opt_axis(L, arg, a->ndim, names, &axis);
  return (axis < 0) ? 0 : axis;
}

/* Appends elements [from, to) of the axis to the list on the top, which has n.
** The part is empty if 'to' is not after 'from'. */
static void add_part (lua_State *L, Array *a, int axis, int64_t from,
                      int64_t to, lua_Integer n) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = (to > from) ? to - from : 0;
  array_push_view(L, a, a->ndim, shape, array_stride(a),
                  a->off + (size_t)(from * array_stride(a)[axis] *
                                    (int64_t)dtype_size(a->dtype)));
  lua_rawseti(L, -2, n + 1);
}

/* {== split =========================================================== */

/* Makes so many parts of n elements; the first ones may be longer by one. */
static int split_evenly (lua_State *L, Array *a, int axis, lua_Integer parts) {
  int64_t n = a->shape[axis], at = 0;
  lua_createtable(L, parts < 1024 ? (int)parts : 1024, 0);
  for (lua_Integer i = 0; i < parts; i++) {
    int64_t length = n / parts + (i < n % parts);
    add_part(L, a, axis, at, at + length, i);
    at += length;
  }
  return 1;
}

/* Returns the start, from 0, of the element for index i of the list at 2; an
** index beyond the end is the end. */
static int64_t read_place (lua_State *L, lua_Unsigned i, int64_t n) {
  int isint;
  lua_rawgeti(L, 2, (lua_Integer)i);
  lua_Integer at = lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER || at == 0)
    argerror_raise(L, 2,
                   "an index must be an integer, from 1 or negative from the "
                   "end, got %s",
                   lua_type(L, -1) == LUA_TNUMBER ? luaL_tolstring(L, -1, NULL)
                                                  : luaL_typename(L, -1));
  lua_pop(L, 1);
  at = (at > 0) ? at - 1 : at > -n ? at + n : 0;
  return (at < n) ? at : n;
}

/* Makes a part that begins at each index of the list at 2, and one before the
** first. */
static int split_at (lua_State *L, Array *a, int axis) {
  int64_t n = a->shape[axis], from = 0;
  lua_Unsigned places = lua_rawlen(L, 2);
  list_check(L, 2, places,
             "a list of indices; options are a table of their own");
  lua_newtable(L);
  for (lua_Unsigned i = 0; i < places; i++) {
    int64_t to = read_place(L, i + 1, n);
    add_part(L, a, axis, from, to, (lua_Integer)i);
    from = to;
  }
  add_part(L, a, axis, from, n, (lua_Integer)places);
  return 1;
}

/* Returns the number of parts at 2. */
static lua_Integer check_parts (lua_State *L) {
  lua_Integer parts = arg_check_integer(L, 2);
  argerror_check(L, parts > 0, 2, "at least one part expected");
  argerror_check(L, parts <= INT32_MAX, 2, "too many parts");
  return parts;
}

static int split (lua_State *L, bool equal) {
  Array *a = array_check(L, 1);
  if (!lua_istable(L, 2) && lua_type(L, 2) != LUA_TNUMBER)
    type_error(L, 2, "integer or table");
  lua_settop(L, 4);
  int axis = read_axis(L, 3, a);
  if (lua_istable(L, 2))
    return split_at(L, a, axis);
  lua_Integer parts = check_parts(L);
  if (equal && a->shape[axis] % parts != 0)
    argerror_raise(L, 2,
                   "%I elements along axis %d cannot be split into %I equal "
                   "parts; tide.array_split makes others",
                   (LUAI_UACINT)a->shape[axis], axis + 1, (LUAI_UACINT)parts);
  return split_evenly(L, a, axis, parts);
}

/* split(a, parts [, axis] [, { axis= }]) -> list of views: so many of equal
** length, or one that begins at each index of a list, and one before. */
static int array_split (lua_State *L) { return split(L, true); }

/* array_split(a, parts [, axis] [, { axis= }]): the first parts may be longer
** by one element. */
static int array_array_split (lua_State *L) { return split(L, false); }

/* ==} */

/* unstack(a [, axis] [, { axis= }]) -> list of the slices across an axis, as
** views without it. */
static int array_unstack (lua_State *L) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  int axis = read_axis(L, 2, a), ndim = 0;
  for (int i = 0; i < a->ndim; i++) {
    if (i == axis)
      continue;
    shape[ndim] = a->shape[i];
    strides[ndim++] = array_stride(a)[i];
  }
  int64_t n = a->shape[axis],
          step = array_stride(a)[axis] * (int64_t)dtype_size(a->dtype);
  lua_createtable(L, n < 1024 ? (int)n : 1024, 0);
  for (int64_t i = 0; i < n; i++) {
    array_push_view(L, a, ndim, shape, strides, a->off + (size_t)(i * step));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static const Function functions[] = {
  {"array_split", array_array_split, 4},
  {"split", array_split, 4},
  {"unstack", array_unstack, 3},
  {NULL, NULL, 0},
};

void open_split (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
