/*
** move_axes.c - views with axes moved: swapaxes, moveaxis, rot90.
*/
#include <string.h>

#include "array.h"
#include "axes.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"
#include "shape.h"

/* swapaxes(a, axis, other) -> view with these two axes swapped. */
static int array_swapaxes (lua_State *L) {
  int axes[MAX_DIMS];
  Array *a = array_check(L, 1);
  int i = axes_check_one(L, 2, a->ndim), k = axes_check_one(L, 3, a->ndim);
  for (int n = 0; n < a->ndim; n++)
    axes[n] = n;
  axes[i] = k;
  axes[k] = i;
  shape_push_permuted(L, a, axes);
  return 1;
}

/* moveaxis(a, from, to) -> view in which axes 'from' have become axes 'to', and
** the others keep their order; each is an axis or a list. */
static int array_moveaxis (lua_State *L) {
  int from[MAX_DIMS], to[MAX_DIMS], axes[MAX_DIMS], next = 0;
  uint32_t moved = 0;
  Array *a = array_check(L, 1);
  int n = axes_check(L, 2, a->ndim, from);
  if (axes_check(L, 3, a->ndim, to) != n)
    argerror_raise(L, 3, "as many axes expected as are moved, %d", n);
  memset(axes, -1, sizeof axes);
  for (int i = 0; i < n; i++) {
    axes[to[i]] = from[i];
    moved |= 1u << from[i];
  }
  for (int i = 0; i < a->ndim; i++) {
    if (axes[i] >= 0)
      continue;
    while (moved >> next & 1)
      next++;
    axes[i] = next++;
  }
  shape_push_permuted(L, a, axes);
  return 1;
}

/* Reverses axis 'i' of a view that is being made. */
static void turn (const Array *a, const int64_t *shape, int64_t *strides, int i,
                  size_t *off) {
  if (a->size > 0)
    *off += (size_t)((shape[i] - 1) * strides[i] *
                     (int64_t)dtype_size(a->dtype));
  strides[i] = -strides[i];
}

static void swap (int64_t *list, int i, int k) {
  int64_t first = list[i];
  list[i] = list[k];
  list[k] = first;
}

/* rot90(a [, k] [, axes]) -> view turned k times by 90 degrees, from the first
** of the axes towards the second; by default once, in the first two axes. */
static int array_rot90 (lua_State *L) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int axes[MAX_DIMS] = {0, 1};
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  lua_Integer k = arg_opt_integer(L, 2, 1) & 3;
  argerror_check(L, a->ndim >= 2, 1, "at least two axes expected");
  if (!lua_isnil(L, 3) && axes_check(L, 3, a->ndim, axes) != 2)
    argerror_raise(L, 3, "two axes expected");
  size_t off = a->off;
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  memcpy(strides, array_stride(a), (size_t)a->ndim * sizeof *strides);
  if (k == 1 || k == 2)
    turn(a, shape, strides, axes[1], &off);
  if (k == 2 || k == 3)
    turn(a, shape, strides, axes[0], &off);
  if (k & 1) {
    swap(shape, axes[0], axes[1]);
    swap(strides, axes[0], axes[1]);
  }
  array_push_view(L, a, a->ndim, shape, strides, off);
  return 1;
}

static const Function functions[] = {
  {"moveaxis", array_moveaxis, 3},
  {"rot90", array_rot90, 3},
  {"swapaxes", array_swapaxes, 3},
  {NULL, NULL, 0},
};

void open_axes (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
