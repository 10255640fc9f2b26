/*
** keys.h - elements as keys: unsigned integers in the order of their elements.
** Valid C and CUDA C++; the same in sort.cu, search.cu and their host kernels.
*/
#ifndef TIDE_KEYS_H
#define TIDE_KEYS_H

#include "ops.h"

/*
** A pass of a radix sort, packed into one number: its digit; whether it is the
** first pass, which reads elements of 'width' bytes, and the last one, which
** writes them; whether places are wanted, and whether the order is descending.
*/
#define PASS(digit, width, first, last, order, down) \
  ((int64_t)((digit) | (width) << 4 | (first) << 8 | (last) << 9 | \
             (order) << 10 | (down) << 11))
#define PASS_DIGIT(p) ((p) & 15)
#define PASS_SHIFT(p) (PASS_DIGIT(p) * 8)
#define PASS_WIDTH(p) ((p) >> 4 & 15)
#define PASS_FIRST(p) (((p) >> 8 & 1) != 0)
#define PASS_LAST(p) (((p) >> 9 & 1) != 0)
#define PASS_ORDER(p) (((p) >> 10 & 1) != 0)
#define PASS_DOWN(p) (((p) >> 11 & 1) != 0)

/*
** Turns elements of 'width' bytes into keys. 'sign' is their sign bit, or 0;
** 'inf' is infinity's bits, 0 for integers. NaNs come last. If places are
** wanted, -0.0 is 0.0 and all NaNs are the same; else keys can be turned back
** into elements, but for a NaN's sign. In descending order all bits are
** inverted. bits_at is element i of x.
*/
#define KEYS(s, K) \
  FN K NAME(bits_at, s) (const void *x, size_t i, int width, K like) { \
    (void)like; \
    return width == 1 ? (K)((const uint8_t *)x)[i] : \
           width == 2 ? (K)((const uint16_t *)x)[i] : ((const K *)x)[i]; \
  } \
  FN K NAME(tokey, s) (K bits, K sign, K inf, int64_t pass) { \
    const K ones = (K)(sign | (K)(sign - 1)); \
    K key = (K)(bits ^ ((bits & sign) != 0 ? ones : sign)); \
    const bool order = PASS_ORDER(pass); \
    key = order && bits == sign ? sign : key; \
    key = (bits & (K)~sign) > inf ? order ? ones : (K)(bits | sign) : key; \
    key = inf == 0 ? (K)(bits ^ sign) : key; \
    return PASS_DOWN(pass) ? (K)~key : key; \
  } \
  FN K NAME(fromkey, s) (K key, K sign, K inf, int64_t pass) { \
    const K ones = (K)(sign | (K)(sign - 1)); \
    key = PASS_DOWN(pass) ? (K)~key : key; \
    return (K)(key ^ (inf == 0 || (key & sign) != 0 ? sign : ones)); \
  }

KEYS(k32, uint32_t)
KEYS(k64, uint64_t)

/* Keys of elements of up to four bytes are 32 bits wide. */
#define SET_KEY(M) M(k32, uint32_t) M(k64, uint64_t)

enum { DIGITS = 256 };

#endif
