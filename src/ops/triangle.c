/*
** triangle.c - tril, triu: matrices with 0 above or below a diagonal. One pass
** reads only the elements that stay; see kernels/select.cu.
*/
#include "array/array.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* Returns the diagonal at 2, limited to the last one beside such matrices. */
static int64_t read_diagonal (lua_State *L, int64_t rows, int64_t columns) {
  int64_t k = lua_istable(L, 2) ? 0 : arg_opt_integer(L, 2, 0);
  return (k < -rows) ? -rows : (k > columns) ? columns : k;
}

/* z = x with 0 beyond the k-th diagonal; both are dense. */
static void cut (lua_State *L, RtStream *s, Array *z, const Array *x, int64_t k,
                 size_t upper) {
  size_t rows = (size_t)x->shape[x->ndim - 2];
  size_t columns = (size_t)x->shape[x->ndim - 1];
  if (z->size == 0)
    return;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &k, &upper, &rows, &columns, &z->size};
  KernelId id = kernel_by_width(BYWIDTH_triangle, (DType)z->dtype);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

/* Pushes the operand at 1; a vector as the matrix whose rows it is. */
static Array *push_matrices (lua_State *L) {
  Array *a = array_check(L, 1);
  argerror_check(L, a->ndim >= 1, 1, "at least one axis expected");
  if (a->ndim == 1)
    return shape_push_broadcast(L, 1, a, 2,
                                (int64_t[]){a->shape[0], a->shape[0]});
  lua_pushvalue(L, 1);
  return a;
}

static int triangle (lua_State *L, bool upper) {
  static const char *const names[] = {"out", NULL};
  Target to;
  lua_settop(L, 3);
  int options = lua_istable(L, 2) ? 2 : 3;
  entry_check_end(L, options + 1);
  array_check(L, 1);
  option_check(L, options, names);
  Array *a = push_matrices(L);
  int64_t k = read_diagonal(L, a->shape[a->ndim - 2], a->shape[a->ndim - 1]);
  RtStream *s = current_get_stream(L, a->dev);
  Array *x = operand_push_dense(L, lua_gettop(L), a->dtype);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  operand_push_out(L, &to, options, &like, a->dtype, s, x, NULL);
  cut(L, s, to.z, x, k, upper);
  return operand_return(L, &to, s);
}

/* tril(a [, k] [, { out= }]) -> the matrices in the last two axes, with 0 above
** the k-th diagonal, 0 by default; of a vector, the matrix whose rows it is. */
static int array_tril (lua_State *L) { return triangle(L, false); }

/* triu(a [, k] [, { out= }]): with 0 below it. */
static int array_triu (lua_State *L) { return triangle(L, true); }

static const Function functions[] = {
  {"tril", array_tril, 3},
  {"triu", array_triu, 3},
  {NULL, NULL, 0},
};

void open_triangle (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
