/*
** diagonal.c - diagonals of matrices: diagonal, diag.
*/
#include <string.h>

#include "array.h"
#include "axes.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"
#include "shape.h"

/* The diagonal has elements (i, i + k). */
Array *shape_push_diagonal (lua_State *L, Array *a, lua_Integer k, int row,
                            int column) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int ndim = 0;
  int64_t down = array_stride(a)[row], right = array_stride(a)[column];
  int64_t rows = a->shape[row], columns = a->shape[column];
  for (int i = 0; i < a->ndim; i++) {
    if (i == row || i == column)
      continue;
    shape[ndim] = a->shape[i];
    strides[ndim++] = array_stride(a)[i];
  }
  bool inside = (k > -rows && k < columns);
  int64_t at = !inside ? 0 : k < 0 ? -k * down : k * right;
  rows += (inside && k < 0) ? k : 0;
  columns -= (inside && k > 0) ? k : 0;
  shape[ndim] = !inside ? 0 : rows < columns ? rows : columns;
  strides[ndim++] = down + right;
  return array_push_view(L, a, ndim, shape, strides,
                         a->off + (size_t)(at * (int64_t)dtype_size(a->dtype)));
}

/* diagonal(a [, k] [, axes]) -> view of the k-th diagonal, 0 by default, of the
** matrices in those axes, by default the first two. */
static int array_diagonal (lua_State *L) {
  int axes[MAX_DIMS] = {0, 1};
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  lua_Integer k = arg_opt_integer(L, 2, 0);
  argerror_check(L, a->ndim >= 2, 1, "at least two axes expected");
  if (!lua_isnil(L, 3) && axes_check(L, 3, a->ndim, axes) != 2)
    argerror_raise(L, 3, "two axes expected");
  shape_push_diagonal(L, a, k, axes[0], axes[1]);
  return 1;
}

/* Pushes a matrix that has 'a' as its k-th diagonal, and 0 elsewhere. */
static void push_matrix (lua_State *L, Array *a, lua_Integer k) {
  int64_t shape[2];
  argerror_check(L, k > -((int64_t)1 << 46) && k < (int64_t)1 << 46, 2,
                 "the matrix would have more than 2^46 elements");
  shape[0] = shape[1] = a->shape[0] + (k < 0 ? -k : k);
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = array_new(L, a->dev, a->dtype, 2, shape, s);
  array_zero(L, s, z);
  Array *d = shape_push_diagonal(L, z, k, 0, 1);
  array_copyto(L, s, d, a);
  array_release(d);
  lua_pop(L, 1);
}

/* diag(a [, k]) -> for a vector, the matrix with this k-th diagonal; for a
** matrix, a view of its k-th diagonal. */
static int array_diag (lua_State *L) {
  Array *a = array_check(L, 1);
  lua_Integer k = arg_opt_integer(L, 2, 0);
  if (a->ndim == 1)
    push_matrix(L, a, k);
  else if (a->ndim == 2)
    shape_push_diagonal(L, a, k, 0, 1);
  else
    argerror_raise(L, 1,
                   "an array of 1 or 2 axes expected, got one of %d; "
                   "tide.diagonal takes more",
                   a->ndim);
  return 1;
}

static const Function functions[] = {
  {"diag", array_diag, 2},
  {"diagonal", array_diagonal, 3},
  {NULL, NULL, 0},
};

void open_diagonal (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
