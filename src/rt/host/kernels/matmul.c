/*
** matmul.c - the host kernels of kernels/matmul.cuh, which defines their
** results. Large matrices of floats go to a BLAS, if the machine has one
** (blas.c).
**
** DESIGN. Each shape has loops with several sums side by side, so that no
** addition waits for the one before. Every sum is added up in the order of k,
** so an element of z does not depend on the other columns and rows, or on the
** thread. If y has one column, ROWS rows of x are done at a time; if it has
** few, see matmul_thin.c. If it has more, WIDTH sums are kept at a time, and
** DEPTH rows of y are added to them for one row of x, or for two.
*/
#include "blas.h"
#include "host_kernels.h"
#include "matmul.h"

#include "kernels/ops.h"

#define ROWS 8
#define DEPTH 4

#define INLINE static inline __attribute__((always_inline))

/* The type of factors, and of accumulators, which wrap around for integers. */
#define FACTOR(s) __typeof__(LOAD(s, (t_##s){0}))
#define ACCUMULATOR(s) __typeof__(times((FACTOR(s)){0}, (FACTOR(s)){0}))

/* z = x y for 'rows' rows of one column; 'rows' is a constant for the
** compiler. */
#define COLUMN(s, R) \
  INLINE void column_##s(t_##s *z, const R *x, const R *y, size_t k, \
                         const int rows) { \
    ACCUMULATOR(s) a[ROWS]; \
    memset(a, 0, (size_t)rows * sizeof *a); \
    for (size_t d = 0; d < k; d++) { \
      const FACTOR(s) other = LOAD(s, y[d]); \
      for (int r = 0; r < rows; r++) \
        a[r] = plus(a[r], times(LOAD(s, x[(size_t)r * k + d]), other)); \
    } \
    for (int r = 0; r < rows; r++) \
      z[r] = STORE(s, a[r]); \
  }

/* Computes 'width' columns from 'left' on of 'rows' rows of z. */
#define WIDE_OF(s, R) \
  INLINE void wide_##s(t_##s *z, const R *x, const R *y, size_t k, size_t n, \
                       size_t width, const int rows) { \
    ACCUMULATOR(s) a[2][WIDTH]; \
    for (int r = 0; r < rows; r++) \
      memset(a[r], 0, width * sizeof **a); \
    size_t d = 0; \
    for (; d + DEPTH <= k; d += DEPTH) { \
      const R *y0 = y + d * n, *y1 = y0 + n, *y2 = y1 + n, *y3 = y2 + n; \
      for (int r = 0; r < rows; r++) { \
        const R *own = x + (size_t)r * k + d; \
        const FACTOR(s) x0 = LOAD(s, own[0]), x1 = LOAD(s, own[1]), \
                        x2 = LOAD(s, own[2]), x3 = LOAD(s, own[3]); \
        for (size_t j = 0; j < width; j++) { \
          ACCUMULATOR(s) sum = plus(a[r][j], times(x0, LOAD(s, y0[j]))); \
          sum = plus(sum, times(x1, LOAD(s, y1[j]))); \
          sum = plus(sum, times(x2, LOAD(s, y2[j]))); \
          a[r][j] = plus(sum, times(x3, LOAD(s, y3[j]))); \
        } \
      } \
    } \
    for (; d < k; d++) \
      for (int r = 0; r < rows; r++) { \
        const FACTOR(s) own = LOAD(s, x[(size_t)r * k + d]); \
        for (size_t j = 0; j < width; j++) \
          a[r][j] = plus(a[r][j], times(own, LOAD(s, y[d * n + j]))); \
      } \
    for (int r = 0; r < rows; r++) \
      for (size_t j = 0; j < width; j++) \
        z[(size_t)r * n + j] = STORE(s, a[r][j]); \
  }

/* z = x y: m by k, k by n; columns from 'left' up to 'right'. */
#define PRODUCT_OF(s, R) \
  WIDE static void product_##s(t_##s *z, const R *x, const R *y, size_t m, \
                               size_t k, size_t n, size_t left, \
                               size_t right) { \
    size_t i = 0; \
    if (n == 1) { \
      for (; i + ROWS <= m; i += ROWS) \
        column_##s(z + i, x + i * k, y, k, ROWS); \
      for (; i < m; i++) \
        column_##s(z + i, x + i * k, y, k, 1); \
      return; \
    } \
    for (; left < right; left += WIDTH) { \
      const size_t width = right - left < WIDTH ? right - left : WIDTH; \
      for (i = 0; i + 2 <= m; i += 2) \
        wide_##s(z + i * n + left, x + i * k, y + left, k, n, width, 2); \
      if (i < m) \
        wide_##s(z + i * n + left, x + i * k, y + left, k, n, width, 1); \
    } \
  }

/* The types of matmul_thin.c. */
#define THIN_PRODUCT(s) \
  _Generic((t_##s){0}, int32_t \
           : matmul_thin_i32, int64_t \
           : matmul_thin_i64, float \
           : matmul_thin_f32, double \
           : matmul_thin_f64, default \
           : no_thin)

static bool no_thin (void *z, const void *x, const void *y, size_t m, size_t k,
                     size_t n) {
  (void)z, (void)x, (void)y, (void)m, (void)k, (void)n;
  return false;
}

/* Elements of type s are read as an R. */
#define MATMUL(s, R) \
  COLUMN(s, R) \
  WIDE_OF(s, R) \
  PRODUCT_OF(s, R) \
  HOST_KERNEL(matmul_##s) { \
    PARAM(0, t_##s *, z); \
    PARAM(1, const R *, x); \
    PARAM(2, const R *, y); \
    PARAM(3, size_t, m); \
    PARAM(4, size_t, k); \
    PARAM(5, size_t, n); \
    PARAM(6, size_t, batches); \
    PARAM(7, size_t, xstep); \
    PARAM(8, size_t, ystep); \
    (void)grid; \
    const BlasKind kind = _Generic(*z, float \
                                   : BLAS_S, double \
                                   : BLAS_D, t_c64 \
                                   : BLAS_C, t_c128 \
                                   : BLAS_Z, default \
                                   : BLAS_KINDS); \
    if (k == 0) /* x and y are nowhere: all are the same */ \
      xstep = 0, ystep = 0, x = y = (const R *)z; \
    if (blas_suits(kind, m, k, n)) { \
      for (size_t b = 0; b < batches && block[1] == 1; b++) \
        blas_multiply(kind, z + b * m * n, x + b * xstep, y + b * ystep, m, k, \
                      n); \
      return; \
    } \
    const bool columns = matmul_cuts_columns(m, n, batches); \
    SPAN(columns ? n : m *batches); \
    if (columns) { \
      for (size_t b = 0; b < batches; b++) \
        product_##s(z + b * m * n, x + b * xstep, y + b * ystep, m, k, n, \
                    first, last); \
      return; \
    } \
    size_t b = first / m, i = first % m; \
    for (size_t row = first, rows; row < last; row += rows, b++, i = 0) { \
      rows = last - row < m - i ? last - row : m - i; \
      t_##s *to = z + row * n; \
      const R *from = x + b * xstep + i * k, *by = y + b * ystep; \
      if (!THIN_PRODUCT(s)(to, from, by, rows, k, n)) \
        product_##s(to, from, by, rows, k, n, 0, n); \
    } \
  }

#include "rt/host/kernels/matmul.def"
