/*
** concatenate.c - arrays made of several: concatenate, stack. Each is a copy of
** all of them to views of the result.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "base/class.h"
#include "base/state.h"
#include "device/current.h"
#include "array_list.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

static const char after[] = "a list of arrays; the axis comes after it, then "
                            "options";

/* Raises unless array i is like the first one but for 'axis' (-1: none). */
static void check_listed (lua_State *L, int i, int axis) {
  const Array *first = tide_listed(L, 0), *a = tide_listed(L, i);
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
  DType t = tide_listed(L, 0)->dtype;
  for (int i = 1; i < n; i++)
    if (tide_listed(L, i)->dtype != t)
      t = tide_promote(t, tide_listed(L, i)->dtype);
  return t;
}

/* Pushes what is written to: 'out', or memory of its own if that holds some of
** the list. */
static Array *push_apart (lua_State *L, RtStream *s, Array *out, int n) {
  bool apart = true;
  for (int i = 0; i < n && apart; i++)
    apart = !tide_overlaps(out, tide_listed(L, i));
  if (!apart)
    return tide_newarray(L, out->dev, out->dtype, out->ndim, out->shape, s);
  lua_pushvalue(L, -1);
  return out;
}

/* Pushes all of the list as they can be copied to z. */
static void push_converted (lua_State *L, const Array *z, int n) {
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
  if (a != tide_listed(L, i))
    tide_closearray(a);
}

/* concatenate(list [, axis] [, { axis=, out= }]) -> arrays one after the other
** along an axis, by default the first. */
static int core_concatenate (lua_State *L) {
  Like like;
  int axis, n = tide_pushlist(L, after);
  Array *first = tide_listed(L, 0);
  luaL_argcheck(L, first->ndim > 0, 1, "0-d arrays cannot be concatenated; "
                "use tide.stack");
  int options = tide_optaxis(L, 2, first->ndim, tide_axisout, &axis);
  axis = (axis < 0) ? 0 : axis;
  like = (Like){.of = first, .ndim = first->ndim, .shape = like.wide};
  memcpy(like.wide, first->shape, (size_t)first->ndim * sizeof *like.wide);
  for (int i = 1; i < n; i++) {
    check_listed(L, i, axis);
    like.wide[axis] += tide_listed(L, i)->shape[axis];
  }
  RtStream *s = tide_currentstream(L, first->dev);
  Array *out = tide_pushout(L, options, &like, listed_dtype(L, n), s);
  Array *z = push_apart(L, s, out, n);
  int copies = lua_gettop(L) + 1;
  push_converted(L, z, n);
  int64_t at = 0;
  for (int i = 0; i < n; i++) {
    int64_t rows = tide_listed(L, i)->shape[axis];
    put_converted(L, s, z, axis, at, rows, copies, i);
    at += rows;
  }
  return finish(L, s, out, z, copies - 2);
}

/* stack(list [, axis] [, { axis=, out= }]) -> arrays of one shape along a new
** axis, by default the first. */
static int core_stack (lua_State *L) {
  Like like;
  int axis, n = tide_pushlist(L, after);
  Array *first = tide_listed(L, 0);
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

static const Function functions[] = {
  {"concatenate", core_concatenate, 3},
  {"stack", core_stack, 3},
  {NULL, NULL, 0}
};

void tide_openjoin (lua_State *L) {
  tide_setfuncs(L, functions);
}
