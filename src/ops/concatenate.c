/*
** concatenate.c - arrays made of several, or several times of one: concatenate,
** stack, tile, repeat_each. Each is a few copies to views of the result.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "array/shape.h"
#include "base/class.h"
#include "base/list.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

/* {== of several ====================================================== */

/* Pushes the arrays of the list at 1, one after the other, from index 4 on;
** returns how many. */
static int push_list (lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  lua_Unsigned n = lua_rawlen(L, 1);
  luaL_argcheck(L, n > 0, 1, "at least one array expected");
  luaL_argcheck(L, n < 100000, 1, "too many arrays");
  tide_checklist(L, 1, n, "a list of arrays; the axis comes after it, then "
                 "options");
  luaL_checkstack(L, (int)n + 8, "too many arrays");
  for (int i = 1; i <= (int)n; i++) {
    lua_rawgeti(L, 1, i);
    Array *a = tide_testarray(L, -1);
    if (a == NULL)
      luaL_argerror(L, 1, lua_pushfstring(L,
          "tide.Array expected as element %d, got %s", i,
          luaL_typename(L, -1)));
    if (a->closed)
      luaL_argerror(L, 1, lua_pushfstring(L, "array %d is closed", i));
    tide_checkopen(L, 1, a);
  }
  return (int)n;
}

static Array *listed (lua_State *L, int i) {
  return lua_touserdata(L, 4 + i);
}

/* Raises unless array i is like the first one but for 'axis' (-1: none). */
static void check_listed (lua_State *L, int i, int axis) {
  const Array *first = listed(L, 0), *a = listed(L, i);
  bool same = (a->ndim == first->ndim);
  tide_checkdevices(L, first, a);
  for (int k = 0; k < first->ndim && same; k++)
    same = (k == axis || a->shape[k] == first->shape[k]);
  if (same)
    return;
  tide_pushshape(L, first);
  tide_pushshape(L, a);
  luaL_argerror(L, 1, lua_pushfstring(L,
      "array %d has shape %s, which does not go with %s", i + 1,
      lua_tostring(L, -1), lua_tostring(L, -2)));
}

/* The dtype that all have in common. */
static DType listed_dtype (lua_State *L, int n) {
  DType t = listed(L, 0)->dtype;
  for (int i = 1; i < n; i++)
    if (listed(L, i)->dtype != t)
      t = tide_promote(t, listed(L, i)->dtype);
  return t;
}

/* Pushes what is written to: 'out', or memory of its own if that holds some of
** the list. */
static Array *push_apart (lua_State *L, RtStream *s, Array *out, int n) {
  bool apart = true;
  for (int i = 0; i < n && apart; i++)
    apart = !tide_overlaps(out, listed(L, i));
  if (!apart)
    return tide_newarray(L, out->dev, out->dtype, out->ndim, out->shape, s);
  lua_pushvalue(L, -1);
  return out;
}

/* Pushes all of the list as they can be copied to z. */
static void push_converted (lua_State *L, const Array *z, int n) {
  luaL_checkstack(L, n + 8, "too many arrays");
  for (int i = 0; i < n; i++)
    tide_pushcast(L, 4 + i, z->dtype);
}

/* z has the whole result: copies it to 'out', unless that is z, and leaves
** 'out', which is at 'at', on the top. */
static int finish (lua_State *L, RtStream *s, Array *out, Array *z, int at) {
  if (z != out) {
    tide_copy(L, s, out, z);
    tide_closearray(z);
  }
  lua_settop(L, at);
  return 1;
}

/* Copies array i to the 'n' places from 'at' along the axis of 'z'; as a slice
** without that axis if 'n' is 0. */
static void put (lua_State *L, RtStream *s, Array *z, int axis, int64_t at,
                 int64_t n, Array *a) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int ndim = 0;
  for (int k = 0; k < z->ndim; k++) {
    if (k == axis && n == 0)
      continue;
    shape[ndim] = (k == axis) ? n : z->shape[k];
    strides[ndim++] = tide_strides(z)[k];
  }
  Array *v = tide_pushview(L, z, ndim, shape, strides, z->off +
      (size_t)(at * tide_strides(z)[axis] *
               (int64_t)rt_dtype_size(z->dtype)));
  tide_copy(L, s, v, a);
  tide_closearray(v);
  lua_pop(L, 1);
}

/* Puts array i of the list, which is converted if need be: 'first' + i. */
static void put_converted (lua_State *L, RtStream *s, Array *z, int axis,
                           int64_t at, int64_t n, int first, int i) {
  Array *a = lua_touserdata(L, first + i);
  if (a->size > 0)
    put(L, s, z, axis, at, n, a);
  if (a != listed(L, i))
    tide_closearray(a);
}

