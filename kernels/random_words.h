/*
** random_words.h - random words to numbers: the same bits in C and in CUDA C++.
** Nothing here is fused (both are compiled so), and the only library function
** is sqrt, which is exact everywhere. Numbers of type float32 are computed in
** float32: a GPU has twice as many units for it as for float64, and vectors of
** the host have twice the lanes.
*/
#ifndef TIDE_RANDOM_WORDS_H
#define TIDE_RANDOM_WORDS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "philox.h"

/* {== in float64, and integers ======================================== */

/* The upper 53 bits of two words, exactly. They are converted as words of 32
** bits, which compilers convert in vectors. */
RANDOM_FN double bits53 (uint32_t high, uint32_t low) {
  return (double)high * 0x1p21 + (double)(low >> 11);
}

/* Coefficients of series. They are in constant memory, where a GPU's
** instruction takes them as an operand: a literal takes two more
** instructions. */
RANDOM_TABLE log_terms[] = {
  1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
  1.0 / 7, 1.0 / 5, 1.0 / 3
};
RANDOM_TABLE exp_terms[] = {
  1.0 / 13, 1.0 / 12, 1.0 / 11, 1.0 / 10, 1.0 / 9, 1.0 / 8, 1.0 / 7, 1.0 / 6,
  1.0 / 5, 1.0 / 4, 1.0 / 3, 1.0 / 2, 1.0
};
RANDOM_TABLE cos_terms[2][8] = {
  {1.0 / (18 * 17), 1.0 / (16 * 15), 1.0 / (14 * 13), 1.0 / (12 * 11),
   1.0 / (10 * 9), 1.0 / (8 * 7), 1.0 / (6 * 5), 1.0 / (4 * 3)},
  {1.0 / (17 * 16), 1.0 / (15 * 14), 1.0 / (13 * 12), 1.0 / (11 * 10),
   1.0 / (9 * 8), 1.0 / (7 * 6), 1.0 / (5 * 4), 1.0 / (3 * 2)}  /* sin */
};

/* s^2/3 + s^4/5 + s^6/7 ..., |s| < 0.172: 2 * (s + s * this) is the logarithm
** of (1 + s) / (1 - s). */
RANDOM_FN double log_series (double s2) {
  double sum = 0;
  for (int k = 0; k < 11; k++)
    sum = s2 * (log_terms[k] + sum);
  return sum;
}

/*
** Natural logarithm of x > 0, not subnormal: x = 2^e * m with m near 1, and log
** m by the series of s = (m - 1) / (m + 1).
*/
RANDOM_FN double random_log (double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  /* 0x6A09E667F3BCD is the fraction of sqrt(2) */
  int up = (int64_t)(bits & 0xFFFFFFFFFFFFFu) > 0x6A09E667F3BCD;
  int e = (int)(bits >> 52) - 1023 + up;
  bits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)(1023 - up) << 52;
  double m;
  memcpy(&m, &bits, sizeof m);
  double s = (m - 1) / (m + 1), sum = log_series(s * s);
  /* log(2) as a number with 32 bits and a rest */
  double lead = (double)e * 0x1.62e42fee00000p-1;
  double rest = (double)e * 0x1.a39ef35793c76p-33;
  return lead + (2 * s + (rest + 2 * s * sum));
}

/* log(1 - p), 0 <= p <= 1/2. */
RANDOM_FN double log_complement (double p) {
  double s = p / (2 - p);
  return p < 0.25 ? -2 * (s + s * log_series(s * s)) : random_log(1 - p);
}

