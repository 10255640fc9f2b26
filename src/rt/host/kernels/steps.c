/*
** steps.c - the functions of program.def: loops over one block of elements.
** These loops are called and compiled as host kernels are (kernels/rules.mk).
*/
#include "interpreter.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "rt/driver/driver.h"
#include "rt/host/bytes.h"

#define STEP(name) \
  static void step_##name(void **params, const unsigned grid[3], \
                          const unsigned block[3])

#define TAKE(i, T, name) \
  T name; \
  memcpy(&name, params[i], sizeof(T)); \
  (void)grid, (void)block

/* {== moves =========================================================== */

_Thread_local Outside interpreter_outside;

static bool is_in (int64_t i, int64_t size) {
  return (uint64_t)i < (uint64_t)size;
}

/* An active lane that accesses memory outside of an array is a fault, as it may
** be on a GPU; other lanes do nothing. */
__attribute__((cold, noinline)) static void
go_outside (void **params, int64_t index, int64_t size) {
  if (host_kernel_error != CUDA_SUCCESS)
    return;
  host_kernel_error = CUDA_ERROR_ILLEGAL_ADDRESS;
  interpreter_outside.params = params;
  interpreter_outside.index = index;
  interpreter_outside.size = size;
  __atomic_store_n(interpreter_outside.stop, true, __ATOMIC_RELAXED);
}

/* Tells whether the indices are x[i], x[i + 1], ..., as in most bodies, and all
** in bounds. */
WIDE static bool is_run (const int64_t *index, size_t n, int64_t size) {
  uint64_t first = (uint64_t)index[0], apart = 0;
  if (!is_in(index[0], size) || !is_in(index[n - 1], size) ||
      (uint64_t)index[n - 1] - first != n - 1)
    return false;
  for (size_t i = 0; i < n; i++)
    apart |= (uint64_t)index[i] ^ (first + i);
  return apart == 0;
}

/* The place of element 'index', by its three axes. */
typedef struct AxisPlace {
  int64_t n1, n2, step[PARAM_AXES]; /* slots of a program, in this order */
} AxisPlace;

enum { MEMCPY_LEAST = 16 }; /* elements for which a call is worth it */

typedef struct Walk {
  int64_t i1, i2; /* along the second and third axis */
  int64_t at;     /* of the row */
} Walk;

static Walk walk_to (const AxisPlace *p, int64_t index) {
  int64_t row = index / p->n2;
  Walk w = {row % p->n1, index % p->n2, 0};
  w.at = row / p->n1 * p->step[0] + w.i1 * p->step[1];
  return w;
}

static void next_row (const AxisPlace *p, Walk *w) {
  w->i2 = 0;
  w->at += p->step[1];
  if (++w->i1 < p->n1)
    return;
  w->i1 = 0;
  w->at += p->step[0] - p->n1 * p->step[1];
}

/* Moves element i in each active lane whose index is in range. */
#define MOVE_INSIDE(move) \
  for (size_t i = 0; i < n; i++) { \
    if (mask != NULL && !mask[i]) \
      continue; \
    if (is_in(index[i], size)) \
      move; \
    else \
      go_outside(params, index[i], size); \
  }

