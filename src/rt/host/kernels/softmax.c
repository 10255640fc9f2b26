/*
** softmax.c - the host kernels of kernels/softmax.cu, which defines their
** results. Exponentials are taken BATCH at a time, and the last batch is filled
** up, so that equal numbers have equal results wherever they are.
*/
#include "folds.h"
#include "loops.h"

#include <math.h>

/* Returns the greatest of n elements, and NaN if one is NaN. */
#define GREATEST(s, C) \
  WIDE static C greatest_##s(const t_##s *x, size_t n) { \
    C lane[LANES_FEW], top; \
    size_t i = 0; \
    for (int k = 0; k < LANES_FEW; k++) \
      lane[k] = -INFINITY; \
    for (; i + LANES_FEW <= n; i += LANES_FEW) \
      for (int k = 0; k < LANES_FEW; k++) { \
        const C v = LOAD(s, x[i + (size_t)k]); \
        lane[k] = ((v != v) | (v > lane[k])) ? v : lane[k]; \
      } \
    top = lane[0]; \
    for (int k = 1; k < LANES_FEW; k++) \
      top = ((lane[k] != lane[k]) | (lane[k] > top)) ? lane[k] : top; \
    for (; i < n; i++) { \
      const C v = LOAD(s, x[i]); \
      top = ((v != v) | (v > top)) ? v : top; \
    } \
    return top; \
  }

/* Not inlined, so that the result is the same everywhere. */
#define LOGARITHM(s, C) \
  static __attribute__((noinline)) C logarithm_##s(C x) { return log(x); }

/* Computes how far the elements from k on are below the greatest, and the
** exponentials of that; returns how many elements there are. */
#define BATCHES(s, C) \
  static inline __attribute__((always_inline)) \
  size_t batch_##s(C away[BATCH], C e[BATCH], const t_##s *x, size_t n, \
                   size_t k, C top) { \
    const size_t few = n - k < BATCH ? n - k : BATCH; \
    for (size_t i = 0; i < BATCH; i++) \
      away[i] = 0; \
    for (size_t i = 0; i < few; i++) \
      away[i] = LOAD(s, x[k + i]) - top; \
    for (size_t i = 0; i < BATCH; i++) \
      e[i] = exp(away[i]); \
    return few; \
  }

#define ROWS(s, C) \
  WIDEST static void row_##s(t_##s *z, const t_##s *x, size_t n, bool log_) { \
    C away[BATCH], e[BATCH]; \
    const C top = greatest_##s(x, n); \
    double lane[BATCH] = {0}; \
    for (size_t k = 0; k < n; k += BATCH) { \
      const size_t few = batch_##s(away, e, x, n, k, top); \
      for (size_t i = 0; i < few; i++) \
        lane[i] += (double)e[i]; \
    } \
    for (int d = BATCH / 2; d > 0; d /= 2) \
      for (int i = 0; i < d; i++) \
        lane[i] += lane[i + d]; \
    const C all = (C)lane[0], less = log_ ? logarithm_##s(all) : 0; \
    for (size_t k = 0; k < n; k += BATCH) { \
      const size_t few = batch_##s(away, e, x, n, k, top); \
      for (size_t i = 0; i < few; i++) \
        z[k + i] = STORE(s, log_ ? away[i] - less : e[i] / all); \
    } \
  }

/* Does neighbouring rows, of which at least one fits into a batch. */
#define SHORT_ROWS(s, C) \
  WIDEST static void rows_##s(t_##s *z, const t_##s *x, size_t n, size_t rows, \
                              bool log_) { \
    const size_t most = BATCH / n; \
    C away[BATCH], e[BATCH]; \
    for (size_t some; rows > 0; rows -= some) { \
      some = rows < most ? rows : most; \
      for (size_t i = 0; i < BATCH; i++) \
        away[i] = 0; \
      for (size_t r = 0; r < some; r++) { \
        const C top = greatest_##s(x + r * n, n); \
        for (size_t i = r * n; i < (r + 1) * n; i++) \
          away[i] = LOAD(s, x[i]) - top; \
      } \
      for (size_t i = 0; i < BATCH; i++) \
        e[i] = exp(away[i]); \
      for (size_t r = 0; r < some; r++) { \
        double sum = 0; \
        for (size_t i = r * n; i < (r + 1) * n; i++) \
          sum += (double)e[i]; \
        const C all = (C)sum, less = log_ ? logarithm_##s(all) : 0; \
        for (size_t i = r * n; i < (r + 1) * n; i++) \
          z[i] = STORE(s, log_ ? away[i] - less : e[i] / all); \
      } \
      x += some * n; \
      z += some * n; \
    } \
  }

/* Does neighbouring columns, at most BATCH of them. */
#define SIDES(s, C) \
  WIDEST static void columns_##s(t_##s *z, const t_##s *x, size_t n, \
                                 size_t inner, size_t width, bool log_) { \
    C top[BATCH], away[BATCH] = {0}, all[BATCH], less[BATCH] = {0}; \
    double sum[BATCH] = {0}; \
    for (size_t i = 0; i < width; i++) \
      top[i] = -INFINITY; \
    for (size_t r = 0; r < n; r++) \
      for (size_t i = 0; i < width; i++) { \
        const C v = LOAD(s, x[r * inner + i]); \
        top[i] = ((v != v) | (v > top[i])) ? v : top[i]; \
      } \
    for (size_t r = 0; r < n; r++) { \
      for (size_t i = 0; i < width; i++) \
        away[i] = LOAD(s, x[r * inner + i]) - top[i]; \
      for (size_t i = 0; i < BATCH; i++) \
        sum[i] += (double)(C)exp(away[i]); \
    } \
    for (size_t i = 0; i < width; i++) { \
      all[i] = (C)sum[i]; \
      less[i] = log_ ? logarithm_##s(all[i]) : 0; \
    } \
    for (size_t r = 0; r < n; r++) { \
      C e[BATCH]; \
      for (size_t i = 0; i < width; i++) \
        away[i] = LOAD(s, x[r * inner + i]) - top[i]; \
      for (size_t i = 0; i < BATCH; i++) \
        e[i] = exp(away[i]); \
      for (size_t i = 0; i < width; i++) \
        z[r * inner + i] = STORE(s, log_ ? away[i] - less[i] : e[i] / all[i]); \
    } \
  }

#define SOFTMAX(s, C) \
  GREATEST(s, C) \
  LOGARITHM(s, C) \
  BATCHES(s, C) \
  ROWS(s, C) SHORT_ROWS(s, C) SIDES(s, C) HOST_KERNEL(softmax_axis_##s) { \
    PARAM(0, t_##s *, z); \
    PARAM(1, const t_##s *, x); \
    PARAM(2, size_t, outer); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, inner); \
    PARAM(6, size_t, log_); \
    const size_t tiles = (inner + BATCH - 1) / BATCH; \
    SPAN(outer *tiles); \
    (void)grid; \
    if (inner == 1 && n > 0 && n <= BATCH) { \
      rows_##s(z + first * n, x + first * n, n, last - first, log_ != 0); \
      return; \
    } \
    for (size_t t = first; t < last; t++) { \
      const size_t c = t % tiles * BATCH; \
      const size_t at = t / tiles * n * inner + c; \
      if (inner == 1) \
        row_##s(z + at, x + at, n, log_ != 0); \
      else \
        columns_##s(z + at, x + at, n, inner, \
                    inner - c < BATCH ? inner - c : BATCH, log_ != 0); \
    } \
  }
SOFTMAX(f16, float)
SOFTMAX(bf16, float)
SOFTMAX(f32, float)
SOFTMAX(f64, double)
