/*
** random.h - random numbers as functions of a key and a counter: the same bits
** in C and in CUDA C++, since nothing here is fused (both are compiled so) and
** nothing calls a mathematical library but sqrt, which is exact everywhere.
** Numbers of type float32 are computed in float32: a GPU has twice as many
** units for it as for float64, and vectors of the host have twice the lanes.
**
** Philox4x32-10 is by J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw,
** "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
*/
#ifndef TIDE_RANDOM_H
#define TIDE_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define RANDOM_FN static __device__ __forceinline__
#else
#define RANDOM_FN static inline
#endif

/* A device's generator, in the memory of the device. Each kernel that draws
** numbers reads the counter and leaves it after the last one it took. */
typedef struct RandomState {
  uint64_t key;      /* the seed */
  uint64_t counter;  /* the next value of the low half */
  uint64_t epoch;    /* the high half: how often the memory was lost */
  uint32_t tickets;  /* blocks of a launch that have read the above */
} RandomState;

enum { PHILOX_ROUNDS = 10 };

/* What each round adds to the key: the same for all counters. */
typedef struct PhiloxKeys {
  uint32_t at[PHILOX_ROUNDS][2];
} PhiloxKeys;

RANDOM_FN PhiloxKeys philox_keys (uint64_t key) {
  PhiloxKeys k;
  for (uint32_t i = 0; i < PHILOX_ROUNDS; i++) {
    k.at[i][0] = (uint32_t)key + i * 0x9E3779B9u;
    k.at[i][1] = (uint32_t)(key >> 32) + i * 0xBB67AE85u;
  }
  return k;
}

/* A round of the words c. */
RANDOM_FN void philox_round (const uint32_t key[2], uint32_t c[4]) {
  uint64_t p0 = (uint64_t)0xD2511F53u * c[0];
  uint64_t p1 = (uint64_t)0xCD9E8D57u * c[2];
  c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ key[0];
  c[1] = (uint32_t)p1;
  c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ key[1];
  c[3] = (uint32_t)p0;
}

/* Four random words for counter (low, high). */
RANDOM_FN void philox (const PhiloxKeys *keys, uint64_t low, uint64_t high,
                       uint32_t out[4]) {
  out[0] = (uint32_t)low;
  out[1] = (uint32_t)(low >> 32);
  out[2] = (uint32_t)high;
  out[3] = (uint32_t)(high >> 32);
  for (int i = 0; i < PHILOX_ROUNDS; i++)
    philox_round(keys->at[i], out);
}

/* {== from words to numbers =========================================== */

/* The upper 53 bits of two words, exactly: of 32 bits each, which compilers
** convert in vectors. */
RANDOM_FN double bits53 (uint32_t high, uint32_t low) {
  return (double)high * 0x1p21 + (double)(low >> 11);
}

/* s^2/3 + s^4/5 + s^6/7 ..., |s| < 0.172: 2 * (s + s * that) is the logarithm
** of (1 + s) / (1 - s). */
RANDOM_FN double log_series (double s2) {
  double sum = 0;
  for (int k = 23; k >= 3; k -= 2)
    sum = s2 * (1.0 / k + sum);
  return sum;
}

/*
** Natural logarithm of x > 0, which is no subnormal number: x = 2^e * m with m
** near 1, and log m by the series of s = (m - 1) / (m + 1).
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
  /* log(2) as a number with 32 bits and the rest */
  double lead = (double)e * 0x1.62e42fee00000p-1;
  double rest = (double)e * 0x1.a39ef35793c76p-33;
  return lead + (2 * s + (rest + 2 * s * sum));
}

/* log(1 - p), 0 <= p <= 1/2. */
RANDOM_FN double log_complement (double p) {
  double s = p / (2 - p);
  return p < 0.25 ? -2 * (s + s * log_series(s * s)) : random_log(1 - p);
}

