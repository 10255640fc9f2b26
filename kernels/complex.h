/*
** complex.h - complex numbers: complex64 and complex128 as pairs of floats.
** Arithmetic rounds each product and sum, like NumPy's. Division is Smith's,
** which does not overflow on the way. Functions are computed in complex128.
**
** Valid C and CUDA C++; included by ops.h, which defines FN and NAME.
*/
#ifndef TIDE_COMPLEX_H
#define TIDE_COMPLEX_H

#include "types.h"

FN t_c64 NAME(as_c64, c64) (t_c64 x) { return x; }
FN t_c64 NAME(as_c64, c128) (t_c128 x) {
  t_c64 z = {(float)x.re, (float)x.im};
  return z;
}
FN t_c64 NAME(as_c64, real) (double x) {
  t_c64 z = {(float)x, 0};
  return z;
}
FN t_c128 NAME(as_c128, c128) (t_c128 x) { return x; }
FN t_c128 NAME(as_c128, c64) (t_c64 x) {
  t_c128 z = {x.re, x.im};
  return z;
}
FN t_c128 NAME(as_c128, real) (double x) {
  t_c128 z = {x, 0};
  return z;
}
FN t_c128 NAME(widen, c64) (t_c64 x) { return NAME(as_c128, c64)(x); }
FN t_c128 NAME(widen, c128) (t_c128 x) { return x; }

/*
** sqrt(x*x + y*y) without overflow. On the host it calls no function of C's, so
** that loops of it are vectorised, and give the same bits as single calls.
*/
#if defined(__CUDACC__)
FN float length_c64 (t_c64 x) { return hypot(x.re, x.im); }
FN double length_c128 (t_c128 x) { return hypot(x.re, x.im); }
#else
FN double length (double x, double y, double scale) {
  const double a = x * scale, b = y * scale, r = sqrt(a * a + b * b) / scale;
  return fabs(x) == INFINITY || fabs(y) == INFINITY ? INFINITY : r;
}
FN float length_c64 (t_c64 x) { return (float)length(x.re, x.im, 1); }
FN double length_c128 (t_c128 x) {
  const double a = fabs(x.re), b = fabs(x.im), high = a > b ? a : b;
  const double small = high < 0x1p-450 ? 0x1p600 : 1;
  return length(x.re, x.im, high > 0x1p500 ? 0x1p-600 : small);
}
#endif

