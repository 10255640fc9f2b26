/*
** concatenate.c - joins arrays: concatenate, vstack, hstack, column_stack,
** stack. Each copies all of them to views of the result. If that would write
** single elements far apart, columns are interleaved instead.
*/
#include "concatenate.h"

#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "array_list.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"

#include "kernels/types.h"
#include "rt/queue/op_types.h"

static const char after[] =
  "a list of arrays; the axis comes after it, then options";

/*
** How arrays are joined: the axis, and the number of axes of the result. If
** that is at most 'least', an array with fewer axes is a slice across the axis.
*/
typedef struct Join {
  int ndim, axis, least;
} Join;

static bool is_slice (const Join *j, const Array *a) {
  return j->ndim <= j->least && a->ndim < j->ndim;
}

/* Returns the length of 'a' along axis k of the result, which has at most two
** axes if 'a' is a slice. */
static int64_t length_along (const Join *j, const Array *a, int k) {
  if (!is_slice(j, a))
    return a->shape[k];
  return (k == j->axis || a->ndim == 0) ? 1 : a->shape[0];
}

/* Raises unless array i has the shape of the first one except along the
** axis. */
static void check_listed (lua_State *L, const Join *j, int i) {
  const Array *first = array_list_at(L, 0), *a = array_list_at(L, i);
  bool same = (a->ndim == j->ndim || is_slice(j, a));
  array_check_devices(L, first, a);
  for (int k = 0; k < j->ndim && same; k++)
    same = (k == j->axis || length_along(j, a, k) == length_along(j, first, k));
  if (same)
    return;
  array_push_shape(L, first);
  array_push_shape(L, a);
  argerror_raise(L, 1, "array %d has shape %s, which does not go with %s",
                 i + 1, lua_tostring(L, -1), lua_tostring(L, -2));
}

/* Returns the common dtype of the list. */
static DType listed_dtype (lua_State *L, int n) {
  DType t = array_list_at(L, 0)->dtype;
  for (int i = 1; i < n; i++)
    if (array_list_at(L, i)->dtype != t)
      t = dtype_promote(t, array_list_at(L, i)->dtype);
  return t;
}

/* Pushes the array to write to: 'out', or memory of its own if 'out' overlaps
** an array of the list. */
static Array *push_apart (lua_State *L, RtStream *s, Array *out, int n) {
  bool apart = true;
  for (int i = 0; i < n && apart; i++)
    apart = !layout_overlaps(out, array_list_at(L, i));
  if (!apart)
    return array_new(L, out->dev, out->dtype, out->ndim, out->shape, s);
  lua_pushvalue(L, -1);
  return out;
}

/* Pushes all arrays of the list in z's dtype. */
static void push_converted (lua_State *L, const Array *z, int n) {
  for (int i = 0; i < n; i++)
    array_push_cast(L, 4 + i, z->dtype);
}

/* Copies the whole result z to 'out', unless that is z. Leaves 'out', which is
** at 'at', on the top. */
static int finish (lua_State *L, RtStream *s, Array *out, Array *z, int at) {
  if (z != out) {
    array_copyto(L, s, out, z);
    array_release(z);
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
    strides[ndim++] = array_stride(z)[k];
  }
  Array *v = array_push_view(L, z, ndim, shape, strides,
                             z->off + (size_t)(at * array_stride(z)[axis] *
                                               (int64_t)dtype_size(z->dtype)));
  array_copyto(L, s, v, a);
  array_release(v);
  lua_pop(L, 1);
}

/* Closes the converted arrays of the list; array i is at 'first' + i. */
static void close_converted (lua_State *L, int n, int first) {
  for (int i = 0; i < n; i++)
    if (lua_touserdata(L, first + i) != array_list_at(L, i))
      array_release(lua_touserdata(L, first + i));
}

/* Puts array i of the list, converted. */
static void put_converted (lua_State *L, RtStream *s, Array *z, int axis,
                           int64_t at, int64_t n, int first, int i) {
  Array *a = lua_touserdata(L, first + i);
  if (a->size > 0)
    put(L, s, z, axis, at, n, a);
}

/* {== columns ========================================================= */

/* Tells whether the n arrays are single elements of each row of z. */
static bool are_columns (lua_State *L, const Array *z, int axis, int n,
                         int first) {
  bool are = z->dense && z->size > 0 && n > 1 && z->shape[axis] == n &&
             array_stride(z)[axis] == 1;
  for (int i = 0; i < n && are; i++) {
    const Array *a = lua_touserdata(L, first + i);
    are = a->dense && a->size * (size_t)n == z->size;
  }
  return are;
}

/* Writes columns 'at' to before 'at' + 'columns' of z in one launch. */
static void put_few (lua_State *L, RtStream *s, Array *z, int at,
                     size_t columns, size_t row, int first) {
  CUdeviceptr px[INTERLEAVE_MOST] = {0}, pz;
  size_t n = z->size / row;
  KernelId id = kernel_by_width(BYWIDTH_interleave, (DType)z->dtype);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  for (size_t i = 0; i < columns; i++)
    px[i] = launch_reads(&op, lua_touserdata(L, first + at + (int)i));
  pz = launch_writes(&op, z) + (size_t)at * dtype_size(z->dtype);
  void *params[] = {&pz, &px[0], &px[1], &px[2], &px[3], &columns, &row, &n};
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, n * columns),
                params);
}

