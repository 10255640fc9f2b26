/*
** fourier.c - queues a Fourier transform along one axis. The host device has
** kernels for it (src/rt/kernels/fft.c).
*/
#include "fourier.h"

#include <string.h>

#include "array/dtype.h"
#include "array/launch.h"
#include "base/error.h"
#include "base/state.h"
#include "operands.h"
#include "rt/kernels/fft.h"
#include "rt/kernels/kernels.h"
#include "rt/op.h"

/* Pushes a new array for the result. */
static Array *push_result (lua_State *L, RtStream *s, const Array *x,
                           const Fourier *f) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
  shape[f->axis] = (f->kind & FFT_HALF) != 0 ? f->n / 2 + 1 : f->n;
  bool wide = (dtype_size(x->dtype) ==
               (dtype_kind(x->dtype) == KIND_COMPLEX ? 16 : 8));
  DType t = (f->kind & FFT_REAL_OUT) == 0
              ? (wide ? DTYPE_COMPLEX128 : DTYPE_COMPLEX64)
              : (wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32);
  return array_new(L, x->dev, t, x->ndim, shape, s);
}

/* {== the host device ================================================= */

/* A transform by the host device's kernels. */
typedef struct Lanes {
  FftShape shape;
  Lines at;
  size_t kind;
  double scale;
} Lanes;

/* Queues a stage, or all of them. */
static void launch (lua_State *L, RtStream *s, Lanes *k, size_t stage, Array *z,
                    const Array *x) {
  bool wide = (z->dtype == DTYPE_FLOAT64 || z->dtype == DTYPE_COMPLEX128);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz,      &px,    &k->shape.n, &k->at.inner, &k->at.outer,
                    &k->at.n, &stage, &k->kind,    &k->scale};
  launch_kernel(L, s, &op, kernel_named(wide ? "fft_f64" : "fft_f32"), 1,
                params);
}

/* Queues the stages, from one buffer to the other. */
static void launch_stages (lua_State *L, RtStream *s, Lanes *k, Array *z,
                           Array *x) {
  DType t = (dtype_size(z->dtype) ==
             (dtype_kind(z->dtype) == KIND_COMPLEX ? 16 : 8))
              ? DTYPE_COMPLEX128
              : DTYPE_COMPLEX64;
  int64_t n = (int64_t)(k->shape.m * k->at.inner * k->at.outer);
  int last = k->shape.nstages - 1;
  Array *buffer[2] = {NULL, NULL};
  for (int i = 0; i < 2 && i < last; i++)
    buffer[i] = array_new(L, z->dev, t, 1, &n, s);
  for (int i = 0; i <= last; i++) {
    Array *to = (i == last) ? z : buffer[i % 2];
    launch(L, s, k, (size_t)i + 1, to, x);
    x = to;
  }
}

static void transform_on_host (lua_State *L, RtStream *s, const Fourier *f,
                               Array *z, Array *x) {
  Lanes k = {.at = operand_lines(x, f->axis),
             .kind = (size_t)f->kind,
             .scale = f->scale};
  if (!fft_shape(&k.shape, (size_t)f->n, f->kind))
    error_raise(L, "too many points to transform");
  FftLines lines = {k.at.outer, k.at.inner};
  if (fft_is_fused(&k.shape, lines))
    launch(L, s, &k, FFT_WHOLE, z, x);
  else
    launch_stages(L, s, &k, z, x);
}

/* ==} */

Array *fourier_push (lua_State *L, RtStream *s, int arg, const Fourier *f,
                     bool own) {
  int top = lua_gettop(L);
  Array *x = operand_push_dense(L, arg, (DType)array_check(L, arg)->dtype);
  bool same = ((f->kind & ~FFT_INVERSE) == 0 && f->n == x->shape[f->axis]);
  Array *z = x;
  if (own && same)
    lua_pushvalue(L, -1);
  else
    z = push_result(L, s, x, f);
  lua_insert(L, top + 1);
  if (z->size > 0)
    transform_on_host(L, s, f, z, x);
  array_drop(L, top + 1);
  return z;
}