#define MOVES(B, T) \
  WIDEST STEP(select_##B) { \
    TAKE(0, T *, z); \
    TAKE(1, const uint8_t *, mask); \
    TAKE(2, const T *, x); \
    TAKE(3, const T *, y); \
    TAKE(4, size_t, n); \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      T a = x[i], b = y[i]; \
      z[i] = mask[i] ? a : b; \
    } \
  } \
  STEP(copy_##B) { \
    TAKE(0, T *, z); \
    TAKE(1, const T *, x); \
    TAKE(2, size_t, n); \
    bytes_copy(z, x, n * sizeof(T)); \
  } \
  STEP(spread_##B) { \
    TAKE(0, T *, z); \
    TAKE(1, T, x); \
    TAKE(2, size_t, n); \
    for (size_t i = 0; i < n; i++) \
      z[i] = x; \
  } \
  STEP(fetch_##B) { \
    const T **there = params[0]; \
    TAKE(1, const T *, x); \
    const AxisPlace *p = params[2]; \
    TAKE(3, int64_t, index); \
    TAKE(4, int64_t, n); \
    TAKE(5, T *, z); \
    Walk w = walk_to(p, index); \
    *there = z; \
    if (p->step[2] == 1 && p->n2 - w.i2 >= n) { \
      *there = x + w.at + w.i2; \
      return; \
    } \
    while (n > 0) { \
      int64_t run = (p->n2 - w.i2 < n) ? p->n2 - w.i2 : n; \
      const int64_t step = p->step[2]; \
      const T *from = x + w.at + w.i2 * step; \
      const T first = *from; \
      if (step == 1 && run >= MEMCPY_LEAST) \
        bytes_copy(z, from, (size_t)run * sizeof(T)); \
      else if (step == 0) \
        for (int64_t i = 0; i < run; i++) \
          z[i] = first; \
      else \
        INDEPENDENT \
      for (int64_t i = 0; i < run; i++) \
        z[i] = from[i * step]; \
      z += run; \
      n -= run; \
      next_row(p, &w); \
    } \
  } \
  STEP(gather_##B) { \
    TAKE(0, T *, z); \
    TAKE(1, const T *, base); \
    TAKE(2, int64_t, size); \
    TAKE(3, const int64_t *, index); \
    TAKE(4, const uint8_t *, mask); \
    TAKE(5, size_t, n); \
    if (mask == NULL && is_run(index, n, size)) { \
      bytes_copy(z, base + index[0], n * sizeof(T)); \
      return; \
    } \
    MOVE_INSIDE(z[i] = base[index[i]]) \
  } \
  STEP(scatter_##B) { \
    TAKE(0, T *, base); \
    TAKE(1, int64_t, size); \
    TAKE(2, const int64_t *, index); \
    TAKE(3, const T *, x); \
    TAKE(4, const uint8_t *, mask); \
    TAKE(5, size_t, n); \
    if (mask == NULL && is_run(index, n, size)) { \
      bytes_copy(base + index[0], x, n * sizeof(T)); \
      return; \
    } \
    MOVE_INSIDE(base[index[i]] = x[i]) \
  } \
  STEP(pick_##B) { \
    TAKE(0, T *, z); \
    TAKE(1, const T *, base); \
    TAKE(2, int64_t, size); \
    TAKE(3, const int64_t *, index); \
    TAKE(4, const uint8_t *, mask); \
    TAKE(5, size_t, n); \
    MOVE_INSIDE(z[i] = base[index[i] * PROGRAM_BLOCK + (int64_t)i]) \
  } \
  STEP(put_##B) { \
    TAKE(0, T *, base); \
    TAKE(1, int64_t, size); \
    TAKE(2, const int64_t *, index); \
    TAKE(3, const T *, x); \
    TAKE(4, const uint8_t *, mask); \
    TAKE(5, size_t, n); \
    MOVE_INSIDE(base[index[i] * PROGRAM_BLOCK + (int64_t)i] = x[i]) \
  }

MOVES(1, uint8_t)
MOVES(2, uint16_t)
MOVES(4, uint32_t)
MOVES(8, uint64_t)

#define EXCHANGE(name, T, expr) \
  STEP(atomic_##name) { \
    TAKE(0, T *, xs); \
    TAKE(1, T *, base); \
    TAKE(2, int64_t, size); \
    TAKE(3, const int64_t *, index); \
    TAKE(4, const uint8_t *, mask); \
    TAKE(5, size_t, n); \
    MOVE_INSIDE(do { \
      const T x = xs[i]; \
      const T y = base[index[i]]; \
      base[index[i]] = (T)(expr); \
      xs[i] = y; \
    } while (0)) \
  }
