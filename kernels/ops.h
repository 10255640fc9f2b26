/*
** ops.h - what the expressions of kernels.def call, beyond C's own operators
** and <math.h>: pure functions over the element types that give the same
** result, bit for bit, in C (host twins) and in CUDA C++ (kernels).
**
** Each is defined once a type. C++ overloads the name; C adds the suffix to it
** and a macro of the plain name picks by the argument's type.
*/
#ifndef TIDE_OPS_H
#define TIDE_OPS_H

#include "types.h"

#if defined(__CUDACC__)
#include <math.h>
#define FN static __device__ __forceinline__
#define NAME(f, s) f
#else
#include <tgmath.h>  /* sqrt(x) is sqrtf where x is a float, as in CUDA */
#define FN static inline
#define NAME(f, s) f##_##s
#endif

/*
** wrap(x): x in a type whose arithmetic wraps around instead of overflowing.
** widen(x): the same number in the widest type of its kind.
*/
#define EVERY_TYPE(s, T, wrapped, wide, low, high) \
  FN wrapped NAME(wrap, s) (T x) { return (wrapped)x; } \
  FN wide NAME(widen, s) (T x) { return (wide)x; } \
  FN T NAME(lowest, s) (T like) { (void)like; return low; } \
  FN T NAME(highest, s) (T like) { (void)like; return high; }

EVERY_TYPE(b8, bool, uint32_t, int64_t, 0, 1)
EVERY_TYPE(u8, uint8_t, uint32_t, int64_t, 0, UINT8_MAX)
EVERY_TYPE(i32, int32_t, uint32_t, int64_t, INT32_MIN, INT32_MAX)
EVERY_TYPE(i64, int64_t, uint64_t, int64_t, INT64_MIN, INT64_MAX)
EVERY_TYPE(f32, float, float, float, -INFINITY, INFINITY)
EVERY_TYPE(f64, double, double, double, -INFINITY, INFINITY)

FN bool negative (int64_t x) { return x < 0; }

/* The place from 0 that a Lua index means among n; the nearest there is. */
FN size_t place_of (int64_t i, size_t n) {
  const int64_t last = (int64_t)n - 1, at = i < 0 ? i + last + 1 : i - 1;
  return (size_t)(at < 0 ? 0 : at > last ? last : at);
}

/*
** The integers, by NumPy's rules: division rounds down and by zero gives 0;
** the lowest number by -1 wraps; the remainder truncmod has the sign of x; a
** count outside the type shifts everything out (negative ones too). A power
** below zero is 0 unless x is 1 or -1. term is first + i*step.
*/
#define INTEGER(s, T, U) \
  FN T NAME(absolute, s) (T x) { \
    return (T)(negative(x) ? 0 - (U)x : (U)x); \
  } \
  FN T NAME(complement, s) (T x) { return (T)~x; } \
  FN T NAME(signum, s) (T x) { return (T)((x != 0) - 2 * negative(x)); } \
  FN T NAME(floordiv, s) (T x, T y) { \
    if (y == 0) \
      return 0; \
    if ((U)y + 1 == 0) \
      return (T)(0 - (U)x); \
    T r = (T)(x % y); \
    return (T)(x / y - ((r != 0) & negative(r ^ y))); \
  } \
  FN T NAME(floormod, s) (T x, T y) { \
    if (y == 0 || (U)y + 1 == 0) \
      return 0; \
    T r = (T)(x % y); \
    return (T)(((r != 0) & negative(r ^ y)) ? r + y : r); \
  } \
  FN T NAME(truncmod, s) (T x, T y) { \
    return y == 0 || (U)y + 1 == 0 ? (T)0 : (T)(x % y); \
  } \
  FN T NAME(power, s) (T x, T y) { \
    int64_t e = (int64_t)y; \
    U b = (U)x, r = 1; \
    if (e < 0)  /* 1 and -1 are their own inverses */ \
      return b == 1 || b + 1 == 0 ? (T)((e & 1) ? b : 1) : (T)0; \
    for (; e > 0; e >>= 1) { \
      if (e & 1) \
        r *= b; \
      b *= b; \
    } \
    return (T)r; \
  } \
  FN T NAME(shiftleft, s) (T x, T y) { \
    return (uint64_t)y < 64 ? (T)((uint64_t)x << y) : (T)0; \
  } \
  FN T NAME(shiftright, s) (T x, T y) { \
    return (T)((int64_t)x >> ((uint64_t)y < 63 ? y : 63)); \
  } \
  FN T NAME(term, s) (T first, T step, uint64_t i) { \
    return (T)((uint64_t)first + i * (uint64_t)step); \
  }

INTEGER(u8, uint8_t, uint32_t)
INTEGER(i32, int32_t, uint32_t)
INTEGER(i64, int64_t, uint64_t)

FN bool NAME(absolute, b8) (bool x) { return x; }
FN bool NAME(complement, b8) (bool x) { return !x; }