/* 2^k, which is a normal number. */
RANDOM_FN double two_to (int k) {
  uint64_t bits = (uint64_t)(k + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The greater of x and 'least'; 'least' for NaN. By bits, because compilers
** make a branch of a condition with more than one result, and then no
** vectors. */
RANDOM_FN double at_least (double x, double least) {
  uint64_t bits, other, mask = 0 - (uint64_t)(x > least);
  memcpy(&bits, &x, sizeof bits);
  memcpy(&other, &least, sizeof other);
  bits = (bits & mask) | (other & ~mask);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* e^x, x <= 0: x = k * log(2) + r with r near 0, and e^r by its series. The
** power of 2 is applied in two steps, because the result may be subnormal. */
RANDOM_FN double random_exp (double x) {
  double some = at_least(x, -746);  /* where e^x is 0, too */
  int k = (int)(some * 1.44269504088896340736 - 0.5);
  double r = some - (double)k * 0x1.62e42fee00000p-1;
  r = r - (double)k * 0x1.a39ef35793c76p-33;
  double sum = 1;
  for (int n = 0; n < 13; n++)
    sum = 1 + r * exp_terms[n] * sum;
  return sum * two_to(k / 2) * two_to(k - k / 2);
}

/* sin and cos of pi/4 * x, 0 <= x <= 1, by their series. */
RANDOM_FN double eighth_sin (double x) {
  double a = 0.78539816339744830962 * x, a2 = a * a, sum = 0;
  for (int k = 0; k < 8; k++)
    sum = -a2 * cos_terms[1][k] * (1 + sum);
  return a + a * sum;
}

RANDOM_FN double eighth_cos (double x) {
  double a = 0.78539816339744830962 * x, a2 = a * a, sum = 0;
  for (int k = 0; k < 8; k++)
    sum = -a2 * cos_terms[0][k] * (1 + sum);
  return 1 - 0.5 * a2 * (1 + sum);
}

/* cos of 2 pi * u, 0 <= u < 1: the same bits as that of random_sincos, by one
** series alone. */
RANDOM_FN double random_cos (double u) {
  double t = 8 * u;
  int octant = (int)t;
  double x = t - octant;
  if (octant & 1)
    x = 1 - x;
  int upright = ((octant + 1) & 2) != 0;
  double a = 0.78539816339744830962 * x, a2 = a * a, sum = 0;
  for (int k = 0; k < 8; k++)
    sum = -a2 * (upright ? cos_terms[1][k] : cos_terms[0][k]) * (1 + sum);
  double c = upright ? a + a * sum : 1 - 0.5 * a2 * (1 + sum);
  return (octant >= 2 && octant < 6) ? -c : c;
}

/* sin and cos of 2 pi * u, 0 <= u < 1: by eighths of the circle. */
RANDOM_FN void random_sincos (double u, double *sine, double *cosine) {
  double t = 8 * u;
  int octant = (int)t;
  double x = t - octant;
  if (octant & 1)
    x = 1 - x;
  double s = eighth_sin(x), c = eighth_cos(x);
  if ((octant + 1) & 2) {  /* 1, 2, 5, 6: nearer to the vertical */
    double swap = s;
    s = c;
    c = swap;
  }
  *sine = (octant >= 4) ? -s : s;
  *cosine = (octant >= 2 && octant < 6) ? -c : c;
}

/* Two independent standard normal numbers from u in (0, 1] and v in [0, 1): G.
** E. P. Box and M. E. Muller, 1958. */
RANDOM_FN void box_muller (double u, double v, double out[2]) {
  double r = sqrt(-2 * random_log(u)), s, c;
  random_sincos(v, &s, &c);
  out[0] = r * c;
  out[1] = r * s;
}

/* The high half of a product. */
RANDOM_FN uint64_t high64 (uint64_t a, uint64_t b) {
#if defined(__CUDACC__)
  return __umul64hi(a, b);
#else
  return (uint64_t)((unsigned __int128)a * b >> 64);
#endif
}

/*
** An integer below 'range' (0: 2^32): floor(x * range / 2^64) of the 64 bits x.
** Each one comes for 2^64 / range of the x, rounded down or up. So its
** probability is off by less than 2^-64, which is less than 2^-32 of it.
*/
RANDOM_FN uint32_t below_32 (uint32_t high, uint32_t low, uint32_t range) {
  uint64_t part = (uint64_t)low * range >> 32;
  uint32_t whole = (uint32_t)(((uint64_t)high * range + part) >> 32);
  return range == 0 ? high : whole;
}

/* An integer below 'range' (0: 2^64) from 128 bits: each one's probability is
** off by less than 2^-64. */
RANDOM_FN uint64_t below (const uint32_t x[4], uint64_t range) {
  uint64_t high = (uint64_t)x[0] << 32 | x[1];
  uint64_t low = (uint64_t)x[2] << 32 | x[3];
  if (range == 0)
    return high;
  uint64_t whole = high * range, part = high64(low, range);
  return high64(high, range) + (whole + part < whole);
}

/* ==} */

/* {== in float32: to two or three units of the last place ============= */

/* -log(1 - g), 0 <= g <= 1/2: g + g^2/2 + g^3/3 ..., all of one sign, with
** coefficients that minimise the greatest relative error: 2^-25.3. */
RANDOM_FN float log_tail_f32 (float g) {
  float sum = 1.41457093f;
  sum = sum * g - 1.63963553f;
  sum = sum * g + 1.20875076f;
  sum = sum * g - 0.180967610f;
  sum = sum * g + 0.263694462f;
  sum = sum * g + 0.243682170f;
  sum = sum * g + 0.333632147f;
  sum = sum * g + 0.499995217f;
  return g + g * g * sum;
}

/* The number in [1/2, 1) with the fraction of 'bits'. */
RANDOM_FN float fraction_f32 (uint32_t bits) {
  float m;
  bits = (bits & 0x7FFFFFu) | 0x3F000000u;
  memcpy(&m, &bits, sizeof m);
  return m;
}

/* -log(x), x > 0, not subnormal: x = m / 2^k. */
RANDOM_FN float minus_log_f32 (float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  float k = (float)(126 - (int32_t)(bits >> 23));
  return k * 0.693147181f + log_tail_f32(1 - fraction_f32(bits));
}

/*
** -log(u), u = (x + 1/2) / 2^32, to all digits where u is near 0 or 1. With x
** as a signed number, t = x + 1/2 is small at both ends. A negative t stands
** for u - 1, so g is 1 - u directly; else u is t / 2^32 = m / 2^k. No term is
** negative, so none cancels another. k is 158 less the exponent, computed with
** 2^23 added to both, because a GPU converts integers a quarter as fast as it
** adds.
*/
RANDOM_FN float minus_log_word (uint32_t x) {
  float t = (float)(int32_t)x + 0.5f;
  int over = (int32_t)x < 0;
  uint32_t bits;
  memcpy(&bits, &t, sizeof bits);
  float below = 1 - fraction_f32(bits), above = t * -0x1p-32f;
  uint32_t whole = over ? 0x4B00009Eu : (bits >> 23 | 0x4B000000u);
  float k;
  memcpy(&k, &whole, sizeof k);
  return (8388766.0f - k) * 0.693147181f + log_tail_f32(over ? above : below);
}

/*
** sin and cos of 2 pi * x / 2^32: by quarters of the circle, each around one of
** the axes. The lower bits of x, as a signed number, give the place in the
** quarter, t from -1/2 to 1/2. pi/2 is a float32 and a rest.
*/
RANDOM_FN void sincos_word (uint32_t x, float *sine, float *cosine) {
  float t = (float)(int32_t)(x << 2) * 0x1p-32f, t2 = t * t;
  float s = t2 * -0.00460165758f + 0.0796800327f;
  s = t2 * s - 0.645963460f;
  s = 1.57079637f * t + t * (t2 * s - 4.87983730e-8f);
  float c = t2 * 0.000904021553f - 0.0208602885f;
  c = t2 * c + 0.253669244f;
  c = 1 + t2 * (t2 * c - 1.23370054f);
  uint32_t quarter = x + 0x20000000u, next = quarter + 0x40000000u;
  int upright = (quarter & 0x40000000u) != 0;  /* around the other axis */
  float one = upright ? c : s, other = upright ? s : c;
  *sine = (quarter & 0x80000000u) ? -one : one;
  *cosine = (next & 0x80000000u) ? -other : other;
}

/* e^-x, x >= 0, to float32's digits in float64's range, from 2^-1020 on;
** smaller results are 0. x = k log(2) + r. */
RANDOM_FN double exp_minus (double x) {
  if (!(x < 707))
    return 0;
  int k = (int)(x * 1.44269504088896340736 + 0.5);
  float r = (float)(x - (double)k * 0.69314718055994530942);
  float sum = r * 0.00138368253f - 0.00837481558f;
  sum = sum * r + 0.0416682260f;
  sum = sum * r - 0.166664202f;
  sum = sum * r + 0.499999921f;
  sum = sum * r - 1.00000004f;
  return (double)(1 + r * sum) * two_to(-k);
}

/* box_muller of u = (x + 1/2) / 2^32 and v = y / 2^32. */
RANDOM_FN void box_muller_f32 (uint32_t x, uint32_t y, float out[2]) {
  float l = minus_log_word(x), r = sqrtf(l + l), s, c;
  sincos_word(y, &s, &c);
  out[0] = r * c;
  out[1] = r * s;
}

/* ==} */

#endif