#define COMPLEX(s, R) \
  FN t_##s make_##s (R re, R im) { \
    t_##s z; \
    z.re = re; \
    z.im = im; \
    return z; \
  } \
  FN t_##s load_##s (t_##s x) { return x; } \
  FN t_##s NAME(plus, s) (t_##s x, t_##s y) { \
    return make_##s(x.re + y.re, x.im + y.im); \
  } \
  FN t_##s NAME(minus, s) (t_##s x, t_##s y) { \
    return make_##s(x.re - y.re, x.im - y.im); \
  } \
  FN t_##s NAME(times, s) (t_##s x, t_##s y) { \
    return make_##s(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); \
  } \
  FN t_##s NAME(over, s) (t_##s x, t_##s y) { \
    if (fabs(y.re) >= fabs(y.im)) { \
      if (y.re == 0 && y.im == 0) \
        return make_##s(x.re / fabs(y.re), x.im / fabs(y.re)); \
      R ratio = y.im / y.re, scale = 1 / (y.re + y.im * ratio); \
      return make_##s((x.re + x.im * ratio) * scale, \
                      (x.im - x.re * ratio) * scale); \
    } \
    R ratio = y.re / y.im, scale = 1 / (y.im + y.re * ratio); \
    return make_##s((x.re * ratio + x.im) * scale, \
                    (x.im * ratio - x.re) * scale); \
  } \
  FN t_##s NAME(negate, s) (t_##s x) { return make_##s(-x.re, -x.im); } \
  FN t_##s NAME(conjugate, s) (t_##s x) { return make_##s(x.re, -x.im); } \
  FN R NAME(absolute, s) (t_##s x) { return length_##s(x); } \
  FN bool NAME(equal, s) (t_##s x, t_##s y) { \
    return x.re == y.re && x.im == y.im; \
  } \
  FN bool NAME(nonzero, s) (t_##s x) { return x.re != 0 || x.im != 0; }

COMPLEX(c64, float)
COMPLEX(c128, double)

/*
** These functions call C's. On the host these are the functions of one number,
** as for complex numbers of Lua, so that the bits are the same. The compiler
** has no vectors for their branches anyway.
*/
#if defined(__CUDACC__)
#define FN_ALONE FN
#else
#define FN_ALONE static __attribute__((noinline, unused))
#endif

/* A product in which 0 is 0 times infinity or NaN as well. */
FN double scaled (double x, double y) {
  return x == 0 ? x * (y == y ? copysign(1.0, y) : 1.0) : x * y;
}

/* In halves, so that a product may be finite where exp(x.re) is not. An
** infinite or NaN angle matters unless exp(x.re) is 0 or infinite. */
FN_ALONE t_c128 exp_complex (t_c128 x) {
  const double half = exp(x.re * 0.5), none = x.im - x.im;
  if (x.im == 0)
    return make_c128(exp(x.re), x.im);
  if (none != 0 && x.re == -INFINITY)
    return make_c128(0, copysign(0.0, x.im));
  if (none != 0 && x.re == INFINITY)
    return make_c128(x.re, none);
  return make_c128(half * cos(x.im) * half, half * sin(x.im) * half);
}

/* Near the unit circle by log1p; far from it without squares. */
FN_ALONE t_c128 log_complex (t_c128 x) {
  double a = fabs(x.re), b = fabs(x.im), angle = atan2(x.im, x.re);
  double high = fmax(a, b), low = fmin(a, b);
  if (high == INFINITY)
    return make_c128(high, angle);
  if (a != a || b != b)
    return make_c128(a + b, a + b);
  if (high == 0)
    return make_c128(log(high), angle);
  if (high > 0.5 && high < 2)
    return make_c128(0.5 * log1p((high - 1) * (high + 1) + low * low), angle);
  double ratio = low / high;
  return make_c128(log(high) + 0.5 * log1p(ratio * ratio), angle);
}

/* The root with a real part >= 0; the cut is along the negative axis. */
FN_ALONE t_c128 sqrt_complex (t_c128 x) {
  double a = fabs(x.re), b = fabs(x.im);
  if (b == INFINITY)
    return make_c128(b, x.im);
  if (a == INFINITY && x.re < 0)
    return make_c128(b != b ? b : 0, copysign(a, x.im));
  if (a == INFINITY)
    return make_c128(a, b != b ? b : copysign(0.0, x.im));
  if (a == 0 && b == 0)
    return make_c128(0, x.im);
  bool large = a > 1e300 || b > 1e300, small = a < 1e-290 && b < 1e-290;
  double scale = large ? 0.25 : small ? 0x1p108 : 1;
  double back = large ? 2 : small ? 0x1p-54 : 1;
  double r = sqrt((a * scale + hypot(a * scale, b * scale)) * 0.5);
  double other = b * scale / (2 * r);
  if (x.re >= 0)
    return make_c128(r * back, copysign(other * back, x.im));
  return make_c128(other * back, copysign(r * back, x.im));
}

/* Without an angle, because x.re is infinite or NaN, an infinite sine or cosine
** has an infinite part, whose sign C leaves open: it is positive. */
FN_ALONE t_c128 sin_complex (t_c128 x) {
  const double side = cos(x.re);
  if (side != side && fabs(x.im) == INFINITY)
    return make_c128(side, INFINITY);
  return make_c128(scaled(sin(x.re), cosh(x.im)),
                   x.im == 0 ? x.im : scaled(side, sinh(x.im)));
}

FN_ALONE t_c128 cos_complex (t_c128 x) {
  const double side = sin(x.re);
  if (side != side && fabs(x.im) == INFINITY)
    return make_c128(INFINITY, side);
  if (side != side && x.im == 0)
    return make_c128(side, 0);
  return make_c128(scaled(cos(x.re), cosh(x.im)),
                   -scaled(side, sinh(x.im)));
}

/* Small whole powers by products, others by logarithms; 0 has real powers. */
FN_ALONE t_c128 power_complex (t_c128 x, t_c128 y) {
  t_c128 r = make_c128(1, 0);
  if (y.re == 0 && y.im == 0)
    return r;
  if (x.re == 0 && x.im == 0)
    return y.re > 0 && y.im == 0 ? make_c128(0, 0) : make_c128(NAN, NAN);
  if (y.im != 0 || y.re != floor(y.re) || fabs(y.re) >= 100)
    return exp_complex(NAME(times, c128)(y, log_complex(x)));
  for (int n = (int)fabs(y.re); n > 0; n /= 2) {
    if (n % 2 == 1)
      r = NAME(times, c128)(r, x);
    x = NAME(times, c128)(x, x);
  }
  return y.re < 0 ? NAME(over, c128)(make_c128(1, 0), r) : r;
}

/* exp_c64 is the name of a kernel, so C++ overloads these names. */
#if defined(__CUDACC__)
#define OVERLOAD(f, s) f
#else
#define OVERLOAD(f, s) complex_##f##_##s
#endif

#define FUNCTION1(f) \
  FN t_c128 OVERLOAD(f, c128) (t_c128 x) { return f##_complex(x); } \
  FN t_c64 OVERLOAD(f, c64) (t_c64 x) { \
    return NAME(as_c64, c128)(f##_complex(NAME(widen, c64)(x))); \
  }
FUNCTION1(exp)
FUNCTION1(log)
FUNCTION1(sqrt)
FUNCTION1(sin)
FUNCTION1(cos)
#undef FUNCTION1

FN t_c128 NAME(power, c128) (t_c128 x, t_c128 y) {
  return power_complex(x, y);
}

FN t_c64 NAME(power, c64) (t_c64 x, t_c64 y) {
  return NAME(as_c64, c128)(power_complex(NAME(widen, c64)(x),
                                          NAME(widen, c64)(y)));
}

#endif