/* concatenate(list [, axis] [, { axis=, out= }]) -> arrays one after the other
** along an axis, by default the first. */
static int core_concatenate (lua_State *L) {
  Like like;
  int axis, n = push_list(L);
  Array *first = listed(L, 0);
  luaL_argcheck(L, first->ndim > 0, 1, "0-d arrays cannot be concatenated; "
                "use tide.stack");
  int options = tide_optaxis(L, 2, first->ndim, tide_axisout, &axis);
  axis = (axis < 0) ? 0 : axis;
  like = (Like){.of = first, .ndim = first->ndim, .shape = like.wide};
  memcpy(like.wide, first->shape, (size_t)first->ndim * sizeof *like.wide);
  for (int i = 1; i < n; i++) {
    check_listed(L, i, axis);
    like.wide[axis] += listed(L, i)->shape[axis];
  }
  RtStream *s = tide_currentstream(L, first->dev);
  Array *out = tide_pushout(L, options, &like, listed_dtype(L, n), s);
  Array *z = push_apart(L, s, out, n);
  int copies = lua_gettop(L) + 1;
  push_converted(L, z, n);
  int64_t at = 0;
  for (int i = 0; i < n; i++) {
    int64_t rows = listed(L, i)->shape[axis];
    put_converted(L, s, z, axis, at, rows, copies, i);
    at += rows;
  }
  return finish(L, s, out, z, copies - 2);
}

/* stack(list [, axis] [, { axis=, out= }]) -> arrays of one shape along a new
** axis, by default the first. */
static int core_stack (lua_State *L) {
  Like like;
  int axis, n = push_list(L);
  Array *first = listed(L, 0);
  luaL_argcheck(L, first->ndim < MAX_DIMS, 1,
                "the result would have more than 32 axes");
  int options = tide_optaxis(L, 2, first->ndim + 1 + OF_RESULT, tide_axisout,
                             &axis);
  axis = (axis < 0) ? 0 : axis;
  like = (Like){.of = first, .ndim = first->ndim + 1, .shape = like.wide};
  for (int k = 0, own = 0; k < like.ndim; k++)
    like.wide[k] = (k == axis) ? n : first->shape[own++];
  for (int i = 1; i < n; i++)
    check_listed(L, i, -1);
  RtStream *s = tide_currentstream(L, first->dev);
  Array *out = tide_pushout(L, options, &like, listed_dtype(L, n), s);
  Array *z = push_apart(L, s, out, n);
  int copies = lua_gettop(L) + 1;
  push_converted(L, z, n);
  for (int i = 0; i < n; i++)
    put_converted(L, s, z, axis, i, 0, copies, i);
  return finish(L, s, out, z, copies - 2);
}

/* ==} */

/* {== several times =================================================== */

/* Axes of the result that a source is copied along: lengths, and strides in
** both. More than an array can have, as those of one element are left out. */
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

/* Queues the copy of 'a' to 'z', by those strides. */
static void copy_pairs (lua_State *L, RtStream *s, Array *z, Array *a,
                        const Pairs *p) {
  if (p->n > MAX_DIMS)
    luaL_error(L, "the result has too many axes longer than one");
  if (z->size == 0)
    return;
  Array *to = tide_pushview(L, z, p->n, p->shape, p->to, z->off);
  Array *from = tide_pushview(L, a, p->n, p->shape, p->from, a->off);
  tide_copy(L, s, to, from);
  tide_drop(L, lua_gettop(L) - 2);
}

/* The number at 'idx', which is 'arg' or one of its list. */
static int64_t check_times (lua_State *L, int arg, int idx) {
  int isint, number = (lua_type(L, idx) == LUA_TNUMBER);
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || !number || n < 0)
    luaL_argerror(L, arg, lua_pushfstring(L,
        "how often must be an integer from 0 on, got %s",
        number ? luaL_tolstring(L, idx, NULL) : lua_isnil(L, arg) ?
        "no value" : tide_pushtypename(L, idx)));
  return n;
}

/* n * by, for shapes: raises before the product could wrap around. */
static int64_t times (lua_State *L, int64_t n, int64_t by) {
  int64_t product;
  if (__builtin_mul_overflow(n, by, &product) || product > (int64_t)1 << 46)
    luaL_error(L, "the shape has more than 2^46 elements");
  return product;
}

/* How many axes there are times for at 2: a list, or a number for the last. */
static int count_times (lua_State *L) {
  if (!lua_istable(L, 2))
    return 1;
  lua_Unsigned n = lua_rawlen(L, 2);
  luaL_argcheck(L, n <= MAX_DIMS, 2, "more than 32 axes");
  tide_checklist(L, 2, n, "a list of how often along each axis; options are "
                 "a table of their own");
  return (int)n;
}

/* tile(a, times [, { out= }]) -> 'a' that often along each axis; a number: the
** last. */
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

/* repeat_each(a, n [, axis] [, { axis=, out= }]) -> each element n times, next
** to each other; by default of 'a' as a 1-d array. */
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
    add_pair(&p, a->shape[i], i == axis ? n * step : step,
             tide_strides(a)[i]);
    if (i == axis)
      add_pair(&p, n, step, 0);
  }
  copy_pairs(L, s, z, a, &p);
  return tide_deliverout(L, options, s);
}

/* ==} */

static const Function functions[] = {
  {"concatenate", core_concatenate, 3},
  {"stack", core_stack, 3},
  {NULL, NULL, 0}
};

static const Function methods[] = {
  {"repeat_each", array_repeat_each, 4},
  {"tile", array_tile, 3},
  {NULL, NULL, 0}
};

void tide_openjoin (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_setfuncs(L, methods);
  tide_addmethods(L, &tide_arrayclass, methods);
}
