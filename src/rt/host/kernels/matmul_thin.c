/*
** matmul_thin.c - products of matrices with few columns, 2 to THIN of them: a
** row of z is one vector, and several rows are in registers at a time, each of
** them added up in the order of k.
**
** A vector mostly has more elements than a row of y, so elements after the row
** are multiplied in vain. After the last rows there is no memory to read, so
** those rows are copied.
*/
#include <string.h>

#include "host_kernels.h"
#include "matmul.h"

#include "kernels/types.h"

#define ROWS 8 /* of z, in registers at a time */

#define INLINE static inline __attribute__((always_inline))

/* Computes 'width' columns of 'rows' rows; 'rows' is a constant for the
** compiler. T: the type in which sums wrap around or are rounded. Rows of y
** from 'whole' on are at 'ends'. */
#define ROWS_OF(s, T, lanes) \
  INLINE void rows_##s##_##lanes(T *z, const T *x, const T *y, const T *ends, \
                                 size_t whole, size_t k, size_t n, \
                                 size_t width, const int rows) { \
    typedef T Vector __attribute__((vector_size((lanes) * sizeof(T)))); \
    Vector a[ROWS], v; \
    for (int r = 0; r < rows; r++) \
      a[r] = (Vector){0}; \
    for (size_t d = 0; d < k; d++) { \
      memcpy(&v, d < whole ? y + d * n : ends + (d - whole) * n, sizeof v); \
      for (int r = 0; r < rows; r++) \
        a[r] += x[(size_t)r * k + d] * v; \
    } \
    for (int r = 0; r < rows; r++) \
      memcpy(z + (size_t)r * n, &a[r], width * sizeof(T)); \
  }

/* 'most': lanes in 32 bytes, the widest vector that registers hold. */
#define THIN_OF(s, T, most) \
  ROWS_OF(s, T, 2) \
  ROWS_OF(s, T, 4) \
  ROWS_OF(s, T, 8) \
  INLINE void all_##s(T *z, const T *x, const T *y, const T *ends, \
                      size_t whole, size_t k, size_t n, const int rows) { \
    for (size_t left = 0, width; left < n; left += width) { \
      width = n - left < (most) ? n - left : (most); \
      if (width > 4) \
        rows_##s##_8(z + left, x, y + left, ends + left, whole, k, n, width, \
                     rows); \
      else if (width > 2) \
        rows_##s##_4(z + left, x, y + left, ends + left, whole, k, n, width, \
                     rows); \
      else \
        rows_##s##_2(z + left, x, y + left, ends + left, whole, k, n, width, \
                     rows); \
    } \
  } \
  WIDE bool matmul_thin_##s(void *zs, const void *xs, const void *ys, \
                            size_t m, size_t k, size_t n) { \
    T *z = zs, ends[THIN + 2 * (most)]; \
    const T *x = xs, *y = ys; \
    if (n < 2 || n > THIN) \
      return false; \
    const size_t over = (most) / n + 1, whole = k > over ? k - over : 0; \
    memcpy(ends, y + whole * n, (k - whole) * n * sizeof *ends); \
    memset(ends + (k - whole) * n, 0, (most) * sizeof *ends); \
    size_t i = 0; \
    for (; i + ROWS <= m; i += ROWS) \
      all_##s(z + i * n, x + i * k, y, ends, whole, k, n, ROWS); \
    for (; i < m; i++) \
      all_##s(z + i * n, x + i * k, y, ends, whole, k, n, 1); \
    return true; \
  }

THIN_OF(i32, uint32_t, 8)
THIN_OF(i64, uint64_t, 4)
THIN_OF(f32, float, 8)
THIN_OF(f64, double, 4)
