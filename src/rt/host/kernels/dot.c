/*
** dot.c - the host kernels of kernels/dot.cu, which defines their results.
** Lanes are as in a sum: see kernels/generate/host_folds.lua.
*/
#include "folds.h"
#include "host_kernels.h"

#include "kernels/ops.h"

enum { MANY = LANES(double) };

/* Adds the halves of the lanes to each other, until 'left' lanes remain. */
static inline void halve (double *lane, int lanes, int left) {
  for (int d = lanes / 2; d >= left; d /= 2)
    for (int k = 0; k < d; k++)
      lane[k] += lane[k + d];
}

/* Adds the products of as many elements, from i on, to the lanes. */
#define ADD_PRODUCTS(s, C, lanes) \
  for (int k = 0; k < lanes; k++) { \
    const C own = LOAD(s, x[i + (size_t)k]) * LOAD(s, y[i + (size_t)k]); \
    lane[k] += (double)own; \
  }

#define DOT(s, C) \
  WIDE static double products_##s(const t_##s *x, const t_##s *y, size_t n) { \
    double lane[MANY] = {0}; \
    size_t i = 0; \
    for (; i + MANY <= n; i += MANY) \
      ADD_PRODUCTS(s, C, MANY) \
    halve(lane, MANY, LANES_FEW); \
    for (; i + LANES_FEW <= n; i += LANES_FEW) \
      ADD_PRODUCTS(s, C, LANES_FEW) \
    for (; i < n; i++) \
      ADD_PRODUCTS(s, C, 1) \
    halve(lane, LANES_FEW, 1); \
    return lane[0]; \
  } \
  HOST_KERNEL(dot_partial_##s) { \
    PARAM(0, double *, z); \
    PARAM(1, const t_##s *, x); \
    PARAM(2, const t_##s *, y); \
    PARAM(3, size_t, n); \
    SPAN(grid[0]); \
    for (size_t b = first; b < last; b++) { \
      const size_t at = axis_first(b, grid[0], n); \
      z[b] = products_##s(x + at, y + at, axis_first(b + 1, grid[0], n) - at); \
    } \
  } \
  HOST_KERNEL(dot_whole_##s) { \
    PARAM(0, t_##s *, z); \
    PARAM(1, const t_##s *, x); \
    PARAM(2, const t_##s *, y); \
    PARAM(3, size_t, n); \
    (void)grid, (void)block; \
    const double a = products_##s(x, y, n); \
    *z = STORE(s, a); \
  }
DOT(f16, float)
DOT(bf16, float)
DOT(f32, float)
DOT(f64, double)

#define ROWS(s) \
  HOST_KERNEL(dot_rows_##s) { \
    PARAM(0, t_##s *, z); \
    PARAM(1, const t_##s *, x); \
    PARAM(2, const t_##s *, y); \
    PARAM(3, size_t, rows); \
    PARAM(4, size_t, n); \
    SPAN(rows); \
    (void)grid; \
    for (size_t r = first; r < last; r++) { \
      const double a = products_##s(x + r * n, y + r * n, n); \
      z[r] = STORE(s, a); \
    } \
  }
ROWS(f32)
ROWS(f64)
