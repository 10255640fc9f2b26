/*
** triangle.c - tril, triu: matrices with 0 above or below a diagonal. One pass
** reads only the elements that stay; see kernels/select.cu.
*/
#include "array/array.h"
#include "array/launch.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* Returns the diagonal at 2, limited to the last one beside such matrices. */
static int64_t read_diagonal (lua_State *L, int64_t rows, int64_t columns) {
  int64_t k = lua_istable(L, 2) ? 0 : tide_optinteger(L, 2, 0);
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
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, x), pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, &k, &upper, &rows, &columns, &z->size};
  KernelId id = rt_kernel_bywidth(BYWIDTH_triangle, (DType)z->dtype);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, z->size), params);
}

static int triangle (lua_State *L, bool upper) {
  static const char *const names[] = {"out", NULL};
  Target to;
  lua_settop(L, 3);
  int options = lua_istable(L, 2) ? 2 : 3;
  tide_checkend(L, options + 1);
  Array *a = tide_checkarray(L, 1);
  tide_checkoptions(L, options, names);
  tide_argcheck(L, a->ndim >= 2, 1, "at least two axes expected");
  int64_t k = read_diagonal(L, a->shape[a->ndim - 2], a->shape[a->ndim - 1]);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *x = tide_pushplain(L, 1, a->dtype);
  Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  tide_pushtargetout(L, &to, options, &like, a->dtype, s, x, NULL);
  cut(L, s, to.z, x, k, upper);
  return tide_reach(L, &to, s);
}

/* tril(a [, k] [, { out= }]) -> the matrices in the last two axes, with 0 above
** the k-th diagonal, 0 by default. */
static int array_tril (lua_State *L) { return triangle(L, false); }

/* triu(a [, k] [, { out= }]): with 0 below it. */
static int array_triu (lua_State *L) { return triangle(L, true); }

static const Function functions[] = {
  {"tril", array_tril, 3},
  {"triu", array_triu, 3},
  {NULL, NULL, 0},
};

void tide_opentriangle (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
