/*
** moments.c - the host kernels of kernels/moments.cu, which defines their
** results. Elements of a row, or rows of neighbouring columns, are taken so
** many at a time that they stay in the first cache.
*/
#include "folds.h"
#include "host_kernels.h"

#include "kernels/moments.h"

enum { RUN = 1024, ROWS = 16 };

/* Returns the sum of the lanes. */
static inline double add_lanes (double lane[LANES_FEW]) {
  for (int d = LANES_FEW / 2; d > 0; d /= 2)
    for (int k = 0; k < d; k++)
      lane[k] += lane[k + d];
  return lane[0];
}

/* The sum of f(x) for all of xs. */
#define SUM(s, f) \
  double lane[LANES_FEW] = {0}; \
  size_t i = 0; \
  for (; i + LANES_FEW <= n; i += LANES_FEW) \
    for (int k = 0; k < LANES_FEW; k++) \
      lane[k] += f((double)LOAD(s, xs[i + (size_t)k])); \
  for (; i < n; i++) \
    lane[0] += f((double)LOAD(s, xs[i])); \
  return add_lanes(lane);

#define OWN(x) (x)
#define SQUARE(x) (((x)-mean) * ((x)-mean))

#define FOLDS(s) \
  static inline double sum_##s(const t_##s *xs, size_t n) { SUM(s, OWN) } \
  static inline double squares_##s(const t_##s *xs, size_t n, double mean){ \
    SUM(s, SQUARE)} WIDE static Moments row_##s(const t_##s *xs, size_t n) { \
    Moments a = {0, 0, 0}; \
    for (size_t at = 0; at < n; at += RUN) { \
      const size_t few = n - at < RUN ? n - at : RUN; \
      const double mean = sum_##s(xs + at, few) / (double)few; \
      const Moments b = {(double)few, mean, squares_##s(xs + at, few, mean)}; \
      a = moments_join(a, b); \
    } \
    return a; \
  } \
  WIDE static void columns_##s(Moments *a, const t_##s *xs, size_t n, \
                               size_t inner, size_t width) { \
    double mean[COLUMNS], squares[COLUMNS]; \
    for (size_t at = 0; at < n; at += ROWS) { \
      const size_t few = n - at < ROWS ? n - at : ROWS; \
      const t_##s *from = xs + at * inner; \
      for (size_t i = 0; i < width; i++) \
        mean[i] = squares[i] = 0; \
      for (size_t r = 0; r < few; r++) \
        for (size_t i = 0; i < width; i++) \
          mean[i] += (double)LOAD(s, from[r * inner + i]); \
      for (size_t i = 0; i < width; i++) \
        mean[i] /= (double)few; \
      for (size_t r = 0; r < few; r++) \
        for (size_t i = 0; i < width; i++) { \
          const double away = (double)LOAD(s, from[r * inner + i]) - mean[i]; \
          squares[i] += away * away; \
        } \
      for (size_t i = 0; i < width; i++) \
        a[i] = moments_join(a[i], \
                            (Moments){(double)few, mean[i], squares[i]}); \
    } \
  }

/* Results, or their chunks, are cut into parts as in other reductions along an
** axis: see kernels/generate/host_folds.lua. */
#define AXIS(s) \
  HOST_KERNEL(moments_axis_##s) { \
    PARAM(0, void *, z); \
    PARAM(1, const t_##s *, xs); \
    PARAM(2, size_t, outer); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, inner); \
    PARAM(5, size_t, chunks); \
    PARAM(6, size_t, partial); \
    PARAM(7, double, by); \
    PARAM(8, int64_t, root); \
    const size_t tiles = fold_column_tiles(inner); \
    SPAN(outer *chunks *tiles); \
    Moments a[COLUMNS]; \
    (void)grid; \
    for (size_t t = first; t < last; t++) { \
      const size_t k = t / tiles, c = t % tiles * COLUMNS; \
      const size_t lo = axis_first(k % chunks, chunks, n); \
      const size_t rows = axis_first(k % chunks + 1, chunks, n) - lo; \
      const size_t width = inner - c < COLUMNS ? inner - c : COLUMNS; \
      const t_##s *at = xs + (k / chunks * n + lo) * inner + c; \
      memset(a, 0, width * sizeof *a); \
      if (inner == 1) \
        a[0] = row_##s(at, rows); \
      else \
        columns_##s(a, at, rows, inner, width); \
      for (size_t i = 0; i < width; i++) { \
        if (partial) \
          ((Moments *)z)[k * inner + c + i] = a[i]; \
        else \
          ((t_##s *)z)[k * inner + c + i] = STORE(s, moments_end(a[i], by, \
                                                                 root != 0)); \
      } \
    } \
  }

#define FINAL(s) \
  HOST_KERNEL(moments_final_##s) { \
    PARAM(0, t_##s *, z); \
    PARAM(1, const Moments *, x); \
    PARAM(2, size_t, outer); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, inner); \
    PARAM(5, double, by); \
    PARAM(6, int64_t, root); \
    SPAN(outer *inner); \
    (void)grid; \
    for (size_t i = first; i < last; i++) { \
      const Moments *from = x + i / inner * n * inner + i % inner; \
      Moments a = {0, 0, 0}; \
      for (size_t r = 0; r < n; r++) \
        a = moments_join(a, from[r * inner]); \
      z[i] = STORE(s, moments_end(a, by, root != 0)); \
    } \
  }

#define MOMENTS(s) FOLDS(s) AXIS(s) FINAL(s)
MOMENTS(f16)
MOMENTS(bf16)
MOMENTS(f32)
MOMENTS(f64)
