/*
** tile.c - repeats an array: tile, repeat_each. Each is one copy, along more
** axes than the array has.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/shape.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"

/* The axes of the result along which a source is copied: lengths, and strides
** in both. They may be more than an array can have, so those of one element are
** left out. */
typedef struct Pairs {
  int n;
  int64_t shape[2 * MAX_DIMS], to[2 * MAX_DIMS], from[2 * MAX_DIMS];
} Pairs;

static void add_pair (Pairs *p, int64_t n, int64_t to, int64_t from) {
  if (n == 1)
    return;
  p->shape[p->n] = n;
  p->to[p->n] = to;
  p->from[p->n++] = from;
}

/* Queues the copy of 'a' to 'z' by those strides. */
static void copy_pairs (lua_State *L, RtStream *s, Array *z, Array *a,
                        const Pairs *p) {
  if (p->n > MAX_DIMS)
    tide_raise(L, "the result has too many axes longer than one");
  if (z->size == 0)
    return;
  Array *to = tide_pushview(L, z, p->n, p->shape, p->to, z->off);
  Array *from = tide_pushview(L, a, p->n, p->shape, p->from, a->off);
  tide_copy(L, s, to, from);
  tide_drop(L, lua_gettop(L) - 2);
}

/* Returns the number at 'idx', which is argument 'arg' or an item of its
** list. */
static int64_t check_times (lua_State *L, int arg, int idx) {
  int isint, number = (lua_type(L, idx) == LUA_TNUMBER);
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || !number || n < 0)
    tide_argerror(L, arg, "how often must be an integer from 0 on, got %s",
                  number              ? luaL_tolstring(L, idx, NULL)
                  : lua_isnil(L, arg) ? "no value"
                                      : tide_pushtypename(L, idx));
  return n;
}

/* Returns n * by for shapes. Raises if the product would overflow. */
static int64_t times (lua_State *L, int64_t n, int64_t by) {
  int64_t product;
  if (__builtin_mul_overflow(n, by, &product) || product > (int64_t)1 << 46)
    tide_argerror(L, 2, "the shape has more than 2^46 elements");
  return product;
}

/* Returns the number of axes with a count at 2: a list, or a number for the
** last. */
static int count_times (lua_State *L) {
  if (!lua_istable(L, 2))
    return 1;
  lua_Unsigned n = lua_rawlen(L, 2);
  tide_argcheck(L, n <= MAX_DIMS, 2, "more than 32 axes");
  tide_checklist(L, 2, n,
                 "a list of how often along each axis; options are "
                 "a table of their own");
  return (int)n;
}

/* tile(a, times [, { out= }]) -> 'a' repeated so often along each axis; a
** number: along the last axis. */
static int array_tile (lua_State *L) {
  int64_t reps[MAX_DIMS], shape[MAX_DIMS];
  Pairs p = {.n = 0};
  lua_settop(L, 3);
  Array *a = tide_checkarray(L, 1);
  int given = count_times(L);
  int ndim = given > a->ndim ? given : a->ndim;
  for (int i = 0; i < ndim; i++) {
    int own = i - (ndim - a->ndim), at = i - (ndim - given);
    if (lua_istable(L, 2) && at >= 0)
      lua_rawgeti(L, 2, at + 1);
    else
      lua_pushvalue(L, 2);
    reps[i] = (at >= 0) ? check_times(L, 2, -1) : 1;
    shape[i] = times(L, own >= 0 ? a->shape[own] : 1, reps[i]);
    lua_pop(L, 1);
  }
  RtStream *s = tide_currentstream(L, a->dev);
  Array *z = tide_newarray(L, a->dev, a->dtype, ndim, shape, s);
  for (int i = 0; i < ndim; i++) {
    int own = i - (ndim - a->ndim);
    int64_t n = (own >= 0) ? a->shape[own] : 1, step = tide_strides(z)[i];
    add_pair(&p, reps[i], n * step, 0);
    if (own >= 0)
      add_pair(&p, n, step, tide_strides(a)[own]);
  }
  copy_pairs(L, s, z, a, &p);
  return tide_deliver(L, 3, s);
}

/* repeat_each(a, n [, axis] [, { axis=, out= }]) -> each element repeated n
** times in place; by default of 'a' as a 1-d array. */
static int array_repeat_each (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Pairs p = {.n = 0};
  int axis;
  lua_settop(L, 4);
  Array *a = tide_checkarray(L, 1);
  int64_t n = check_times(L, 2, 2), size = (int64_t)a->size;
  int options = tide_optaxis(L, 3, a->ndim, tide_axisout, &axis);
  if (axis < 0) {
    a = tide_pushreshaped(L, 1, 1, &size);
    axis = 0;
  }
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = times(L, shape[axis], n);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *z = tide_newarray(L, a->dev, a->dtype, a->ndim, shape, s);
  for (int i = 0; i < a->ndim; i++) {
    int64_t step = tide_strides(z)[i];
    add_pair(&p, a->shape[i], i == axis ? n * step : step, tide_strides(a)[i]);
    if (i == axis)
      add_pair(&p, n, step, 0);
  }
  copy_pairs(L, s, z, a, &p);
  return tide_deliverout(L, options, s);
}

static const Function functions[] = {
  {"repeat_each", array_repeat_each, 4},
  {"tile", array_tile, 3},
  {NULL, NULL, 0},
};

void tide_opentile (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