/* 2^k, a normal number. */
RANDOM_FN double two_to (int k) {
  uint64_t bits = (uint64_t)(k + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* e^x, x <= 0: x = k * log(2) + r with r near 0, and e^r by its series. The
** power of 2 in two steps, as what comes out may be subnormal. */
RANDOM_FN double random_exp (double x) {
  if (!(x > -746))
    return 0;
  int k = (int)(x * 1.44269504088896340736 - 0.5);
  double r = x - (double)k * 0x1.62e42fee00000p-1;
  r = r - (double)k * 0x1.a39ef35793c76p-33;
  double sum = 1;
  for (int n = 13; n >= 1; n--)
    sum = 1 + r * (1.0 / n) * sum;
  return sum * two_to(k / 2) * two_to(k - k / 2);
}

/* sin and cos of pi/4 * x, 0 <= x <= 1, by their series. */
RANDOM_FN double eighth_sin (double x) {
  double a = 0.78539816339744830962 * x, a2 = a * a, sum = 0;
  for (int k = 17; k >= 3; k -= 2)
    sum = -a2 * (1.0 / (k * (k - 1))) * (1 + sum);
  return a + a * sum;
}

RANDOM_FN double eighth_cos (double x) {
  double a = 0.78539816339744830962 * x, a2 = a * a, sum = 0;
  for (int k = 18; k >= 4; k -= 2)
    sum = -a2 * (1.0 / (k * (k - 1))) * (1 + sum);
  return 1 - 0.5 * a2 * (1 + sum);
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

/* Two independent numbers of mean 0 and deviation 1 from u in (0, 1] and v in
** [0, 1): G. E. P. Box and M. E. Muller, 1958. */
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
** A whole number below 'range' (0: 2^32): floor(x * range / 2^64) of the 64
** bits x. So each one comes for 2^64 / range of the x, rounded down or up: its
** share is off by less than 2^-64, which is less than 2^-32 of that share.
*/
RANDOM_FN uint32_t below_32 (uint32_t high, uint32_t low, uint32_t range) {
  uint64_t part = (uint64_t)low * range >> 32;
  uint32_t whole = (uint32_t)(((uint64_t)high * range + part) >> 32);
  return range == 0 ? high : whole;
}

/* A whole number below 'range' (0: 2^64) from 128 bits: each one's share is
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

/* {== the same in float32: to two or three units of the last place ===== */

/* -log(1 - g), 0 <= g <= 1/2: g + g^2/2 + g^3/3 ..., all of one sign, with the
** coefficients whose greatest relative error is the least: 2^-25.3. */
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

/* -log(x), x > 0, which is no subnormal number: x = m / 2^k. */
RANDOM_FN float minus_log_f32 (float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  float k = (float)(126 - (int32_t)(bits >> 23));
  return k * 0.693147181f + log_tail_f32(1 - fraction_f32(bits));
}

/*
** -log(u), u = (x + 1/2) / 2^32, to all digits where u is near 0 or 1. With x
** as a signed number, t = x + 1/2 is small at both ends: below 0 it stands for
** u - 1, so g is 1 - u as it is; else u is t / 2^32 = m / 2^k. No term is
** negative, so none cancels another.
*/
RANDOM_FN float minus_log_word (uint32_t x) {
  float t = (float)(int32_t)x + 0.5f;
  int over = (int32_t)x < 0;
  uint32_t bits;
  memcpy(&bits, &t, sizeof bits);
  float below = 1 - fraction_f32(bits), above = t * -0x1p-32f;
  int32_t k = 158 - (int32_t)(bits >> 23);
  return (float)(over ? 0 : k) * 0.693147181f +
         log_tail_f32(over ? above : below);
}

/*
** sin and cos of 2 pi * x / 2^32: by quarters of the circle, each around one of
** the axes. Where in the quarter, t from -1/2 to 1/2, is what the lower bits of
** x say as a signed number. pi/2 is a float32 and the rest.
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

/* e^-x, x >= 0, to float32's digits in float64's range, from 2^-1020 on; less
** is 0. x = k log(2) + r. */
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

/* {== what a counter value is turned into ============================= */

/*
** DRAW(kernel, T, count, A, ...): the 'count' elements of type T that one
** value of the counter gives, z[k], from the words x and parameters a and b
** of type A.
*/
#define UNIT_f32(x, k) ((double)((x)[k] >> 8) * 0x1p-24)
#define UNIT_f64(x, k) \
  (bits53((x)[2 * (k)], (x)[2 * (k) + 1]) * 0x1p-53)

/* In [a, b): what rounding takes to b is a. */
#define UNIFORM(s, T, count) \
  RANDOM_FN void draw_uniform_##s (const uint32_t x[4], double a, double b, \
                                   T z[count]) { \
    for (int k = 0; k < count; k++) { \
      T v = (T)(a + (b - a) * UNIT_##s(x, k)); \
      z[k] = ((double)v < b) ? v : (T)a; \
    } \
  }
UNIFORM(f32, float, 4)
UNIFORM(f64, double, 2)

/* Mean a, deviation b, both as float32: what comes is off by a unit of the last
** place of a and some of b times the number. Written out, as compilers make
** vectors of several counter values. */
RANDOM_FN void draw_normal_f32 (const uint32_t x[4], double a, double b,
                                float z[4]) {
  float m[2], n[2], mean = (float)a, std = (float)b;
  box_muller_f32(x[0], x[1], m);
  box_muller_f32(x[2], x[3], n);
  z[0] = mean + std * m[0];
  z[1] = mean + std * m[1];
  z[2] = mean + std * n[0];
  z[3] = mean + std * n[1];
}

RANDOM_FN void draw_normal_f64 (const uint32_t x[4], double a, double b,
                                double z[2]) {
  double n[2];
  box_muller((bits53(x[0], x[1]) + 0.5) * 0x1p-53, UNIT_f64(x, 1), n);
  z[0] = a + b * n[0];
  z[1] = a + b * n[1];
}

/* Mean a: the logarithm of u in (0, 1]; b is not used. None is -0. */
RANDOM_FN void draw_exponential_f32 (const uint32_t x[4], double a, double b,
                                     float z[4]) {
  float mean = (float)a;
  (void)b;
  for (int k = 0; k < 4; k++)
    z[k] = mean * minus_log_word(x[k]);
}

RANDOM_FN void draw_exponential_f64 (const uint32_t x[4], double a, double b,
                                     double z[2]) {
  (void)b;
  for (int k = 0; k < 2; k++) {
    double u = (bits53(x[2 * k], x[2 * k + 1]) + 0.5) * 0x1p-53;
    z[k] = 0 - a * random_log(u);
  }
}

/* From a on, 'b' different ones; by size, as adding wraps around. Up to 2^32 of
** them two at a time, else one. */
#define RANDINT(bits) \
  RANDOM_FN void draw_randint_##bits (const uint32_t x[4], int64_t a, \
                                      int64_t b, uint##bits##_t z[2]) { \
    for (int k = 0; k < 2; k++) \
      z[k] = (uint##bits##_t)((uint64_t)a + below_32(x[2 * k], x[2 * k + 1], \
                                                     (uint32_t)b)); \
  }
RANDINT(8)
RANDINT(16)
RANDINT(32)
RANDINT(64)

RANDOM_FN void draw_randint_wide (const uint32_t x[4], int64_t a, int64_t b,
                                  uint64_t z[1]) {
  z[0] = (uint64_t)a + below(x, (uint64_t)b);
}

/* M(name, type of the parameters, element, elements for a counter value) */
#define RANDOM_KERNELS(M) \
  M(uniform_f32, double, float, 4) \
  M(uniform_f64, double, double, 2) \
  M(normal_f32, double, float, 4) \
  M(normal_f64, double, double, 2) \
  M(exponential_f32, double, float, 4) \
  M(exponential_f64, double, double, 2) \
  M(randint_8, int64_t, uint8_t, 2) \
  M(randint_16, int64_t, uint16_t, 2) \
  M(randint_32, int64_t, uint32_t, 2) \
  M(randint_64, int64_t, uint64_t, 2) \
  M(randint_wide, int64_t, uint64_t, 1)

/* ==} */

/* {== what takes as many words as it needs ============================ */

/* Where the words of one element come from: its value of the counter, whose
** high half counts from bit 32 on how many were taken before. */
typedef struct Words {
  const PhiloxKeys *keys;
  uint64_t low, high;
} Words;

RANDOM_FN void skip_words (Words *w) {
  w->high += (uint64_t)1 << 32;
}

RANDOM_FN void next_words (Words *w, uint32_t x[4]) {
  philox(w->keys, w->low, w->high, x);
  skip_words(w);
}

/* Number k of the two in (0, 1] that four words make. */
RANDOM_FN double over_0 (const uint32_t x[4], int k) {
  return (bits53(x[2 * k], x[2 * k + 1]) + 0.5) * 0x1p-53;
}

#define NO_NUMBER (0.0 / 0.0)

/*
** Of shape k >= 1: G. Marsaglia and W. W. Tsang, "A simple method for
** generating gamma variables", ACM TOMS 26, 2000. '*spare' is a number in
** (0, 1] besides.
*/
RANDOM_FN double gamma_from_1 (Words *w, double k, double *spare) {
  const double d = k - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    uint32_t x[4], y[4];
    double n[2];
    next_words(w, x);
    next_words(w, y);
    box_muller(over_0(x, 0), UNIT_f64(x, 1), n);
    const double root = 1 + c * n[0], n2 = n[0] * n[0];
    if (root <= 0)
      continue;
    const double v = root * root * root, u = over_0(y, 0);
    *spare = over_0(y, 1);
    if (u < 1 - 0.0331 * n2 * n2 ||
        random_log(u) < 0.5 * n2 + d * (1 - v + random_log(v)))
      return d * v;
  }
}

