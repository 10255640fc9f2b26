/*
** loops.h - what the host device's kernels have in common: for the files that
** kernels/generate.lua makes, a file for an operation.
**
** Plain loops, written so that the compiler vectorises them (rules.mk has the
** flags: -O3 -fno-math-errno -fno-trapping-math). Elementwise kernels ignore
** the grid; a partial reduction leaves one accumulator per block of it. Both
** may be done in parts: see SPAN of twins.h.
*/
#ifndef TIDE_RT_HOST_KERNELS_LOOPS_H
#define TIDE_RT_HOST_KERNELS_LOOPS_H

#include "twins.h"

#include <string.h>

#include "kernels/ops.h"

/* An expression is the same for all types: for bools, x * y is meant to end as
** a bool; x != x, which looks for NaN, is meant for integers too. */
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wtautological-compare"

/*
** The C library's functions of several float32 at once (glibc's libmvec, since
** 2.35): right to 4 units in the last place, as are NumPy's and CUDA's. Those
** of float64, one at a time, are closer, and stay.
*/
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__GLIBC__)  /* others do not know what comes next */
#if __GLIBC_PREREQ(2, 35)
#define AT_ONCE(f) \
  extern __typeof__(f) f __attribute__((simd("notinbranch")));
AT_ONCE(expf) AT_ONCE(exp2f) AT_ONCE(expm1f)
AT_ONCE(logf) AT_ONCE(log2f) AT_ONCE(log10f) AT_ONCE(log1pf)
AT_ONCE(sinf) AT_ONCE(cosf) AT_ONCE(tanf)
AT_ONCE(asinf) AT_ONCE(acosf) AT_ONCE(atanf)
AT_ONCE(sinhf) AT_ONCE(coshf) AT_ONCE(tanhf)
AT_ONCE(asinhf) AT_ONCE(acoshf) AT_ONCE(atanhf)
AT_ONCE(cbrtf)
#endif
#endif

/* Elements that a function of floats is computed for at a time. */
#define BATCH 32

#endif
