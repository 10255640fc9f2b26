/*
** random.h - random numbers as functions of a key and a counter: the same bits
** in C and in CUDA C++, since nothing here is fused (both are compiled so) and
** nothing calls a mathematical library but sqrt, which is exact everywhere.
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

/* Round i of the words c. */
RANDOM_FN void philox_round (uint64_t key, uint32_t i, uint32_t c[4]) {
  uint32_t k0 = (uint32_t)key + i * 0x9E3779B9u;
  uint32_t k1 = (uint32_t)(key >> 32) + i * 0xBB67AE85u;
  uint64_t p0 = (uint64_t)0xD2511F53u * c[0];
  uint64_t p1 = (uint64_t)0xCD9E8D57u * c[2];
  c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0;
  c[1] = (uint32_t)p1;
  c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
  c[3] = (uint32_t)p0;
}

/* Four random words for counter (low, high). */
RANDOM_FN void philox (uint64_t key, uint64_t low, uint64_t high,
                       uint32_t out[4]) {
  out[0] = (uint32_t)low;
  out[1] = (uint32_t)(low >> 32);
  out[2] = (uint32_t)high;
  out[3] = (uint32_t)(high >> 32);
  for (uint32_t i = 0; i < PHILOX_ROUNDS; i++)
    philox_round(key, i, out);
}

/* {== from words to numbers =========================================== */

/* The upper 53 bits of two words, exactly: of 32 bits each, which compilers
** convert in vectors. */
RANDOM_FN double bits53 (uint32_t high, uint32_t low) {
  return (double)high * 0x1p21 + (double)(low >> 11);
}

/*
** Natural logarithm of x in (0, 1]: x = 2^e * m with m near 1, and log m =
** 2 * (s + s^3/3 + s^5/5 ...) where s = (m - 1) / (m + 1), |s| < 0.172.
*/
RANDOM_FN double random_log (double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  /* 0x6A09E667F3BCD is the fraction of sqrt(2) */
  int up = (int64_t)(bits & 0xFFFFFFFFFFFFFu) > 0x6A09E667F3BCD;
  int e = (int)(bits >> 52) - 1023 + up;
  bits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)(1023 - up) << 52;
  double m, sum = 0;
  memcpy(&m, &bits, sizeof m);
  double s = (m - 1) / (m + 1), s2 = s * s;
  for (int k = 23; k >= 3; k -= 2)
    sum = s2 * (1.0 / k + sum);
  /* log(2) as a number with 32 bits and the rest */
  double lead = (double)e * 0x1.62e42fee00000p-1;
  double rest = (double)e * 0x1.a39ef35793c76p-33;
  return lead + (2 * s + (rest + 2 * s * sum));
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

/* Mean a, deviation b. Written out, as compilers make vectors of several
** counter values. */
RANDOM_FN void draw_normal_f32 (const uint32_t x[4], double a, double b,
                                float z[4]) {
  double m[2], n[2];
  box_muller(((double)x[0] + 0.5) * 0x1p-32, (double)x[1] * 0x1p-32, m);
  box_muller(((double)x[2] + 0.5) * 0x1p-32, (double)x[3] * 0x1p-32, n);
  z[0] = (float)(a + b * m[0]);
  z[1] = (float)(a + b * m[1]);
  z[2] = (float)(a + b * n[0]);
  z[3] = (float)(a + b * n[1]);
}

RANDOM_FN void draw_normal_f64 (const uint32_t x[4], double a, double b,
                                double z[2]) {
  double n[2];
  box_muller((bits53(x[0], x[1]) + 0.5) * 0x1p-53, UNIT_f64(x, 1), n);
  z[0] = a + b * n[0];
  z[1] = a + b * n[1];
}

/* Mean a: the logarithm of u in (0, 1]; b is not used. What is
** subtracted from 0 is no -0. */
RANDOM_FN void draw_exponential_f32 (const uint32_t x[4], double a, double b,
                                     float z[4]) {
  (void)b;
  for (int k = 0; k < 4; k++)
    z[k] = (float)(0 - a * random_log(((double)x[k] + 0.5) * 0x1p-32));
}

RANDOM_FN void draw_exponential_f64 (const uint32_t x[4], double a, double b,
                                     double z[2]) {
  (void)b;
  for (int k = 0; k < 2; k++) {
    double u = (bits53(x[2 * k], x[2 * k + 1]) + 0.5) * 0x1p-53;
    z[k] = 0 - a * random_log(u);
  }
}

/* From a on, 'b' different ones; by size, as adding wraps around. */
#define RANDINT(bits) \
  RANDOM_FN void draw_randint_##bits (const uint32_t x[4], int64_t a, \
                                      int64_t b, uint##bits##_t z[1]) { \
    z[0] = (uint##bits##_t)((uint64_t)a + below(x, (uint64_t)b)); \
  }
RANDINT(8)
RANDINT(16)
RANDINT(32)
RANDINT(64)

/* M(name, type of the parameters, element, elements for a counter value) */
#define RANDOM_KERNELS(M) \
  M(uniform_f32, double, float, 4) \
  M(uniform_f64, double, double, 2) \
  M(normal_f32, double, float, 4) \
  M(normal_f64, double, double, 2) \
  M(exponential_f32, double, float, 4) \
  M(exponential_f64, double, double, 2) \
  M(randint_8, int64_t, uint8_t, 1) \
  M(randint_16, int64_t, uint16_t, 1) \
  M(randint_32, int64_t, uint32_t, 1) \
  M(randint_64, int64_t, uint64_t, 1)

/* ==} */

#endif
