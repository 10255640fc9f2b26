/*
** count.cu - counts integers, and numbers between edges. Written by hand: see
** by_hand.lua. Host kernels: src/rt/host/kernels/count.c.
**
**   bincount:  z[x[i] - base]++, if that is one of 'bins'
**   histogram: z[b]++ for each x[i] with edge[b] <= x[i] < edge[b+1]; the last
**              bin includes its last edge. 'even': the edges are evenly spaced
**              as far as floats can be
**
** Memory-bound: x is read once. A block counts in shared memory, where each bin
** has as many counters as fit, up to one for each lane of a warp. So neighbours
** never wait for each other, however few bins there are. The block adds its
** counts to z in the end. Bins beyond the room of shared memory are counted in
** z itself, because integers may be added in any order.
*/
#include "common.cuh"
#include "search.h"

/* Returns the number of counters of a bin; 0: they do not fit. */
static __device__ __forceinline__ unsigned copies_of (size_t bins) {
  unsigned copies = 32;
  while (copies > 0 && bins * copies > COUNT_ROOM)
    copies /= 2;
  return copies;
}

typedef unsigned long long Total;

/* Counts an element of bin b; 'own' are the counters of this lane, if any. */
static __device__ __forceinline__ void note (Total *z, uint32_t *own,
                                             size_t b, unsigned copies) {
  if (copies > 0)
    atomicAdd(&own[b * copies], 1u);
  else
    atomicAdd(&z[b], 1ull);
}

/* Adds the block's counts to z. The lanes begin at different counters, so that
** they are in different banks. */
static __device__ __forceinline__ void total (Total *z, const uint32_t *counts,
                                              size_t bins, unsigned copies) {
  for (size_t b = threadIdx.x; b < bins; b += COUNT_BLOCK) {
    Total sum = 0;
    for (unsigned k = 0; k < copies; k++)
      sum += counts[b * copies + ((k + threadIdx.x) & (copies - 1))];
    if (sum > 0)
      atomicAdd(&z[b], sum);
  }
}

/*
** Counts all x[i]: bin(x) is the number of its bin, 'bins' or more for none.
** Loads packs of 16 bytes, COUNT_PACKS of which are in flight at a time.
*/
template <class T, class F>
static __device__ __forceinline__ void count (int64_t *counted, const T *x,
                                              size_t n, size_t bins, F bin) {
  constexpr int N = 16 / sizeof(T);
  constexpr size_t TILE = (size_t)COUNT_BLOCK * COUNT_PACKS * N;
  __shared__ uint32_t counts[COUNT_ROOM];
  Total *z = reinterpret_cast<Total *>(counted);
  const unsigned copies = copies_of(bins);
  uint32_t *own = counts + (copies > 0 ? threadIdx.x & (copies - 1) : 0);
  for (size_t i = threadIdx.x; i < bins * copies; i += COUNT_BLOCK)
    counts[i] = 0;
  __syncthreads();
  size_t done = 0;
  if (aligned<N>(x)) {
    done = n / TILE * TILE;
    for (size_t at = blockIdx.x * TILE; at < done; at += gridDim.x * TILE) {
      Pack<T, N> pack[COUNT_PACKS];
      const Pack<T, N> *from =
          reinterpret_cast<const Pack<T, N> *>(x + at) + threadIdx.x;
#pragma unroll
      for (int k = 0; k < COUNT_PACKS; k++)
        pack[k] = from[k * COUNT_BLOCK];
#pragma unroll
      for (int k = 0; k < COUNT_PACKS; k++)
#pragma unroll
        for (int j = 0; j < N; j++) {
          const size_t b = bin(pack[k].at[j]);
          if (b < bins)
            note(z, own, b, copies);
        }
    }
  }
  for (size_t i = done + first(); i < n; i += stride()) {
    const size_t b = bin(x[i]);
    if (b < bins)
      note(z, own, b, copies);
  }
  __syncthreads();
  total(z, counts, bins, copies);
}

#define KERNEL extern "C" __global__ void __launch_bounds__(COUNT_BLOCK)

#define BINCOUNT(s, T) \
  KERNEL bincount_##s (int64_t *z, const T *x, size_t n, size_t bins, \
                       int64_t base) { \
    after_previous(); \
    count(z, x, n, bins, [=] (T own) { \
      return (size_t)((uint64_t)(int64_t)own - (uint64_t)base); \
    }); \
  }
BINCOUNT(u8, uint8_t)
BINCOUNT(i32, int32_t)
BINCOUNT(i64, int64_t)

#define HISTOGRAM(s, T) \
  KERNEL histogram_##s (int64_t *z, const T *x, const T *edge, size_t n, \
                        size_t bins, size_t even) { \
    after_previous(); \
    const double low = edge[0], scale = bins / ((double)edge[bins] - low); \
    count(z, x, n, bins, [=] (T own) { \
      return bin_of(own, edge, bins, even, low, scale); \
    }); \
  }
HISTOGRAM(f32, float)
HISTOGRAM(f64, double)

#undef KERNEL
#undef BINCOUNT
#undef HISTOGRAM
