/*
** along.c - take_along_axis, put_along_axis: an index for each element along an
** axis, as argsort and argmax return them. A put into short rows has a kernel
** of its own; otherwise the indices become places in the whole array, and put
** does the rest.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/layout.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "indices.h"
#include "mask.h"
#include "openers.h"

#include "kernels/types.h"

/* {== shapes ========================================================== */

static void refuse_shape (lua_State *L, const Array *a, const Array *index,
                          int axis) {
  array_push_shape(L, index);
  array_push_shape(L, a);
  argerror_raise(L, 2,
                 "indices of shape %s do not go along axis %d of an array of "
                 "shape %s",
                 lua_tostring(L, -2), axis + 1, lua_tostring(L, -1));
}

/* Finds the shape of indices along an axis of 'a'. An axis of one element is
** broadcast to the other's length, but an axis of 'a' not if it is 'fixed'. */
static void along_shape (lua_State *L, const Array *a, const Array *index,
                         int axis, bool fixed, int64_t shape[MAX_DIMS]) {
  if (a->ndim != index->ndim)
    refuse_shape(L, a, index, axis);
  for (int i = 0; i < a->ndim; i++) {
    int64_t own = a->shape[i], n = index->shape[i];
    if (i != axis && n != own && n != 1 && (fixed || own != 1))
      refuse_shape(L, a, index, axis);
    shape[i] = (i == axis || own == 1) ? n : own;
  }
}

/* Pushes the array, which is at 'arg', in that shape, dense. */
static Array *push_wide (lua_State *L, int arg, Array *a,
                         const int64_t *shape) {
  if (layout_has_shape(a, a->ndim, shape))
    lua_pushvalue(L, arg);
  else
    shape_push_broadcast(L, arg, a, a->ndim, shape);
  return array_push_dense(L, -1);
}

/* ==} */

/* Reads the options; the axis is the last one by default. */
static int read_axis (lua_State *L, const Array *a, int arg,
                      const char *const names[], Indices *x, int *axis) {
  int options = operand_opt_axis(L, arg, a->ndim, names, axis);
  argerror_check(L, a->ndim > 0, 1, "a 0-d array has no axes");
  if (*axis < 0)
    *axis = a->ndim - 1;
  indices_read_options(L, options, x);
  return options;
}

/* Pushes the indices in that shape. Returns their lines. */
static Lines push_indices (lua_State *L, Indices *x, int axis,
                           const int64_t *shape) {
  x->array = push_wide(L, lua_gettop(L), x->array, shape);
  if (x->n == 0 && x->array->size > 0)
    error_raise(L, "%s: the axis has no elements", x->what);
  return operand_lines(x->array, axis);
}

/*
** take_along_axis(a, indices [, axis] [, { axis=, base=, mode=, out= }]) -> the
** element for each index, in the index's line along the axis.
*/
static int array_take_along_axis (lua_State *L) {
  static const char *const names[] = {"axis", "base", "mode", "out", NULL};
  int64_t shape[MAX_DIMS], own[MAX_DIMS];
  int axis;
  Target to;
  Indices x = {.what = "take_along_axis"};
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int options = read_axis(L, a, 3, names, &x, &axis);
  RtStream *s = current_get_stream(L, a->dev);
  indices_push(L, 2, a, s, (size_t)a->shape[axis], &x);
  along_shape(L, a, x.array, axis, false, shape);
  Lines at = push_indices(L, &x, axis, shape);
  memcpy(own, shape, sizeof own);
  own[axis] = a->shape[axis];
  Array *from = push_wide(L, 1, a, own);
  Like like = {.of = a, .ndim = a->ndim, .shape = shape};
  operand_push_out(L, &to, options, &like, a->dtype, s, from, x.array);
  if (to.z->size > 0)
    mask_along(L, s, to.z, from, &x, at);
  return operand_return(L, &to, s);
}

/* Overridable: with a block for each, as many rows keep a GPU busy. */
#if !defined(ALONG_ROWS)
#define ALONG_ROWS 256
#endif

/* Tells whether there are many rows, and an index for nearly every place. */
static bool is_in_rows (const Indices *x, Lines at) {
  return at.inner == 1 && x->n <= ALONG_ROW && at.outer >= ALONG_ROWS &&
         at.n >= x->n / 4 && at.n < UINT32_MAX;
}

/*
** put_along_axis(a, indices, values [, axis] [, { axis=, base=, mode= }]) -> a:
** sets the elements that take_along_axis would return to the values.
*/
static int array_put_along_axis (lua_State *L) {
  static const char *const names[] = {"axis", "base", "mode", NULL};
  int64_t shape[MAX_DIMS];
  int axis;
  Values v;
  Indices x = {.what = "put_along_axis"};
  lua_settop(L, 5);
  Array *a = array_check(L, 1);
  read_axis(L, a, 4, names, &x, &axis);
  layout_check_writable(L, 1, a);
  RtStream *s = current_get_stream(L, a->dev);
  indices_push(L, 2, a, s, (size_t)a->shape[axis], &x);
  along_shape(L, a, x.array, axis, true, shape);
  Lines at = push_indices(L, &x, axis, shape);
  bool rows = is_in_rows(&x, at);
  if (!rows)
    indices_push_places(L, s, &x, at, true);
  indices_read_values(L, 3, a, s, a->ndim, shape, false, &v);
  if (a->size > 0 && x.array->size > 0) {
    Array *z = indices_push_target(L, s, a);
    if (rows)
      indices_put_along(L, s, a, z, &x, at, &v);
    else
      indices_put(L, s, a, z, &x, (Lines){1, a->size, 1}, &v);
    indices_copy_back(L, s, a, z);
  }
  array_drop(L, 5);
  lua_settop(L, 1);
  return 1;
}

static const Function functions[] = {
  {"put_along_axis", array_put_along_axis, 5},
  {"take_along_axis", array_take_along_axis, 4},
  {NULL, NULL, 0},
};

void open_along (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
