/*
** ops.h - the functions that the expressions of table.lua call, beyond C's own
** operators and <math.h>. They are pure functions over the element types that
** give the same result, bit for bit, in C (host kernels) and in CUDA C++
** (kernels).
**
** Each is defined once for each type. C++ overloads the name; C adds the suffix
** to it, and a macro of the plain name picks by the argument's type.
*/
#ifndef TIDE_OPS_H
#define TIDE_OPS_H

#if defined(__CUDACC__)
#include <math.h>
#define FN static __device__ __forceinline__
#define NAME(f, s) f
#else
#include <tgmath.h>  /* sqrt(x) is sqrtf for a float x, as in CUDA */
#define FN static inline
#define NAME(f, s) f##_##s
#endif

#include "complex.h"
#include "half.h"
#include "special.h"

/*
** wrap(x): x in a type whose arithmetic wraps around instead of overflowing.
** widen(x): the same number in the widest type of its kind. LOAD(s, x): an
** element in the type of the computation; STORE(s, x): back, by C's conversion.
*/
#define EVERY_TYPE(s, T, wrapped, wide, low, high) \
  FN T load_##s (T x) { return x; } \
  FN wrapped NAME(wrap, s) (T x) { return (wrapped)x; } \
  FN wide NAME(widen, s) (T x) { return (wide)x; } \
  FN T NAME(lowest, s) (T like) { (void)like; return low; } \
  FN T NAME(highest, s) (T like) { (void)like; return high; } \
  FN wrapped NAME(plus, s) (T x, T y) { return (wrapped)x + (wrapped)y; } \
  FN wrapped NAME(minus, s) (T x, T y) { return (wrapped)x - (wrapped)y; } \
  FN wrapped NAME(times, s) (T x, T y) { return (wrapped)x * (wrapped)y; } \
  FN wrapped NAME(negate, s) (T x) { return -(wrapped)x; } \
  FN bool NAME(equal, s) (T x, T y) { return x == y; } \
  FN bool NAME(nonzero, s) (T x) { return x != 0; }

EVERY_TYPE(b8, bool, uint32_t, int64_t, 0, 1)
EVERY_TYPE(i8, int8_t, uint32_t, int64_t, INT8_MIN, INT8_MAX)
EVERY_TYPE(i16, int16_t, uint32_t, int64_t, INT16_MIN, INT16_MAX)
EVERY_TYPE(i32, int32_t, uint32_t, int64_t, INT32_MIN, INT32_MAX)
EVERY_TYPE(i64, int64_t, uint64_t, int64_t, INT64_MIN, INT64_MAX)
EVERY_TYPE(u8, uint8_t, uint32_t, uint64_t, 0, UINT8_MAX)
EVERY_TYPE(u16, uint16_t, uint32_t, uint64_t, 0, UINT16_MAX)
EVERY_TYPE(u32, uint32_t, uint32_t, uint64_t, 0, UINT32_MAX)
EVERY_TYPE(u64, uint64_t, uint64_t, uint64_t, 0, UINT64_MAX)
EVERY_TYPE(f32, float, float, float, -INFINITY, INFINITY)
EVERY_TYPE(f64, double, double, double, -INFINITY, INFINITY)

#define LOAD(s, x) LOAD_OF(s, x)
#define LOAD_OF(s, x) load_##s(x)
#define STORE(s, x) STORE_OF(s, x)
#define STORE_OF(s, x) STORE_##s(x)
#define STORE_b8(x) ((bool)(x))
#define STORE_i8(x) ((int8_t)(x))
#define STORE_i16(x) ((int16_t)(x))
#define STORE_i32(x) ((int32_t)(x))
#define STORE_i64(x) ((int64_t)(x))
#define STORE_u8(x) ((uint8_t)(x))
#define STORE_u16(x) ((uint16_t)(x))
#define STORE_u32(x) ((uint32_t)(x))
#define STORE_u64(x) ((uint64_t)(x))
#define STORE_f16(x) to_f16(x)
#define STORE_bf16(x) to_bf16(x)
#define STORE_f32(x) ((float)(x))
#define STORE_f64(x) ((double)(x))
#define STORE_c64(x) as_c64(x)
#define STORE_c128(x) as_c128(x)

