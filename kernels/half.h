/*
** half.h - float16 (IEEE's binary16) and bfloat16 (the upper half of a float32)
** as bits. They are computed in float32 and rounded once, to nearest, ties to
** even. A NaN keeps its sign either way, and a stored NaN has no payload. So
** the bits are the same on the host and on CUDA, whose own conversions make all
** NaNs alike.
**
** Valid C and CUDA C++; included by ops.h, which defines FN, and by element.c.
*/
#ifndef TIDE_HALF_H
#define TIDE_HALF_H

#include "types.h"

#if !defined(FN)
#define FN static inline
#endif

FN float float_of_bits (uint32_t bits) {
  union { uint32_t bits; float value; } u;
  u.bits = bits;
  return u.value;
}

FN uint32_t bits_of_float (float x) {
  union { float value; uint32_t bits; } u;
  u.value = x;
  return u.bits;
}

FN double double_of_bits (uint64_t bits) {
  union { uint64_t bits; double value; } u;
  u.bits = bits;
  return u.value;
}

FN uint64_t bits_of_double (double x) {
  union { double value; uint64_t bits; } u;
  u.value = x;
  return u.bits;
}

/*
** float16 to float32. Normal numbers, infinities and NaNs: a product, which is
** exact, rebases the exponent. Subnormal numbers: their bits become the last
** ones of a number near 0.5, and 0.5 is subtracted.
*/
FN float load_f16 (t_f16 x) {
#if defined(__CUDA_ARCH__)
  float value;
  const uint32_t w = x.bits;
  asm ("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
  return (w & 0x7fff) <= 0x7c00 ? value :
         float_of_bits((w & 0x8000) << 16 | 0x7fc00000 | (w & 0x3ff) << 13);
#else
  uint32_t w = (uint32_t)x.bits << 16, magnitude = w & 0x7fffffff;
  float normal = float_of_bits((magnitude >> 3) + 0x70000000) * 0x1p-112f;
  float small = float_of_bits((magnitude >> 16) | 0x3f000000) - 0.5f;
  uint32_t bits = bits_of_float(magnitude < 0x04000000 ? small : normal);
  return float_of_bits((w & 0x80000000) | bits);
#endif
}

/*
** float32 to float16. Adding a number whose last bit is the last wanted one
** rounds; two products before it make numbers that are too large infinite.
*/
FN t_f16 f16_of_float (float x) {
  t_f16 z;
#if defined(__CUDA_ARCH__)
  asm ("cvt.rn.f16.f32 %0, %1;" : "=h"(z.bits) : "f"(x));
  if (x != x)
    z.bits = (uint16_t)((bits_of_float(x) >> 16 & 0x8000) | 0x7e00);
#else
  uint32_t w = bits_of_float(x), sign = (w >> 16) & 0x8000, twice = w + w;
  uint32_t bias = twice & 0xff000000;
  float base = float_of_bits(w & 0x7fffffff) * 0x1p112f * 0x1p-110f;
  bias = bias < 0x71000000 ? 0x71000000 : bias;
  uint32_t bits = bits_of_float(float_of_bits((bias >> 1) + 0x07800000) + base);
  uint32_t magnitude = ((bits >> 13) & 0x7c00) + (bits & 0x0fff);
  z.bits = (uint16_t)(sign | (twice > 0xff000000 ? 0x7e00 : magnitude));
#endif
  return z;
}

FN float load_bf16 (t_bf16 x) {
  return float_of_bits((uint32_t)x.bits << 16);
}

FN t_bf16 bf16_of_float (float x) {
  t_bf16 z;
  uint32_t w = bits_of_float(x), nan = (w >> 16 & 0x8000) | 0x7fc0;
  w += 0x7fff + ((w >> 16) & 1);
  z.bits = (uint16_t)(x != x ? nan : w >> 16);
  return z;
}

/*
** Returns the nearest number with that many binary digits whose exponent is at
** least 'least'. (Smaller numbers have fewer digits, like subnormal ones.) So
** float32, on the way to 16 bits, has nothing to round.
*/
FN float nearest (double x, int digits, int least) {
  uint64_t w = bits_of_double(x), sign = w & ((uint64_t)1 << 63);
  int e = (int)((w ^ sign) >> 52) - 1023;
  e = e < least ? least : e > 200 ? 200 : e;
  double c = double_of_bits((uint64_t)(1023 + 53 + e - digits) << 52) * 1.5;
  double value = double_of_bits(w ^ sign) + c - c;
  float near = (float)double_of_bits(bits_of_double(value) | sign);
  return x != x ? float_of_bits((uint32_t)(sign >> 32) | 0x7fc00000) : near;
}

FN t_f16 f16_of_double (double x) { return f16_of_float(nearest(x, 11, -14)); }

FN t_bf16 bf16_of_double (double x) {
  return bf16_of_float(nearest(x, 8, -126));
}

#if defined(__CUDACC__)
/*
** Converts numbers that are not NaN by CUDA's own conversions: one element, and
** two numbers as neighbours, the first in the lower half. The same bits as
** above.
*/
FN float plain (t_f16 x) {
  float value;
  asm ("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
  return value;
}
FN float plain (t_bf16 x) { return load_bf16(x); }
FN uint32_t plain_pair (t_f16, float a, float b) {
  uint32_t z;
  asm ("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(z) : "f"(b), "f"(a));
  return z;
}
FN uint32_t plain_pair (t_bf16, float a, float b) {
  uint32_t z;
  asm ("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(z) : "f"(b), "f"(a));
  return z;
}
#endif

#endif
