/*
** tile.c - repeats an array: tile, repeat_each. Each is one copy, along more
** axes than the array has; repeat_each by counts takes elements by their
** indices.
*/
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "bincount.h"
#include "composed.h"
#include "device/current.h"
#include "mask.h"
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
static int64_t lengthen (lua_State *L, int64_t n, int64_t by) {
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
    shape[i] = lengthen(L, own >= 0 ? a->shape[own] : 1, reps[i]);
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

/* {== repeat_each ===================================================== */

/* Repeats each element n times; 'axis' -1: of 'a' as a 1-d array. */
static int repeat_evenly (lua_State *L, int axis, int options) {
  int64_t shape[MAX_DIMS];
  CopyAxes p = {.n = 0};
  Array *a = array_check(L, 1);
  int64_t n = check_times(L, 2, 2), size = (int64_t)a->size;
  if (axis < 0) {
    a = shape_push_reshaped(L, 1, 1, &size);
    axis = 0;
  }
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = lengthen(L, shape[axis], n);
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

static void check_counts (lua_State *L, const Array *c, int64_t n) {
  if (c->ndim > 1 || (c->size != 1 && (int64_t)c->size != n)) {
    array_push_shape(L, c);
    argerror_raise(L, 2, "a count for each of %I elements expected, got %s",
                   (LUAI_UACINT)n, lua_tostring(L, -1));
  }
}

/* Returns the total of counts whose minimum is 'least'; 'sum' is exact up to
** 2^53. Raises. */
static int64_t check_total (lua_State *L, double least, double sum) {
  argerror_check(L, least >= 0, 2, "a count must not be negative, got %I",
                 (LUAI_UACINT)least);
  argerror_check(L, sum <= 0x1p46, 2, "the shape has more than 2^46 elements");
  return (int64_t)sum;
}

/* Pushes the list of counts at 2 as an array on the device. Returns their
** total. */
static int64_t push_list (lua_State *L, RtDevice *dev, int64_t n, RtStream *s) {
  list_check(L, 2, lua_rawlen(L, 2),
             "a list of counts; options are a table of their own");
  Array *h = array_push_table(L, 2, dev, DTYPE_INT64);
  check_counts(L, h, n);
  const int64_t *count = (const int64_t *)(uintptr_t)array_pointer(h);
  double least = 0, sum = 0;
  for (size_t i = 0; i < h->size; i++) {
    least = fmin(least, (double)count[i]);
    sum += (double)count[i];
  }
  int64_t total = check_total(L, least, h->size == 1 ? sum * (double)n : sum);
  Array *c = array_new(L, dev, DTYPE_INT64, h->ndim, h->shape, s);
  array_copyto(L, s, c, h);
  array_release(h);
  lua_remove(L, -2);
  return total;
}

/* Waits for the only element, a float64, of the array on the top; pops it. */
static double pop_number (lua_State *L) {
  Array *h = array_fetch(L, array_check(L, -1), "repeat_each");
  double x = *(const double *)(uintptr_t)array_pointer(h);
  array_release(h);
  array_drop(L, lua_gettop(L) - 2);
  return x;
}

/* Pushes the array of counts at 2 as int64. Returns their total, for which it
** waits, unless 'total' is given; then negative ones count as 0. */
static int64_t push_array (lua_State *L, const Array *a, int64_t n, RtStream *s,
                           int64_t total) {
  Array *c = array_check(L, 2);
  array_check_devices(L, a, c);
  argerror_check(L, dtype_kind(c->dtype) <= KIND_INTEGER, 2,
                 "counts must be integers, got %s", dtype_name(c->dtype));
  check_counts(L, c, n);
  if (total < 0) {
    mask_check_count(L, s, c, "repeat_each");
    blocking_check(L, c->dev, "repeat_each");
  }
  c = operand_push_dense(L, 2, DTYPE_INT64);
  int at = lua_gettop(L);
  if (total >= 0) { /* a larger count may be too much for the sum */
    lua_pushinteger(L, 0);
    lua_pushinteger(L, total);
    composed_call(L, "clip", at, 2);
    return total;
  }
  if (c->size == 0)
    return 0;
  int floats = composed_astype(L, at, DTYPE_FLOAT64);
  composed_unary(L, "min", floats);
  double least = pop_number(L);
  composed_unary(L, "sum", floats);
  double sum = pop_number(L);
  array_drop(L, at);
  return check_total(L, least, c->size == 1 ? sum * (double)n : sum);
}

/* Pushes for each element of the result, along the axis, the index from 0 of
** the one that it repeats: how many end before it. */
static int push_repeated (lua_State *L, RtStream *s, int64_t n, int64_t total) {
  Array *c = array_check(L, -1);
  if (c->ndim == 0 || c->shape[0] != n)
    shape_push_broadcast(L, 2, c, 1, &n);
  int ends = composed_unary(L, "cumsum", lua_gettop(L));
  return composed_unary(L, "cumsum", bincount_push(L, s, ends, total, 0));
}

/* Repeats each element, or slice across an axis, as often as its count says. */
static int repeat_by_counts (lua_State *L, int axis, int options) {
  Array *a = array_check(L, 1);
  Room room;
  mask_read_room(L, options, DTYPE_INT64, 0, &room);
  lua_settop(L, options);
  int64_t n = (axis < 0) ? (int64_t)a->size : a->shape[axis];
  RtStream *s = current_get_stream(L, a->dev);
  int64_t given = room.given ? room.size : -1;
  int64_t total = lua_istable(L, 2) ? push_list(L, a->dev, n, s)
                                    : push_array(L, a, n, s, given);
  push_repeated(L, s, n, given >= 0 ? given : total);
  if (axis < 0)
    lua_pushnil(L);
  else
    lua_pushinteger(L, axis + 1);
  lua_createtable(L, 0, 2);
  lua_pushliteral(L, "clip"); /* 'size' may be more than the total */
  lua_setfield(L, -2, "mode");
  lua_pushinteger(L, 0);
  lua_setfield(L, -2, "base");
  composed_call(L, "take", 1, 3);
  return result_deliver_out(L, options, s);
}

/*
** repeat_each(a, n [, axis] [, { axis=, out=, size= }]) -> each element
** repeated n times in place; by default of 'a' as a 1-d array. 'n' is a number,
** or counts, one for each element or slice: a list or an array. 'size': their
** total, which is not waited for then.
*/
static int array_repeat_each (lua_State *L) {
  static const char *const names[] = {"axis", "out", "size", NULL};
  int axis;
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int options = operand_opt_axis(L, 3, a->ndim, names, &axis);
  if (lua_istable(L, 2) || array_test(L, 2) != NULL)
    return repeat_by_counts(L, axis, options);
  if (lua_istable(L, options) && option_get(L, options, "size") != LUA_TNIL)
    argerror_raise(L, options, "option 'size' is for an array of counts");
  lua_settop(L, 4);
  return repeat_evenly(L, axis, options);
}

/* ==} */

static const Function functions[] = {
  {"repeat_each", array_repeat_each, 4},
  {"tile", array_tile, 3},
  {NULL, NULL, 0},
};

void open_tile (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