FN bool negative (int64_t x) { return x < 0; }

/*
** The place from 0 of a Lua index among n. An index out of range gives the
** nearest place or, wrapped, the place modulo n, where 0 comes before the
** first.
*/
FN bool is_place (int64_t i, size_t n) {
  return i < 0 ? i >= -(int64_t)n : i > 0 && i <= (int64_t)n;
}
FN size_t place_of (int64_t i, size_t n) {
  const int64_t last = (int64_t)n - 1, at = i < 0 ? i + last + 1 : i - 1;
  return (size_t)(at < 0 ? 0 : at > last ? last : at);
}
FN size_t place_around (int64_t i, size_t n) {
  const int64_t at = (i > 0 ? i - 1 : i < 0 ? i : -1) % (int64_t)n;
  return (size_t)(at < 0 ? at + (int64_t)n : at);
}
/* Modes for an index out of range: no place (n), the nearest place, or
** wrapped. */
enum { PLACE_RAISE, PLACE_CLIP, PLACE_WRAP };
/* Bits of the last number of 'take': wrapped, or else the nearest; and, on the
** host device alone, indices from 0. */
enum { TAKE_WRAPS = 1, TAKE_FROM_0 = 2 };
FN size_t place_by (int64_t i, size_t n, size_t mode) {
  if (mode == PLACE_RAISE && !is_place(i, n))
    return n;
  return mode == PLACE_WRAP ? place_around(i, n) : place_of(i, n);
}
/* Converts an index among n that counts from 'base', which is 0 or 1, to Lua's.
** The farthest index has no successor: wrapped, the one that is n before it has
** the same place. */
FN int64_t from_one (int64_t i, size_t base, size_t n, size_t mode) {
  const uint64_t last = mode == PLACE_WRAP ? 1 - (uint64_t)n : 0;
  const uint64_t by = i < INT64_MAX ? 1 : last;
  return base == 0 && i >= 0 ? (int64_t)((uint64_t)i + by) : i;
}

/*
** Kernels report an index out of range to the host by a word that holds it. 0
** means that there is none: the word holds 1 for index 0, because an axis with
** elements has a first one. If there are several, the word holds any of them.
*/
enum { IN_RANGE = 1 };

#if defined(__CUDACC__)
#define SET_WORD(word, x) (*(word) = (x))
#else
#define SET_WORD(word, x) __atomic_store_n(word, x, __ATOMIC_RELAXED)
#endif

/* Reports index i, unless it is IN_RANGE or 'word' is NULL. */
FN void report_index (int64_t *word, int64_t i) {
  if (word != NULL && i != IN_RANGE)
    SET_WORD(word, i != 0 ? i : IN_RANGE);
}
/* Returns the index that a word reports. */
FN int64_t reported_index (int64_t word) {
  return word != IN_RANGE ? word : 0;
}

/*
** Moves index i, which is out of range for n elements, to be out of range by
** the same distance for n + 'more'. An index that int64_t cannot hold becomes
** the farthest one.
*/
FN int64_t move_out (int64_t i, size_t more) {
  const int64_t by = (int64_t)more;
  return i > 0 ? (i > INT64_MAX - by ? INT64_MAX : i + by) :
         i < 0 ? (i < INT64_MIN + by ? INT64_MIN : i - by) : 0;
}
/* Returns the original index, which counted from 'base'. */
FN int64_t move_in (int64_t i, size_t more, size_t base) {
  const int64_t by = (int64_t)more;
  return i == INT64_MAX || i == INT64_MIN ? i :
         i > 0 ? i - by - (base == 0) : i < 0 ? i + by : 0;
}