void concatenate_columns (lua_State *L, RtStream *s, Array *z, int n,
                          int first) {
  for (int at = 0; at < n; at += INTERLEAVE_MOST)
    put_few(L, s, z, at,
            (size_t)(n - at < INTERLEAVE_MOST ? n - at : INTERLEAVE_MOST),
            (size_t)n, first);
}

/* ==} */

/* Joins the arrays of the list along the axis. */
static int join (lua_State *L, const Join *j, int n, int options) {
  Like like;
  Array *first = array_list_at(L, 0);
  like = (Like){.of = first, .ndim = j->ndim, .shape = like.wide};
  for (int k = 0; k < j->ndim; k++)
    like.wide[k] = length_along(j, first, k);
  for (int i = 1; i < n; i++) {
    check_listed(L, j, i);
    like.wide[j->axis] += length_along(j, array_list_at(L, i), j->axis);
  }
  RtStream *s = current_get_stream(L, first->dev);
  Array *out = result_push_out(L, options, &like, listed_dtype(L, n), s);
  Array *z = push_apart(L, s, out, n);
  int copies = lua_gettop(L) + 1;
  push_converted(L, z, n);
  int64_t at = 0;
  bool columns = are_columns(L, z, j->axis, n, copies);
  if (columns)
    concatenate_columns(L, s, z, n, copies);
  for (int i = 0; i < n && !columns; i++) {
    const Array *a = array_list_at(L, i);
    int64_t rows = length_along(j, a, j->axis);
    put_converted(L, s, z, j->axis, at, is_slice(j, a) ? 0 : rows, copies, i);
    at += rows;
  }
  close_converted(L, n, copies);
  return finish(L, s, out, z, copies - 2);
}

/* concatenate(list [, axis] [, { axis=, out= }]) -> the arrays one after the
** other along an axis, by default the first. */
static int core_concatenate (lua_State *L) {
  int axis, n = array_list_push(L, after);
  int ndim = array_list_at(L, 0)->ndim;
  argerror_check(L, ndim > 0, 1,
                 "0-d arrays cannot be concatenated; use tide.stack");
  int options = operand_opt_axis(L, 2, ndim, operand_axis_out, &axis);
  return join(L, &(Join){ndim, axis < 0 ? 0 : axis, 0}, n, options);
}

/* Reads a list, and options { out= }. */
static int read_stack (lua_State *L) {
  static const char *const names[] = {"out", NULL};
  int n = array_list_push(L,
                          "a list of arrays; options are a table of their own");
  option_check(L, 2, names);
  return n;
}

/* vstack(list [, { out= }]) -> the arrays one below the other, along the first
** axis; arrays with less than two axes are rows. */
static int core_vstack (lua_State *L) {
  int n = read_stack(L), ndim = array_list_at(L, 0)->ndim;
  return join(L, &(Join){ndim < 2 ? 2 : ndim, 0, 2}, n, 2);
}

/* hstack(list [, { out= }]) -> the arrays side by side, along the second axis,
** or the only one; arrays without axes are elements. */
static int core_hstack (lua_State *L) {
  int n = read_stack(L), ndim = array_list_at(L, 0)->ndim;
  return join(L, &(Join){ndim < 1 ? 1 : ndim, ndim > 1, 1}, n, 2);
}

/* column_stack(list [, { out= }]) -> the arrays side by side, along the second
** axis; arrays with less than two axes are columns. */
static int core_column_stack (lua_State *L) {
  int n = read_stack(L), ndim = array_list_at(L, 0)->ndim;
  return join(L, &(Join){ndim < 2 ? 2 : ndim, 1, 2}, n, 2);
}

/* Raises unless array i has the shape of the first one. */
static void check_alike (lua_State *L, int i) {
  check_listed(L, &(Join){array_list_at(L, 0)->ndim, -1, 0}, i);
}

/* stack(list [, axis] [, { axis=, out= }]) -> arrays of one shape along a new
** axis, by default the first. */
static int core_stack (lua_State *L) {
  Like like;
  int axis, n = array_list_push(L, after);
  Array *first = array_list_at(L, 0);
  argerror_check(L, first->ndim < MAX_DIMS, 1,
                 "the result would have more than 32 axes");
  int options = operand_opt_axis(L, 2, first->ndim + 1 + OF_RESULT,
                                 operand_axis_out, &axis);
  axis = (axis < 0) ? 0 : axis;
  like = (Like){.of = first, .ndim = first->ndim + 1, .shape = like.wide};
  for (int k = 0, own = 0; k < like.ndim; k++)
    like.wide[k] = (k == axis) ? n : first->shape[own++];
  for (int i = 1; i < n; i++)
    check_alike(L, i);
  RtStream *s = current_get_stream(L, first->dev);
  Array *out = result_push_out(L, options, &like, listed_dtype(L, n), s);
  Array *z = push_apart(L, s, out, n);
  int copies = lua_gettop(L) + 1;
  push_converted(L, z, n);
  if (are_columns(L, z, axis, n, copies))
    concatenate_columns(L, s, z, n, copies);
  else
    for (int i = 0; i < n; i++)
      put_converted(L, s, z, axis, i, 0, copies, i);
  close_converted(L, n, copies);
  return finish(L, s, out, z, copies - 2);
}

static const Function functions[] = {
  {"column_stack", core_column_stack, 2},
  {"concatenate", core_concatenate, 3},
  {"hstack", core_hstack, 2},
  {"stack", core_stack, 3},
  {"vstack", core_vstack, 2},
  {NULL, NULL, 0},
};

void open_concatenate (lua_State *L) { class_set_funcs(L, functions); }
