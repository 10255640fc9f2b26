/*
** elementwise.c - the host twins: for every kernel of kernels/kernels.def a C
** function of the same name that computes the same thing, bit for bit except
** for the mathematical functions and the order of float sums.
**
** Twins for operands of any strides are in strided.c.
**
** Plain loops, written so that the compiler vectorises them (rules.mk has the
** flags: -O3 -fno-math-errno -fno-trapping-math). Elementwise twins ignore the
** grid; a partial reduction leaves one accumulator per block of it. Both may be
** done in parts: see SPAN.
*/
#include "twins.h"

#include <string.h>
#include <time.h>

#include "kernels/axis.h"
#include "kernels/kin.h"
#include "kernels/ops.h"
#include "folds.h"

/*
** Iterations are independent of each other even where z is x or y itself,
** which 'restrict' could not say.
*/
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma GCC diagnostic ignored "-Wpass-failed"  /* not every loop can be */
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* For bools, x * y is meant to end as a bool. */
#pragma GCC diagnostic ignored "-Wint-in-bool-context"

/*
** How to declare an operand, and how to read element i of it: an ARRAY, or one
** NUMBER for all.
*/
#define OPERAND_ARRAY(i, type, x) PARAM(i, const STORED(type) *, x##s)
#define OPERAND_NUMBER(i, type, x) PARAM(i, t_##type, x##s)
#define ELEMENT_ARRAY(xs) xs[i]
#define ELEMENT_NUMBER(xs) xs

