/*
** one_hot.c - one_hot: for each index a row with 1 at its place. One pass
** writes the whole result; see kernels/select.cu.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* z[i, ...] = 1 at the place index[i] of n, else 0; both are dense. */
static void fill (lua_State *L, RtStream *s, Array *z, const Array *index,
                  int64_t n) {
  Element one = {0};
  if (z->size == 0)
    return;
  lua_pushinteger(L, 1);
  dtype_read_element(L, -1, (DType)z->dtype, &one);
  lua_pop(L, 1);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pi = launch_reads(&op, index), pz = launch_writes(&op, z);
  void *params[] = {&pz, &pi, &one, &n, &z->size};
  KernelId id = kernel_by_width(BYWIDTH_one_hot, (DType)z->dtype);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
}

/*
** one_hot(a, n [, dtype]) -> for each index of 'a', which counts from 1, a row
** of n along a new last axis: 1 at its place and 0 elsewhere; all 0 if there is
** no such place. By default of the default dtype.
*/
static int array_one_hot (lua_State *L) {
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  int64_t n = arg_check_integer(L, 2);
  DType t = dtype_opt(L, 3, dtype_default(L));
  argerror_check(L, dtype_kind(a->dtype) == KIND_INTEGER, 1,
                 "indices must be integers, got %s", dtype_name(a->dtype));
  argerror_check(L, n >= 0 && n <= (int64_t)1 << 46, 2,
                 "the number of places must be from 0 to 2^46");
  argerror_check(L, a->ndim < MAX_DIMS, 1,
                 "the result would have more than 32 axes");
  RtStream *s = current_get_stream(L, a->dev);
  Array *index = operand_push_dense(L, 1, DTYPE_INT64);
  int64_t shape[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[a->ndim] = n;
  fill(L, s, array_new(L, a->dev, t, a->ndim + 1, shape, s), index, n);
  return array_return(L, 3);
}

static const Function functions[] = {
  {"one_hot", array_one_hot, 3},
  {NULL, NULL, 0},
};

void open_one_hot (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