/*
** The floats. floordiv and floormod follow NumPy's divmod: the remainder has
** the sign of y, also when it is zero, and the quotient is the nearest integer
** to (x - remainder) / y. term is computed in float64 and rounded once.
*/
#define FLOAT(s, T) \
  FN T NAME(absolute, s) (T x) { return fabs(x); } \
  FN T NAME(signum, s) (T x) { \
    return x != x ? x : (T)((x > 0) - (x < 0)); \
  } \
  FN T NAME(truncmod, s) (T x, T y) { return fmod(x, y); } \
  FN T NAME(power, s) (T x, T y) { return pow(x, y); } \
  FN T NAME(floormod, s) (T x, T y) { \
    T r = fmod(x, y); \
    if (r == 0) \
      return copysign(r, y); \
    return (r < 0) != (y < 0) ? r + y : r; \
  } \
  FN T NAME(floordiv, s) (T x, T y) { \
    if (y == 0) \
      return x / y; \
    T r = fmod(x, y); \
    T q = (x - r) / y; \
    if (r != 0 && (r < 0) != (y < 0)) \
      q -= 1; \
    if (q == 0) \
      return copysign(q, x / y); \
    T down = floor(q); \
    return q - down > (T)0.5 ? down + 1 : down; \
  } \
  FN T NAME(term, s) (T first, T step, uint64_t i) { \
    return (T)((double)first + (double)i * (double)step); \
  }

FLOAT(f32, float)
FLOAT(f64, double)

/*
** CONVERT(i32, x): C's conversion, which wraps between integers; what does not
** fit from a float is clamped to the nearest number, and NaN gives 0. 'past'
** is the first number too large, exact in every float type.
*/
#define FROM_FLOAT(f, s, T, F, low, high, past) \
  FN T NAME(f, s) (F x) { \
    F c = x >= (F)(low) ? x : (F)(low); \
    T t = (T)(c < (F)(past) ? c : 0); \
    return x != x ? (T)0 : x >= (F)(past) ? (T)(high) : t; \
  }
#define TO_INTEGER(f, T, low, high) \
  FN T NAME(f, i64) (int64_t x) { return (T)x; } \
  FROM_FLOAT(f, f32, T, float, low, high, 2.0 * ((high) / 2 + 1)) \
  FROM_FLOAT(f, f64, T, double, low, high, 2.0 * ((high) / 2 + 1))
#define TO_OTHER(f, T) \
  FN T NAME(f, i64) (int64_t x) { return (T)x; } \
  FN T NAME(f, f32) (float x) { return (T)x; } \
  FN T NAME(f, f64) (double x) { return (T)x; }

TO_OTHER(to_b8, bool)
TO_INTEGER(to_u8, uint8_t, 0, UINT8_MAX)
TO_INTEGER(to_i32, int32_t, INT32_MIN, INT32_MAX)
TO_INTEGER(to_i64, int64_t, INT64_MIN, INT64_MAX)
TO_OTHER(to_f32, float)
TO_OTHER(to_f64, double)

#if defined(__CUDACC__)
#define CONVERT(to, x) to_##to(widen(x))
#else
/* C's side of NAME: pick the function by the type of the first argument. */
#define OF_INTEGER(f) uint8_t: f##_u8, int32_t: f##_i32, int64_t: f##_i64
#define OF_FLOAT(f) float: f##_f32, double: f##_f64
#define PICK(f, x) _Generic((x), bool: f##_b8, OF_INTEGER(f), OF_FLOAT(f))
#define CONVERT(to, x) \
  _Generic(widen(x), int64_t: to_##to##_i64, OF_FLOAT(to_##to))(widen(x))
#define wrap(x) PICK(wrap, x)(x)
#define widen(x) PICK(widen, x)(x)
#define lowest(x) PICK(lowest, x)(x)
#define highest(x) PICK(highest, x)(x)
#define absolute(x) PICK(absolute, x)(x)
#define complement(x) \
  _Generic((x), bool: complement_b8, OF_INTEGER(complement))(x)
#define floordiv(x, y) \
  _Generic((x), OF_INTEGER(floordiv), OF_FLOAT(floordiv))(x, y)
#define floormod(x, y) \
  _Generic((x), OF_INTEGER(floormod), OF_FLOAT(floormod))(x, y)
#define power(x, y) _Generic((x), OF_INTEGER(power), OF_FLOAT(power))(x, y)
#define truncmod(x, y) \
  _Generic((x), OF_INTEGER(truncmod), OF_FLOAT(truncmod))(x, y)
#define signum(x) _Generic((x), OF_INTEGER(signum), OF_FLOAT(signum))(x)
#define shiftleft(x, y) _Generic((x), OF_INTEGER(shiftleft))(x, y)
#define shiftright(x, y) _Generic((x), OF_INTEGER(shiftright))(x, y)
#define term(x, y, i) \
  _Generic((x), OF_INTEGER(term), OF_FLOAT(term))(x, y, i)
#endif

#endif
