/*
** keys.cuh - keys of elements (keys.h) as a block loads them, and sums of its
** threads' counts of each digit: for sort.cu and topk.cu.
*/
#ifndef TIDE_KEYS_CUH
#define TIDE_KEYS_CUH

#include "common.cuh"
#include "keys.h"

template <class K, class T, int N, int STEP>
static __device__ __forceinline__ void read (K *bits, const void *x, size_t at,
                                             uint32_t i, uint32_t left) {
  const T *own = static_cast<const T *>(x) + at + i;
  if (i + (N - 1) * STEP < left) {
#pragma unroll
    for (int k = 0; k < N; k++)
      bits[k] = (K)own[k * STEP];
  } else {
#pragma unroll
    for (int k = 0; k < N; k++)
      bits[k] = i + k * STEP < left ? (K)own[k * STEP] : (K)~(K)0;
  }
}

/*
** Loads N keys, STEP apart, from element at + i: of the array that is sorted,
** or of the result of a pass. Elements from at + left on get the greatest key.
*/
template <class K, int N, int STEP>
static __device__ __forceinline__ void load (K *key, const void *x, size_t at,
    uint32_t i, uint32_t left, K sign, K inf, int64_t pass) {
  const bool first = PASS_FIRST(pass);
  if (sizeof(K) == 8 || !first || PASS_WIDTH(pass) == 4)
    read<K, K, N, STEP>(key, x, at, i, left);
  else if (PASS_WIDTH(pass) == 2)
    read<K, uint16_t, N, STEP>(key, x, at, i, left);
  else
    read<K, uint8_t, N, STEP>(key, x, at, i, left);
  if (first)
#pragma unroll
    for (int k = 0; k < N; k++)
      key[k] = i + k * STEP < left
                   ? tokey(key[k], sign, inf, pass) : (K)~(K)0;
}

/*
** Returns the sum of the counts of the threads before this one, among the first
** DIGITS of a block; 'part' has a slot for each of their warps. All threads
** call it.
*/
static __device__ __forceinline__ uint32_t before (uint32_t own,
                                                   uint32_t *part) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = own;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t other = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d)
      sum += other;
  }
  if (lane == 31 && warp < DIGITS / 32)
    part[warp] = sum;
  __syncthreads();
  sum -= own;
#pragma unroll
  for (int w = 0; w < DIGITS / 32 - 1; w++)
    if (w < warp)
      sum += part[w];
  return sum;
}

#endif
