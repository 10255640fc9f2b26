/*
** lfilter.h - recursive filters in the transposed direct form II, for
** lfilter.cu and its host kernel. Valid C and CUDA C++.
**
** The coefficients are b[0..order], then a[0..order], where a[0] is 1. The
** state of a line has 'order' numbers. Elements of a line, and of its state,
** are 'apart' from each other.
*/
#ifndef TIDE_LFILTER_H
#define TIDE_LFILTER_H

#include "types.h"

#if defined(__CUDACC__)
#define LFILTER_FN static __device__ __forceinline__
#define LFILTER_UNROLL _Pragma("unroll")
#else
#define LFILTER_FN static inline __attribute__((always_inline))
#define LFILTER_UNROLL _Pragma("GCC unroll 9")
#endif

/* States that the loop below keeps in registers, at most. */
#define LFILTER_FEW 8

/* Elements that a thread loads at a time: it waits for memory once for all of
** them. */
#define LFILTER_EACH 8

/* Returns the next number of a state; 'after' is the one behind it. */
LFILTER_FN double lfilter_next (double b, double x, double after, double a,
                                double y) {
  return b * x + after - a * y;
}

/* Filters a line in place; 'order' is a constant up to LFILTER_FEW. */
LFILTER_FN void lfilter_few (double *y, double *z, const double *f, size_t n,
                             size_t apart, int order) {
  double b[LFILTER_FEW + 1], a[LFILTER_FEW + 1], s[LFILTER_FEW + 1] = {0};
  LFILTER_UNROLL
  for (int k = 0; k <= order; k++) {
    b[k] = f[k];
    a[k] = f[order + 1 + k];
    s[k] = k < order ? z[(size_t)k * apart] : 0;
  }
  for (size_t i = 0; i < n; i += LFILTER_EACH) {
    const int some = n - i < LFILTER_EACH ? (int)(n - i) : LFILTER_EACH;
    double x[LFILTER_EACH];
    LFILTER_UNROLL
    for (int j = 0; j < LFILTER_EACH; j++)
      x[j] = j < some ? y[(i + (size_t)j) * apart] : 0;
    LFILTER_UNROLL
    for (int j = 0; j < LFILTER_EACH; j++)
      if (j < some) {
        const double now = b[0] * x[j] + s[0];
        LFILTER_UNROLL
        for (int k = 0; k < order; k++)
          s[k] = lfilter_next(b[k + 1], x[j], s[k + 1], a[k + 1], now);
        y[(i + (size_t)j) * apart] = now;
      }
  }
  LFILTER_UNROLL
  for (int k = 0; k < order; k++)
    z[(size_t)k * apart] = s[k];
}

/* Filters a line if its order is from 1 to LFILTER_FEW; tells whether it is. */
LFILTER_FN bool lfilter_is_few (double *y, double *z, const double *f, size_t n,
                                size_t apart, size_t order) {
#define CASE(k) \
  case k: lfilter_few(y, z, f, n, apart, k); return true;
  switch (order) {
    CASE(1)
    CASE(2)
    CASE(3)
    CASE(4)
    CASE(5)
    CASE(6)
    CASE(7)
    CASE(LFILTER_FEW)
    default: return false;
  }
#undef CASE
}

#endif