/* Of any shape k > 0; the smaller ones as the authors say. */
RANDOM_FN double standard_gamma (Words *w, double k) {
  double spare;
  if (k >= 1)
    return gamma_from_1(w, k, &spare);
  const double g = gamma_from_1(w, k + 1, &spare);
  return g * random_exp(random_log(spare) / k);
}

/* Shape k, times 'scale'. */
RANDOM_FN double draw_gamma (Words *w, double k, double scale) {
  if (!(k >= 0 && k < HUGE_VAL && scale >= 0 && scale < HUGE_VAL))
    return NO_NUMBER;
  return k == 0 || scale == 0 ? 0 : standard_gamma(w, k) * scale;
}

/*
** The same in float32. With w = c * n, where v = (1 + w)^3, the logarithm of
** what u is compared with is -3 d * (w - w^2/2 + w^3/3 - log(1 + w)), as n^2 is
** 9 d w^2: what the logarithm's series has left after three terms, so nothing
** large is subtracted from something as large.
*/
typedef struct GammaF32 {
  float slope, d3;     /* c: 1 / sqrt(9 d); 3 d */
  float front;         /* d * scale: what v is multiplied by */
  double wide, shape;  /* that in float64, and k, if k < 1; else 'shape' is 0 */
} GammaF32;

