/*
** fourier_convolve.c - convolutions by Fourier transforms: the spectrum of a
** convolution is the product of the spectra.
*/
#include <math.h>

#include "array/dtype.h"
#include "base/state.h"
#include "composed.h"
#include "fourier.h"
#include "rt/code/cufft.h"
#include "rt/driver/context.h"
#include "rt/kernels/fft.h"

/*
** Transforms pay on the host device from PAYS products on for each of their
** points and binary digit of the number of points: they are as fast as sums at
** half of it or less. Fewer products than LEAST take less time than queueing
** the transforms.
**
** A GPU sums the 'taps' of each result one after the other, many results at
** once. With fewer results than FILLS it takes as long as for so many.
** Measured on an H200 (float32, float64, complex64; one axis and two): sums
** take 80 us at GPU_LEAST, as long as six transforms of up to 2^20 points take
** to launch. More points take as long as GPU_TAPS products for each.
*/
enum { PAYS = 20, LEAST = 1 << 20 };
enum { FILLS = 1 << 17, GPU_LEAST = 1 << 28, GPU_TAPS = 256 };

bool fourier_pays (RtDevice *dev, double results, double taps, double points) {
  if (!context_is_host(dev))
    return taps >= GPU_TAPS && taps * fmax(results, FILLS) >= GPU_LEAST &&
           cufft_name() != NULL;
  return results * taps >= LEAST &&
         results * taps >= PAYS * points * log2(points);
}

/* Returns the length of the transforms along an axis. A transform's
** convolution is that of periodic signals: it may be shorter than all of the
** convolution if the part has no element that another one is added to. */
static int64_t length (const Array *a, const Array *b, int axis,
                       const FourierPart *part) {
  int64_t n = a->shape[axis], m = b->shape[axis];
  int64_t least = n > m ? n : m;
  if (least < part->first + part->count)
    least = part->first + part->count;
  if (least < n + m - 1 - part->first)
    least = n + m - 1 - part->first;
  size_t good = fft_good_length((size_t)least);
  return good > 0 ? (int64_t)good : least;
}

/* Transforms the array on the top, which it closes, along an axis. */
static void transform_top (lua_State *L, RtStream *s, const Fourier *f) {
  int top = lua_gettop(L);
  fourier_push(L, s, top, f, true);
  lua_insert(L, top);
  array_drop(L, top);
}

/* Pushes the spectrum of the array at 'arg'. Returns its index. */
static int push_spectrum (lua_State *L, RtStream *s, int arg,
                          const int64_t n[]) {
  const Array *a = array_check(L, arg);
  bool real = dtype_is_float((DType)a->dtype);
  int last = a->ndim - 1;
  Fourier f = {.axis = last,
               .n = n[last],
               .kind = real ? FFT_REAL_IN | FFT_HALF : 0,
               .scale = 1};
  fourier_push(L, s, arg, &f, false);
  for (int axis = last - 1; axis >= 0; axis--) {
    f = (Fourier){.axis = axis, .n = n[axis], .scale = 1};
    transform_top(L, s, &f);
  }
  return lua_gettop(L);
}

/* Replaces the spectrum on the top by what it is of. */
static Array *invert (lua_State *L, RtStream *s, bool real, int ndim,
                      const int64_t n[]) {
  for (int axis = 0; axis < ndim; axis++) {
    const Fourier f = {.axis = axis,
                       .n = n[axis],
                       .kind = FFT_INVERSE |
                               (real && axis == ndim - 1 ? FFT_REAL_OUT : 0),
                       .scale = 1 / (double)n[axis]};
    transform_top(L, s, &f);
  }
  return array_check(L, lua_gettop(L));
}

Array *fourier_push_convolved (lua_State *L, RtStream *s, int x, int y,
                               const FourierPart part[]) {
  Array *a = array_check(L, x), *b = array_check(L, y);
  int64_t n[MAX_DIMS] = {0}, shape[MAX_DIMS], off = 0;
  int top = lua_gettop(L), ndim = a->ndim;
  for (int i = 0; i < ndim; i++) {
    n[i] = length(a, b, i, &part[i]);
    shape[i] = part[i].count;
  }
  int p = push_spectrum(L, s, x, n), q = push_spectrum(L, s, y, n);
  composed_binary(L, "mul_", p, q);
  lua_insert(L, top + 1);
  array_drop(L, top + 1);
  Array *z = invert(L, s, dtype_is_float((DType)a->dtype), ndim, n);
  for (int i = 0; i < ndim; i++)
    off += part[i].first * array_stride(z)[i];
  array_push_view(L, z, ndim, shape, array_stride(z),
                  z->off + (size_t)off * dtype_size(z->dtype));
  z = array_push_dense(L, lua_gettop(L));
  lua_insert(L, top + 1);
  array_drop(L, top + 1);
  return z;
}
