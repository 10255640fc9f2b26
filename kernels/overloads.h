/*
** overloads.h - functions of math.h of integers, max and min of operands of two
** types, and short names of types, for kernels of text: NVRTC declares the
** functions for floats alone, so that sqrt(2) is ambiguous. Types are those of
** the host device (src/rt/program/math_calls.c): double, or float if the other
** operand is one; for max and min C's common type. Templates give way to all
** other functions.
*/
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;

template <class> struct Kind_ { enum { kind = 0 }; };
#define KIND_(T, number) \
  template <> struct Kind_<T> { enum { kind = number }; };
KIND_(bool, 1) KIND_(char, 1) KIND_(signed char, 1) KIND_(unsigned char, 1)
KIND_(short, 1) KIND_(unsigned short, 1) KIND_(int, 1) KIND_(unsigned, 1)
KIND_(long, 1) KIND_(unsigned long, 1) KIND_(long long, 1)
KIND_(unsigned long long, 1) KIND_(float, 2) KIND_(double, 4)
#undef KIND_

template <int kind, class T> struct If_integer_ {};
template <class T> struct If_integer_<1, T> { typedef T type; };

/* The type for operands with an integer among them. */
template <int kinds> struct Float_of_ {};
template <> struct Float_of_<1> { typedef double type; };
template <> struct Float_of_<3> { typedef float type; };
template <> struct Float_of_<5> { typedef double type; };

#define ONE_(R, name) \
  template <class T> static __device__ __forceinline__ \
  typename If_integer_<Kind_<T>::kind, R>::type name (T x_) { \
    return name((double)x_); \
  }
#define TWO_(name) \
  template <class T, class U> static __device__ __forceinline__ \
  typename Float_of_<Kind_<T>::kind | Kind_<U>::kind>::type \
  name (T x_, U y_) { \
    typedef typename Float_of_<Kind_<T>::kind | Kind_<U>::kind>::type F_; \
    return name((F_)x_, (F_)y_); \
  }
#define EXTREME_(name) \
  template <class T, class U> static __device__ __forceinline__ \
  typename If_integer_<(Kind_<T>::kind | Kind_<U>::kind) & 1, \
                       decltype(T() + U())>::type \
  name (T x_, U y_) { \
    typedef decltype(T() + U()) C_; \
    return name((C_)x_, (C_)y_); \
  }

ONE_(double, acos) ONE_(double, acosh) ONE_(double, asin) ONE_(double, asinh)
ONE_(double, atan) ONE_(double, atanh) ONE_(double, cbrt) ONE_(double, ceil)
ONE_(double, cos) ONE_(double, cosh) ONE_(double, cospi) ONE_(double, erf)
ONE_(double, erfc) ONE_(double, erfinv) ONE_(double, exp) ONE_(double, exp10)
ONE_(double, exp2) ONE_(double, expm1) ONE_(double, fabs) ONE_(double, floor)
ONE_(double, lgamma) ONE_(double, log) ONE_(double, log10) ONE_(double, log1p)
ONE_(double, log2) ONE_(double, nearbyint) ONE_(double, normcdf)
ONE_(double, rcbrt) ONE_(double, rint) ONE_(double, round) ONE_(double, rsqrt)
ONE_(double, sin) ONE_(double, sinh) ONE_(double, sinpi) ONE_(double, sqrt)
ONE_(double, tan) ONE_(double, tanh) ONE_(double, tgamma) ONE_(double, trunc)
ONE_(bool, isfinite) ONE_(bool, isinf) ONE_(bool, isnan) ONE_(bool, signbit)
ONE_(long long, llrint) ONE_(long long, llround) ONE_(long long, lrint)
ONE_(long long, lround)
TWO_(atan2) TWO_(copysign) TWO_(fdim) TWO_(fmax) TWO_(fmin) TWO_(fmod)
TWO_(hypot) TWO_(nextafter) TWO_(pow) TWO_(remainder)
EXTREME_(max) EXTREME_(min)

#undef ONE_
#undef TWO_
#undef EXTREME_
