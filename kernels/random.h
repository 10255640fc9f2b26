/*
** random.h - random numbers with a fixed number of words each, from one value
** of the counter.
*/
#ifndef TIDE_RANDOM_H
#define TIDE_RANDOM_H

#include "random_words.h"

/*
** DRAW(kernel, T, count, A, ...): computes z[k], the 'count' elements of type T
** from one value of the counter, from the words x and parameters a and b of
** type A.
*/
#define UNIT_f32(x, k) ((double)((x)[k] >> 8) * 0x1p-24)
#define UNIT_f64(x, k) \
  (bits53((x)[2 * (k)], (x)[2 * (k) + 1]) * 0x1p-53)

/* In [a, b): a number that rounding takes to b becomes a. */
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

/* Mean a, deviation b, both as float32. The error is a unit of the last place
** of a, and some units of b times the number. Written out, so that compilers
** make vectors of several counter values. */
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

/* Mean a: the logarithm of u in (0, 1]; b is not used. No number is -0. */
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

/* One of 'b' numbers from a on; 'bits' is the element size, because addition
** wraps around. Up to b = 2^32 a value of the counter gives two, else one. */
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

#endif
