/*
** convolve.c - the host kernels of kernels/convolve.cu, which defines their
** results: the sums of some neighbours of a row at a time, to which one element
** of w after the other is added.
*/
#include "host_kernels.h"

#include "kernels/ops.h"

enum { SIDE = 256 }; /* neighbours */

/* Finds the windows, of n from 'at' on, that have an x at their element q. */
static void inside (size_t q, size_t left, size_t columns, size_t at,
                    size_t *from, size_t *to) {
  size_t begin = left > q ? left - q : 0;
  size_t end = columns + left > q ? columns + left - q : 0;
  *from = begin < at ? 0 : begin - at < *to ? begin - at : *to;
  *to = end < at ? 0 : end - at < *to ? end - at : *to;
}

#define CORRELATE(s, T, W) \
  static inline \
    __attribute__((always_inline)) void row_##s(W *sum, const T *x, T by, \
                                                size_t from, size_t to) { \
    for (size_t k = from; k < to; k++) \
      sum[k] = plus(sum[k], times(x[k], by)); \
  } \
  WIDE HOST_KERNEL(correlate_##s) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const T *, w); \
    PARAM(3, size_t, columns); \
    PARAM(4, size_t, xrows); \
    PARAM(5, size_t, xcolumns); \
    PARAM(6, size_t, wrows); \
    PARAM(7, size_t, wcolumns); \
    PARAM(8, size_t, top); \
    PARAM(9, size_t, left); \
    PARAM(10, size_t, count); \
    (void)grid; \
    SPAN(count); \
    for (size_t e = first, n; e < last; e += n) { \
      size_t i = e / columns, j = e % columns; \
      W sum[SIDE]; \
      memset(sum, 0, sizeof sum); \
      n = columns - j < last - e ? columns - j : last - e; \
      n = n < SIDE ? n : SIDE; \
      for (size_t p = 0; p < wrows; p++) { \
        if (i + p < top || i + p - top >= xrows) \
          continue; \
        const T *row = x + (i + p - top) * xcolumns; \
        for (size_t q = 0; q < wcolumns; q++) { \
          size_t from, to = n; \
          inside(q, left, xcolumns, j, &from, &to); \
          if (from < to) \
            row_##s(sum, row + (ptrdiff_t)(j + q) - (ptrdiff_t)left, \
                    w[p * wcolumns + q], from, to); \
        } \
      } \
      for (size_t k = 0; k < n; k++) \
        z[e + k] = RESULT(T, sum[k]); \
    } \
  }

#define RESULT(T, x) (T)(x)
CORRELATE(i32, int32_t, uint32_t)
CORRELATE(i64, int64_t, uint64_t)
CORRELATE(f32, float, float)
CORRELATE(f64, double, double)
#undef RESULT

#define RESULT(T, x) (x) /* structs cannot be cast */
CORRELATE(c64, t_c64, t_c64)
CORRELATE(c128, t_c128, t_c128)
