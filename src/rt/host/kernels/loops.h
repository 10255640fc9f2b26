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

#include "halves.h"
#include "twins.h"

#include <string.h>

#include "kernels/ops.h"

/* An expression is the same for all types: for bools, x * y is meant to end as
** a bool; x != x, which looks for NaN, is meant for integers too. */
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wtautological-compare"

/*
** The C library's functions of several floats at once (glibc's libmvec, since
** 2.35): right to 4 units in the last place, as are NumPy's and CUDA's. Those
** of one are closer, so that results of both must not be mixed: what calls them
** goes by batches.
*/
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__GLIBC__)  /* others do not know what comes next */
#if __GLIBC_PREREQ(2, 35)
#define AT_ONCE(name) \
  extern __typeof__(name) name __attribute__((simd("notinbranch"))); \
  extern __typeof__(name##f) name##f __attribute__((simd("notinbranch")));
AT_ONCE(exp) AT_ONCE(exp2) AT_ONCE(expm1)
AT_ONCE(log) AT_ONCE(log2) AT_ONCE(log10) AT_ONCE(log1p)
AT_ONCE(sin) AT_ONCE(cos) AT_ONCE(tan)
AT_ONCE(asin) AT_ONCE(acos) AT_ONCE(atan)
AT_ONCE(sinh) AT_ONCE(cosh) AT_ONCE(tanh)
AT_ONCE(asinh) AT_ONCE(acosh) AT_ONCE(atanh)
AT_ONCE(erf) AT_ONCE(erfc) AT_ONCE(cbrt)
AT_ONCE(pow) AT_ONCE(atan2) AT_ONCE(hypot)
#endif
#endif

/* Elements that a function of floats is computed for at a time. */
#define BATCH 32

#endif
