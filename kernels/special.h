/*
** special.h - functions that C's <math.h> lacks or defines otherwise than
** NumPy: special functions, and functions that take floats apart. The latter
** work on the bits, without branches, so that loops of them are vectorised.
**
** Valid C and CUDA C++; included by ops.h, which defines FN and NAME.
*/
#ifndef TIDE_SPECIAL_H
#define TIDE_SPECIAL_H

#include "half.h"

/* {== error function and gamma function =============================== */

/*
** The inverse of erf. CUDA has one. On the host it is by M. Giles,
** "Approximating the erfinv function" (GPU Computing Gems, Jade Edition, 2011):
** polynomials in w = -log(1 - x^2), or in the root of it further out.
*/
#if defined(__CUDACC__)
FN float inverse_erf (float x) { return erfinvf(x); }
FN double inverse_erf (double x) { return erfinv(x); }

/*
** CUDA's function has different code below and above 0.7, and most warps run
** both. From 0 to 1.25 the result is log(gamma(1 + x)) - log(x): the first term
** is x (x - 1) times a polynomial, interpolated at Chebyshev's nodes, to 2^-25.
** The error is at most 3.1 units in the last place, compared with float64.
*/
FN float log_gamma (float x) {
  if (!(x > 0 && x < 1.25f))
    return lgammaf(x);
  const float t = x - 0.625f;
  float p = fmaf(-0.000778384311f, t, 0.00138419524f);
  p = fmaf(p, t, -0.00172680811f);
  p = fmaf(p, t, 0.00317659035f);
  p = fmaf(p, t, -0.0062269905f);
  p = fmaf(p, t, 0.0120121382f);
  p = fmaf(p, t, -0.0241938652f);
  p = fmaf(p, t, 0.0525784254f);
  p = fmaf(p, t, -0.131578996f);
  p = fmaf(p, t, 0.465809645f);
  return fmaf(x * (x - 1), p, -logf(x));
}

FN double log_gamma (double x) { return lgamma(x); }
#else
static inline float inverse_erf_f32 (float x) {
  const float w = -log((1 - x) * (1 + x));
  const bool far = w >= 5;
  const float v = far ? sqrt(w) - 3 : w - 2.5f;
  float p = far ? -0.000200214257f : 2.81022636e-08f;
  p = (far ? 0.000100950558f : 3.43273939e-07f) + p * v;
  p = (far ? 0.00134934322f : -3.5233877e-06f) + p * v;
  p = (far ? -0.00367342844f : -4.39150654e-06f) + p * v;
  p = (far ? 0.00573950773f : 0.00021858087f) + p * v;
  p = (far ? -0.0076224613f : -0.00125372503f) + p * v;
  p = (far ? 0.00943887047f : -0.00417768164f) + p * v;
  p = (far ? 1.00167406f : 0.246640727f) + p * v;
  p = (far ? 2.83297682f : 1.50140941f) + p * v;
  return x * (fabs(x) == 1 ? INFINITY : p);
}

#define POLYNOMIAL(name, ...) \
  static inline double name (double v) { \
    static const double c[] = {__VA_ARGS__}; \
    double p = c[0]; \
    for (size_t i = 1; i < sizeof c / sizeof c[0]; i++) \
      p = c[i] + p * v; \
    return p; \
  }

POLYNOMIAL(inverse_erf_near,
  -3.6444120640178196996e-21, -1.685059138182016589e-19,
  1.2858480715256400167e-18, 1.115787767802518096e-17,
  -1.333171662854620906e-16, 2.0972767875968561637e-17,
  6.6376381343583238325e-15, -4.0545662729752068639e-14,
  -8.1519341976054721522e-14, 2.6335093153082322977e-12,
  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
  1.051212273321532285e-09, -4.1126339803469836976e-09,
  -2.9070369957882005086e-08, 4.2347877827932403518e-07,
  -1.3654692000834678645e-06, -1.3882523362786468719e-05,
  0.0001867342080340571352, -0.00074070253416626697512,
  -0.0060336708714301490533, 0.24015818242558961693,
  1.6536545626831027356)
POLYNOMIAL(inverse_erf_mid,
  2.2137376921775787049e-09, 9.0756561938885390979e-08,
  -2.7517406297064545428e-07, 1.8239629214389227755e-08,
  1.5027403968909827627e-06, -4.013867526981545969e-06,
  2.9234449089955446044e-06, 1.2475304481671778723e-05,
  -4.7318229009055733981e-05, 6.8284851459573175448e-05,
  2.4031110387097893999e-05, -0.0003550375203628474796,
  0.00095328937973738049703, -0.0016882755560235047313,
  0.0024914420961078508066, -0.0037512085075692412107,
  0.005370914553590063617, 1.0052589676941592334,
  3.0838856104922207635)
