/*
** lfilter.cu - recursive filters: lfilter_f64. Written by hand: see
** by_hand.lua. Host kernel: src/rt/host/kernels/lfilter.c.
**
**   y[n,lines], in place, filtered along the first axis; z[order,lines]: the
**   states before, and then after. f: the coefficients, see lfilter.h
**
** A thread has a line, so that neighbouring threads access neighbours. A
** recursion has no parts that run side by side, so few lines leave most of a
** GPU idle: a line waits for its own numbers at every element. Blocks are small
** because they spread over the SMs. A state of more than LFILTER_FEW numbers is
** read and written for each element, mostly in the caches.
*/
#include "common.cuh"
#include "lfilter.h"

/* Filters a line of a state of any length, which stays in memory. A thread
** loads LFILTER_EACH of its numbers before it stores any. */
static __device__ __forceinline__ void long_state (
    double *y, double *z, const double *__restrict__ f, size_t n, size_t apart,
    size_t order) {
  const double *__restrict__ a = f + order + 1;
  double next = y[0];
  for (size_t i = 0; i < n; i++) {
    const double x = next, now = f[0] * x + z[0];
    next = i + 1 < n ? y[(i + 1) * apart] : 0;
    for (size_t k = 0; k < order; k += LFILTER_EACH) {
      double s[LFILTER_EACH];
#pragma unroll
      for (int j = 0; j < LFILTER_EACH; j++)
        s[j] = k + j + 1 < order ? z[(k + j + 1) * apart] : 0;
#pragma unroll
      for (int j = 0; j < LFILTER_EACH; j++)
        if (k + j < order)
          z[(k + j) * apart] = lfilter_next(f[k + j + 1], x, s[j],
                                            a[k + j + 1], now);
    }
    y[i * apart] = now;
  }
}

extern "C" __global__ void __launch_bounds__(LFILTER_BLOCK)
lfilter_f64 (double *y, double *z, const double *f, size_t n, size_t lines,
             size_t order) {
  after_previous();
  for (size_t line = first(); line < lines; line += stride())
    if (!lfilter_is_few(y + line, z + line, f, n, lines, order))
      long_state(y + line, z + line, f, n, lines, order);
}
