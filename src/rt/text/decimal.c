/*
** decimal.c - floats from decimal text, rounded to the nearest, in any locale.
**
** DESIGN. A number is w * 10^q with up to 19 digits in w. If w and the power
** are exact as doubles, one multiplication or division rounds correctly
** (W. D. Clinger, How to Read Floating Point Numbers Accurately, 1990). Else w
** times the first bits of 5^q has all bits of the result, and nearly always
** tells how to round them (D. Lemire, Number Parsing at a Gigabyte per Second,
** 2021, after M. Eisel). The few others go to the C library: those near the
** middle of two doubles, subnormal and infinite ones, and those with more
** digits where these matter.
*/
#include "decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "powers.h"
#include "rt/program/numeral.h"

enum { FIVE_MOST = 308 }; /* 10^309 is infinite */

enum { EXACT_MOST = 22 }; /* 10^22 is the last that is a double */

static const double tens[EXACT_MOST + 1] = {
  1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* {== w * 10^q ======================================================== */

/* Computes the first bits of w * 5^q, for a w that begins with a set bit.
** Returns false if an error of the table could change them. */
static bool scale (uint64_t w, int q, uint64_t *high, uint64_t *low) {
  const Power *p = &powers_of_five[q - POWERS_LEAST];
  uint64_t rest;
  *high = powers_multiply(w, p->high, low);
  if ((*high & 0x1FF) == 0x1FF) { /* a carry could reach the result */
    uint64_t more = powers_multiply(w, p->low, &rest);
    *low += more;
    *high += (*low < more);
  }
  return *low != UINT64_MAX;
}

/* Rounds w * 10^q to a normal double. Returns false if that is not certain. */
static bool round_product (uint64_t w, int64_t q, double *x) {
  uint64_t high, low;
  if (q < POWERS_LEAST || q > FIVE_MOST)
    return false;
  int zeros = __builtin_clzll(w);
  if (!scale(w << zeros, (int)q, &high, &low))
    return false;
  int upper = (int)(high >> 63), shift = upper + 9;
  uint64_t m = high >> shift; /* 53 bits and the next one */
  if ((m & 3) == 1 && low <= 1 && m << shift == high)
    return false; /* perhaps the middle of two doubles */
  int64_t power = ((217706 * q) >> 16) + 63 + upper - zeros + 1023;
  m = (m + (m & 1)) >> 1;
  if (m >> 53 != 0) {
    m >>= 1;
    power++;
  }
  if (power <= 0 || power >= 0x7FF)
    return false;
  uint64_t bits = (m & ~((uint64_t)1 << 52)) | (uint64_t)power << 52;
  memcpy(x, &bits, sizeof bits);
  return true;
}

static bool convert (uint64_t w, int64_t q, double *x) {
  if (FLT_EVAL_METHOD == 0 && w <= (uint64_t)1 << 53 && q >= -EXACT_MOST &&
      q <= EXACT_MOST) {
    *x = (q < 0) ? (double)w / tens[-q] : (double)w * tens[q];
    return true;
  }
  *x = 0;
  return w == 0 || round_product(w, q, x);
}

/* ==} */

/* {== the digits ====================================================== */

enum { DIGITS = 19 }; /* of any number of so many digits w has room */

static bool is_digit (char c) { return (unsigned char)(c - '0') < 10; }

/* Tells whether eight digits follow, and appends them to *w. They are added in
** pairs, in fours, and in eights. */
static bool eight_digits (const char *p, uint64_t *w) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  if ((((v + 0x4646464646464646) | (v - 0x3030303030303030)) &
       0x8080808080808080) != 0)
    return false;
  v -= 0x3030303030303030;
  v = v * 10 + (v >> 8);
  v = ((v & 0x000000FF000000FF) * 0x000F424000000064 +
       ((v >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
      32;
  *w = *w * 100000000 + (uint32_t)v;
  return true;
}

static const char *read_digits (const char *p, uint64_t *w) {
  for (; is_digit(*p); p++)
    *w = *w * 10 + (uint64_t)(*p - '0');
  return p;
}

/* read_digits where many may come. */
static const char *read_fraction (const char *p, uint64_t *w) {
  while (eight_digits(p, w))
    p += 8;
  return read_digits(p, w);
}

/* Reads an exponent and adds it to *q. NULL: it has no digits. */
static const char *read_exponent (const char *p, int64_t *q) {
  int64_t e = 0;
  bool minus = (*p == '-');
  p += (*p == '-' || *p == '+');
  if (!is_digit(*p))
    return NULL;
  for (; is_digit(*p); p++)
    if (e < 1000000)
      e = e * 10 + (*p - '0');
  *q += minus ? -e : e;
  return p;
}

/* Finds the first DIGITS digits, from the first that is not zero, and moves
** 'q', which belongs to all digits. Returns whether there may be more. */
static bool cut_digits (const char *p, const char *end, uint64_t *w,
                        int64_t *q) {
  int n = 0;
  *w = 0;
  for (; p < end; p++) {
    if (*p == '.' || (n == 0 && *p == '0'))
      continue;
    if (n == DIGITS)
      ++*q;
    else {
      *w = *w * 10 + (uint64_t)(*p - '0');
      n++;
    }
  }
  return n == DIGITS;
}

static const char *read_word (const char *p, double *x) {
  static const char *const words[] = {"infinity", "inf", "nan"};
  for (int i = 0; i < 3; i++) {
    size_t n = 0;
    while (words[i][n] != '\0' && (p[n] | 0x20) == words[i][n])
      n++;
    if (words[i][n] == '\0') {
      *x = (i < 2) ? (double)INFINITY : (double)NAN;
      return p + n;
    }
  }
  return NULL;
}

/* Reads a number without its sign. */
static const char *read_positive (const char *start, double *x) {
  uint64_t w = 0;
  int64_t q = 0;
  const char *p = read_digits(start, &w), *stop;
  int64_t n = p - start;
  if (*p == '.') {
    const char *point = p + 1;
    p = read_fraction(point, &w);
    q = point - p;
    n -= q;
  }
  if (n == 0)
    return read_word(start, x);
  const char *end = p;
  if ((*p | 0x20) == 'e' && (p = read_exponent(p + 1, &q)) == NULL)
    return NULL;
  bool cut = n > DIGITS && cut_digits(start, end, &w, &q);
  double above;
  if (!convert(w, q, x) || (cut && (!convert(w + 1, q, &above) || above != *x)))
    *x = numeral_read(start, &stop);
  return p;
}

const char *decimal_read (const char *p, double *x) {
  bool minus = (*p == '-');
  p = read_positive(p + (*p == '-' || *p == '+'), x);
  if (p != NULL && minus)
    *x = -*x;
  return p;
}

/* ==} */

/*
** A double that was rounded may lie in the middle of two floats although the
** number does not: then the C library reads it again. Subnormal floats have
** other middles.
*/
static bool is_middle (double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0x1FFFFFFF) == 0x10000000 || (fabs(x) < FLT_MIN && x != 0);
}

const char *decimal_read_single (const char *p, float *x) {
  double y;
  const char *end = decimal_read(p, &y);
  if (end != NULL)
    *x = is_middle(y) ? numeral_read_single(p) : (float)y;
  return end;
}