/* z[i] = f(x[i], y[i]), an element of type z */
#define LOOP2(name, a, b, s, z, ...) \
  WIDE TWIN(name) { \
    PARAM(0, TYPE(z) *, zs); \
    OPERAND_##a(1, s, x); \
    OPERAND_##b(2, s, y); \
    PARAM(3, size_t, n); \
    SPAN(n); \
    (void)grid; \
    INDEPENDENT \
    for (size_t i = first; i < last; i++) { \
      const CALC(s) x = LOAD(s, ELEMENT_##a(xs)); \
      const CALC(s) y = LOAD(s, ELEMENT_##b(ys)); \
      zs[i] = __VA_ARGS__; \
    } \
  }

/*
** The C library's functions of several float32 at once (glibc's libmvec, since
** 2.35): right to 4 units in the last place, as are NumPy's and CUDA's. Those of
** float64, one at a time, are closer, and stay.
*/
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
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

/*
** z[i] = f(x[i]). Of floats equal numbers have equal results wherever they are:
** one loop does all of them, in batches, of which the last is filled up.
*/
#define BATCH 32
#define LOOP1(name, s, z, ...) \
  WIDE TWIN(name) { \
    PARAM(0, TYPE(z) *, zs); \
    PARAM(1, const STORED(s) *, xs); \
    PARAM(2, size_t, n); \
    SPAN(n); \
    STORED(s) in[BATCH] = {0}; \
    TYPE(z) out[BATCH]; \
    (void)grid; \
    INDEPENDENT \
    for (size_t i = first; !IN_FLOAT(s) && i < last; i++) { \
      const CALC(s) x = LOAD(s, xs[i]); \
      zs[i] = __VA_ARGS__; \
    } \
    for (size_t k = first; IN_FLOAT(s) && k < last; k += BATCH) { \
      const size_t left = last - k; \
      const STORED(s) *from = xs + k; \
      TYPE(z) *to = zs + k; \
      if (left < BATCH) { \
        from = memcpy(in, from, left * sizeof *in); \
        to = out; \
      } \
      INDEPENDENT \
      for (size_t i = 0; i < BATCH; i++) { \
        const CALC(s) x = LOAD(s, from[i]); \
        to[i] = __VA_ARGS__; \
      } \
      if (left < BATCH) \
        memcpy(zs + k, out, left * sizeof *out); \
    } \
  }

#define MAP2(s, op, R, kin, forms, ...) \
  OF_KIN(kin, s, MAP_##forms(s, op, R, __VA_ARGS__))
#define MAP_TURNED(other) MAP_NOTHING
#define MAP_NOTHING(s, op, R, ...)
#define MAP_RARE(s, op, R, ...) \
  LOOP2(op##_vv_##s, ARRAY, ARRAY, s, RESULT_##R(s), \
        STORE(RESULT_##R(s), __VA_ARGS__))
#define MAP_EVEN(s, op, R, ...) \
  MAP_RARE(s, op, R, __VA_ARGS__) \
  LOOP2(op##_vs_##s, ARRAY, NUMBER, s, RESULT_##R(s), \
        STORE(RESULT_##R(s), __VA_ARGS__))
#define MAP_MOST MAP_EVEN
#define MAP_FULL(s, op, R, ...) \
  MAP_EVEN(s, op, R, __VA_ARGS__) \
  LOOP2(op##_sv_##s, NUMBER, ARRAY, s, RESULT_##R(s), \
        STORE(RESULT_##R(s), __VA_ARGS__))
#define MAP1(s, op, R, kin, ...) OF_KIN(kin, s, \
  LOOP1(op##_##s, s, RESULT_##R(s), STORE(RESULT_##R(s), __VA_ARGS__)))
#define MAP_CAST(s, to) \
  LOOP1(cast_##s##_##to, s, to, CONVERT(to, x))
/* z[i] = x[i] between two numbers */
#define BETWEEN(s, x_) \
  WIDE TWIN(clip_##s) { \
    PARAM(0, t_##s *, zs); \
    PARAM(1, const t_##s *, xs); \
    PARAM(2, t_##s, low); \
    PARAM(3, t_##s, high); \
    PARAM(4, size_t, n); \
    const CALC(s) lo = LOAD(s, low), hi = LOAD(s, high); \
    SPAN(n); \
    (void)grid; \
    INDEPENDENT \
    for (size_t i = first; i < last; i++) { \
      const CALC(s) x = LOAD(s, xs[i]), a = x != x ? x : x > lo ? x : lo; \
      zs[i] = STORE(s, a != a ? a : a < hi ? a : hi); \
    } \
  }
#define MAP0(b) \
  TWIN(fill_##b) { \
    PARAM(0, t_##b *, zs); \
    PARAM(1, t_##b, x); \
    PARAM(2, size_t, n); \
    SPAN(n); \
    (void)grid; \
    for (size_t i = first; i < last; i++) \
      zs[i] = x; \
  }
#define PROGRESSION(s, kin) OF_KIN(kin, s, \
  LOOP2(arange_##s, NUMBER, NUMBER, s, s, STORE(s, term(x, y, i))))

#define BINARY(op, set, R, kin, forms, expr) \
  SET_##set(MAP2, op, R, kin, forms, expr)
#define UNARY(op, set, R, kin, expr) SET_##set(MAP1, op, R, kin, expr)
#define CAST(to, set) SET_##set(MAP_CAST, to)
#define FILL SET_WIDTH(MAP0)
#define ARANGE(set, kin) SET_##set(PROGRESSION, kin)
#define CLIP(set) SET_##set(BETWEEN, )
#include "kernels/kernels.def"

#define STAGES(s, op, kin, acc, none, map, ...) OF_KIN(kin, s, \
  STAGES_OF(s, op, acc, none, map, __VA_ARGS__) \
  OF_FINAL_##acc(s, FINAL_OF(s, op, acc, none, __VA_ARGS__)))
#define STAGES_OF(s, op, acc, none, map, ...) \
  FOLD(op##_##s, s, ACC_##acc(s), none, map, __VA_ARGS__) \
  TWIN(op##_partial_##s) { \
    PARAM(0, TYPE(ACC_##acc(s)) *, z); \
    PARAM(1, const STORED(s) *, xs); \
    PARAM(2, size_t, n); \
    SPAN(grid[0]); \
    for (size_t b = first; b < last; b++) { \
      size_t at = axis_first(b, grid[0], n); \
      z[b] = fold_##op##_##s(xs + at, axis_first(b + 1, grid[0], n) - at); \
    } \
  } \
  TWIN(op##_whole_##s) { \
    PARAM(0, TYPE(OUT_##acc(s)) *, z); \
    PARAM(1, const STORED(s) *, xs); \
    PARAM(2, size_t, n); \
    (void)grid, (void)block; \
    *z = STORE(OUT_##acc(s), fold_##op##_##s(xs, n)); \
  }

#define FINAL_OF(s, op, acc, none, ...) \
  FOLD(op##_acc_##s, ACC_##acc(s), ACC_##acc(s), none, x, __VA_ARGS__) \
  TWIN(op##_final_##s) { \
    PARAM(0, TYPE(OUT_##acc(s)) *, z); \
    PARAM(1, const STORED(ACC_##acc(s)) *, xs); \
    PARAM(2, size_t, n); \
    (void)grid, (void)block; \
    *z = STORE(OUT_##acc(s), fold_##op##_acc_##s(xs, n)); \
  }

#define REDUCE(op, set, own, kin, acc, none, map, join) \
  SET_##own(STAGES, op, kin, acc, none, map, join)
#include "kernels/kernels.def"

/* The stream is busy for that long; the processor need not be. */
TWIN(spin_i64) {
  PARAM(0, int64_t, ns);
  struct timespec end;
  (void)grid, (void)block;
  if (ns <= 0)
    return;
  clock_gettime(CLOCK_MONOTONIC, &end);
  ns += end.tv_nsec;
  end.tv_sec += (time_t)(ns / 1000000000);
  end.tv_nsec = (long)(ns % 1000000000);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0)
    ;
}

_Thread_local int host_wrong;

/* Ends as a kernel that a GPU stops with that code. */
TWIN(fault_i64) {
  PARAM(0, int64_t, code);
  (void)grid, (void)block;
  host_wrong = (int)code;
}

const HostTwin host_twins[] = {
#define KERNEL(name, args, block, each) { #name, args, each, name },
#include "kernels/list.h"
};

const int host_twin_count = sizeof(host_twins) / sizeof(host_twins[0]);