/* What makes no sense is NaN times v, and nothing is 0 times v. */
RANDOM_FN GammaF32 gamma_f32 (double k, double scale) {
  GammaF32 g;
  const int makes_sense = k >= 0 && k < HUGE_VAL && scale >= 0 &&
                          scale < HUGE_VAL;
  const int some = makes_sense && k > 0 && scale > 0;
  const double whole = !some ? 1 : k < 1 ? k + 1 : k, d = whole - 1.0 / 3;
  const float most = (float)(d < 1e30 ? d : 1e30);
  g.slope = 1 / sqrtf(9 * most);
  g.d3 = 3 * most;
  g.wide = some ? d * scale : makes_sense ? 0 : NO_NUMBER;
  g.front = (float)g.wide;
  g.shape = some && k < 1 ? k : 0;
  return g;
}

/*
** Is v from normal number n taken, u being (x + 1/2) / 2^32? -log(u) is more
** than 1 - u, which takes most. Of c below 1/27, where |w| < 1/4 as |n| < 6.8,
** the rest of the series by its terms; else as it stands, where 3 d is less
** than 250, and its error of 2^-23 nothing.
*/
RANDOM_FN int gamma_takes (float c, float d3, float n, uint32_t x, float *v) {
  const float w = c * n, root = 1 + w, w2 = w * w;
  float rest;
  if (c < 0.036f)
    rest = w2 * w2 * (0.250000831f + w * (-0.200001222f + w * (0.166428794f +
           w * (-0.142610764f + w * (0.134965209f + w * -0.120561690f)))));
  else
    rest = w - w2 * (0.5f - w * 0.333333333f) + minus_log_f32(root);
  const float limit = d3 * rest;
  const float less = (float)(int32_t)(~x >> 1) * 0x1p-31f;  /* 1 - u */
  *v = root * root * root;
  return root > 0 && (less > limit || minus_log_word(x) > limit);
}

/* What v makes: as it is, or the smaller shape's, by more words. */
RANDOM_FN float gamma_of (Words *w, const GammaF32 *g, float v) {
  uint32_t x[4];
  if (g->shape == 0)
    return g->front * v;
  next_words(w, x);
  return (float)(g->wide * v * exp_minus(minus_log_word(x[0]) / g->shape));
}

