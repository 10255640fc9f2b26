/*
** ranks.c - the order of the slices of an array, for unique: by their first
** elements, then by their second ones, and so on. Ranks of elements among those
** at one place become ranks of pairs, of fours, until one is left for each
** slice. So there is a sort for each doubling, and not for each element.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "composed.h"
#include "rt/kernels/dtypes.h"
#include "sort.h"
#include "unique.h"

/* Pushes the view of 'rows' rows of a matrix from row 'at' on, each 'step'
** behind the one before. */
static int push_rows (lua_State *L, int x, int64_t at, int64_t rows,
                      int64_t step) {
  Array *a = array_check(L, x);
  int64_t shape[] = {rows, a->shape[1]};
  int64_t strides[] = {step * array_stride(a)[0], array_stride(a)[1]};
  int64_t off = at * array_stride(a)[0] * (int64_t)dtype_size(a->dtype);
  array_push_view(L, a, 2, shape, strides, a->off + (size_t)off);
  return lua_gettop(L);
}

/* Pushes the view of n columns from column 'from' on. */
static int push_columns (lua_State *L, int x, int64_t from, int64_t n) {
  Array *a = array_check(L, x);
  int64_t shape[] = {a->shape[0], n};
  int64_t off = from * array_stride(a)[1] * (int64_t)dtype_size(a->dtype);
  array_push_view(L, a, 2, shape, array_stride(a), a->off + (size_t)off);
  return lua_gettop(L);
}

/* Pushes for each element of the sorted rows of x how many different ones come
** before it. */
static int push_counts (lua_State *L, RtStream *s, int x, bool equal_nan) {
  Array *a = array_check(L, x);
  int64_t n = a->shape[1];
  Array *first = array_new(L, a->dev, DTYPE_INT64, 2, a->shape, s);
  int z = lua_gettop(L);
  array_zero(L, s, first);
  int before = push_columns(L, x, 0, n - 1);
  int changes = composed_binary(L, "ne", push_columns(L, x, 1, n - 1), before);
  if (equal_nan && dtype_kind(a->dtype) == KIND_FLOAT)
    changes = composed_binary(L, "band", changes,
                              composed_binary(L, "eq", before, before));
  changes = composed_astype(L, changes, DTYPE_INT64);
  array_copyto(L, s, array_check(L, push_columns(L, z, 1, n - 1)),
               array_check(L, changes));
  lua_pushinteger(L, 2);
  return composed_call(L, "cumsum", z, 1);
}

/* Pushes the ranks, from 0, of the elements of each row of x. */
static int push_ranks (lua_State *L, RtStream *s, int x, bool equal_nan) {
  const Array *a = array_check(L, x);
  array_new(L, a->dev, DTYPE_INT64, 2, a->shape, s);
  int z = lua_gettop(L);
  int order = composed_unary(L, "argsort", x);
  int sorted = sort_take_rows(L, s, x, order);
  int counts = push_counts(L, s, sorted, equal_nan);
  lua_pushvalue(L, order);
  lua_pushvalue(L, counts);
  lua_pushinteger(L, 2);
  composed_call(L, "put_along_axis", z, 3);
  array_drop(L, z);
  return z;
}

/* Pushes a number for each pair of ranks that are in neighbouring rows, in the
** order of the pairs; a last row without a neighbour stays. */
static int push_pairs (lua_State *L, RtStream *s, int x) {
  Array *a = array_check(L, x);
  int64_t n = a->shape[1], rows = a->shape[0], pairs = rows / 2;
  int64_t shape[] = {rows - pairs, n};
  array_new(L, a->dev, DTYPE_INT64, 2, shape, s);
  int z = lua_gettop(L), high = push_rows(L, x, 0, pairs, 2);
  lua_pushinteger(L, n);
  high = composed_call(L, "mul", high, 1);
  int both = composed_binary(L, "add", high, push_rows(L, x, 1, pairs, 2));
  array_copyto(L, s, array_check(L, push_rows(L, z, 0, pairs, 1)),
               array_check(L, both));
  if (rows % 2 != 0)
    array_copyto(L, s, array_check(L, push_rows(L, z, pairs, 1, 1)),
                 array_check(L, push_rows(L, x, rows - 1, 1, 1)));
  array_drop(L, z);
  return z;
}

enum { MOST_NARROW = 46340 }; /* the greatest root of an int32 */

/* Pushes the ranks of the columns of x. */
static int push_ranks_of_columns (lua_State *L, RtStream *s, int x,
                                  bool equal_nan) {
  int64_t n = array_check(L, x)->shape[1];
  int below = lua_gettop(L);
  x = push_ranks(L, s, x, equal_nan);
  while (array_check(L, x)->shape[0] > 1) {
    int pairs = push_pairs(L, s, x);
    if (n <= MOST_NARROW) /* sorted in half the time */
      pairs = composed_astype(L, pairs, DTYPE_INT32);
    push_ranks(L, s, pairs, false);
    lua_insert(L, below + 1);
    array_drop(L, below + 1); /* also the earlier ranks */
    x = below + 1;
  }
  return x;
}

int unique_push_ranks (lua_State *L, RtStream *s, int axis, bool equal_nan) {
  static const int across[] = {1, 0};
  Array *a = array_check(L, 1);
  int64_t n = a->shape[axis], shape[] = {n, n};
  if (a->size == 0) {
    array_zero(L, s, array_new(L, a->dev, DTYPE_INT64, 1, &n, s));
    return lua_gettop(L);
  }
  shape[1] = (int64_t)a->size / n;
  lua_pushinteger(L, axis + 1);
  lua_pushinteger(L, 1);
  int x = composed_call(L, "moveaxis", 1, 2);
  Array *rows = shape_push_reshaped(L, x, 2, shape);
  shape_push_permuted(L, rows, across);
  array_push_dense(L, -1);
  x = push_ranks_of_columns(L, s, lua_gettop(L), equal_nan);
  shape_push_reshaped(L, x, 1, &n);
  return lua_gettop(L);
}
