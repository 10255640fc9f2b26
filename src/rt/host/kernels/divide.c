/*
** divide.c - divides rows of integers by one number, by way of its reciprocal,
** because there are vector instructions for products but not for quotients.
**
** Let 1 < d <= 2^l, 0 <= n < 2^N, and m = floor(2^(N + l) / d) + 1. Then n / d
** rounded down is m * n / 2^(N + l) rounded down (Granlund and Montgomery,
** Division by Invariant Integers using Multiplication, 1994, theorem 4.2).
**
** For signed integers N is one less than the bits of a word, so m fits into a
** word. n may be 2^N as well, the magnitude of the lowest integer: m * d is
** less than 2^l above 2^(N + l) unless d is 2^l, where the result is evident.
** For unsigned integers m has a bit more than a word. The product by that bit
** is n; so to t, the upper word of the product by the others, (n - t) / 2 is
** added, which cannot overflow (figure 4.1 there).
**
** Words of 64 bits with small numbers, which are the most common, are divided
** as int32, because there are vector products of those.
*/
#include "divide.h"

#include <stdbool.h>

#include "kernels/ops.h"

__extension__ typedef unsigned __int128 Wide;

enum {
  FEW = 16,    /* fewer elements are not worth a reciprocal */
  BLOCK = 1024 /* elements tested for being small, in the first cache */
};

/* {== divisors ======================================================== */

/* Returns the least l with d <= 2^l. */
static inline int log_above (uint64_t d) { return 64 - __builtin_clzll(d - 1); }

/* A divisor: its magnitude; 'down', all ones if it is negative; its reciprocal
** m, and the shift of the upper word of m * n. The types of words tell the
** compiler which products fit into two halves. */
#define SIGNED_DIVISOR(s, T, U, bits) \
  typedef struct Divisor_##s { \
    U d, down, m; \
    int shift; \
  } Divisor_##s; \
  static Divisor_##s by_##s(T y) { \
    const U d = (U)(y < 0 ? 0 - (U)y : (U)y); \
    const int l = log_above(d); \
    return (Divisor_##s){d, (U)(0 - (U)(y < 0)), \
                         (U)(((Wide)1 << (bits - 1 + l)) / d + 1), l - 1}; \
  }
SET_SIGNED(SIGNED_DIVISOR)

#define UNSIGNED_DIVISOR(s, T, U, bits) \
  typedef struct Divisor_##s { \
    U d, m; \
    int shift; \
  } Divisor_##s; \
  static Divisor_##s by_##s(T d) { \
    const int l = log_above(d); \
    const Wide above = ((Wide)1 << l) - d; \
    return (Divisor_##s){d, (U)((above << bits) / d + 1), l - 1}; \
  }
SET_UNSIGNED(UNSIGNED_DIVISOR)

/* ==} */

/* {== upper words of products ========================================= */

static inline uint8_t high_u8 (uint8_t a, uint8_t b) {
  return (uint8_t)((uint32_t)a * b >> 8);
}

static inline uint16_t high_u16 (uint16_t a, uint16_t b) {
  return (uint16_t)((uint32_t)a * b >> 16);
}

static inline uint32_t high_u32 (uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)a * b >> 32);
}

static inline uint64_t high_u64 (uint64_t a, uint64_t b) {
  return (uint64_t)((Wide)a * b >> 64);
}

/* ==} */

/* {== quotients ======================================================= */

#define SIGNED_OVER(s, T, U, bits) \
  static inline U over_##s(U n, Divisor_##s by) { \
    return (U)(high_u##bits(by.m, n) >> by.shift); \
  }
SET_SIGNED(SIGNED_OVER)

#define UNSIGNED_OVER(s, T, U, bits) \
  static inline U over_##s(U n, Divisor_##s by) { \
    const U t = high_u##bits(by.m, n); \
    return (U)((U)(t + ((U)(n - t) >> 1)) >> by.shift); \
  }
SET_UNSIGNED(UNSIGNED_OVER)

/* ==} */

/* {== rows ============================================================ */

/*
** Signed integers. A negative quotient is rounded down, which is the complement
** of the quotient of n - 1. Then 'below' is all ones. n: the magnitude of the
** element, maybe less one; r: the remainder of n / d.
*/
#define BELOW(U, x) (U)(0 - (U)(by.down ? (x) > 0 : (x) < 0))
#define SIGNED_ROWS(s, T, U, bits) \
  static inline U count_##s(T x, U below, Divisor_##s by) { \
    const U turned = (U)(below ^ by.down); \
    return (U)((U)((U)x ^ turned) - turned + below); \
  } \
  static inline U left_##s(U n, Divisor_##s by) { \
    return (U)(n - times(over_##s(n, by), by.d)); \
  } \
  WIDE static void floordiv_row_##s(T *z, const T *x, size_t n, \
                                    Divisor_##s by) { \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      const U below = BELOW(U, x[i]), own = count_##s(x[i], below, by); \
      z[i] = (T)(U)(over_##s(own, by) ^ below); \
    } \
  } \
  WIDE static void mod_row_##s(T *z, const T *x, size_t n, Divisor_##s by) { \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      const U below = BELOW(U, x[i]), down = by.down; \
      const U r = left_##s(count_##s(x[i], below, by), by); \
      const U up = (U)((U)(r ^ below) + (U)(by.d & below)); \
      z[i] = (T)(U)((U)(up ^ down) - down); \
    } \
  } \
  WIDE static void fmod_row_##s(T *z, const T *x, size_t n, Divisor_##s by) { \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) { \
      const U below = (U)(0 - (U)(x[i] < 0)); \
      const U r = left_##s((U)((U)((U)x[i] ^ below) - below), by); \
      z[i] = (T)(U)((U)(r ^ below) - below); \
    } \
  }