/* Four words are two tries. */
RANDOM_FN float draw_gamma_f32 (Words *w, const GammaF32 *g) {
  uint32_t x[4];
  float n[2], v;
  do {
    next_words(w, x);
    box_muller_f32(x[0], x[1], n);
  } while (!gamma_takes(g->slope, g->d3, n[0], x[2], &v) &&
           !gamma_takes(g->slope, g->d3, n[1], x[3], &v));
  return gamma_of(w, g, v);
}

/* u^(1/a) / (u^(1/a) + v^(1/b)) for those u and v where the sum is at most 1:
** M. D. Joehnk, 1964; by logarithms, as a and b may be so small that neither is
** a number that there is. */
RANDOM_FN double beta_to_1 (Words *w, double a, double b) {
  for (;;) {
    uint32_t words[4];
    next_words(w, words);
    const double u = random_log(over_0(words, 0));
    const double v = random_log(over_0(words, 1));
    const double x = u / a, y = v / b, most = x > y ? x : y;
    if (most < -1e300) {
      const double greater = a > b ? a : b;
      return u * (b / greater) > v * (a / greater);
    }
    const double part = random_exp(x - most);
    const double sum = part + random_exp(y - most);
    if (most + random_log(sum) <= 0)
      return part / sum;
  }
}

/* By two of gamma where one of a and b is more than 1. */
RANDOM_FN double draw_beta (Words *w, double a, double b) {
  if (!(a > 0 && a < HUGE_VAL && b > 0 && b < HUGE_VAL))
    return NO_NUMBER;
  if (a <= 1 && b <= 1)
    return beta_to_1(w, a, b);
  const double x = standard_gamma(w, a), y = standard_gamma(w, b);
  return 1 / (1 + y / x);
}

/*
** Logarithms of probabilities, which keep their digits where numbers are large:
** C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
** What Stirling's formula lacks of log(n!), n > 0:
*/
RANDOM_FN double stirling_rest (double n) {
  static const double few[] = {
    0, 0.0810614667953272582196702, 0.0413406959554092940938221,
    0.02767792568499833914878929, 0.02079067210376509311152277,
    0.01664469118982119216319487, 0.01387612882307074799874573,
    0.01189670994589177009505572, 0.010411265261972096497478567,
    0.009255462182712732917728637, 0.008330563433362871256469318,
    0.007573675487951840794972024, 0.006942840107209529865664152,
    0.006408994188004207068439631, 0.005951370112758847735624416,
    0.005554733551962801371038690
  };
  const double m = 1 / (n * n);
  if (n < 16)
    return few[(int)n];
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 * m) *
                                                m) * m) * m) / n;
}

/* x log(x / m) + m - x: 0 where x is m. */
RANDOM_FN double deviance (double x, double m) {
  const double far = x - m;
  if (!(fabs(far) < 0.1 * (x + m)))
    return x * random_log(x / m) + m - x;
  const double v = far / (x + m);
  double sum = 0, power = 2 * x * v;
  for (int k = 3; k <= 21; k += 2) {
    power = power * (v * v);
    sum = sum + power * (1.0 / k);
  }
  return far * v + sum;
}

#define TWO_PI 6.28318530717958647693

RANDOM_FN double log_poisson (double k, double lam) {
  if (k == 0)
    return -lam;
  return -stirling_rest(k) - deviance(k, lam) - 0.5 * random_log(TWO_PI * k);
}

RANDOM_FN double log_binomial (double k, double n, double p) {
  const double q = 1 - p, rest = n - k;
  if (k == 0)
    return n * log_complement(p);
  if (rest == 0)
    return n * random_log(p);
  return stirling_rest(n) - stirling_rest(k) - stirling_rest(rest) -
         deviance(k, n * p) - deviance(rest, n * q) +
         0.5 * random_log(n / (TWO_PI * k) / rest);
}

/* The probabilities from 0 on are added up until they pass u. So far in the
** tail that rounding would count, it is the end. */
RANDOM_FN double poisson_few (Words *w, double lam) {
  uint32_t x[4];
  next_words(w, x);
  const double u = UNIT_f64(x, 0);
  double p = random_exp(-lam), sum = p, k = 0;
  while (u >= sum && (k < lam || p > 0x1p-60)) {
    k = k + 1;
    p = p * (lam / k);
    sum = sum + p;
  }
  return k;
}

/* lam >= 10: W. Hoermann, "The transformed rejection method for generating
** Poisson random variables", 1993: algorithm PTRS. What follows from lam. */
typedef struct Poisson {
  double lam, a, b, scale, sure;
} Poisson;