/*
** For several axes the word also has the number of the axis, from 0, and is
** negative. It has room for indices below 2^57 - 1, and for the farthest.
*/
enum { AXIS_BITS = 5 };
#define FARTHEST (((int64_t)1 << 57) - 1)

FN int64_t word_of_axis (int64_t i, size_t axis) {
  const int64_t own = i > FARTHEST ? FARTHEST : i < -FARTHEST ? -FARTHEST : i;
  return -1 - (((own + FARTHEST) << AXIS_BITS) | (int64_t)axis);
}
/* Adds 'inner' times the place of an index, on an axis of n elements, to a sum
** of places, from 1; or returns the word of the first wrong index. */
FN int64_t ravel (int64_t sum, int64_t index, size_t at, size_t n,
                  size_t inner, size_t axis) {
  return sum < 0 ? sum : at < n ? sum + (int64_t)(at * inner) :
                         word_of_axis(index, axis);
}
FN int64_t index_of_word (int64_t word, size_t *axis) {
  const int64_t bits = -1 - word, own = (bits >> AXIS_BITS) - FARTHEST;
  *axis = (size_t)bits & ((1 << AXIS_BITS) - 1);
  return own == FARTHEST ? INT64_MAX : own == -FARTHEST ? INT64_MIN : own;
}

/*
** Integers, by NumPy's rules: division rounds down and by zero gives 0; the
** lowest number by -1 wraps; the remainder truncmod has the sign of x; a count
** outside the type shifts everything out (negative counts, too). A negative
** power is 0 unless x is 1 or -1. term is first + i*step.
**
** Wide integers with small values, which are the most common, are divided as 32
** bits: a GPU takes longer to divide 64 bits than to move them.
*/
#define BOTH_SMALL(T, U, x, y) \
  (sizeof(T) == 8 && (((uint64_t)(U)(x) | (uint64_t)(U)(y)) >> 32) == 0)

#define SIGNED(s, T, U) \
  FN T NAME(absolute, s) (T x) { \
    return (T)(negative(x) ? 0 - (U)x : (U)x); \
  } \
  FN T NAME(signum, s) (T x) { return (T)((x != 0) - 2 * negative(x)); } \
  FN T NAME(floordiv, s) (T x, T y) { \
    if (y == 0) \
      return 0; \
    if ((U)y + 1 == 0) \
      return (T)(0 - (U)x); \
    if (BOTH_SMALL(T, U, x, y)) \
      return (T)((uint32_t)x / (uint32_t)y); \
    T r = (T)(x % y); \
    return (T)(x / y - ((r != 0) & negative(r ^ y))); \
  } \
  FN T NAME(floormod, s) (T x, T y) { \
    if (y == 0 || (U)y + 1 == 0) \
      return 0; \
    if (BOTH_SMALL(T, U, x, y)) \
      return (T)((uint32_t)x % (uint32_t)y); \
    T r = (T)(x % y); \
    return (T)(((r != 0) & negative(r ^ y)) ? r + y : r); \
  } \
  FN T NAME(truncmod, s) (T x, T y) { \
    return y == 0 || (U)y + 1 == 0 ? (T)0 : (T)(x % y); \
  } \
  FN T NAME(power, s) (T x, T y) { \
    U b = (U)x; \
    if (y < 0)  /* 1 and -1 are their own inverses */ \
      return b == 1 || b + 1 == 0 ? (T)((y & 1) ? b : 1) : (T)0; \
    return (T)raised_##s(b, (uint64_t)y); \
  } \
  FN T NAME(shiftright, s) (T x, T y) { \
    return (T)((int64_t)x >> ((uint64_t)y < 63 ? y : 63)); \
  }

