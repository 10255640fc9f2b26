/*
** convolve.cu - windows that slide over an array: z[i,j] is the sum of x[i + p
** - top, j + q - left] w[p,q] over all p, q for which there is such an x. With
** one axis, x, w and z have one row. Written by hand: see by_hand.lua. Host
** kernels: src/rt/host/kernels/convolve.c, which add in the same order, row
** after row of w.
**
** Each thread has an element of z, next to those of its neighbours. So a row of
** x is read once from memory and then from the cache, and w is the same for all
** threads of a warp. With 9 elements of w, float32, 8 bytes an element move.
*/
#include "common.cuh"
#include "ops.h"

/* The elements of a window that lie inside: from 'begin' up to 'end' of w's.
** 'at' is where the window begins, 'before' the part of it that is outside. */
struct Inside {
  size_t begin, end;
  __device__ __forceinline__ Inside (size_t at, size_t before, size_t n,
                                     size_t window) {
    begin = at < before ? before - at : 0;
    end = n + before > at ? n + before - at : 0;
    if (end > window)
      end = window;
  }
};

template <class T>
static __device__ __forceinline__ void correlate (T *z, const T *x,
    const T *w, size_t columns, size_t xrows, size_t xcolumns, size_t wrows,
    size_t wcolumns, size_t top, size_t left, size_t count) {
  for (size_t e = first(); e < count; e += stride()) {
    const size_t i = columns == count ? 0 : e / columns, j = e - i * columns;
    const Inside down(i, top, xrows, wrows), right(j, left, xcolumns, wcolumns);
    auto sum = times(T(), T());
    for (size_t p = down.begin; p < down.end; p++) {
      const T *row = x + (i + p - top) * xcolumns, *by = w + p * wcolumns;
#pragma unroll 4
      for (size_t q = right.begin; q < right.end; q++)
        sum = plus(sum, times(row[j + q - left], by[q]));
    }
    z[e] = (T)sum;
  }
}

#define CORRELATE(s) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  correlate_##s (t_##s *z, const t_##s *x, const t_##s *w, size_t columns, \
                 size_t xrows, size_t xcolumns, size_t wrows, \
                 size_t wcolumns, size_t top, size_t left, size_t count) { \
    after_previous(); \
    correlate(z, x, w, columns, xrows, xcolumns, wrows, wcolumns, top, left, \
              count); \
  }

CORRELATE(i32)
CORRELATE(i64)
CORRELATE(f32)
CORRELATE(f64)
CORRELATE(c64)
CORRELATE(c128)
