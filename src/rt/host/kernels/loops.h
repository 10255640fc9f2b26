/*
** loops.h - what the host device's elementwise kernels and folds share: for the
** files that kernels/generate.lua makes, a file for an operation.
**
** Plain loops, written so that the compiler vectorises them (rules.mk has the
** flags: -O3 -fno-math-errno -fno-trapping-math). Elementwise kernels ignore
** the grid; a partial reduction leaves one accumulator per block of it. Both
** may be done in parts: see SPAN of host_kernels.h.
*/
#ifndef TIDE_RT_HOST_KERNELS_LOOPS_H
#define TIDE_RT_HOST_KERNELS_LOOPS_H

#include "float16.h"
#include "host_kernels.h"

#include <string.h>

#include "kernels/ops.h"

/* The expressions are the same for all types. So x * y of bools ends as a bool
** on purpose, and integers are tested with x != x, which looks for NaN. */
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wtautological-compare"

/*
** The C library's functions of several floats at once (glibc's libmvec, since
** 2.35). They are right to 4 units in the last place, like NumPy's and CUDA's.
** The functions of one float are closer, so results of the two must not be
** mixed: callers always go by batches.
*/
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
  defined(__GLIBC__) /* others cannot parse the next lines */
#if __GLIBC_PREREQ(2, 35)
#define AT_ONCE(name) \
  extern __typeof__(name) name __attribute__((simd("notinbranch"))); \
  extern __typeof__(name##f) name##f __attribute__((simd("notinbranch")))
AT_ONCE(exp);
AT_ONCE(exp2);
AT_ONCE(expm1);
AT_ONCE(log);
AT_ONCE(log2);
AT_ONCE(log10);
AT_ONCE(log1p);
AT_ONCE(sin);
AT_ONCE(cos);
AT_ONCE(tan);
AT_ONCE(asin);
AT_ONCE(acos);
AT_ONCE(atan);
AT_ONCE(sinh);
AT_ONCE(cosh);
AT_ONCE(tanh);
AT_ONCE(asinh);
AT_ONCE(acosh);
AT_ONCE(atanh);
AT_ONCE(erf);
AT_ONCE(erfc);
AT_ONCE(cbrt);
AT_ONCE(pow);
AT_ONCE(atan2);
AT_ONCE(hypot);
#endif
#endif

/* Elements for which a function of floats is computed at a time. */
#define BATCH 32

#endif