#define EXCHANGE_BITS(B, U, I) \
  EXCHANGE(add_u##B, U, y + x) \
  EXCHANGE(sub_u##B, U, y - x) \
  EXCHANGE(exch_u##B, U, x) \
  EXCHANGE(and_u##B, U, y &x) \
  EXCHANGE(or_u##B, U, y | x) \
  EXCHANGE(xor_u##B, U, y ^ x) \
  EXCHANGE(max_u##B, U, y > x ? y : x) \
  EXCHANGE(min_u##B, U, y < x ? y : x) \
  EXCHANGE(max_i##B, I, y > x ? y : x) \
  EXCHANGE(min_i##B, I, y < x ? y : x)

EXCHANGE_BITS(32, uint32_t, int32_t)
EXCHANGE_BITS(64, uint64_t, int64_t)
EXCHANGE(add_f32, float, y + x)
EXCHANGE(add_f64, double, y + x)

STEP(copy_16) {
  TAKE(0, char *, z);
  TAKE(1, const char *, x);
  TAKE(2, size_t, n);
  bytes_copy(z, x, 16 * n);
}

/* ==} */

#define MAP1(name, T, expr) \
  STEP(name) { \
    TAKE(0, T *, z); \
    TAKE(1, const T *, xs); \
    TAKE(2, size_t, n); \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      const T x = xs[i]; \
      z[i] = (T)(expr); \
    } \
  }

#define MAP2(name, T, expr) \
  STEP(name) { \
    TAKE(0, T *, z); \
    TAKE(1, const T *, xs); \
    TAKE(2, const T *, ys); \
    TAKE(3, size_t, n); \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      const T x = xs[i], y = ys[i]; \
      z[i] = (T)(expr); \
    } \
  }

#define MAP3(name, T, expr) \
  STEP(name) { \
    TAKE(0, T *, z); \
    TAKE(1, const T *, xs); \
    TAKE(2, const T *, ys); \
    TAKE(3, const T *, vs); \
    TAKE(4, size_t, n); \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      const T x = xs[i], y = ys[i], v = vs[i]; \
      z[i] = (T)(expr); \
    } \
  }

/* Division by 0 gives 0. On a GPU the result is arbitrary; C would stop the
** process. */
#define UNSIGNED(s, T) \
  MAP2(quot_##s, T, y == 0 ? 0 : x / y) \
  MAP2(rem_##s, T, y == 0 ? 0 : x % y)
#define SIGNED(s, T, U) \
  MAP2(quot_##s, T, y == 0 ? 0 : y == -1 ? (T)(0 - (U)x) : x / y) \
  MAP2(rem_##s, T, y == 0 || y == -1 ? 0 : x % y)

SIGNED(i32, int32_t, uint32_t)
SIGNED(i64, int64_t, uint64_t)
UNSIGNED(u32, uint32_t)
UNSIGNED(u64, uint64_t)

MAP2(mulhi_i32, int32_t, (int64_t)x *y >> 32)
MAP2(mulhi_u32, uint32_t, (uint64_t)x *y >> 32)
MAP2(mulhi_i64, int64_t, (__int128)x *y >> 64)
MAP2(mulhi_u64, uint64_t, (unsigned __int128)x *y >> 64)

MAP1(popc_u32, uint32_t, __builtin_popcount(x))
MAP1(popc_u64, uint64_t, __builtin_popcountll(x))
MAP1(clz_u32, uint32_t, x == 0 ? 32 : __builtin_clz(x))
MAP1(clz_u64, uint64_t, x == 0 ? 64 : __builtin_clzll(x))
MAP1(ffs_u32, uint32_t, __builtin_ffs((int)x))
MAP1(ffs_u64, uint64_t, __builtin_ffsll((long long)x))

/* Exchanges the bits of each pair, then pairs, and so on. */
static uint64_t reverse (uint64_t x, int bits) {
  static const uint64_t even[] = {0x5555555555555555, 0x3333333333333333,
                                  0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                  0x0000ffff0000ffff, 0x00000000ffffffff};
  for (int i = 0, k = 1; k < bits; i++, k *= 2)
    x = (x >> k & even[i]) | (x & even[i]) << k;
  return x;
}

MAP1(brev_u32, uint32_t, reverse(x, 32))
MAP1(brev_u64, uint64_t, reverse(x, 64))

STEP(without) {
  TAKE(0, uint8_t *, z);
  TAKE(1, const uint8_t *, x);
  TAKE(2, const uint8_t *, y);
  TAKE(3, size_t, n);
  INDEPENDENT
  for (size_t i = 0; i < n; i++)
    z[i] = (x[i] != 0) & (y[i] == 0);
}

#define MATH1(name) \
  MAP1(name##_f32, float, name##f(x)) MAP1(name##_f64, double, name(x))
#define MATH2(name) \
  MAP2(name##_f32, float, name##f(x, y)) MAP2(name##_f64, double, name(x, y))

#define MATH3(name) \
  MAP3(name##_f32, float, name##f(x, y, v)) \
  MAP3(name##_f64, double, name(x, y, v))
#define FLOATS(name, expr) \
  MAP1(name##_f32, float, expr) MAP1(name##_f64, double, expr)

/* Returns sin(pi * (x + shift / 2)), exact where it is 0 or 1. */
static double sine_of_pi (double x, int shift) {
  x = fmod(x, 2);
  if (x != x)
    return x;
  const int n = (int)rint(2 * x);
  const double r = 3.14159265358979323846 * (x - n * 0.5);
  switch ((n + shift + 4) % 4) {
    case 0: return sin(r);
    case 1: return cos(r);
    case 2: return -sin(r);
    default: return -cos(r);
  }
}

FLOATS(sinpi, sine_of_pi(x, 0))
FLOATS(cospi, sine_of_pi(x, 1))
FLOATS(normcdf, 0.5 * erfc(-0.70710678118654752440 * x))
MAP1(exp10_f32, float, powf(10, x))
MAP1(exp10_f64, double, pow(10, x))
MAP1(rcbrt_f32, float, 1 / cbrtf(x))
MAP1(rcbrt_f64, double, 1 / cbrt(x))

/* The functions of math.h, which program.def lists; the rest is above. */
#define F(name, args)
#define SIZES(name, args)
#define INTEGERS2(name)
#define UNSIGNED1(name)
#define FLOATS1(name)
#include "rt/program/program.def"
#undef F

const HostKernel interpreter_steps[] = {
#define F(name, args) {#name, args, 0, step_##name, 0, NULL},
#include "rt/program/program.def"
#undef F
};
