/*
** one_hot.c - one_hot: for each index a row with 1 at its place. One pass
** writes the whole result; see kernels/select.cu.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"

/* z[i, ...] = 1 at the place index[i] of n, else 0; both are dense. */
static void fill (lua_State *L, RtStream *s, Array *z, const Array *index,
                  int64_t n) {
  Element one = {0};
  if (z->size == 0)
    return;
  lua_pushinteger(L, 1);
  tide_readelement(L, -1, (DType)z->dtype, &one);
  lua_pop(L, 1);
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr pi = tide_reads(&op, index), pz = tide_writes(&op, z);
  void *params[] = {&pz, &pi, &one, &n, &z->size};
  KernelId id = rt_kernel_bywidth(BYWIDTH_one_hot, (DType)z->dtype);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, z->size), params);
}

/*
** one_hot(a, n [, dtype]) -> for each index of 'a', which counts from 1, a row
** of n along a new last axis: 1 at its place and 0 elsewhere; all 0 if there is
** no such place. By default of the default dtype.
*/
static int array_one_hot (lua_State *L) {
  lua_settop(L, 3);
  Array *a = tide_checkarray(L, 1);
  int64_t n = tide_checkinteger(L, 2);
  DType t = tide_optdtype(L, 3, tide_floatdtype(L));
  tide_argcheck(L, tide_kind(a->dtype) == KIND_INTEGER, 1,
                "indices must be integers, got %s", tide_dtypename(a->dtype));
  tide_argcheck(L, n >= 0 && n <= (int64_t)1 << 46, 2,
                "the number of places must be from 0 to 2^46");
  tide_argcheck(L, a->ndim < MAX_DIMS, 1,
                "the result would have more than 32 axes");
  RtStream *s = tide_currentstream(L, a->dev);
  Array *index = tide_pushplain(L, 1, DTYPE_INT64);
  int64_t shape[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[a->ndim] = n;
  fill(L, s, tide_newarray(L, a->dev, t, a->ndim + 1, shape, s), index, n);
  return tide_return(L, 3);
}

static const Function functions[] = {
  {"one_hot", array_one_hot, 3},
  {NULL, NULL, 0},
};

void tide_openonehot (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
