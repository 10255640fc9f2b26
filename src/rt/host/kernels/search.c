/*
** search.c - the twins of kernels/search.cu, which says what they compute.
*/
#include "twins.h"

#include "kernels/search.h"

#define SEARCHES(s, K) \
  TWIN(search_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const void *, a); \
    PARAM(2, const void *, v); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, count); \
    PARAM(5, K, sign); \
    PARAM(6, K, inf); \
    PARAM(7, int64_t, pass); \
    PARAM(8, size_t, last); \
    PARAM(9, int64_t, base); \
    (void)grid, (void)block; \
    for (size_t i = 0; i < count; i++) { \
      const K bits = bits_at_##s(v, i, PASS_WIDTH(pass), sign); \
      const K key = tokey_##s(bits, sign, inf, pass); \
      z[i] = base + (int64_t)place_among_##s(a, n, key, last, sign, inf, \
                                             pass); \
    } \
  }
SET_KEY(SEARCHES)

#define MEMBERS(s, K) \
  TWIN(isin_##s) { \
    PARAM(0, uint8_t *, z); \
    PARAM(1, const void *, a); \
    PARAM(2, const void *, v); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, count); \
    PARAM(5, K, sign); \
    PARAM(6, K, inf); \
    PARAM(7, int64_t, pass); \
    PARAM(8, size_t, invert); \
    (void)grid, (void)block; \
    for (size_t i = 0; i < count; i++) { \
      const K bits = bits_at_##s(v, i, PASS_WIDTH(pass), sign); \
      z[i] = (uint8_t)(is_among_##s(a, n, bits, sign, inf, pass) ^ \
                       (invert != 0)); \
    } \
  }
SET_KEY(MEMBERS)

TWIN(isin_c128) {
  PARAM(0, uint8_t *, z);
  PARAM(1, const t_c128 *, a);
  PARAM(2, const t_c128 *, v);
  PARAM(3, size_t, n);
  PARAM(4, size_t, count);
  PARAM(5, size_t, invert);
  (void)grid, (void)block;
  for (size_t i = 0; i < count; i++)
    z[i] = (uint8_t)(is_complex_among(a, n, v[i]) ^ (invert != 0));
}

TWIN(interp_f64) {
  PARAM(0, double *, z);
  PARAM(1, const double *, x);
  PARAM(2, const double *, xs);
  PARAM(3, const double *, ys);
  PARAM(4, size_t, n);
  PARAM(5, size_t, count);
  PARAM(6, size_t, given);
  PARAM(7, double, left);
  PARAM(8, double, right);
  (void)grid, (void)block;
  for (size_t i = 0; i < count; i++)
    z[i] = between_points(x[i], xs, ys, n, given, left, right);
}