SET_SIGNED(SIGNED_ROWS)

#define UNSIGNED_ROWS(s, T, U, bits) \
  WIDE static void floordiv_row_##s(T *z, const T *x, size_t n, \
                                    Divisor_##s by) { \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) \
      z[i] = over_##s(x[i], by); \
  } \
  WIDE static void mod_row_##s(T *z, const T *x, size_t n, Divisor_##s by) { \
    INDEPENDENT \
    for (size_t i = 0; i < n; i++) \
      z[i] = (U)(x[i] - times(over_##s(x[i], by), by.d)); \
  }
SET_UNSIGNED(UNSIGNED_ROWS)

/* ==} */

/* {== small numbers of 64 bits ======================================== */

/*
** Divides a block of small numbers as int32, in place. All are small if none
** has a bit from 'bits' on after 'least' is added.
*/
#define BLOCKS(s, T, least, bits) \
  WIDE static bool take_block_##s(int32_t *z, const T *x, size_t n) { \
    uint64_t all = 0; \
    for (size_t i = 0; i < n; i++) { \
      all |= (uint64_t)x[i] + least; \
      z[i] = (int32_t)x[i]; \
    } \
    return all >> bits == 0; \
  } \
  WIDE static void put_block_##s(T *z, const int32_t *x, size_t n) { \
    for (size_t i = 0; i < n; i++) \
      z[i] = (T)x[i]; \
  } \
  static inline void each_block_##s(T *z, const T *x, size_t n, T y, \
                                    void (*row)(T *, const T *, size_t, \
                                                Divisor_##s), \
                                    void (*row32)(int32_t *, const int32_t *, \
                                                  size_t, Divisor_i32)) { \
    int32_t block[BLOCK]; \
    const bool may = ((uint64_t)y + least) >> bits == 0; \
    const Divisor_i32 small = by_i32(may ? (int32_t)y : 2); \
    const Divisor_##s by = by_##s(y); \
    for (size_t m; n > 0; n -= m, x += m, z += m) { \
      m = n < BLOCK ? n : BLOCK; \
      if (may && take_block_##s(block, x, m)) { \
        row32(block, block, m, small); \
        put_block_##s(z, block, m); \
      } else { \
        row(z, x, m, by); \
      } \
    } \
  }
BLOCKS(i64, int64_t, ((uint64_t)1 << 31), 32)
BLOCKS(u64, uint64_t, 0, 31)

/* ==} */

/* {== host kernels ==================================================== */

/* There is no reciprocal for 0, 1 and -1. */
static inline bool is_unit (int64_t y) { return y >= -1 && y <= 1; }

/* Few elements, and divisors without a reciprocal, are divided one by one. fmod
** has no kernels for an array and a number, so its functions are no host
** kernels, but for strided.c alone. */
#define BY(name, T, divided, row) \
  HOST_KERNEL(name) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, xs); \
    PARAM(2, T, y); \
    PARAM(3, size_t, count); \
    SPAN(count); \
    const size_t n = last - first; \
    (void)grid; \
    z += first; \
    xs += first; \
    if (n >= FEW && !is_unit((int64_t)y)) { \
      row; \
      return; \
    } \
    for (size_t i = 0; i < n; i++) { \
      const T x = xs[i]; \
      z[i] = divided; \
    } \
  }

#define ROW(op, s) op##_row_##s(z, xs, n, by_##s(y))
#define BLOCK_ROWS(op, s) \
  each_block_##s(z, xs, n, y, op##_row_##s, op##_row_i32)

#define SIGNED_BY(s, T, ROWS) \
  BY(floordiv_vs_##s, T, floordiv(x, y), ROWS(floordiv, s)) \
  BY(mod_vs_##s, T, floormod(x, y), ROWS(mod, s)) \
  BY(fmod_by_##s, T, truncmod(x, y), ROWS(fmod, s))
SIGNED_BY(i8, int8_t, ROW)
SIGNED_BY(i16, int16_t, ROW)
SIGNED_BY(i32, int32_t, ROW)
SIGNED_BY(i64, int64_t, BLOCK_ROWS)

#define UNSIGNED_BY(s, T, ROWS) \
  BY(floordiv_vs_##s, T, floordiv(x, y), ROWS(floordiv, s)) \
  BY(mod_vs_##s, T, floormod(x, y), ROWS(mod, s)) \
  BY(fmod_by_##s, T, truncmod(x, y), ROWS(mod, s))
UNSIGNED_BY(u8, uint8_t, ROW)
UNSIGNED_BY(u16, uint16_t, ROW)
UNSIGNED_BY(u32, uint32_t, ROW)
UNSIGNED_BY(u64, uint64_t, BLOCK_ROWS)

/* ==} */
