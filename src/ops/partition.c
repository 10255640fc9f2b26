/*
** partition.c - partition, argpartition: the elements of a line around those
** that would be at given places if it were sorted. A sorted line is one of the
** right results; for few places the host device has a kernel that does less. On
** CUDA the order of a long line is found in two steps: the elements at the
** places, and then which of these each element comes before. These numbers have
** a byte, so that their order takes one pass of a radix sort.
*/

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "rt/driver/context.h"
#include "sort.h"

enum {
  OPTIONS = 4,       /* index of the last argument */
  MOST_PLACES = 127, /* whose sides are in a byte */
  LONG = 1 << 14     /* elements that take longer than more launches */
};

/* Reads the integer on the top, a place of n, and pops it. */
static void read_place (lua_State *L, int64_t n, SortPlaces *p) {
  int isint;
  lua_Integer i = lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER)
    argerror_raise(L, 2, "an integer, or a list of integers, expected, got %s",
                   luaL_typename(L, -1));
  int64_t at = axes_resolve(i, n);
  if (at < 0)
    argerror_raise(L, 2, "place %I of %I elements", (LUAI_UACINT)i,
                   (LUAI_UACINT)n);
  sort_add_place(p, at);
  lua_pop(L, 1);
}

/* Reads the place, or the list of places, at 2. */
static void read_places (lua_State *L, int64_t n, SortPlaces *p) {
  if (!lua_istable(L, 2)) {
    lua_pushvalue(L, 2);
    read_place(L, n, p);
    return;
  }
  lua_Unsigned count = lua_rawlen(L, 2);
  list_check(L, 2, count, "a list of places; options are a table of their own");
  for (lua_Unsigned i = 1; i <= count; i++) {
    lua_rawgeti(L, 2, (lua_Integer)i);
    read_place(L, n, p);
  }
}

/* Reads the arguments. Returns the array. */
static Array *read (lua_State *L, SortPlaces *p) {
  int axis;
  lua_settop(L, OPTIONS);
  Array *a = array_check(L, 1);
  argerror_check(L, a->ndim > 0, 1, "at least one axis expected");
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    argerror_raise(L, 1, "real numbers expected, got %s", dtype_name(a->dtype));
  operand_opt_axis(L, 3, a->ndim, operand_axis_out, &axis);
  read_places(L, a->shape[axis < 0 ? a->ndim - 1 : axis], p);
  return a;
}

/* Pushes for each element of the array at 1, which has one axis, the number of
** elements at the places that are less than it, and of those not greater, as
** one sum. */
static int push_sides (lua_State *L) {
  RtStream *s = current_get_stream(L, array_check(L, 1)->dev);
  int sorted = composed_unary(L, "sort", 1);
  lua_pushvalue(L, 2);
  int at = composed_unary(L, "ravel", composed_call(L, "take", sorted, 1));
  at = composed_unary(L, "sort", at);
  int less = sort_push_places(L, s, at, 1, (Search){.base = 0});
  int most = sort_push_places(L, s, at, 1, (Search){.base = 0, .last = true});
  return composed_astype(L, composed_binary(L, "add_", less, most),
                         DTYPE_UINT8);
}

/* Tells whether an order in two steps is faster. */
static bool is_apart (lua_State *L, const Array *a, const SortPlaces *p) {
  bool host = context_is_host(a->dev);
  bool few = !lua_istable(L, 2) || lua_rawlen(L, 2) <= MOST_PLACES;
  return a->ndim == 1 && a->size >= LONG && few && dtype_size(a->dtype) > 1 &&
         (!host || p->n > PARTITION_PLACES);
}

/* partition(a, place [, axis] [, { axis=, out= }]) -> a copy in which the
** element at each place is the one of a sorted array, with no greater one
** before it and no smaller one behind it. */
static int array_partition (lua_State *L) {
  SortPlaces p = {.others = true};
  read(L, &p);
  return sort_along(L, 3, false, &p);
}

/* argpartition: the indices, from 1, of the elements of a partition. */
static int array_argpartition (lua_State *L) {
  SortPlaces p = {.others = true};
  const Array *a = read(L, &p);
  if (!is_apart(L, a, &p))
    return sort_along(L, 3, true, &p);
  int sides = push_sides(L);
  lua_pushvalue(L, 3);
  lua_pushvalue(L, OPTIONS);
  composed_call(L, "argsort", sides, 2);
  return array_return(L, OPTIONS);
}

static const Function functions[] = {
  {"argpartition", array_argpartition, 4},
  {"partition", array_partition, 4},
  {NULL, NULL, 0},
};

void open_partition (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
