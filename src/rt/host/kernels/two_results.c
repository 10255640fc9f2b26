/*
** two_results.c - the host kernels of kernels/two_results.cu, which defines
** their results.
*/
#include "host_kernels.h"

#include "kernels/ops.h"

/* Reads x before it writes either result, because one of them may be in its
** place. */
#define BOTH(op, s, C, Z, one, two) \
  WIDEST HOST_KERNEL(op##_both_##s) { \
    PARAM(0, t_##s *, ys); \
    PARAM(1, Z *, zs); \
    PARAM(2, const t_##s *, xs); \
    PARAM(3, size_t, n); \
    SPAN(n); \
    (void)grid; \
    INDEPENDENT \
    for (size_t i = first; i < last; i++) { \
      const C x = LOAD(s, xs[i]); \
      const t_##s y = STORE(s, one(x)); \
      const Z z = two; \
      ys[i] = y; \
      zs[i] = z; \
    } \
  }

#define BOTH_OF(s, C) \
  BOTH(modf, s, C, t_##s, fraction, STORE(s, trunc(x))) \
  BOTH(frexp, s, C, int32_t, mantissa, exponent(x))

BOTH_OF(f16, float)
BOTH_OF(bf16, float)
BOTH_OF(f32, float)
BOTH_OF(f64, double)
