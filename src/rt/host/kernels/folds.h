/*
** folds.h - how the host device folds an array to one element: expanded by
** elementwise.c, for whole arrays, and by axis.c, for rows.
*/
#ifndef TIDE_RT_HOST_KERNELS_FOLDS_H
#define TIDE_RT_HOST_KERNELS_FOLDS_H

#include "twins.h"

/*
** Independent accumulators of a fold: enough to hide the latency of what joins
** them and to fill vector registers; those of a short one.
*/
#define LANES(A) ((int)(sizeof(A) > 4 ? 32 : 64))
#define LANES_FEW 8

/*
** fold_f(xs, n): none joined with map(x) of every element; lane k takes every
** LANES-th of them. The expressions name the accumulator's type A.
*/
#define FOLD(f, s, acc, none, map, ...) \
  static inline TYPE(acc) join_##f (TYPE(acc) a, TYPE(acc) b) { \
    return STORE(acc, __VA_ARGS__); \
  } \
  static inline TYPE(acc) map_##f (CALC(s) x) { return STORE(acc, map); } \
  WIDE static TYPE(acc) fold_##f (const STORED(s) *xs, size_t n) { \
    typedef TYPE(acc) A; \
    A lane[LANES(A)]; \
    size_t i = 0; \
    for (int k = 0; k < LANES_FEW; k++) \
      lane[k] = STORE(acc, none); \
    if (n >= LANES(A)) { \
      for (int k = LANES_FEW; k < LANES(A); k++) \
        lane[k] = STORE(acc, none); \
      for (; i + LANES(A) <= n; i += LANES(A)) \
        for (int k = 0; k < LANES(A); k++) \
          lane[k] = join_##f(lane[k], map_##f(LOAD(s, xs[i + k]))); \
      for (int d = LANES(A) / 2; d >= LANES_FEW; d /= 2) \
        for (int k = 0; k < d; k++) \
          lane[k] = join_##f(lane[k], lane[k + d]); \
    } \
    for (; i + LANES_FEW <= n; i += LANES_FEW) \
      for (int k = 0; k < LANES_FEW; k++) \
        lane[k] = join_##f(lane[k], map_##f(LOAD(s, xs[i + k]))); \
    for (; i < n; i++) \
      lane[0] = join_##f(lane[0], map_##f(LOAD(s, xs[i]))); \
    for (int d = LANES_FEW / 2; d > 0; d /= 2) \
      for (int k = 0; k < d; k++) \
        lane[k] = join_##f(lane[k], lane[k + d]); \
    return lane[0]; \
  }

#endif