#define UNSIGNED(s, T, U) \
  FN T NAME(absolute, s) (T x) { return x; } \
  FN T NAME(signum, s) (T x) { return x != 0; } \
  FN T NAME(truncmod, s) (T x, T y) { return y == 0 ? 0 : (T)(x % y); } \
  FN T NAME(floordiv, s) (T x, T y) { \
    return y == 0 ? 0 : \
           BOTH_SMALL(T, U, x, y) ? (T)((uint32_t)x / (uint32_t)y) : \
           (T)(x / y); \
  } \
  FN T NAME(floormod, s) (T x, T y) { \
    return y == 0 ? 0 : \
           BOTH_SMALL(T, U, x, y) ? (T)((uint32_t)x % (uint32_t)y) : \
           (T)(x % y); \
  } \
  FN T NAME(power, s) (T x, T y) { return (T)raised_##s(x, y); } \
  FN T NAME(shiftright, s) (T x, T y) { \
    return y < 64 ? (T)((uint64_t)x >> y) : (T)0; \
  }

#define INTEGER(s, T, U, SIGN) \
  FN U raised_##s (U b, uint64_t e) { \
    U r = 1; \
    for (; e > 0; e >>= 1) { \
      if (e & 1) \
        r *= b; \
      b *= b; \
    } \
    return r; \
  } \
  SIGN(s, T, U) \
  FN T NAME(complement, s) (T x) { return (T)~x; } \
  FN T NAME(shiftleft, s) (T x, T y) { \
    return (uint64_t)y < 64 ? (T)((uint64_t)x << y) : (T)0; \
  } \
  FN T NAME(term, s) (T first, T step, uint64_t i) { \
    return (T)((uint64_t)first + i * (uint64_t)step); \
  }

INTEGER(i8, int8_t, uint32_t, SIGNED)
INTEGER(i16, int16_t, uint32_t, SIGNED)
INTEGER(i32, int32_t, uint32_t, SIGNED)
INTEGER(i64, int64_t, uint64_t, SIGNED)
INTEGER(u8, uint8_t, uint32_t, UNSIGNED)
INTEGER(u16, uint16_t, uint32_t, UNSIGNED)
INTEGER(u32, uint32_t, uint32_t, UNSIGNED)
INTEGER(u64, uint64_t, uint64_t, UNSIGNED)

FN bool NAME(absolute, b8) (bool x) { return x; }
FN bool NAME(complement, b8) (bool x) { return !x; }

/* Converts i, below 2^52. The host's vectors cannot convert integers, so it is
** done by bits. */
FN double of_index (uint64_t i) {
#if defined(__CUDA_ARCH__)
  return (double)i;
#else
  return double_of_bits(0x4330000000000000 | i) - 0x1p52;
#endif
}

/*
** Floats. floordiv and floormod follow NumPy's divmod: the remainder has the
** sign of y, also when it is zero, and the quotient is the nearest integer to
** (x - remainder) / y. term is rounded where it is stored.
*/
#define FLOAT(s, T) \
  FN T NAME(over, s) (T x, T y) { return x / y; } \
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
  FN double NAME(term, s) (T first, T step, uint64_t i) { \
    return (double)first + of_index(i) * (double)step; \
  }

FLOAT(f32, float)
FLOAT(f64, double)

/* Greatest common divisor and least common multiple, without signs. 0 divides
** nothing; a multiple with 0 is 0. The lowest number stays itself. */
#define DIVISOR(s, T, U) \
  FN T NAME(divisor, s) (T x, T y) { \
    U a = (U)NAME(absolute, s)(x), b = (U)NAME(absolute, s)(y); \
    while (b != 0) { \
      const U r = a % b; \
      a = b; \
      b = r; \
    } \
    return (T)a; \
  } \
  FN T NAME(multiple, s) (T x, T y) { \
    const U a = (U)NAME(absolute, s)(x), b = (U)NAME(absolute, s)(y); \
    const U d = (U)NAME(divisor, s)(x, y); \
    return (T)(d == 0 ? 0 : (uint64_t)(a / d) * b); \
  }

