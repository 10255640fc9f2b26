/*
** folds.h - how the host device folds an array to one element: expanded by
** kernels.c, for whole arrays, and by axis.c, for rows.
*/
#ifndef TIDE_FOLDS_H
#define TIDE_FOLDS_H

#include "twins.h"

/*
** Independent accumulators of a fold: enough to hide the latency of an
** addition and to fill vector registers.
*/
#define LANES 16

/*
** fold_f(xs, n): none joined with map(x) of every element; lane k takes every
** LANES-th of them. The expressions name the accumulator's type A.
*/
#define FOLD(f, s, acc, none, map, ...) \
  static inline TYPE(acc) join_##f (TYPE(acc) a, TYPE(acc) b) { \
    return STORE(acc, __VA_ARGS__); \
  } \
  static inline TYPE(acc) map_##f (CALC(s) x) { return STORE(acc, map); } \
  static TYPE(acc) fold_##f (const STORED(s) *xs, size_t n) { \
    typedef TYPE(acc) A; \
    A lane[LANES]; \
    size_t i = 0; \
    for (int k = 0; k < LANES; k++) \
      lane[k] = STORE(acc, none); \
    for (; i + LANES <= n; i += LANES) \
      for (int k = 0; k < LANES; k++) \
        lane[k] = join_##f(lane[k], map_##f(LOAD(s, xs[i + k]))); \
    for (; i < n; i++) \
      lane[0] = join_##f(lane[0], map_##f(LOAD(s, xs[i]))); \
    for (int d = LANES / 2; d > 0; d /= 2) \
      for (int k = 0; k < d; k++) \
        lane[k] = join_##f(lane[k], lane[k + d]); \
    return lane[0]; \
  }

#endif
