/*
** sums.cuh - numbers of any type as float64, and their sums over the lanes of a
** warp with the same place: shared by sums.cu and buckets.cu.
*/
#ifndef TIDE_SUMS_CUH
#define TIDE_SUMS_CUH

#include "common.cuh"
#include "scatter.h"
#include "split.cuh"

#define SUMS_WARPS (SUMS_BLOCK / 32)
#define SUMS_EACH 4        /* groups of 32 that are in flight at a time */
#define LANES 0xffffffffu  /* all lanes of a warp */
#define NO_KEY 0xffffffffu /* keys are below n, which is not more */

#define NUMBER(s, T) \
  FN double number (T x) { return (double)LOAD(s, x); } \
  FN void set_number (T *z, double x) { *z = STORE(s, x); }
SET_SCATTER(NUMBER)

template <class T>
static __device__ __forceinline__ double number_at (const T *v, size_t t,
                                                    size_t m, size_t vn) {
  return number(v[vn == m ? t : Split(t, vn).r]);
}

/* Returns the lanes of the warp with the same number, of so many bits. */
static __device__ __forceinline__ unsigned peers_of_bits (unsigned x,
                                                          int bits) {
  unsigned peers = LANES;
  for (int b = 0; b < bits; b++) {
    const bool has = (x >> b & 1) != 0;
    const unsigned with = __ballot_sync(LANES, has);
    peers &= has ? with : ~with;
  }
  return peers;
}

/*
** Returns the sum of x over the peers, in the first of them. Each adds the
** value of the next one, then every other one drops out, until none has a next
** one. All lanes of the warp call it.
*/
static __device__ __forceinline__ double sum_of_peers (double x,
                                                       unsigned peers) {
  const unsigned lane = threadIdx.x % 32;
  unsigned rank = __popc(peers & ((1u << lane) - 1));
  peers &= lane == 31 ? 0 : LANES << (lane + 1);
  while (__any_sync(LANES, peers != 0)) {
    const int next = __ffs(peers);
    const double other = __shfl_sync(LANES, x, next > 0 ? next - 1 : lane);
    if (next > 0)
      x += other;
    peers &= __ballot_sync(LANES, (rank & 1) == 0);
    rank >>= 1;
  }
  return x;
}

/* Returns the number that belongs to a key (sums_keys). */
template <class T>
static __device__ __forceinline__ double number_of (const T *v, uint32_t own,
                                                    size_t m, size_t vn) {
  if (sizeof(T) < 8)
    return (double)__uint_as_float(own);
  return own == NO_KEY ? -0.0 : number_at(v, own, m, vn);
}

#endif
