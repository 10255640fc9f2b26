/*
** compact.cu - selects the elements for which a mask, with as many elements, is
** true. Written by hand: see by_hand.lua. Host kernels:
** src/rt/host/kernels/compact.c.
**
**   true_counts: z[b] = how many of tile b, of COMPACT_TILE elements, are true
**   true_places: z = where they are, from 1
**   pick:        z = their elements of x
**   strew:       their elements of z = v, of vn elements; if there are not as
**                many, *bad, a word of the host's, is their number plus one
**
** 'ends' are the running sums of true_counts. Elements whose place is beyond
** 'room' are left out. Reads a byte an element twice, and the wanted elements
** of x. A lane has every 32nd element of its warp, so that a vote counts the
** true elements before it, and neighbouring lanes write neighbouring places.
*/
#include "common.cuh"
#include "ops.h"
#include "types.h"

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

/* Votes of a warp on a tile; warps of a block; elements moved at a time. */
enum {
  WARPS = MAP_BLOCK / 32, VOTES = COMPACT_TILE / MAP_BLOCK, FEW_VOTES = 4
};

KERNEL true_counts (int64_t *z, const uint8_t *c, size_t n) {
  after_previous();
  __shared__ unsigned totals[WARPS];
  const size_t tiles = (n + COMPACT_TILE - 1) / COMPACT_TILE;
  const bool whole = aligned<VOTES>(c);
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const size_t i = tile * MAP_BLOCK + threadIdx.x;
    unsigned count = 0;
    if ((i + 1) * VOTES <= n) {
      const Pack<uint8_t, VOTES> p = load_pack<VOTES>(c, i, whole);
#pragma unroll
      for (int k = 0; k < VOTES; k++)
        count += p.at[k] != 0;
    } else {
      for (size_t k = i * VOTES; k < n; k++)
        count += c[k] != 0;
    }
    for (int d = 16; d > 0; d /= 2)
      count += __shfl_down_sync(0xffffffffu, count, d);
    if (threadIdx.x % 32 == 0)
      totals[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int k = 1; k < WARPS; k++)
        count += totals[k];
      z[tile] = count;
    }
    __syncthreads();
  }
}

/* Calls use.put(i, place, use.get(i, place)) for each element i that is true.
** Some elements are got before the first of them is put; places count from
** 0. */
template <class Use>
static __device__ __forceinline__ void compact (
    const uint8_t *c, const int64_t *ends, size_t n, Use use) {
  __shared__ unsigned totals[WARPS];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const size_t tiles = (n + COMPACT_TILE - 1) / COMPACT_TILE;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const size_t from = tile * COMPACT_TILE + warp * (32 * VOTES) + lane;
    unsigned votes[VOTES], count = 0;
#pragma unroll
    for (int k = 0; k < VOTES; k++) {
      const size_t i = from + 32 * k;
      votes[k] = __ballot_sync(0xffffffffu, i < n && c[i] != 0);
    }
#pragma unroll
    for (int k = 0; k < VOTES; k++)
      count += __popc(votes[k]);
    if (lane == 0)
      totals[warp] = count;
    __syncthreads();
    size_t place = tile > 0 ? (size_t)ends[tile - 1] : 0;
    for (unsigned w = 0; w < warp; w++)
      place += totals[w];
#pragma unroll
    for (int k = 0; k < VOTES; k += FEW_VOTES) {
      typename Use::T own[FEW_VOTES];
#pragma unroll
      for (int j = 0; j < FEW_VOTES; j++) {
        const unsigned before = __popc(votes[k + j] & ((1u << lane) - 1));
        if (votes[k + j] >> lane & 1)
          own[j] = use.get(from + 32 * (k + j), place + before);
        place += __popc(votes[k + j]);
      }
      size_t at = place;
#pragma unroll
      for (int j = FEW_VOTES - 1; j >= 0; j--) {
        const unsigned before = __popc(votes[k + j] & ((1u << lane) - 1));
        at -= __popc(votes[k + j]);
        if (votes[k + j] >> lane & 1)
          use.put(from + 32 * (k + j), at + before, own[j]);
      }
    }
    __syncthreads();  /* before 'totals' is used again */
  }
}

struct Places {
  typedef int64_t T;
  int64_t *z;
  size_t room;
  __device__ __forceinline__ T get (size_t i, size_t) const {
    return (int64_t)i + 1;
  }
  __device__ __forceinline__ void put (size_t, size_t place, T own) const {
    if (place < room)
      z[place] = own;
  }
};

template <class E>
struct Picks {
  typedef E T;
  E *z;
  const E *x;
  size_t room;
  __device__ __forceinline__ T get (size_t i, size_t) const { return x[i]; }
  __device__ __forceinline__ void put (size_t, size_t place, T own) const {
    if (place < room)
      z[place] = own;
  }
};

template <class E>
struct Strews {
  typedef E T;
  E *z;
  const E *v;
  size_t vn;
  __device__ __forceinline__ T get (size_t, size_t place) const {
    return place < vn ? v[place] : T();
  }
  __device__ __forceinline__ void put (size_t i, size_t place, T own) const {
    if (place < vn)
      z[i] = own;
  }
};

KERNEL true_places (int64_t *z, const uint8_t *c, const int64_t *ends,
                    int64_t room, size_t n) {
  after_previous();
  compact(c, ends, n, Places{z, (size_t)room});
}

#define COMPACT(b) \
  KERNEL pick_##b (t_##b *z, const t_##b *x, const uint8_t *c, \
                   const int64_t *ends, int64_t room, size_t n) { \
    after_previous(); \
    compact(c, ends, n, Picks<t_##b>{z, x, (size_t)room}); \
  } \
  KERNEL strew_##b (t_##b *z, const uint8_t *c, const int64_t *ends, \
                    const t_##b *v, size_t vn, size_t n, int64_t *bad) { \
    after_previous(); \
    const size_t tiles = (n + COMPACT_TILE - 1) / COMPACT_TILE; \
    if (bad != NULL && first() == 0 && (size_t)ends[tiles - 1] != vn) \
      *bad = ends[tiles - 1] + 1; \
    compact(c, ends, n, Strews<t_##b>{z, v, vn}); \
  }
SET_WIDTH(COMPACT)

#undef COMPACT
#undef KERNEL
