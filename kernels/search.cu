/*
** search.cu - where elements would go into a sorted array, and what lies
** between the points of a table. Written by hand: 'others' of table.lua; the
** search itself is in search.h. Twins: src/rt/host/kernels/search.c.
**
**   search: z[i] = how many of the n sorted elements of a come before v[i], by
**           their keys (keys.h), from 'base' on
**   isin:   z[i] = is v[i] among them? or the contrary, if 'invert' is 1
**   interp: z[i] = the number at x[i] of the line through n points
**
** A thread an element; the middles that all threads look at first stay in the
** caches, so of small tables it is the elements that take the time: 16 bytes
** each for search_k64.
*/
#include "common.cuh"
#include "search.h"

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

#define SEARCHES(s, K) \
  KERNEL search_##s (int64_t *z, const void *a, const void *v, size_t n, \
                     size_t count, K sign, K inf, int64_t pass, size_t last, \
                     int64_t base) { \
    for (size_t i = first(); i < count; i += stride()) { \
      const K bits = bits_at(v, i, PASS_WIDTH(pass), sign); \
      const K key = tokey(bits, sign, inf, pass); \
      z[i] = base + (int64_t)place_among(a, n, key, last, sign, inf, pass); \
    } \
  }
SET_KEY(SEARCHES)

#define MEMBERS(s, K) \
  KERNEL isin_##s (uint8_t *z, const void *a, const void *v, size_t n, \
                   size_t count, K sign, K inf, int64_t pass, \
                   size_t invert) { \
    for (size_t i = first(); i < count; i += stride()) { \
      const K bits = bits_at(v, i, PASS_WIDTH(pass), sign); \
      z[i] = (uint8_t)(is_among(a, n, bits, sign, inf, pass) ^ \
                       (invert != 0)); \
    } \
  }
SET_KEY(MEMBERS)

KERNEL isin_c128 (uint8_t *z, const t_c128 *a, const t_c128 *v, size_t n,
                  size_t count, size_t invert) {
  for (size_t i = first(); i < count; i += stride())
    z[i] = (uint8_t)(is_complex_among(a, n, v[i]) ^ (invert != 0));
}

KERNEL interp_f64 (double *z, const double *x, const double *xs,
                   const double *ys, size_t n, size_t count,
                   size_t given, double left, double right) {
  for (size_t i = first(); i < count; i += stride())
    z[i] = between_points(x[i], xs, ys, n, given, left, right);
}

#undef KERNEL
#undef SEARCHES
#undef MEMBERS
