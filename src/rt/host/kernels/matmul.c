/*
** matmul.c - the twins of kernels/matmul.cuh, which says what they compute. For
** floats a BLAS does it, if the machine has one (blas.c); else a row of z is
** kept in registers and cache, WIDTH elements of it at a time.
*/
#include "blas.h"
#include "twins.h"

#include "kernels/ops.h"

#define WIDTH 256

/* z = x y: m by k, k by n. Elements are read as an R. */
#define MATMUL(s, R) \
  WIDE static void product_##s (t_##s *z, const R *x, \
                                const R *y, size_t m, size_t k, \
                                size_t n) { \
    typedef __typeof__(times(*(t_##s *)z, *(t_##s *)z)) A; \
    for (size_t left = 0; left < n; left += WIDTH) { \
      const size_t width = n - left < WIDTH ? n - left : WIDTH; \
      for (size_t i = 0; i < m; i++) { \
        A a[WIDTH] = {0}; \
        for (size_t d = 0; d < k; d++) { \
          const t_##s own = LOAD(s, x[i * k + d]); \
          const R *row = y + d * n + left; \
          for (size_t j = 0; j < width; j++) \
            a[j] = plus(a[j], times(own, LOAD(s, row[j]))); \
        } \
        for (size_t j = 0; j < width; j++) \
          z[i * n + left + j] = STORE(s, a[j]); \
      } \
    } \
  } \
  TWIN(matmul_##s) { \
    PARAM(0, t_##s *, z); \
    PARAM(1, const R *, x); \
    PARAM(2, const R *, y); \
    PARAM(3, size_t, m); \
    PARAM(4, size_t, k); \
    PARAM(5, size_t, n); \
    PARAM(6, size_t, batches); \
    PARAM(7, size_t, xstep); \
    PARAM(8, size_t, ystep); \
    (void)grid, (void)block; \
    const BlasKind kind = _Generic(*z, float: BLAS_S, double: BLAS_D, \
        t_c64: BLAS_C, t_c128: BLAS_Z, default: BLAS_KINDS); \
    if (k == 0)  /* x and y are nowhere: all are the same */ \
      xstep = 0, ystep = 0, x = y = (const R *)z; \
    for (size_t b = 0; b < batches; b++, z += m * n, x += xstep, y += ystep) \
      if (k == 0 || !host_blas(kind, z, x, y, m, k, n)) \
        product_##s(z, x, y, m, k, n); \
  }

#include "rt/host/kernels/matmul.def"
