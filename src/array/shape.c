/*
** shape.c - the same elements in other shapes: as views if strides can express
** it.
*/
#include "shape.h"

#include <string.h>

#include "array.h"
#include "axes.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"

/* Returns the Array or HostArray at 'arg'. */
static Array *check_either (lua_State *L, int arg) {
  Array *a = class_test(L, arg, &array_host_class);
  if (a == NULL)
    return array_check(L, arg);
  array_check_open(L, arg, a);
  return a;
}

/* {== reshape ========================================================= */

/* Finds the axes of 'a' longer than one, and merges neighbours that are one
** run. */
static int find_runs (const Array *a, int64_t *n, int64_t *stride) {
  int k = 0;
  for (int i = 0; i < a->ndim; i++) {
    int64_t step = array_stride(a)[i];
    if (a->shape[i] == 1)
      continue;
    if (k > 0 && stride[k - 1] == a->shape[i] * step) {
      n[k - 1] *= a->shape[i];
    } else {
      n[k] = a->shape[i];
      k++;
    }
    stride[k - 1] = step;
  }
  return k;
}

/* Finds strides for the same elements in that shape; returns false if there are
** none. Cuts each run into axes, from the last one. */
static bool find_strides (const Array *a, int ndim, const int64_t *shape,
                          int64_t *strides) {
  int64_t n[MAX_DIMS], stride[MAX_DIMS], left = 1, step = 1;
  int run = find_runs(a, n, stride);
  for (int i = ndim - 1; i >= 0; i--) {
    if (left == 1 && shape[i] != 1) {
      left = n[--run];
      step = stride[run];
    }
    if (left % shape[i] != 0)
      return false;
    strides[i] = step;
    step *= shape[i];
    left /= shape[i];
  }
  return true;
}

Array *shape_push_reshaped (lua_State *L, int arg, int ndim,
                            const int64_t *shape) {
  int64_t strides[MAX_DIMS];
  Array *a = array_check(L, arg);
  if (a->dense)
    return array_push_view(L, a, ndim, shape, NULL, a->off);
  if (find_strides(a, ndim, shape, strides))
    return array_push_view(L, a, ndim, shape, strides, a->off);
  a = array_push_dense(L, arg);
  Array *v = array_push_view(L, a, ndim, shape, NULL, a->off);
  array_release(a);
  lua_remove(L, -2);
  return v;
}

/* Returns the length on the top, or -1, which is to be computed. */
static int64_t read_length (lua_State *L, int arg) {
  int isint;
  lua_Integer n = lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER)
    array_refuse_shape(L, arg, -1, NULL);
  if (n < -1)
    argerror_raise(L, arg, "shape must not be negative, but for one -1");
  return n;
}

/* Raises that the shape does not have 'size' elements, but 'known'; or, with an
** axis of -1, no multiple of that. */
static void refuse_shape (lua_State *L, int arg, size_t size, int ndim,
                          const int64_t *shape, size_t known, bool times) {
  array_push_dims(L, ndim, shape);
  const char *why = times
                      ? lua_pushfstring(L,
                                        "the array has %I, no multiple of %I",
                                        (LUAI_UACINT)size, (LUAI_UACINT)known)
                      : lua_pushfstring(L, "%s has %I, the array %I",
                                        lua_tostring(L, -1), (LUAI_UACINT)known,
                                        (LUAI_UACINT)size);
  argerror_raise(L, arg, "shape has another number of elements: %s", why);
}

/* Sets the axis that is -1 so that the shape has 'size' elements. */
static void find_unknown (lua_State *L, int arg, size_t size, int ndim,
                          int64_t *shape) {
  size_t known = 1;
  int unknown = -1;
  bool fits = true;
  for (int i = 0; i < ndim; i++) {
    if (shape[i] >= 0) {
      fits = fits && !__builtin_mul_overflow(known, (size_t)shape[i], &known);
      continue;
    }
    argerror_check(L, unknown < 0, arg, "shape may have one -1 only");
    unknown = i;
  }
  argerror_check(L, fits, arg, "shape has another number of elements");
  if (unknown >= 0 && known > 0 && size % known == 0)
    shape[unknown] = (int64_t)(size / known);
  else if (unknown >= 0 || known != size)
    refuse_shape(L, arg, size, ndim, shape, known, unknown >= 0);
}

