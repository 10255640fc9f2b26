/*
** meshgrid.c - arrays spread along the axes of other arrays: broadcast_arrays,
** broadcast_shapes, meshgrid, indices.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "array_list.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/kernels.h"

/* {== broadcast_arrays ================================================ */

/* Pushes the list at 1; all its arrays are on one device. */
static int push_list (lua_State *L, const char *rest) {
  int n = array_list_push(L, rest);
  for (int i = 1; i < n; i++)
    array_check_devices(L, array_list_at(L, 0), array_list_at(L, i));
  return n;
}

/* Widens a shape so that another one of 'own' axes broadcasts to it. Returns
** its number of axes; -1: they do not go together, and it is as before. */
static int widen (int own, const int64_t *other, int ndim,
                  int64_t shape[MAX_DIMS]) {
  int most = (ndim > own) ? ndim : own;
  int64_t wide[MAX_DIMS];
  for (int k = 0; k < most; k++) {
    int i = k - (most - ndim), j = k - (most - own);
    int64_t x = (i < 0) ? 1 : shape[i], y = (j < 0) ? 1 : other[j];
    if (x != y && x != 1 && y != 1)
      return -1;
    wide[k] = (x == 1) ? y : x;
  }
  memcpy(shape, wide, (size_t)most * sizeof *shape);
  return most;
}

/* Widens a shape for array i of the list. */
static int widen_for (lua_State *L, int i, int ndim, int64_t shape[MAX_DIMS]) {
  const Array *a = array_list_at(L, i);
  int most = widen(a->ndim, a->shape, ndim, shape);
  if (most < 0) {
    array_push_shape(L, a);
    array_push_dims(L, ndim, shape);
    argerror_raise(L, 1,
                   "array %d has shape %s, which does not match %s, that of "
                   "those before",
                   i + 1, lua_tostring(L, -2), lua_tostring(L, -1));
  }
  return most;
}

/* broadcast_arrays(list) -> views of all arrays, broadcast to their common
** shape; they are read-only. */
static int core_broadcast_arrays (lua_State *L) {
  int64_t shape[MAX_DIMS];
  int n = push_list(L, "a list of arrays"), ndim = 0;
  for (int i = 0; i < n; i++)
    ndim = widen_for(L, i, ndim, shape);
  for (int i = 0; i < n; i++)
    shape_push_broadcast(L, 1, array_list_at(L, i), ndim, shape)->repeats =
      true;
  return n;
}

/* broadcast_shapes(...) -> the shape to which arrays of all these shapes
** broadcast. */
static int core_broadcast_shapes (lua_State *L) {
  int64_t shape[MAX_DIMS], other[MAX_DIMS];
  int n = lua_gettop(L), ndim = 0;
  for (int arg = 1; arg <= n; arg++) {
    int own = array_check_shape(L, arg, other);
    int most = widen(own, other, ndim, shape);
    if (most < 0) {
      array_push_dims(L, own, other);
      array_push_dims(L, ndim, shape);
      argerror_raise(L, arg,
                     "shape %s does not match %s, that of the shapes before",
                     lua_tostring(L, -2), lua_tostring(L, -1));
    }
    ndim = most;
  }
  array_push_lengths(L, ndim, shape);
  return 1;
}

/* ==} */

/* {== grids =========================================================== */

/* The form of a grid. */
typedef struct Grid {
  int ndim;
  int64_t shape[MAX_DIMS];
  bool turned; /* the first array is along the second axis, and the second
                   one along the first */
  bool sparse; /* the axes of other arrays have one element */
  bool copy;
} Grid;

/* Returns the axis of array 'i'. */
static int axis_of (const Grid *g, int i) {
  return (g->turned && i < 2) ? 1 - i : i;
}

static bool read_indexing (lua_State *L, int options) {
  static const char *const words[] = {"xy", "ij", NULL};
  return option_word(L, options, "indexing", 0, words) == 0;
}

/* Describes the grid of the list's n arrays; options are at 2. */
static void read_grid (lua_State *L, Grid *g, int n) {
  static const char *const names[] = {"copy", "indexing", "sparse", NULL};
  option_check(L, 2, names);
  argerror_check(L, n <= MAX_DIMS, 1,
                 "the result would have more than 32 axes");
  g->sparse = option_flag(L, 2, "sparse", false);
  g->copy = option_flag(L, 2, "copy", true);
  g->turned = read_indexing(L, 2) && n > 1;
  g->ndim = n;
  for (int i = 0; i < n; i++)
    g->shape[axis_of(g, i)] = (int64_t)array_list_at(L, i)->size;
}

