/*
** fourier.c - queues a Fourier transform along one axis. The host device has
** kernels for it (src/rt/kernels/fft.c), GPUs have cuFFT (src/rt/code/cufft.c).
*/
#include "fourier.h"

#include <string.h>

#include "array/copy.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/error.h"
#include "base/state.h"
#include "composed.h"
#include "device/submit.h"
#include "operands.h"
#include "rt/code/cufft.h"
#include "rt/driver/context.h"
#include "rt/kernels/fft.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"

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

/* {== a GPU =========================================================== */

/* Pushes the elements of x from 'first' to before 'last' along the axis. */
static Array *push_part (lua_State *L, Array *x, int axis, int64_t first,
                         int64_t last) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
  shape[axis] = last - first;
  return array_push_view(L, x, x->ndim, shape, array_stride(x),
                         x->off + (size_t)(first * array_stride(x)[axis]) *
                                    dtype_size(x->dtype));
}

/* Pushes a copy of the first n elements along the axis, with zeros behind
** them. */
static Array *push_fitted (lua_State *L, RtStream *s, Array *x, int axis,
                           int64_t n) {
  int64_t shape[MAX_DIMS], own = x->shape[axis];
  memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
  shape[axis] = n;
  Array *z = array_new(L, x->dev, (DType)x->dtype, x->ndim, shape, s);
  int64_t kept = own < n ? own : n;
  if (kept < n)
    array_zero(L, s, z);
  if (kept > 0 && x->size > 0)
    array_copyto(L, s, push_part(L, z, axis, 0, kept),
                 push_part(L, x, axis, 0, kept));
  array_drop(L, lua_gettop(L) - (kept > 0 && x->size > 0 ? 2 : 0));
  return z;
}

/* z.imag = 0 at element k of each line. */
static void clear_imag (lua_State *L, RtStream *s, Array *z, int axis,
                        int64_t k) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  static uint64_t zero[2];
  DType real = dtype_size(z->dtype) == 16 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
  for (int i = 0; i < z->ndim; i++) {
    shape[i] = (i == axis) ? 1 : z->shape[i];
    strides[i] = 2 * array_stride(z)[i];
  }
  size_t at = (size_t)(2 * k * array_stride(z)[axis] + 1) * dtype_size(real);
  copy_strided(L, s,
               array_push_view_as(L, z, real, z->ndim, shape, strides,
                                  z->off + at),
               NULL, zero);
  lua_pop(L, 1);
}

/* Pushes 'a' with this axis and the last one exchanged. */
static Array *push_exchanged (lua_State *L, Array *a, int axis) {
  int axes[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    axes[i] = i;
  axes[axis] = a->ndim - 1;
  axes[a->ndim - 1] = axis;
  return shape_push_permuted(L, a, axes);
}

/* Queues the transform of lines that cuFFT can reach: one group, or dense
** ones. */
static void transform_lines (lua_State *L, RtStream *s, const Fourier *f,
                             Array *z, Array *x) {
  Lines lines = operand_lines(x, f->axis);
  bool wide = (z->dtype == DTYPE_FLOAT64 || z->dtype == DTYPE_COMPLEX128);
  RtFft fft = {.key = {.n = (size_t)f->n,
                       .batches = lines.outer * lines.inner,
                       .inner = lines.inner,
                       .kind = f->kind,
                       .wide = wide}};
  error_check(L, cufft_prepare(z->dev, &fft));
  int64_t bytes = (int64_t)fft.bytes;
  Array *work = array_new(L, z->dev, DTYPE_UINT8, 1, &bytes, s);
  Op op;
  op_start(&op, OP_FFT, "fft");
  fft.in = ((f->kind & FFT_REAL_OUT) != 0) ? launch_writes(&op, x)
                                           : launch_reads(&op, x);
  fft.out = launch_writes(&op, z);
  if (bytes > 0)
    fft.work = launch_writes(&op, work);
  op.u.fft = fft;
  submit_work(L, s, &op);
}

/* cuFFT reads real numbers in pairs. */
static bool is_aligned (const Array *x) {
  return dtype_kind(x->dtype) == KIND_COMPLEX ||
         array_pointer(x) % (2 * dtype_size(x->dtype)) == 0;
}

/* Pushes x as it has to be: with the length of the transform, in memory of its
** own if cuFFT overwrites it, along the last axis unless there is one group of
** lines. */
static Array *push_lines (lua_State *L, RtStream *s, Fourier *f, Array *x,
                          bool *exchanged) {
  bool real_out = (f->kind & FFT_REAL_OUT) != 0;
  int64_t n = real_out ? f->n / 2 + 1 : f->n;
  bool complex = (dtype_kind(x->dtype) == KIND_COMPLEX);
  if (!complex && (f->kind & FFT_HALF) == 0) {
    f->kind &= ~FFT_REAL_IN;
    x = array_push_cast(L, lua_gettop(L),
                        dtype_size(x->dtype) == 8 ? DTYPE_COMPLEX128
                                                  : DTYPE_COMPLEX64);
  }
  if (real_out || x->shape[f->axis] != n || !is_aligned(x))
    x = push_fitted(L, s, x, f->axis, n);
  if (real_out) {
    clear_imag(L, s, x, f->axis, 0);
    if (f->n % 2 == 0)
      clear_imag(L, s, x, f->axis, n - 1);
  }
  Lines lines = operand_lines(x, f->axis);
  *exchanged = (lines.outer > 1 && lines.inner > 1);
  if (*exchanged) {
    push_exchanged(L, x, f->axis);
    x = array_push_dense(L, lua_gettop(L));
    f->axis = x->ndim - 1;
  }
  return x;
}

/* z = the transform of x, on the top. cuFFT multiplies by nothing. */
static void transform_on_gpu (lua_State *L, RtStream *s, const Fourier *f,
                              Array *z, Array *x) {
  Fourier lines = *f;
  bool exchanged;
  x = push_lines(L, s, &lines, x, &exchanged);
  Array *to = exchanged ? push_result(L, s, x, &lines) : z;
  transform_lines(L, s, &lines, to, x);
  if (exchanged)
    array_copyto(L, s, z, push_exchanged(L, to, f->axis));
}

/* ==} */

/* Queues z = the transform of x. */
static void transform (lua_State *L, RtStream *s, const Fourier *f, Array *z,
                       Array *x) {
  if (context_is_host(z->dev)) {
    transform_on_host(L, s, f, z, x);
    return;
  }
  int top = lua_gettop(L);
  array_push_view(L, x, x->ndim, x->shape, array_stride(x), x->off);
  transform_on_gpu(L, s, f, z, array_check(L, -1));
  array_drop(L, top);
}

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
    transform(L, s, f, z, x);
  array_drop(L, top + 1);
  if (f->scale != 1 && z->size > 0 && !context_is_host(z->dev))
    composed_scalar(L, "mul_", top + 1, f->scale);
  lua_settop(L, top + 1);
  return z;
}