/* Reads the shape from 2 on: a table, or lengths one after the other. */
static int read_shape (lua_State *L, int64_t shape[MAX_DIMS]) {
  int n = axes_list_length(L, 2);
  if (n == 0 && !lua_istable(L, 2))
    n = 1; /* the missing argument */
  argerror_check(L, n <= MAX_DIMS, 2, "shape has more than 32 dimensions");
  if (lua_istable(L, 2))
    list_check(L, 2, (lua_Unsigned)n, array_shape_list);
  for (int i = 0; i < n; i++) {
    axes_push_listed(L, 2, i);
    shape[i] = read_length(L, 2);
    lua_pop(L, 1);
  }
  return n;
}

/* reshape(a, shape) -> view with as many elements, or a copy if there can be no
** view; one axis may be -1. */
static int array_reshape (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, 1);
  int ndim = read_shape(L, shape);
  find_unknown(L, 2, a->size, ndim, shape);
  shape_push_reshaped(L, 1, ndim, shape);
  return 1;
}

/* flatten(a) -> a new 1-d array. */
static int array_flatten (lua_State *L) {
  Array *a = array_check(L, 1);
  int64_t n = (int64_t)a->size;
  RtStream *s = current_get_stream(L, a->dev);
  Array *b = array_new(L, a->dev, a->dtype, 1, &n, s);
  Array *v = array_push_view(L, b, a->ndim, a->shape, NULL, b->off);
  array_copyto(L, s, v, a);
  array_release(v);
  lua_pop(L, 1);
  return 1;
}

/* ravel(a) -> the elements in order as a 1-d view, or a copy if there can be no
** view. */
static int array_ravel (lua_State *L) {
  int64_t n = (int64_t)array_check(L, 1)->size;
  shape_push_reshaped(L, 1, 1, &n);
  return 1;
}

/* contiguous(a) -> 'a' itself if its elements are one row-major run, else a
** copy with that property. */
static int array_contiguous (lua_State *L) {
  array_push_dense(L, 1);
  return 1;
}

/* ==} */

/* {== axes ============================================================ */

Array *shape_push_permuted (lua_State *L, Array *a, const int *axes) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++) {
    shape[i] = a->shape[axes[i]];
    strides[i] = array_stride(a)[axes[i]];
  }
  return array_push_view(L, a, a->ndim, shape, strides, a->off);
}

static void push_reversed (lua_State *L, Array *a) {
  int axes[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    axes[i] = a->ndim - 1 - i;
  shape_push_permuted(L, a, axes);
}

int shape_T (lua_State *L) {
  push_reversed(L, check_either(L, 1));
  return 1;
}

/* a.mT, matrix_transpose(a) -> view of the transposed matrices of the last two
** axes. */
int shape_mT (lua_State *L) {
  int axes[MAX_DIMS];
  Array *a = check_either(L, 1);
  argerror_check(L, a->ndim >= 2, 1, "at least two axes expected");
  for (int i = 0; i < a->ndim; i++)
    axes[i] = i;
  axes[a->ndim - 2] = a->ndim - 1;
  axes[a->ndim - 1] = a->ndim - 2;
  shape_push_permuted(L, a, axes);
  return 1;
}

/* permute(a, axes) -> view; axes as a table, one after the other, or as in all
** functions of axes: { axis= }. */
static int array_permute (lua_State *L) {
  int axes[MAX_DIMS];
  Array *a = array_check(L, 1);
  if (axes_read(L, 2, a->ndim, axes) != a->ndim)
    argerror_raise(L, 2, "all %d axes must be given", a->ndim);
  shape_push_permuted(L, a, axes);
  return 1;
}

/* transpose(a [, axes]) -> view; by default all axes are reversed. */
static int array_transpose (lua_State *L) {
  Array *a = array_check(L, 1);
  if (axes_count(L, 2) >= 0)
    return array_permute(L);
  push_reversed(L, a);
  return 1;
}

/* squeeze(a [, axes]) -> view without these axes, which must have length 1; by
** default without all axes of length 1. */
static int array_squeeze (lua_State *L) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int axes[MAX_DIMS], ndim = 0;
  uint32_t drop = 0;
  Array *a = array_check(L, 1);
  int n = axes_read(L, 2, a->ndim, axes);
  for (int i = 0; i < n; i++) {
    if (a->shape[axes[i]] != 1)
      argerror_raise(L, 2, "axis %d has %I elements", axes[i] + 1,
                     (LUAI_UACINT)a->shape[axes[i]]);
    drop |= 1u << axes[i];
  }
  for (int i = 0; i < a->ndim; i++) {
    if ((n < 0) ? a->shape[i] == 1 : (drop >> i & 1) != 0)
      continue;
    shape[ndim] = a->shape[i];
    strides[ndim++] = array_stride(a)[i];
  }
  array_push_view(L, a, ndim, shape, strides, a->off);
  return 1;
}