/* Pushes the view of array i of the list, at 'arg', spread in the grid. */
static Array *push_spread (lua_State *L, int arg, const Grid *g, int i) {
  int64_t shape[MAX_DIMS];
  int axis = axis_of(g, i);
  for (int k = 0; k < g->ndim; k++)
    shape[k] = (k == axis) ? g->shape[k] : 1;
  Array *v = shape_push_reshaped(L, arg, g->ndim, shape);
  if (g->sparse)
    return v;
  Array *wide = shape_push_broadcast(L, arg, v, g->ndim, g->shape);
  array_release(v);
  lua_remove(L, -2);
  wide->repeats = true;
  return wide;
}

/* Replaces the view on the top by a copy. */
static void copy_top (lua_State *L) {
  Array *v = lua_touserdata(L, -1);
  RtStream *s = current_get_stream(L, v->dev);
  Array *z = array_new(L, v->dev, v->dtype, v->ndim, v->shape, s);
  array_copyto(L, s, z, v);
  array_release(v);
  lua_remove(L, -2);
}

/*
** meshgrid(list [, { indexing=, sparse=, copy= }]) -> for each array one with
** an axis for each of them, spread along its own. The first is along the second
** axis and the second along the first, unless indexing is "ij".
*/
static int core_meshgrid (lua_State *L) {
  Grid g;
  int n = push_list(L, "a list of arrays; options are a table of their own");
  int first = lua_gettop(L) - n + 1;
  read_grid(L, &g, n);
  for (int i = 0; i < n; i++) {
    push_spread(L, first + i, &g, i);
    if (g.copy)
      copy_top(L);
  }
  return n;
}

/* ==} */

/* {== indices ========================================================= */

/* Pushes 1 to n along 'axis' of an array of so many axes. */
static Array *push_count (lua_State *L, RtStream *s, RtDevice *dev, DType t,
                          int ndim, int axis, int64_t n) {
  int64_t shape[MAX_DIMS];
  Element one = {0}, step = {0};
  lua_pushinteger(L, 1);
  dtype_read_element(L, -1, t, &one);
  dtype_read_element(L, -1, dtype_kind(t) == KIND_INTEGER ? DTYPE_INT64 : t,
                     &step);
  lua_pop(L, 1);
  for (int i = 0; i < ndim; i++)
    shape[i] = (i == axis) ? n : 1;
  Array *a = array_new(L, dev, t, ndim, shape, s);
  launch_arange(L, s, a, one, step);
  return a;
}

/* indices(shape [, dtype]) -> for each axis the index along it, from 1, of
** every element of that shape; the first axis of the result selects the
** axis. */
static int core_indices (lua_State *L) {
  int64_t shape[1 + MAX_DIMS];
  state_rt(L);
  array_check_args(L, 2, "indices");
  int ndim = array_check_shape(L, 1, shape + 1);
  argerror_check(L, ndim < MAX_DIMS, 1,
                 "the result would have more than 32 axes");
  DType t = dtype_opt(L, 2, DTYPE_INT64);
  argerror_check(L, kernel_arange(t) >= 0, 2, "indices has no %s",
                 dtype_name(t));
  RtDevice *dev = current_get_device(L);
  RtStream *s = current_get_stream(L, dev);
  shape[0] = ndim;
  Array *z = array_new(L, dev, t, ndim + 1, shape, s);
  size_t each = (ndim > 0) ? array_bytes(z) / (size_t)ndim : 0;
  for (int i = 0; i < ndim && z->size > 0; i++) {
    Array *line = push_count(L, s, dev, t, ndim, i, shape[i + 1]);
    Array *wide = shape_push_broadcast(L, 1, line, ndim, shape + 1);
    Array *part = array_push_view(L, z, ndim, shape + 1, NULL,
                                  z->off + (size_t)i * each);
    array_copyto(L, s, part, wide);
    array_drop(L, lua_gettop(L) - 3);
  }
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"broadcast_arrays", core_broadcast_arrays, 1},
  {"broadcast_shapes", core_broadcast_shapes, ANY},
  {"indices", core_indices, ANY},
  {"meshgrid", core_meshgrid, 2},
  {NULL, NULL, 0},
};

void open_meshgrid (lua_State *L) { class_set_funcs(L, functions); }
