/*
** topk.cu - finds the first k elements of sorted rows, in sorted order; equal
** elements stay in their order. Written by hand: see by_hand.lua. Host kernels:
** src/rt/host/kernels/topk.c.
**
** A block takes one of the equal chunks of a row. Its threads hold the chunk's
** keys (keys.h) in registers, and it writes k places, from 1, of the row. A
** long row takes several launches: those places are the row of the next launch,
** 'from', and are in an order that its chunks keep.
**
** A radix select: the block counts a digit of its keys, from the highest one,
** and finds the digit of the k-th key. It goes on with the keys that have it.
** For equal keys it does the same with their places. Then it compacts the
** selected ones and sorts them by a bitonic network.
**
** Memory-bound in the first launch, which reads each element once: TOPK_ROOM of
** them a block, 64 bytes a thread in flight.
*/
#include "axis.h"
#include "keys.cuh"

#define EACH (TOPK_ROOM / TOPK_BLOCK)

static_assert(TOPK_BLOCK == DIGITS, "a thread has a digit");
static_assert(TOPK_MOST <= 2 * TOPK_BLOCK, "and one pair of the network");
static_assert(EACH <= DIGITS, "which part of a chunk is a digit, too");

/* The digit of the last wanted key; how many keys with it are wanted, and how
** many there are. */
struct Choice {
  uint32_t digit, wanted, count;
};

/* Makes the choice from each thread's count, for all of the block. */
static __device__ __forceinline__ Choice choose (uint32_t own, uint32_t wanted,
                                                 uint32_t *sums,
                                                 Choice *shared) {
  const uint32_t less = before(own, sums);
  if (less < wanted && wanted - less <= own)
    *shared = {threadIdx.x, wanted - less, own};
  __syncthreads();
  return *shared;
}

/* The first k of a chunk: keys below 'key', or equal to it with a place up to
** 'place', as far as the masks go. */
template <class K>
struct Cut {
  K key, key_mask;
  uint32_t place, place_mask;

  __device__ __forceinline__ bool at (K own) const {
    return (own & key_mask) == key;
  }
  __device__ __forceinline__ bool has (K own, uint32_t own_place) const {
    return (own & key_mask) < key ||
           (at(own) && (own_place & place_mask) <= place);
  }
};

/* Thread t has keys t, t + TOPK_BLOCK ... of the chunk. */
template <class K>
static __device__ __forceinline__ Cut<K> cut_at (const K (&key)[EACH],
                                                 uint32_t k, int width) {
  __shared__ uint32_t digits[DIGITS], sums[DIGITS / 32];
  __shared__ Choice shared;
  const unsigned t = threadIdx.x;
  Cut<K> cut = {0, 0, 0, 0};
  Choice c = {0, k, 0};
#pragma unroll 1
  for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
    digits[t] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++)
      if (cut.at(key[i]))
        atomicAdd(&digits[key[i] >> shift & 255], 1u);
    __syncthreads();
    c = choose(digits[t], c.wanted, sums, &shared);
    cut.key |= (K)c.digit << shift;
    cut.key_mask |= (K)255 << shift;
    if (c.wanted == c.count)
      return cut;
  }
  digits[t] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++)
    if (cut.at(key[i]))
      atomicAdd(&digits[i], 1u);
  __syncthreads();
  c = choose(digits[t], c.wanted, sums, &shared);
  cut.place = c.digit * TOPK_BLOCK;
  cut.place_mask = ~(uint32_t)(TOPK_BLOCK - 1);
  if (c.wanted == c.count)
    return cut;
  uint32_t own = 0;
#pragma unroll
  for (int i = 0; i < EACH; i++)
    own |= i == c.digit && cut.at(key[i]);
  __syncthreads();  /* before 'shared' is written again */
  cut.place |= choose(own, c.wanted, sums, &shared).digit;
  cut.place_mask = ~(uint32_t)0;
  return cut;
}

/* Sorts 'room' pairs, a power of two: the block's first threads take a pair of
** each step. */
template <class K>
static __device__ __forceinline__ void order (K *key, uint16_t *place,
                                              unsigned room) {
  const unsigned t = threadIdx.x;
  for (unsigned size = 2; size <= room; size *= 2)
    for (unsigned d = size / 2; d > 0; d /= 2) {
      const unsigned i = 2 * t - (t & (d - 1)), j = i + d;
      if (t < room / 2) {
        const bool up = (i & size) == 0;
        const K a = key[i], b = key[j];
        const uint16_t p = place[i], q = place[j];
        if ((a > b || (a == b && p > q)) == up) {
          key[i] = b;
          key[j] = a;
          place[i] = q;
          place[j] = p;
        }
      }
      __syncthreads();
    }
}

template <class K>
static __device__ __forceinline__ void topk (int64_t *z, const void *x,
    const int64_t *from, size_t full, size_t n, size_t chunks, size_t k,
    K sign, K inf, int64_t pass) {
  __shared__ K first_key[TOPK_MOST];
  __shared__ uint16_t first_place[TOPK_MOST];
  __shared__ uint32_t found;
  const unsigned t = threadIdx.x, room = axis_power(k, TOPK_MOST);
  const size_t row = blockIdx.x / chunks, c = blockIdx.x % chunks;
  const size_t begin = axis_first(c, chunks, n);
  const uint32_t left = axis_first(c + 1, chunks, n) - begin;
  K key[EACH];
  if (from == NULL) {
    load<K, EACH, TOPK_BLOCK>(key, x, row * full + begin, t, left, sign, inf,
                              pass);
  } else {
    from += row * n + begin;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const uint32_t at = t + i * TOPK_BLOCK;
      key[i] = at >= left ? (K)~(K)0 :
               tokey(bits_at(x, row * full + (size_t)from[at] - 1,
                             PASS_WIDTH(pass), sign), sign, inf, pass);
    }
  }
  const Cut<K> cut = cut_at(key, (uint32_t)k, PASS_WIDTH(pass));
  if (t == 0)
    found = 0;
  for (unsigned s = k + t; s < room; s += TOPK_BLOCK) {
    first_key[s] = (K)~(K)0;
    first_place[s] = UINT16_MAX;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    const uint32_t at = t + i * TOPK_BLOCK;
    if (cut.has(key[i], at)) {
      const uint32_t slot = atomicAdd(&found, 1u);
      first_key[slot] = key[i];
      first_place[slot] = (uint16_t)at;
    }
  }
  __syncthreads();
  order(first_key, first_place, room);
  z += blockIdx.x * k;
  for (unsigned s = t; s < k; s += TOPK_BLOCK)
    z[s] = from != NULL ? from[first_place[s]] :
           (int64_t)(begin + first_place[s]) + 1;
}

#define TOPK(s, K) \
  extern "C" __global__ void __launch_bounds__(TOPK_BLOCK) \
  topk_##s (int64_t *z, const void *x, const int64_t *from, size_t full, \
            size_t n, size_t chunks, size_t k, size_t rows, K sign, K inf, \
            int64_t pass) { \
    after_previous(); \
    (void)rows; \
    topk<K>(z, x, from, full, n, chunks, k, sign, inf, pass); \
  }
SET_KEY(TOPK)

#undef EACH
#undef TOPK