/* expand_dims(a, axes) -> view with these new axes of length 1. */
static int array_expand_dims (lua_State *L) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int axes[MAX_DIMS];
  uint32_t added = 0;
  Array *a = array_check(L, 1);
  int more = axes_count(L, 2);
  argerror_check(L, more >= 0, 2, "axis must be an integer, got %s",
                 luaL_typename(L, 2));
  argerror_check(L, more <= MAX_DIMS - a->ndim, 2,
                 "the result would have more than 32 axes");
  int ndim = a->ndim + more, own = 0;
  axes_read(L, 2, ndim + OF_RESULT, axes);
  for (int i = 0; i < more; i++)
    added |= 1u << axes[i];
  for (int i = 0; i < ndim; i++) {
    bool is_new = (added >> i & 1) != 0;
    shape[i] = is_new ? 1 : a->shape[own];
    strides[i] = is_new ? 0 : array_stride(a)[own++];
  }
  array_push_view(L, a, ndim, shape, strides, a->off);
  return 1;
}

/* flip(a [, axes]) -> view reversed along these axes; by default all. */
static int array_flip (lua_State *L) {
  int64_t strides[MAX_DIMS], at = 0;
  int axes[MAX_DIMS];
  Array *a = array_check(L, 1);
  int given = axes_read(L, 2, a->ndim, axes);
  memcpy(strides, array_stride(a), (size_t)a->ndim * sizeof *strides);
  for (int i = 0; i < (given < 0 ? a->ndim : given) && a->size > 0; i++) {
    int axis = (given < 0) ? i : axes[i];
    at += (a->shape[axis] - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  array_push_view(L, a, a->ndim, a->shape, strides,
                  a->off + (size_t)(at * (int64_t)dtype_size(a->dtype)));
  return 1;
}

/* ==} */

Array *shape_push_broadcast (lua_State *L, int arg, Array *a, int ndim,
                             const int64_t *shape) {
  int64_t strides[MAX_DIMS];
  bool fits = (ndim >= a->ndim);
  for (int i = 0; i < ndim && fits; i++) {
    int own = i - (ndim - a->ndim);
    bool one = (own < 0 || a->shape[own] == 1);
    fits = (one || a->shape[own] == shape[i]);
    strides[i] = one ? 0 : array_stride(a)[own];
  }
  if (!fits) {
    array_push_shape(L, a);
    array_push_dims(L, ndim, shape);
    argerror_raise(L, arg, "shape %s cannot be broadcast to %s",
                   lua_tostring(L, -2), lua_tostring(L, -1));
  }
  return array_push_view(L, a, ndim, shape, strides, a->off);
}

/* broadcast_to(a, shape) -> view that repeats 'a', and is read-only. */
static int array_broadcast_to (lua_State *L) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, 1);
  int ndim = read_shape(L, shape);
  for (int i = 0; i < ndim; i++)
    argerror_check(L, shape[i] >= 0, 2, "shape must not be negative");
  shape_push_broadcast(L, 2, a, ndim, shape)->repeats = true;
  return 1;
}

static const Function functions[] = {
  {"broadcast_to", array_broadcast_to, ANY},
  {"contiguous", array_contiguous, 1},
  {"expand_dims", array_expand_dims, ANY},
  {"flatten", array_flatten, 1},
  {"flip", array_flip, ANY},
  {"matrix_transpose", shape_mT, 1},
  {"permute", array_permute, ANY},
  {"ravel", array_ravel, 1},
  {"reshape", array_reshape, ANY},
  {"squeeze", array_squeeze, ANY},
  {"transpose", array_transpose, ANY},
  {NULL, NULL, 0},
};

void open_shape (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
