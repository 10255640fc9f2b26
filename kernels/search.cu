/*
** search.cu - finds where elements would go into a sorted array, and
** interpolates between points. Written by hand: see by_hand.lua. Host kernels:
** src/rt/host/kernels/search.c.
**
**   search: z[i] = how many of the n sorted elements of a come before v[i], by
**           their keys (keys.h), plus 'base'
**   isin:   z[i] = whether v[i] is among them, or is not, if 'invert' is 1
**   interp: z[i] = linear interpolation at x[i] through n points
**
** A thread has EACH elements at a time. They take their steps together, the
** same number for all, so that they do not wait for each other. Keys of an
** array of up to TABLE_BYTES are made once in shared memory, by as many blocks
** as an H200 has room for. With larger arrays the middles that all threads read
** stay in the caches. 'single': v has float32, the array float64. With small
** arrays the elements take the time: 16 bytes each for search_k64.
*/
#include "common.cuh"
#include "search.h"
#include "types.h"

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

enum { EACH = SEARCH_EACH, TABLE_BYTES = 16384 };

/* Counts how many of n keys, each of which own(i) returns, come before each of
** 'key'; 'last': equal ones count, too. */
template <class I, class K, class Own>
static __device__ __forceinline__ void find (I (&at)[EACH],
    const K (&key)[EACH], I n, bool last, Own own) {
#pragma unroll
  for (int e = 0; e < EACH; e++)
    at[e] = 0;
  for (I left = n; left > 0; ) {
    const I half = (left + 1) / 2;
    left -= half;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
      const K one = own(at[e] + half - 1);
      at[e] += one < key[e] || (last && one == key[e]) ? half : 0;
    }
  }
}

/* Calls put(i, place, hit) for the v[i] from 'from' on; hit() tells whether its
** key is there and not NaN. */
template <class I, class K, class Own, class Put>
static __device__ __forceinline__ void look_up (
    const void *v, size_t from, size_t count, I n, K sign, K inf,
    int64_t pass, bool last, bool single, Own own, Put put) {
  K bits[EACH], key[EACH];
  I at[EACH];
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    const size_t own_i = from + e * MAP_BLOCK, i = own_i < count ? own_i : from;
    bits[e] = sizeof(K) == 8 && single
        ? (K)bits_of_double((double)static_cast<const float *>(v)[i])
        : bits_at(v, i, PASS_WIDTH(pass), sign);
    key[e] = tokey(bits[e], sign, inf, pass);
  }
  find(at, key, n, last, own);
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    const bool nan = inf != 0 && (bits[e] & (K)~sign) > inf;
    if (from + e * MAP_BLOCK < count)
      put(from + e * MAP_BLOCK, at[e], [=] {
        return !nan && at[e] < n && own(at[e]) == key[e];
      });
  }
}

template <class K, class Put>
static __device__ __forceinline__ void search_all (
    const void *a, const void *v, size_t n, size_t count, K sign, K inf,
    int64_t pass, bool last, bool single, Put put) {
  __shared__ K table[TABLE_BYTES / sizeof(K)];
  const bool small = n <= TABLE_BYTES / sizeof(K);
  const auto made = [=] (size_t i) {
    return tokey(bits_at(a, i, PASS_WIDTH(pass), sign), sign, inf, pass);
  };
  for (size_t i = threadIdx.x; small && i < n; i += MAP_BLOCK)
    table[i] = made(i);
  __syncthreads();
  const K *keys = table;
  for (size_t b = blockIdx.x * EACH; b * MAP_BLOCK + threadIdx.x < count;
       b += gridDim.x * EACH) {
    const size_t from = b * MAP_BLOCK + threadIdx.x;
    if (small)
      look_up(v, from, count, (unsigned)n, sign, inf, pass, last, single,
              [=] (unsigned i) { return keys[i]; }, put);
    else
      look_up(v, from, count, n, sign, inf, pass, last, single, made, put);
  }
}

#define SEARCHES(s, K) \
  KERNEL search_##s (int64_t *z, const void *a, const void *v, size_t n, \
                     size_t count, K sign, K inf, int64_t pass, size_t last, \
                     int64_t base, size_t single) { \
    after_previous(); \
    search_all(a, v, n, count, sign, inf, pass, last != 0, single != 0, \
               [=] (size_t i, size_t place, auto) { \
      z[i] = base + (int64_t)place; \
    }); \
  }
SET_KEY(SEARCHES)

#define MEMBERS(s, K) \
  KERNEL isin_##s (uint8_t *z, const void *a, const void *v, size_t n, \
                   size_t count, K sign, K inf, int64_t pass, \
                   size_t invert) { \
    after_previous(); \
    search_all(a, v, n, count, sign, inf, pass, false, false, \
               [=] (size_t i, size_t, auto hit) { \
      z[i] = (uint8_t)(hit() ^ (invert != 0)); \
    }); \
  }
SET_KEY(MEMBERS)

KERNEL isin_c128 (uint8_t *z, const t_c128 *a, const t_c128 *v, size_t n,
                  size_t count, size_t invert) {
  after_previous();
  for (size_t i = first(); i < count; i += stride())
    z[i] = (uint8_t)(is_complex_among(a, n, v[i]) ^ (invert != 0));
}

KERNEL interp_f64 (double *z, const double *x, const double *xs,
                   const double *ys, size_t n, size_t count,
                   size_t given, double left, double right) {
  after_previous();
  for (size_t i = first(); i < count; i += stride())
    z[i] = between_points(x[i], NAME(edges_upto, f64)(xs, n, x[i]), xs, ys, n,
                          given, left, right);
}

#undef KERNEL
#undef SEARCHES
#undef MEMBERS
