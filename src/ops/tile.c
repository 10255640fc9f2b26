/*
** tile.c - repeats an array: tile, repeat_each. Each is one copy, along more
** axes than the array has.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"

/* The axes of the result along which a source is copied: lengths, and strides
** in both. They may be more than an array can have, so those of one element are
** left out. */
typedef struct CopyAxes {
  int n;
  int64_t shape[2 * MAX_DIMS], to[2 * MAX_DIMS], from[2 * MAX_DIMS];
} CopyAxes;

static void add_pair (CopyAxes *p, int64_t n, int64_t to, int64_t from) {
  if (n == 1)
    return;
  p->shape[p->n] = n;
  p->to[p->n] = to;
  p->from[p->n++] = from;
}

/* Queues the copy of 'a' to 'z' by those strides. */
static void copy_pairs (lua_State *L, RtStream *s, Array *z, Array *a,
                        const CopyAxes *p) {
  if (p->n > MAX_DIMS)
    error_raise(L, "the result has too many axes longer than one");
  if (z->size == 0)
    return;
  Array *to = array_push_view(L, z, p->n, p->shape, p->to, z->off);
  Array *from = array_push_view(L, a, p->n, p->shape, p->from, a->off);
  array_copyto(L, s, to, from);
  array_drop(L, lua_gettop(L) - 2);
}

/* Returns the number at 'idx', which is argument 'arg' or an item of its
** list. */
static int64_t check_times (lua_State *L, int arg, int idx) {
  int isint, number = (lua_type(L, idx) == LUA_TNUMBER);
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || !number || n < 0)
    argerror_raise(L, arg, "how often must be an integer from 0 on, got %s",
                   number              ? luaL_tolstring(L, idx, NULL)
                   : lua_isnil(L, arg) ? "no value"
                                       : type_push_name(L, idx));
  return n;
}

/* Returns n * by for shapes. Raises if the product would overflow. */
static int64_t times (lua_State *L, int64_t n, int64_t by) {
  int64_t product;
  if (__builtin_mul_overflow(n, by, &product) || product > (int64_t)1 << 46)
    argerror_raise(L, 2, "the shape has more than 2^46 elements");
  return product;
}

/* Returns the number of axes with a count at 2: a list, or a number for the
** last. */
static int count_times (lua_State *L) {
  if (!lua_istable(L, 2))
    return 1;
  lua_Unsigned n = lua_rawlen(L, 2);
  argerror_check(L, n <= MAX_DIMS, 2, "more than 32 axes");
  list_check(L, 2, n,
             "a list of how often along each axis; options are a table of "
             "their own");
  return (int)n;
}

/* tile(a, times [, { out= }]) -> 'a' repeated so often along each axis; a
** number: along the last axis. */
static int array_tile (lua_State *L) {
  int64_t reps[MAX_DIMS], shape[MAX_DIMS];
  CopyAxes p = {.n = 0};
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
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
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = array_new(L, a->dev, a->dtype, ndim, shape, s);
  for (int i = 0; i < ndim; i++) {
    int own = i - (ndim - a->ndim);
    int64_t n = (own >= 0) ? a->shape[own] : 1, step = array_stride(z)[i];
    add_pair(&p, reps[i], n * step, 0);
    if (own >= 0)
      add_pair(&p, n, step, array_stride(a)[own]);
  }
  copy_pairs(L, s, z, a, &p);
  return result_deliver(L, 3, s);
}

/* repeat_each(a, n [, axis] [, { axis=, out= }]) -> each element repeated n
** times in place; by default of 'a' as a 1-d array. */
static int array_repeat_each (lua_State *L) {
  int64_t shape[MAX_DIMS];
  CopyAxes p = {.n = 0};
  int axis;
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int64_t n = check_times(L, 2, 2), size = (int64_t)a->size;
  int options = operand_opt_axis(L, 3, a->ndim, operand_axis_out, &axis);
  if (axis < 0) {
    a = shape_push_reshaped(L, 1, 1, &size);
    axis = 0;
  }
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = times(L, shape[axis], n);
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = array_new(L, a->dev, a->dtype, a->ndim, shape, s);
  for (int i = 0; i < a->ndim; i++) {
    int64_t step = array_stride(z)[i];
    add_pair(&p, a->shape[i], i == axis ? n * step : step, array_stride(a)[i]);
    if (i == axis)
      add_pair(&p, n, step, 0);
  }
  copy_pairs(L, s, z, a, &p);
  return result_deliver_out(L, options, s);
}

static const Function functions[] = {
  {"repeat_each", array_repeat_each, 4},
  {"tile", array_tile, 3},
  {NULL, NULL, 0},
};

void open_tile (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