DIVISOR(i8, int8_t, uint8_t)
DIVISOR(i16, int16_t, uint16_t)
DIVISOR(i32, int32_t, uint32_t)
DIVISOR(i64, int64_t, uint64_t)
DIVISOR(u8, uint8_t, uint8_t)
DIVISOR(u16, uint16_t, uint16_t)
DIVISOR(u32, uint32_t, uint32_t)
DIVISOR(u64, uint64_t, uint64_t)

/*
** CONVERT(i32, x): C's conversion, which wraps between integers; a float that
** does not fit is clamped to the nearest number, and NaN gives 0. 'past' is the
** first number too large, exact in every float type.
*/
#define FROM_FLOAT(f, s, T, F, low, high, past) \
  FN T NAME(f, s) (F x) { \
    F c = x >= (F)(low) ? x : (F)(low); \
    T t = (T)(c < (F)(past) ? c : 0); \
    return x != x ? (T)0 : x >= (F)(past) ? (T)(high) : t; \
  }
/* FROM_FLOAT where 'high' is exact, too: all choices are among floats, so no
** mask has to become one of narrower integers. */
#define FROM_FLOAT_FEW(f, s, T, F, low, high, past) \
  FN T NAME(f, s) (F x) { \
    F c = x >= (F)(low) ? x : (F)(low); \
    c = c < (F)(past) ? c : (F)(high); \
    return (T)(x == x ? c : 0); \
  }
#define TO_INTEGER(from, f, T, low, high) \
  FN T NAME(f, i64) (int64_t x) { return (T)x; } \
  FN T NAME(f, u64) (uint64_t x) { return (T)x; } \
  from(f, f32, T, float, low, high, 2.0 * ((high) / 2 + 1)) \
  from(f, f64, T, double, low, high, 2.0 * ((high) / 2 + 1))
#define TO_OTHER(f, T) \
  FN T NAME(f, i64) (int64_t x) { return (T)x; } \
  FN T NAME(f, u64) (uint64_t x) { return (T)x; } \
  FN T NAME(f, f32) (float x) { return (T)x; } \
  FN T NAME(f, f64) (double x) { return (T)x; }

TO_OTHER(to_b8, bool)
TO_INTEGER(FROM_FLOAT_FEW, to_i8, int8_t, INT8_MIN, INT8_MAX)
TO_INTEGER(FROM_FLOAT_FEW, to_i16, int16_t, INT16_MIN, INT16_MAX)
TO_INTEGER(FROM_FLOAT, to_i32, int32_t, INT32_MIN, INT32_MAX)
TO_INTEGER(FROM_FLOAT, to_i64, int64_t, INT64_MIN, INT64_MAX)
TO_INTEGER(FROM_FLOAT_FEW, to_u8, uint8_t, 0, UINT8_MAX)
TO_INTEGER(FROM_FLOAT_FEW, to_u16, uint16_t, 0, UINT16_MAX)
TO_INTEGER(FROM_FLOAT, to_u32, uint32_t, 0, UINT32_MAX)
TO_INTEGER(FROM_FLOAT, to_u64, uint64_t, 0, UINT64_MAX)
TO_OTHER(to_f32, float)
TO_OTHER(to_f64, double)

/* Integers whose float16 is infinite are limited to 2^17, which gives infinity,
** too; up to there float32 is exact. */
FN t_f16 NAME(to_f16, i64) (int64_t x) {
  int64_t c = x < 1 << 17 ? x : 1 << 17;
  return f16_of_float((float)(int32_t)(c > -(1 << 17) ? c : -(1 << 17)));
}

FN t_f16 NAME(to_f16, u64) (uint64_t x) {
  return f16_of_float((float)(int32_t)(x < 1 << 17 ? x : 1 << 17));
}

FN t_f16 NAME(to_f16, f32) (float x) { return f16_of_float(x); }
FN t_f16 NAME(to_f16, f64) (double x) { return f16_of_double(x); }

/* Integers to bfloat16: bits that float64 has no room for only make its last
** bit sticky. */
FN t_bf16 NAME(to_bf16, i64) (int64_t x) {
  bool fits = (uint64_t)x + ((uint64_t)1 << 53) <= (uint64_t)1 << 54;
  int64_t near = (x & ~(int64_t)0x7ff) | (int64_t)((x & 0x7ff) != 0) << 10;
  return bf16_of_double((double)(fits ? x : near));
}