POLYNOMIAL(inverse_erf_far,
  -2.7109920616438573243e-11, -2.5556418169965252055e-10,
  1.5076572693500548083e-09, -3.7894654401267369937e-09,
  7.6157012080783393804e-09, -1.4960026627149240478e-08,
  2.9147953450901080826e-08, -6.7711997758452339498e-08,
  2.2900482228026654717e-07, -9.9298272942317002539e-07,
  4.5260625972231537039e-06, -1.9681778105531670567e-05,
  7.5995277030017761139e-05, -0.00021503011930044477347,
  -0.00013871931833622122026, 1.0103004648645343977,
  4.8499064014085844221)
#undef POLYNOMIAL

static inline double inverse_erf_f64 (double x) {
  const double w = -log((1 - x) * (1 + x));
  if (fabs(x) == 1)
    return x * INFINITY;
  return x * (w < 6.25 ? inverse_erf_near(w - 3.125) :
              w < 16 ? inverse_erf_mid(sqrt(w) - 3.25) :
              inverse_erf_far(sqrt(w) - 5));
}

/* C's function writes to a variable of the process, signgam. */
static inline float log_gamma_f32 (float x) {
  int sign;
  return lgammaf_r(x, &sign);
}
static inline double log_gamma_f64 (double x) {
  int sign;
  return lgamma_r(x, &sign);
}
#endif

/* ==} */

/* {== exponentials and logarithms ===================================== */

/*
** log(1 + exp(x)) of x <= 0, and the same of base 2. On the host float32 goes
** by way of float64: C's functions of several float32 at once round otherwise
** than the functions of one. So the result would depend on a number's place in
** the array.
*/
#if defined(__CUDACC__)
#define WORK float
#else
#define WORK double
#endif
FN float NAME(log1p_exp, f32) (float x) {
  return (float)log1p(exp((WORK)x));
}
FN double NAME(log1p_exp, f64) (double x) { return log1p(exp(x)); }
FN float NAME(log1p_exp2, f32) (float x) {
  return (float)((WORK)1.4426950408889634074 * log1p(exp2((WORK)x)));
}
FN double NAME(log1p_exp2, f64) (double x) {
  return 1.4426950408889634074 * log1p(exp2(x));
}
#undef WORK

/*
** They do not overflow on the way. The greater of two logarithms is taken out
** first.
*/
#define EXPONENTIALS(s, T) \
  FN T NAME(logistic, s) (T x) { \
    const T e = exp(-fabs(x)); \
    return (x >= 0 ? (T)1 : e) / (1 + e); \
  } \
  FN T NAME(log_sum, s) (T x, T y) { \
    const T d = x - y, least = -fabs(d); \
    return x == y ? x + (T)0.69314718055994530942 : \
           (d > 0 ? x : y) + NAME(log1p_exp, s)(least); \
  } \
  FN T NAME(log2_sum, s) (T x, T y) { \
    const T d = x - y, least = -fabs(d); \
    return x == y ? x + 1 : \
           (d > 0 ? x : y) + NAME(log1p_exp2, s)(least); \
  } \
  FN T NAME(log_one, s) (T x) { \
    return (x > 0 ? x : (T)0) + log1p(exp(-fabs(x))); \
  }

EXPONENTIALS(f32, float)
EXPONENTIALS(f64, double)

/* ==} */

/* {== sinc ============================================================ */

/* Rounded where NumPy rounds: y = x * pi. */
#define CARDINAL(s, T) \
  FN T NAME(cardinal, s) (T x) { \
    const T y = x * (T)3.14159265358979323846; \
    return x == 0 ? (T)1 : sin(y) / y; \
  }
CARDINAL(f64, double)

#if !defined(__CUDACC__)
CARDINAL(f32, float)
#else
/* For y that is too large for the code below, infinite or NaN. Not inlined,
** because it is long and hardly ever called. */
static __device__ __noinline__ float far_cardinal (float y) {
  return sin(y) / y;
}

/*
** With y = k * pi + r the sine is that of r or, if k is odd, of -r: an odd
** polynomial, to 5e-9. k is rounded by adding a number whose last bit is 1, and
** subtracted in three steps, like pi/2 in CUDA's sinf. The quotient is
** corrected once. The error is 2 or 3 units in the last place, as with sinf and
** a division, without their branches and half as long.
*/
FN float cardinal (float x) {
  const float y = x * 3.14159265358979323846f, big = 0x1.8p23f;
  if (!(fabsf(y) < 105615.0f))
    return far_cardinal(y);
  const float shifted = __fmaf_rn(y, 0.318309886f, big), k = shifted - big;
  float r = __fmaf_rn(k, -0x1.921fb4p+1f, y);
  r = __fmaf_rn(k, -0x1.4442dp-23f, r);
  r = __fmaf_rn(k, -0x1.84698ap-47f, r);
  const float r2 = r * r;
  float p = __fmaf_rn(r2, 2.60864507e-06f, -0.000198109933f);
  p = __fmaf_rn(p, r2, 0.0083330867f);
  p = __fmaf_rn(p, r2, -0.166666604f);
  const uint32_t odd = bits_of_float(shifted) << 31;
  const float sine = float_of_bits(bits_of_float(__fmaf_rn(r * r2, p, r)) ^
                                   odd);
  float over;
  asm ("rcp.approx.ftz.f32 %0, %1;" : "=f"(over) : "f"(y));
  const float q = sine * over;
  return fabsf(y) < 0x1p-13f ? 1 : __fmaf_rn(__fmaf_rn(-q, y, sine), over, q);
}
#endif
#undef CARDINAL

