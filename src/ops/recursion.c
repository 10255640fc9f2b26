/*
** recursion.c - runs a recursive filter, as an operation like others. This is
** one half of tide.lfilter. The other half, lua/tide/lfilter.lua, makes the
** operands and finds this function in the module tide.recursion. See
** kernels/lfilter.cu.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/state.h"
#include "device/current.h"
#include "kernels/types.h"
#include "openers.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"

/* A complex number is two lines, because the coefficients are real. */
static size_t count_lines (const Array *y) {
  const size_t parts = (y->dtype == DTYPE_COMPLEX128) ? 2 : 1;
  return y->size / (size_t)y->shape[0] * parts;
}

/* Checks the operands, which a script may have given. */
static void check (lua_State *L, const Array *y, const Array *z,
                   const Array *f) {
  argerror_check(L,
                 y->dense && y->size > 0 && y->ndim > 0 &&
                   (y->dtype == DTYPE_FLOAT64 || y->dtype == DTYPE_COMPLEX128),
                 1, "dense array of float64 or complex128 expected");
  bool same = z->dense && z->dtype == y->dtype && z->ndim == y->ndim;
  for (int i = 1; i < y->ndim && same; i++)
    same = (z->shape[i] == y->shape[i]);
  argerror_check(L, same, 2, "states of the lines expected");
  argerror_check(L,
                 f->dense && f->dtype == DTYPE_FLOAT64 && f->ndim == 2 &&
                   f->shape[0] == 2 && f->shape[1] == z->shape[0] + 1,
                 3, "two rows of coefficients expected");
  array_check_devices(L, y, z);
  array_check_devices(L, y, f);
}

/*
** run(y, z, f): filters y along the first axis, in place. z has the states, and
** as many axes; f the coefficients, {2, order + 1} of float64. y and z are
** dense, of float64 or complex128, and have elements.
*/
static int recursion_run (lua_State *L) {
  const Array *y = array_check(L, 1), *z = array_check(L, 2),
              *f = array_check(L, 3);
  check(L, y, z, f);
  size_t n = (size_t)y->shape[0], lines = count_lines(y),
         order = (size_t)z->shape[0];
  const size_t blocks = (lines + LFILTER_BLOCK - 1) / LFILTER_BLOCK;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pf = launch_reads(&op, f), py = launch_writes(&op, y),
              pz = launch_writes(&op, z);
  void *params[] = {&py, &pz, &pf, &n, &lines, &order};
  launch_kernel(L, current_get_stream(L, y->dev), &op,
                kernel_named("lfilter_f64"),
                blocks < INT32_MAX ? (unsigned)blocks : INT32_MAX, params);
  return 0;
}

static const Function functions[] = {
  {"run", recursion_run, 3},
  {NULL, NULL, 0},
};

void open_recursion (lua_State *L) {
  class_add_module(L, "tide.recursion", functions);
}
