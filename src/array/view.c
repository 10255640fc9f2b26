/*
** view.c - views of arrays, and dense copies of them; view, which reads the
** same bytes as another dtype. A view shares the block, so uses of the view and
** of the array are ordered. The other functions that make views are in index.c
** and shape.c.
*/
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/state.h"
#include "device/current.h"
#include "dtype.h"
#include "openers.h"

/* Tells whether it is dense. Axes of one element may have any stride. */
static bool is_dense (const Array *a) {
  int64_t stride = 1;
  for (int i = a->ndim - 1; i >= 0 && a->size > 0; i--) {
    if (a->shape[i] > 1 && array_stride(a)[i] != stride)
      return false;
    stride *= a->shape[i];
  }
  return true;
}

/* Tells whether it is broadcast, so that elements share memory. */
static bool is_broadcast (const Array *a) {
  for (int i = 0; i < a->ndim && !a->dense; i++)
    if (a->shape[i] > 1 && array_stride(a)[i] == 0)
      return true;
  return false;
}

void array_set_strides (Array *a, const int64_t *strides) {
  if (a->ndim == 0)
    return;
  memcpy(a->shape + a->ndim, strides, (size_t)a->ndim * sizeof *strides);
  a->dense = is_dense(a);
  a->repeats = is_broadcast(a);
}

Array *array_push_view_as (lua_State *L, Array *a, DType t, int ndim,
                           const int64_t *shape, const int64_t *strides,
                           size_t off) {
  Array *v = (a->imported ? array_push_import : array_push)(L, a->object.class,
                                                            a->dev, t, ndim,
                                                            shape);
  if (strides != NULL)
    array_set_strides(v, strides);
  v->repeats = v->repeats || a->repeats;
  v->readonly = a->readonly;
  if (a->closed)
    entry_retry(L, state_get(L));
  array_check_fresh(L, a);
  if (v->size > 0) {
    array_share_block(v, a->block, array_import(a));
    v->off = off;
  }
  return v;
}

Array *array_push_view (lua_State *L, Array *a, int ndim, const int64_t *shape,
                        const int64_t *strides, size_t off) {
  return array_push_view_as(L, a, (DType)a->dtype, ndim, shape, strides, off);
}

Array *array_push_dense (lua_State *L, int arg) {
  Array *a = array_check(L, arg);
  if (a->dense) {
    lua_pushvalue(L, arg);
    return a;
  }
  RtStream *s = current_get_stream(L, a->dev);
  Array *b = array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
  array_copyto(L, s, b, a);
  return b;
}

/* {== another dtype =================================================== */

/* The shape and strides of a view, in its own elements. */
typedef struct Scaled {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
} Scaled;

/* Counts the elements of the last axis, whose bytes are one run, in 't'. */
static void scale_last (lua_State *L, const Array *a, DType t, Scaled *v) {
  int last = a->ndim - 1;
  int64_t size = (int64_t)dtype_size(t);
  if (last < 0)
    argerror_raise(L, 2,
                   "an array without axes keeps the size of its element: %s "
                   "has %d bytes, %s has %d",
                   dtype_name(a->dtype), (int)dtype_size(a->dtype),
                   dtype_name(t), (int)size);
  if (a->size > 0 && a->shape[last] > 1 && array_stride(a)[last] != 1)
    argerror_raise(L, 2,
                   "the last axis is not contiguous, so its elements cannot be "
                   "taken as %s, which has another size; a:contiguous() is a "
                   "copy that can",
                   dtype_name(t));
  int64_t bytes = a->shape[last] * (int64_t)dtype_size(a->dtype);
  if (bytes % size != 0)
    argerror_raise(L, 2,
                   "the last axis has %I bytes, no multiple of the %d of %s",
                   (LUAI_UACINT)bytes, (int)size, dtype_name(t));
  v->shape[last] = bytes / size;
  v->strides[last] = 1;
}

/* Counts the strides of the other axes in 't'. */
static void scale_strides (lua_State *L, const Array *a, DType t, Scaled *v) {
  int64_t size = (int64_t)dtype_size(t);
  for (int i = 0; i < a->ndim - 1; i++) {
    int64_t bytes = array_stride(a)[i] * (int64_t)dtype_size(a->dtype);
    if (a->shape[i] > 1 && bytes % size != 0)
      argerror_raise(L, 2,
                     "a step along axis %d has %I bytes, no multiple of the %d "
                     "of %s",
                     i + 1, (LUAI_UACINT)bytes, (int)size, dtype_name(t));
    v->strides[i] = bytes / size;
  }
}

/* Raises unless the address of the first element suits 't'. */
static void check_alignment (lua_State *L, const Array *a, DType t) {
  if (array_pointer(a) % dtype_size(t) != 0)
    argerror_raise(L, 2,
                   "the address of the first element is no multiple of the %d "
                   "bytes of %s; a:copy() is a copy whose address is",
                   (int)dtype_size(t), dtype_name(t));
}

/* Raises for views as bool: kernels rely on bytes of 0 and 1. */
static void check_bytes (lua_State *L, const Array *a, DType t) {
  if (t == DTYPE_BOOL && a->dtype != DTYPE_BOOL)
    argerror_raise(L, 2,
                   "bytes of %s may be other than those of bools, 0 and 1; "
                   "a:ne(0) makes bools",
                   dtype_name(a->dtype));
}

/* view(a, dtype) -> a view of the same bytes as elements of 'dtype'. If they
** have another size, there are more or fewer along the last axis. */
static int array_view (lua_State *L) {
  Scaled v;
  Array *a = array_check_any(L, 1);
  array_check_open(L, 1, a);
  argerror_check(L, lua_type(L, 2) != LUA_TNUMBER && !lua_istable(L, 2), 2,
                 "dtype string expected, got %s; a:reshape(shape) is the view "
                 "with another shape",
                 luaL_typename(L, 2));
  DType t = dtype_check(L, 2);
  entry_check_end(L, 3);
  check_bytes(L, a, t);
  memcpy(v.shape, a->shape, (size_t)a->ndim * sizeof *v.shape);
  memcpy(v.strides, array_stride(a), (size_t)a->ndim * sizeof *v.strides);
  if (dtype_size(t) != dtype_size(a->dtype)) {
    scale_last(L, a, t, &v);
    if (a->size > 0)
      scale_strides(L, a, t, &v);
  }
  if (a->size > 0)
    check_alignment(L, a, t);
  array_push_view_as(L, a, t, a->ndim, v.shape, a->size > 0 ? v.strides : NULL,
                     a->off);
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"view", array_view, ANY},
  {NULL, NULL, 0},
};

void open_view (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
  class_add_methods(L, &array_host_class, functions);
}