/* ==} */

/* {== parts of floats ================================================= */

/*
** BITS: of a fraction; BIAS: the exponent's bits of 1. 'mantissa' is 0.5 to 1
** times a power of two, whose exponent 'exponent' returns. For zeros,
** infinities and NaNs they are the number itself and 0. A product with a power
** of two is rounded once: if the result may be subnormal, the last factor is so
** small that the result is 0 if an earlier step had to round.
*/
#define MADE_UP(s, T, U, bits_of, of_bits, BITS, BIAS) \
  FN bool NAME(has_sign, s) (T x) { \
    return bits_of(x) >> (8 * sizeof(T) - 1) != 0; \
  } \
  FN T NAME(fraction, s) (T x) { \
    return copysign(x - x == 0 || x != x ? x - trunc(x) : (T)0, x); \
  } \
  FN T NAME(mantissa, s) (T x) { \
    const U mask = (U)(2 * BIAS + 1) << BITS; \
    const U own = bits_of(x), up = bits_of(x * ((U)1 << (BITS + 2))); \
    const U normal = (own & mask) != 0 ? own : up; \
    const U half = (normal & ~mask) | (U)(BIAS - 1) << BITS; \
    return of_bits((own & mask) == mask || x == 0 ? own : half); \
  } \
  FN int32_t NAME(exponent, s) (T x) { \
    const int32_t mask = 2 * BIAS + 1; \
    const int32_t own = (int32_t)(bits_of(x) >> BITS) & mask; \
    const int32_t up = ((int32_t)(bits_of(x * ((U)1 << (BITS + 2))) >> BITS) & \
                        mask) - (BITS + 2); \
    return own == mask || x == 0 ? 0 : (own != 0 ? own : up) - (BIAS - 1); \
  } \
  FN T power_of_two_##s (int32_t n) { \
    return of_bits((U)(n + BIAS) << BITS); \
  } \
  FN int32_t step_of_##s (int32_t n) { \
    return n > BIAS ? BIAS : n < 1 - BIAS ? 1 - BIAS + BITS + 1 : n; \
  } \
  FN T NAME(times_power, s) (T x, T y) { \
    const T most = 3 * BIAS; \
    const int32_t n = (int32_t)(y > most ? most : y < -most ? -most : y); \
    const int32_t a = step_of_##s(n), b = step_of_##s(n - a); \
    const int32_t rest = n - a - b, least = 1 - BIAS; \
    const int32_t c = rest > BIAS ? BIAS : rest < least ? least : rest; \
    return x * power_of_two_##s(a) * power_of_two_##s(b) * \
           power_of_two_##s(c); \
  }

MADE_UP(f32, float, uint32_t, bits_of_float, float_of_bits, 23, 127)
MADE_UP(f64, double, uint64_t, bits_of_double, double_of_bits, 52, 1023)

/* Returns the next number from x towards y, in the type that 'like' points to.
** Bits of one sign are in the order of the numbers. */
#define NEIGHBOUR(s, E, T, U, bits_of, of_bits) \
  FN T NAME(neighbour, s) (const E *like, T x, T y) { \
    const U sign = (U)1 << (8 * sizeof(U) - 1), own = bits_of(x); \
    const U least = (bits_of(y) & sign) | 1; \
    const U next = (U)((x < y) == (x > 0) ? own + 1 : own - 1); \
    (void)like; \
    return x != x || y != y ? x + y : x == y ? y : \
           of_bits(x == 0 ? least : next); \
  }

FN uint16_t bits_of_f16 (float x) { return f16_of_float(x).bits; }
FN uint16_t bits_of_bf16 (float x) { return bf16_of_float(x).bits; }
FN float f16_of_bits (uint16_t bits) {
  t_f16 x;
  x.bits = bits;
  return load_f16(x);
}
FN float bf16_of_bits (uint16_t bits) {
  t_bf16 x;
  x.bits = bits;
  return load_bf16(x);
}

NEIGHBOUR(f16, t_f16, float, uint16_t, bits_of_f16, f16_of_bits)
NEIGHBOUR(bf16, t_bf16, float, uint16_t, bits_of_bf16, bf16_of_bits)
NEIGHBOUR(f32, float, float, uint32_t, bits_of_float, float_of_bits)
NEIGHBOUR(f64, double, double, uint64_t, bits_of_double, double_of_bits)

/* ==} */

#endif
