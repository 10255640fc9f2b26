/*
** float16.c - float16 to float32 and back: by F16C, eight at a time, on
** processors with AVX2, which all have F16C.
*/
#include "float16.h"

#include <stdbool.h>

#include "kernels/half.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define F16C __attribute__((target("avx2,f16c")))

static bool has_f16c (void) { return __builtin_cpu_supports("avx2"); }

/* Returns how many of the n elements it did. */
F16C static size_t widen_eights (float *z, const t_f16 *x, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(z + i,
                     _mm256_cvtph_ps(_mm_loadu_si128((const void *)(x + i))));
  return i;
}

F16C static size_t narrow_eights (t_f16 *z, const float *x, size_t n) {
  const __m128i infinity = _mm_set1_epi16(0x7c00), nan = _mm_set1_epi16(0x7e00);
  const __m128i sign = _mm_set1_epi16((short)0x8000);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    __m128i h = _mm256_cvtps_ph(_mm256_loadu_ps(x + i),
                                _MM_FROUND_TO_NEAREST_INT);
    __m128i is_nan = _mm_cmpgt_epi16(_mm_andnot_si128(sign, h), infinity);
    __m128i plain = _mm_or_si128(_mm_and_si128(sign, h), nan);
    _mm_storeu_si128((void *)(z + i), _mm_blendv_epi8(h, plain, is_nan));
  }
  return i;
}

#else

static bool has_f16c (void) { return false; }

static size_t widen_eights (float *z, const t_f16 *x, size_t n) {
  return (void)z, (void)x, (void)n, 0;
}

static size_t narrow_eights (t_f16 *z, const float *x, size_t n) {
  return (void)z, (void)x, (void)n, 0;
}

#endif

void float16_widen (float *z, const t_f16 *x, size_t n) {
  size_t i = has_f16c() ? widen_eights(z, x, n) : 0;
  for (; i < n; i++)
    z[i] = load_f16(x[i]);
}

void float16_narrow (t_f16 *z, const float *x, size_t n) {
  size_t i = has_f16c() ? narrow_eights(z, x, n) : 0;
  for (; i < n; i++)
    z[i] = f16_of_float(x[i]);
}