RANDOM_FN Poisson poisson_of (double lam) {
  Poisson p;
  p.lam = lam;
  p.b = 0.931 + 2.53 * sqrt(lam);
  p.a = -0.059 + 0.02483 * p.b;
  p.scale = 1.1239 + 1.1328 / (p.b - 3.4);
  p.sure = 0.9277 - 3.6224 / (p.b - 2);
  return p;
}

/* A try is four words: k, unless v is too much for where it is. */
typedef struct PoissonTry {
  double us, v, k;
} PoissonTry;

RANDOM_FN PoissonTry poisson_try (Words *w, const Poisson *p) {
  uint32_t x[4];
  PoissonTry t;
  next_words(w, x);
  const double u = over_0(x, 0) - 0.5;
  t.v = over_0(x, 1);
  t.us = 0.5 - fabs(u);
  t.k = floor((2 * p->a / t.us + p->b) * u + p->lam + 0.43);
  return t;
}

/* Is k taken? About half of them surely, which costs nothing to find out. */
RANDOM_FN int poisson_sure (const Poisson *p, const PoissonTry *t) {
  return t->us >= 0.07 && t->v <= p->sure;
}

RANDOM_FN int poisson_takes (const Poisson *p, const PoissonTry *t) {
  if (t->k < 0 || (t->us < 0.013 && t->v > t->us))
    return 0;
  return random_log(t->v * p->scale / (p->a / (t->us * t->us) + p->b)) <=
         log_poisson(t->k, p->lam);
}

RANDOM_FN double poisson_many (Words *w, const Poisson *p) {
  for (;;) {
    const PoissonTry t = poisson_try(w, p);
    if (poisson_sure(p, &t) || poisson_takes(p, &t))
      return t.k;
  }
}

RANDOM_FN int is_lam (double lam) { return lam >= 0 && lam <= 0x1p62; }

RANDOM_FN int64_t draw_poisson (Words *w, double lam) {
  if (!is_lam(lam))
    return -1;
  if (lam < 10)
    return (int64_t)poisson_few(w, lam);
  const Poisson p = poisson_of(lam);
  return (int64_t)poisson_many(w, &p);
}

/* poisson_few's way, for p <= 1/2. */
RANDOM_FN double binomial_few (Words *w, double n, double p) {
  uint32_t x[4];
  next_words(w, x);
  const double u = UNIT_f64(x, 0), odds = p / (1 - p);
  double share = random_exp(n * log_complement(p)), sum = share, k = 0;
  while (u >= sum && k < n && (k < n * p || share > 0x1p-60)) {
    share = share * (odds * (n - k) / (k + 1));
    k = k + 1;
    sum = sum + share;
  }
  return k;
}

/* n * p >= 10, p <= 1/2: W. Hoermann, "The generation of binomial random
** variates", Journal of Statistical Computation and Simulation 46, 1993:
** algorithm BTRS. */
RANDOM_FN double binomial_many (Words *w, double n, double p) {
  const double wide = sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * wide, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double scale = (2.83 + 5.1 / b) * wide, sure = 0.92 - 4.2 / b;
  const double likeliest = log_binomial(floor((n + 1) * p), n, p);
  for (;;) {
    uint32_t x[4];
    next_words(w, x);
    const double u = over_0(x, 0) - 0.5, v = over_0(x, 1);
    const double us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + n * p + 0.5);
    if (us >= 0.07 && v <= sure)
      return k;
    if (!(k >= 0 && k <= n))
      continue;
    if (random_log(v * scale / (a / (us * us) + b)) <=
        log_binomial(k, n, p) - likeliest)
      return k;
  }
}

RANDOM_FN int64_t draw_binomial (Words *w, double n, double p) {
  if (!(n >= 0 && n <= 0x1p53 && p >= 0 && p <= 1))
    return -1;
  const double less = p > 0.5 ? 1 - p : p;
  const double k = n * less < 10 ? binomial_few(w, n, less) :
                                   binomial_many(w, n, less);
  return (int64_t)(p > 0.5 ? n - k : k);
}

/* M(name, what draws one, element) */
#define REJECTION_KERNELS(M) \
  M(random_gamma_f64, gamma, double) \
  M(random_beta_f32, beta, float) \
  M(random_beta_f64, beta, double) \
  M(random_binomial_i64, binomial, int64_t)

/* ==} */

#endif
