/*
** axis.c - host twins of kernels/axis.cu: reductions along one axis. Rows are
** folded as whole arrays are; columns side by side, so that the loop over them
** can be vectorised.
*/
#include "folds.h"

#include "kernels/axis.h"
#include "kernels/kin.h"
#include "kernels/ops.h"

/* Columns that are folded side by side. */
#define COLUMNS 128

/* columns_f(a, xs, rows, inner, width): folds 'width' columns. */
#define COLUMNS_OF(f, s, acc) \
  WIDE static void columns_##f (TYPE(acc) *a, const STORED(s) *xs, \
                                size_t rows, size_t inner, size_t width) { \
    for (size_t r = 0; r < rows; r++, xs += inner) \
      for (size_t i = 0; i < width; i++) \
        a[i] = join_##f(a[i], map_##f(LOAD(s, xs[i]))); \
  }

/* Row k of the results is that of chunk k % chunks of x[k / chunks]. */
#define AXIS(s, op, kin, acc, none_, map_, ...) \
  OF_KIN(kin, s, AXIS_OF(s, op, acc, none_, map_, __VA_ARGS__))
#define AXIS_OF(s, op, acc, none_, map_, ...) \
  FOLD(op##_##s, s, ACC_##acc(s), none_, map_, __VA_ARGS__) \
  COLUMNS_OF(op##_##s, s, ACC_##acc(s)) \
  TWIN(op##_axis_##s) { \
    typedef TYPE(ACC_##acc(s)) A; \
    typedef TYPE(OUT_##acc(s)) Z; \
    PARAM(0, void *, z); \
    PARAM(1, const STORED(s) *, xs); \
    PARAM(2, size_t, outer); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, inner); \
    PARAM(5, size_t, chunks); \
    PARAM(6, size_t, partial); \
    SPAN(outer * chunks); \
    A a[COLUMNS]; \
    (void)grid; \
    for (size_t k = first; k < last; k++) { \
      size_t lo = axis_first(k % chunks, chunks, n); \
      size_t rows = axis_first(k % chunks + 1, chunks, n) - lo; \
      const STORED(s) *at = xs + (k / chunks * n + lo) * inner; \
      for (size_t c = 0; c < inner; c += COLUMNS) { \
        size_t width = inner - c < COLUMNS ? inner - c : COLUMNS; \
        for (size_t i = 0; i < width; i++) \
          a[i] = STORE(ACC_##acc(s), none_); \
        if (inner == 1) \
          a[0] = fold_##op##_##s(at, rows); \
        else \
          columns_##op##_##s(a, at + c, rows, inner, width); \
        for (size_t i = 0; i < width; i++) { \
          if (partial) \
            ((A *)z)[k * inner + c + i] = a[i]; \
          else \
            ((Z *)z)[k * inner + c + i] = STORE(OUT_##acc(s), a[i]); \
        } \
      } \
    } \
  }

/* {== picks =========================================================== */

/* Where the row of the axis is that candidate r of column c means. */
#define ROW_OF(r, c) \
  (candidates == NULL ? (int64_t)(r) : candidates[(o * n + (r)) * inner + (c)])

/*
** find_op_s(x, n): where the first of those that come before all others is.
** What they are like is folded for a block at a time, then looked for in one.
*/
#define FIND_BLOCK 4096
#define FOLD_argmin(s) fold_min_##s
#define FOLD_argmax(s) fold_max_##s

#define FIND_TWIN(s, op, ...) \
  static inline bool before_##op##_##s (CALC(s) x, CALC(s) y) { \
    return (x != x) ? y == y : __VA_ARGS__; \
  } \
  static int64_t find_##op##_##s (const STORED(s) *x, size_t n) { \
    CALC(s) best = LOAD(s, x[0]); \
    size_t at = 0; \
    for (size_t i = 0; i < n; i += FIND_BLOCK) { \
      size_t left = n - i < FIND_BLOCK ? n - i : FIND_BLOCK; \
      CALC(s) next = LOAD(s, FOLD_##op(s)(x + i, left)); \
      if (before_##op##_##s(next, best)) { \
        best = next; \
        at = i; \
      } \
    } \
    while (before_##op##_##s(best, LOAD(s, x[at]))) \
      at++; \
    return (int64_t)at; \
  } \
  TWIN(op##_axis_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const STORED(s) *, xs); \
    PARAM(2, const int64_t *, candidates); \
    PARAM(3, size_t, outer); \
    PARAM(4, size_t, n); \
    PARAM(5, size_t, inner); \
    PARAM(6, size_t, chunks); \
    PARAM(7, size_t, full); \
    PARAM(8, size_t, base); \
    SPAN(outer * chunks); \
    CALC(s) best[COLUMNS]; \
    (void)grid; \
    for (size_t k = first * inner; k < last * inner; k += inner) { \
      size_t o = k / inner / chunks, chunk = k / inner % chunks; \
      size_t lo = axis_first(chunk, chunks, n); \
      size_t end = axis_first(chunk + 1, chunks, n); \
      const STORED(s) *x = xs + o * full * inner; \
      if (inner == 1 && candidates == NULL) { \
        z[k] = find_##op##_##s(x + lo, end - lo) + (int64_t)(lo + base); \
        continue; \
      } \
      for (size_t c = 0; c < inner; c += COLUMNS) { \
        size_t width = inner - c < COLUMNS ? inner - c : COLUMNS; \
        for (size_t r = lo; r < end; r++) { \
          for (size_t i = 0; i < width; i++) { \
            int64_t at = ROW_OF(r, c + i); \
            CALC(s) next = LOAD(s, x[(size_t)at * inner + c + i]); \
            if (r == lo || before_##op##_##s(next, best[i])) { \
              best[i] = next; \
              z[k + c + i] = at + (int64_t)base; \
            } \
          } \
        } \
      } \
    } \
  }

/* ==} */

#define REDUCE(op, set, own, kin, acc, none, map, join) \
  SET_##own(AXIS, op, kin, acc, none, map, join)
#define FIND(op, set, before) SET_##set(FIND_TWIN, op, before)
#include "kernels/kernels.def"