FN t_bf16 NAME(to_bf16, u64) (uint64_t x) {
  bool fits = x <= (uint64_t)1 << 53;
  uint64_t near = (x & ~(uint64_t)0x7ff) | (uint64_t)((x & 0x7ff) != 0) << 10;
  return bf16_of_double((double)(fits ? x : near));
}

FN t_bf16 NAME(to_bf16, f32) (float x) { return bf16_of_float(x); }
FN t_bf16 NAME(to_bf16, f64) (double x) { return bf16_of_double(x); }

/* Complex numbers lose their imaginary part, as in NumPy, but not to bool. */
#define OF_COMPLEX(f, T) \
  FN T NAME(f, c128) (t_c128 x) { return NAME(f, f64)(x.re); }

FN bool NAME(to_b8, c128) (t_c128 x) { return NAME(nonzero, c128)(x); }
OF_COMPLEX(to_i8, int8_t)
OF_COMPLEX(to_i16, int16_t)
OF_COMPLEX(to_i32, int32_t)
OF_COMPLEX(to_i64, int64_t)
OF_COMPLEX(to_u8, uint8_t)
OF_COMPLEX(to_u16, uint16_t)
OF_COMPLEX(to_u32, uint32_t)
OF_COMPLEX(to_u64, uint64_t)
OF_COMPLEX(to_f16, t_f16)
OF_COMPLEX(to_bf16, t_bf16)
OF_COMPLEX(to_f32, float)
OF_COMPLEX(to_f64, double)

#define TO_COMPLEX(s, R) \
  FN t_##s NAME(to_##s, i64) (int64_t x) { return make_##s((R)x, 0); } \
  FN t_##s NAME(to_##s, u64) (uint64_t x) { return make_##s((R)x, 0); } \
  FN t_##s NAME(to_##s, f32) (float x) { return make_##s((R)x, 0); } \
  FN t_##s NAME(to_##s, f64) (double x) { return make_##s((R)x, 0); } \
  FN t_##s NAME(to_##s, c128) (t_c128 x) { return NAME(as_##s, c128)(x); }

TO_COMPLEX(c64, float)
TO_COMPLEX(c128, double)

#if defined(__CUDACC__)
#define CONVERT(to, x) to_##to(widen(x))
#else
#define to_f16(x) _Generic((x), OF_FLOAT(to_f16))(x)
#define to_bf16(x) _Generic((x), OF_FLOAT(to_bf16))(x)
/* C's side of NAME: picks the function by the type of the first argument. */
#define OF_INTEGER(f) \
  int8_t: f##_i8, int16_t: f##_i16, int32_t: f##_i32, int64_t: f##_i64, \
  uint8_t: f##_u8, uint16_t: f##_u16, uint32_t: f##_u32, uint64_t: f##_u64
