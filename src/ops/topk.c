/*
** topk.c - relatives of sorting: the largest or smallest elements (topk), and
** an order by several keys (lexsort).
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "array_list.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sort.h"

#include "kernels/keys.h"
#include "rt/queue/op_types.h"

/* Pushes the array at 'x' with that axis as the last one. */
static int push_last (lua_State *L, int x, int axis) {
  lua_pushinteger(L, axis + 1);
  lua_pushinteger(L, -1);
  return composed_call(L, "moveaxis", x, 2);
}

int sort_take_rows (lua_State *L, RtStream *s, int x, int at) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, x);
  int64_t n = a->shape[a->ndim - 1], rows = 1;
  for (int i = 0; i < a->ndim - 1; i++)
    rows *= a->shape[i];
  if (rows == 1 || array_check(L, at)->size == 0)
    return composed_take(L, x, at);
  Array *first = array_new(L, a->dev, DTYPE_INT64, 1, &rows, s);
  launch_arange(L, s, first, (Element){0}, (Element){.bits = (uint64_t)n});
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (i == a->ndim - 1) ? 1 : a->shape[i];
  shape_push_reshaped(L, lua_gettop(L), a->ndim, shape);
  at = composed_binary(L, "add", at, lua_gettop(L));
  return composed_take(L, x, at);
}

/* {== topk ============================================================ */

/* Pushes z with its last axis moved back to 'axis'. Returns the index. */
static int push_back (lua_State *L, int z, int axis) {
  lua_pushinteger(L, -1);
  lua_pushinteger(L, axis + 1);
  return composed_call(L, "moveaxis", z, 2);
}

/* Makes one launch: finds the first k of each chunk of rows of n elements of x,
** or of those whose places are in 'from'. */
static void choose (lua_State *L, RtStream *s, Array *z, const Array *x,
                    const Array *from, size_t chunks, bool down) {
  size_t full = (size_t)x->shape[x->ndim - 1], rows = x->size / full;
  size_t n = (from != NULL) ? from->size / rows : full;
  size_t k = z->size / (rows * chunks);
  KeyRule rule = sort_key_rule(x->dtype);
  int width = (int)dtype_size(x->dtype);
  int64_t pass = PASS(0, width, 1, 1, 1, down);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x),
              pf = (from != NULL) ? launch_reads(&op, from) : 0,
              pz = launch_writes(&op, z);
  void *params[] = {&pz, &px,   &pf,        &full,     &n,   &chunks,
                    &k,  &rows, &rule.sign, &rule.inf, &pass};
  launch_kernel(L, s, &op, kernel_topk(x->dtype), (unsigned)(rows * chunks),
                params);
}

/* Pushes the places of the first k of each row of the array at x, as int64.
** Returns false if a sort is faster. */
static bool push_chosen (lua_State *L, RtStream *s, int x, int64_t k,
                         bool down) {
  Array *a = array_check(L, x), *from = NULL;
  int64_t shape[MAX_DIMS];
  if (a->size == 0)
    return false;
  size_t n = (size_t)a->shape[a->ndim - 1], rows = a->size / n;
  size_t chunks = kernel_topk_chunks(n, rows, (size_t)k);
  if (chunks == 0)
    return false;
  a = operand_push_dense(L, x, a->dtype);
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  for (;; chunks = (n + TOPK_ROOM - 1) / TOPK_ROOM) {
    n = chunks * (size_t)k;
    shape[a->ndim - 1] = (int64_t)n;
    Array *z = array_new(L, a->dev, DTYPE_INT64, a->ndim, shape, s);
    choose(L, s, z, a, from, chunks, down);
    if (chunks == 1)
      return true;
    from = z;
  }
}

/* Pushes the same by a sort. */
static int push_ordered (lua_State *L, int x, int64_t k, bool down) {
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, down);
  lua_setfield(L, -2, "descending");
  int at = composed_call(L, "argsort", x, 1);
  lua_pushinteger(L, 1);
  lua_pushinteger(L, k);
  lua_pushinteger(L, 1);
  lua_pushinteger(L, -1);
  return composed_unary(L, "copy", composed_call(L, "slice", at, 4));
}

/*
** topk(a, k [, axis] [, { axis=, largest= }]) -> the k largest elements along
** an axis, the last one by default, in descending order; and their places. Or
** the smallest ones, in ascending order.
*/
static int array_topk (lua_State *L) {
  static const char *const names[] = {"axis", "largest", NULL};
  int axis;
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int64_t k = arg_check_integer(L, 2);
  argerror_check(L, a->ndim > 0, 1, "at least one axis expected");
  int options = operand_opt_axis(L, 3, a->ndim, names, &axis);
  lua_settop(L, 4);
  axis = (axis < 0) ? a->ndim - 1 : axis;
  if (k < 0 || k > a->shape[axis])
    argerror_raise(L, 2,
                   "an integer from 0 to %I expected, as many as the axis has, "
                   "got %I",
                   (LUAI_UACINT)a->shape[axis], (LUAI_UACINT)k);
  bool largest = option_flag(L, options, "largest", true);
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    argerror_raise(L, 1, "'topk' is not defined for %s arrays",
                   dtype_name(a->dtype));
  RtStream *s = current_get_stream(L, a->dev);
  int x = push_last(L, 1, axis);
  int at = push_chosen(L, s, x, k, largest) ? lua_gettop(L)
                                            : push_ordered(L, x, k, largest);
  int z = push_back(L, sort_take_rows(L, s, x, at), axis);
  at = push_back(L, at, axis);
  lua_pushvalue(L, z);
  lua_pushvalue(L, at);
  lua_rotate(L, 5, 2);
  array_drop(L, 6);
  return 2;
}

/* ==} */

/* {== lexsort ========================================================= */

/*
** lexsort(list [, axis] [, { axis=, out= }]) -> the order of the elements along
** an axis by several arrays: by the last array first, and for equal elements by
** the one before it.
*/
static int array_lexsort (lua_State *L) {
  int axis;
  int n = array_list_push(L,
                          "a list of arrays; options are a table of their own");
  Array *first = array_list_at(L, 0);
  argerror_check(L, first->ndim > 0, 1, "at least one axis expected");
  int options = operand_opt_axis(L, 2, first->ndim, operand_axis_out, &axis);
  for (int i = 1; i < n; i++) {
    array_check_devices(L, first, array_list_at(L, i));
    argerror_check(L, array_same_shape(first, array_list_at(L, i)), 1,
                   "arrays of one shape expected");
  }
  axis = (axis < 0) ? first->ndim - 1 : axis;
  RtStream *s = current_get_stream(L, first->dev);
  lua_pushvalue(L, options);
  int last = lua_gettop(L);
  int order = composed_unary(L, "argsort", push_last(L, 4, axis));
  for (int i = 1; i < n; i++) {
    int key = sort_take_rows(L, s, push_last(L, 4 + i, axis), order);
    order = sort_take_rows(L, s, order, composed_unary(L, "argsort", key));
  }
  composed_unary(L, "copy", push_back(L, order, axis));
  return result_deliver_out(L, last, s);
}

/* ==} */

static const Function functions[] = {
  {"lexsort", array_lexsort, 3},
  {NULL, NULL, 0},
};

static const Function both[] = {
  {"topk", array_topk, 4},
  {NULL, NULL, 0},
};

void open_topk (lua_State *L) {
  class_set_funcs(L, functions);
  class_set_funcs(L, both);
  class_add_methods(L, &array_class, both);
}
