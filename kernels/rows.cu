/*
** rows.cu - sorts rows of up to ROWS_TILE elements, or returns their order, by
** a bitonic network (Batcher, 1968). A block sorts as many rows at once as its
** shared memory holds. Written by hand: see by_hand.lua. Elements become keys
** (keys.h); longer rows are in sort.cu. Host kernels:
** src/rt/host/kernels/rows.c.
*/
#include "common.cuh"
#include "keys.h"

static __device__ __forceinline__ void put_bits (void *z, size_t i, int width,
                                                 uint32_t bits) {
  switch (width) {
    case 1: static_cast<uint8_t *>(z)[i] = (uint8_t)bits; break;
    case 2: static_cast<uint16_t *>(z)[i] = (uint16_t)bits; break;
    default: static_cast<uint32_t *>(z)[i] = bits;
  }
}

static __device__ __forceinline__ void put_bits (void *z, size_t i, int,
                                                 uint64_t bits) {
  static_cast<uint64_t *>(z)[i] = bits;
}

/*
** Rows of n, each in 'room' slots, a power of two; slots beyond n hold the
** greatest key. With PAIRS, places make all pairs different, so the order is
** stable.
*/
template <class K, bool PAIRS>
static __device__ __forceinline__ void whole (void *z, const void *x, size_t n,
    size_t room, size_t rows, K sign, K inf, int64_t pass) {
  __shared__ K key[ROWS_TILE];
  __shared__ uint16_t place[PAIRS ? ROWS_TILE : 1];
  const size_t first_row = blockIdx.x * (ROWS_TILE / room);
  for (unsigned s = threadIdx.x; s < ROWS_TILE; s += ROWS_BLOCK) {
    const size_t row = first_row + s / room, i = s % room;
    const bool has = row < rows && i < n;
    key[s] = has ? tokey(bits_at(x, row * n + i, PASS_WIDTH(pass), sign), sign,
                         inf, pass) : (K)~(K)0;
    if (PAIRS)
      place[s] = (uint16_t)i;
  }
  __syncthreads();
  for (unsigned size = 2; size <= room; size *= 2)
    for (unsigned d = size / 2; d > 0; d /= 2) {
      for (unsigned t = threadIdx.x; t < ROWS_TILE / 2; t += ROWS_BLOCK) {
        const unsigned i = 2 * t - (t & (d - 1)), j = i + d;
        const bool up = (i & (room - 1) & size) == 0;
        const K a = key[i], b = key[j];
        bool swap = up ? a > b : b > a;
        if (PAIRS && a == b)
          swap = (place[i] > place[j]) == up;
        if (swap) {
          key[i] = b;
          key[j] = a;
          if (PAIRS) {
            const uint16_t p = place[i];
            place[i] = place[j];
            place[j] = p;
          }
        }
      }
      __syncthreads();
    }
  for (unsigned s = threadIdx.x; s < ROWS_TILE; s += ROWS_BLOCK) {
    const size_t row = first_row + s / room, i = s % room;
    if (row >= rows || i >= n)
      continue;
    if (PAIRS)
      static_cast<int64_t *>(z)[row * n + i] = (int64_t)place[s] + 1;
    else
      put_bits(z, row * n + i, PASS_WIDTH(pass),
               fromkey(key[s], sign, inf, pass));
  }
}

#define KERNEL extern "C" __global__ void __launch_bounds__(ROWS_BLOCK)
#define ROWS(s, K) \
  KERNEL rows_sort_##s (void *z, const void *x, size_t n, \
      size_t room, size_t rows, K sign, K inf, int64_t pass) { \
    after_previous(); \
    whole<K, false>(z, x, n, room, rows, sign, inf, pass); \
  } \
  KERNEL rows_order_##s (void *z, const void *x, size_t n, \
      size_t room, size_t rows, K sign, K inf, int64_t pass) { \
    after_previous(); \
    whole<K, true>(z, x, n, room, rows, sign, inf, pass); \
  }
SET_KEY(ROWS)

#undef KERNEL
#undef ROWS