#define OF_FLOAT(f) float: f##_f32, double: f##_f64
#define OF_PAIR(f) t_c64: f##_c64, t_c128: f##_c128
#define PICK(f, x) _Generic((x), bool: f##_b8, OF_INTEGER(f), OF_FLOAT(f))
#define PICK_ANY(f, x) \
  _Generic((x), bool: f##_b8, OF_INTEGER(f), OF_FLOAT(f), OF_PAIR(f))
#define PICK_FLOAT(f, x) _Generic((x), OF_FLOAT(f), OF_PAIR(f))
#define as_c64(x) _Generic((x), OF_PAIR(as_c64), default: as_c64_real)(x)
#define as_c128(x) _Generic((x), OF_PAIR(as_c128), default: as_c128_real)(x)
#define plus(x, y) PICK_ANY(plus, x)(x, y)
#define minus(x, y) PICK_ANY(minus, x)(x, y)
#define times(x, y) PICK_ANY(times, x)(x, y)
#define over(x, y) PICK_FLOAT(over, x)(x, y)
#define negate(x) PICK_ANY(negate, x)(x)
#define equal(x, y) PICK_ANY(equal, x)(x, y)
#define nonzero(x) PICK_ANY(nonzero, x)(x)
#define conjugate(x) _Generic((x), OF_PAIR(conjugate))(x)
#undef exp  /* tgmath.h's macros do not take structs */
#undef log
#undef sqrt
#undef sin
#undef cos
#define MATH(op, x) \
  _Generic((x), float: op##f, double: op, OF_PAIR(complex_##op))(x)
#define exp(x) MATH(exp, x)
#define log(x) MATH(log, x)
#define sqrt(x) MATH(sqrt, x)
#define sin(x) MATH(sin, x)
#define cos(x) MATH(cos, x)
#define CONVERT(to, x) \
  _Generic(widen(x), int64_t: to_##to##_i64, uint64_t: to_##to##_u64, \
           t_c128: to_##to##_c128, OF_FLOAT(to_##to))(widen(x))
#define wrap(x) PICK(wrap, x)(x)
#define widen(x) PICK_ANY(widen, x)(x)
#define lowest(x) PICK(lowest, x)(x)
#define highest(x) PICK(highest, x)(x)
#define absolute(x) PICK_ANY(absolute, x)(x)
#define complement(x) \
  _Generic((x), bool: complement_b8, OF_INTEGER(complement))(x)
#define floordiv(x, y) \
  _Generic((x), OF_INTEGER(floordiv), OF_FLOAT(floordiv))(x, y)
#define floormod(x, y) \
  _Generic((x), OF_INTEGER(floormod), OF_FLOAT(floormod))(x, y)
#define power(x, y) \
  _Generic((x), OF_INTEGER(power), OF_FLOAT(power), OF_PAIR(power))(x, y)
#define truncmod(x, y) \
  _Generic((x), OF_INTEGER(truncmod), OF_FLOAT(truncmod))(x, y)
#define signum(x) _Generic((x), OF_INTEGER(signum), OF_FLOAT(signum))(x)
#define shiftleft(x, y) _Generic((x), OF_INTEGER(shiftleft))(x, y)
#define shiftright(x, y) _Generic((x), OF_INTEGER(shiftright))(x, y)
#define inverse_erf(x) _Generic((x), OF_FLOAT(inverse_erf))(x)
#define log_gamma(x) _Generic((x), OF_FLOAT(log_gamma))(x)
#define cardinal(x) _Generic((x), OF_FLOAT(cardinal))(x)
#define logistic(x) _Generic((x), OF_FLOAT(logistic))(x)
#define log_one(x) _Generic((x), OF_FLOAT(log_one))(x)
#define log_sum(x, y) _Generic((x), OF_FLOAT(log_sum))(x, y)
#define log2_sum(x, y) _Generic((x), OF_FLOAT(log2_sum))(x, y)
#define has_sign(x) _Generic((x), OF_FLOAT(has_sign))(x)
#define fraction(x) _Generic((x), OF_FLOAT(fraction))(x)
#define mantissa(x) _Generic((x), OF_FLOAT(mantissa))(x)
#define exponent(x) _Generic((x), OF_FLOAT(exponent))(x)
#define times_power(x, y) _Generic((x), OF_FLOAT(times_power))(x, y)
#define neighbour(like, x, y) \
  _Generic((like), const t_f16 *: neighbour_f16, \
           const t_bf16 *: neighbour_bf16, const float *: neighbour_f32, \
           const double *: neighbour_f64)(like, x, y)
#define divisor(x, y) _Generic((x), OF_INTEGER(divisor))(x, y)
#define multiple(x, y) _Generic((x), OF_INTEGER(multiple))(x, y)
#define term(x, y, i) \
  _Generic((x), OF_INTEGER(term), OF_FLOAT(term))(x, y, i)
#endif

#endif
