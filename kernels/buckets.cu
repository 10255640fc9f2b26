/*
** buckets.cu - adds pairs of a place and a number (sums_keys of sums.cu) to z.
** They are sorted by all of the place but its last byte, so the pairs of a
** bucket, SUMS_BUCKET neighbours of z, are together. For CUDA alone; written by
** hand.
**
**   sums_parts:  a warp takes SUMS_SHARE pairs and adds up one bucket after the
**       other, in shared memory. Buckets that begin and end in its share are
**       added to z; the sums of the others are left
**   sums_joined: adds up the left sums of a bucket, in the order of the warps
**
** sums_parts is bound by its instructions, sums_joined by memory.
*/
#include "sums.cuh"

/*
** Adds the numbers of some lanes to the sums of their places in the bucket. All
** lanes of the warp call it. Mostly no two have the same place: then each finds
** there that it was the last to write its number.
*/
static __device__ __forceinline__ void put_in (double *sums,
    volatile uint8_t *last, uint32_t key, double x, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32, own = 1u << lane;
  const unsigned place = key % SUMS_BUCKET;
  const bool is = (lanes & own) != 0;
  if (is)
    last[place] = (uint8_t)lane;
  __syncwarp();
  if (!__any_sync(LANES, is && last[place] != lane)) {
    if (is)
      sums[place] += x;
    __syncwarp();
    return;
  }
  const unsigned same = peers_of_bits(place, 8) & lanes;
  const unsigned peers = is ? same : 0;
  const double sum = sum_of_peers(x, peers);
  if (peers != 0 && (peers & (own - 1)) == 0)
    sums[place] += sum;
  __syncwarp();
}

/* Tells whether no number was added. */
static __device__ __forceinline__ bool is_nothing (double sum) {
  return __double_as_longlong(sum) == __double_as_longlong(-0.0);
}

/* Each lane clears only sums that it alone has read. */
static __device__ __forceinline__ void clear (double *sums) {
#pragma unroll
  for (int i = threadIdx.x % 32; i < SUMS_BUCKET; i += 32)
    sums[i] = -0.0;
  __syncwarp();
}

/* Adds the sums of a bucket to z, and clears them. Elements to which no number
** was added stay as they are. */
template <class T>
static __device__ __forceinline__ void add_bucket (T *z, double *sums,
                                                   uint32_t bucket, size_t n) {
  const size_t from = (size_t)bucket * SUMS_BUCKET;
  const unsigned lane = threadIdx.x % 32;
  if (from + SUMS_BUCKET <= n) {
#pragma unroll 1
    for (unsigned i = lane; i < SUMS_BUCKET; i += SUMS_EACH * 32) {
      T *own = z + from + i;
      double old[SUMS_EACH];
#pragma unroll
      for (int e = 0; e < SUMS_EACH; e++)
        old[e] = number(own[e * 32]);
#pragma unroll
      for (int e = 0; e < SUMS_EACH; e++)
        if (!is_nothing(sums[i + e * 32]))
          set_number(&own[e * 32], old[e] + sums[i + e * 32]);
    }
  } else {
#pragma unroll 1
    for (unsigned i = lane; i < n - from; i += 32)
      if (!is_nothing(sums[i]))
        set_number(&z[from + i], number(z[from + i]) + sums[i]);
  }
  clear(sums);
}

/* Moves the sums to 'left', and clears them. */
static __device__ __forceinline__ void leave_bucket (double *left,
                                                     double *sums) {
#pragma unroll
  for (int i = threadIdx.x % 32; i < SUMS_BUCKET; i += 32)
    left[i] = sums[i];
  clear(sums);
}

/* Loads pair t, or nothing from 'to' on. */
template <class T>
static __device__ __forceinline__ void take_pair (uint32_t *k, double *x,
    const uint32_t *key, const uint32_t *own, const T *v, size_t t, size_t to,
    size_t m, size_t vn) {
  *k = t < to ? key[t] : 0;
  *x = t < to ? number_of(v, own[t], m, vn) : -0.0;
}

/* A share may leave two buckets: one that began before it, and one that begins
** in it and goes on. next[] has their numbers, from 1. */
template <class T>
static __device__ __forceinline__ void shares (T *z, const uint32_t *key,
    const uint32_t *own, const T *v, double *left, uint32_t *next, size_t n,
    size_t m, size_t vn) {
  __shared__ double room[SUMS_WARPS][SUMS_BUCKET];
  __shared__ uint8_t last[SUMS_WARPS][SUMS_BUCKET];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t share = (size_t)blockIdx.x * SUMS_WARPS + warp;
  const size_t from = share * SUMS_SHARE;
  double *sums = room[warp];
  if (from >= m)
    return;
  const size_t to = m - from < SUMS_SHARE ? m : from + SUMS_SHARE;
  uint32_t bucket = key[from] / SUMS_BUCKET, head = 0, tail = 0;
  bool open = from > 0 && key[from - 1] / SUMS_BUCKET == bucket;
  left += 2 * share * SUMS_BUCKET;
  clear(sums);
  uint32_t k[SUMS_EACH];
  double x[SUMS_EACH];
#pragma unroll
  for (int e = 0; e < SUMS_EACH; e++)
    take_pair(&k[e], &x[e], key, own, v, from + e * 32 + lane, to, m, vn);
#pragma unroll 1
  for (size_t at = from; at < to; at += 32) {
    unsigned lanes = __ballot_sync(LANES, at + lane < to);
    for (;;) {
      const unsigned with = lanes &
          __ballot_sync(LANES, k[0] / SUMS_BUCKET == bucket);
      put_in(sums, last[warp], k[0], x[0], with);
      lanes &= ~with;
      if (lanes == 0)
        break;
      if (open) {
        leave_bucket(left, sums);
        head = bucket + 1;
        open = false;
      } else {
        add_bucket(z, sums, bucket, n);
      }
      bucket = __shfl_sync(LANES, k[0] / SUMS_BUCKET, __ffs(lanes) - 1);
    }
#pragma unroll
    for (int e = 1; e < SUMS_EACH; e++) {
      k[e - 1] = k[e];
      x[e - 1] = x[e];
    }
    take_pair(&k[SUMS_EACH - 1], &x[SUMS_EACH - 1], key, own, v,
              at + SUMS_EACH * 32 + lane, to, m, vn);
  }
  if (open) {
    leave_bucket(left, sums);
    head = bucket + 1;
  } else if (to < m && key[to] / SUMS_BUCKET == bucket) {
    leave_bucket(left + SUMS_BUCKET, sums);
    tail = bucket + 1;
  } else {
    add_bucket(z, sums, bucket, n);
  }
  if (lane == 0) {
    next[2 * share] = head;
    next[2 * share + 1] = tail;
  }
}

/* A block takes the bucket that goes on after its share, if there is one. */
template <class T>
static __device__ __forceinline__ void joined (T *z, const double *left,
    const uint32_t *next, size_t n, size_t many) {
  constexpr int AHEAD = 8;
  const uint32_t bucket = next[2 * blockIdx.x + 1];
  if (bucket == 0)
    return;
  double sum = left[(2 * (size_t)blockIdx.x + 1) * SUMS_BUCKET + threadIdx.x];
  bool goes_on = true;
  for (size_t s = blockIdx.x + 1; goes_on; s += AHEAD) {
    double x[AHEAD];
    uint32_t of[AHEAD];
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
      of[i] = s + i < many ? next[2 * (s + i)] : 0;
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
      x[i] = of[i] == bucket ? left[2 * (s + i) * SUMS_BUCKET + threadIdx.x]
                             : 0;
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      goes_on = goes_on && of[i] == bucket;
      sum = goes_on ? sum + x[i] : sum;
    }
  }
  const size_t place = (size_t)(bucket - 1) * SUMS_BUCKET + threadIdx.x;
  if (place < n && !is_nothing(sum))
    set_number(&z[place], number(z[place]) + sum);
}

#define ADDING(s, T) \
  extern "C" __global__ void __launch_bounds__(SUMS_BLOCK) \
  sums_parts_##s (T *z, const uint32_t *key, const uint32_t *own, \
                  const T *v, double *left, uint32_t *next, \
                  const int64_t *seen, size_t n, size_t m, size_t vn, \
                  int64_t *bad) { \
    after_previous(); \
    if (first() == 0 && bad != NULL && *seen != 0) \
      *bad = *seen; \
    shares(z, key, own, v, left, next, n, m, vn); \
  } \
  extern "C" __global__ void __launch_bounds__(SUMS_BUCKET) \
  sums_joined_##s (T *z, const double *left, const uint32_t *next, size_t n, \
                   size_t many) { \
    after_previous(); \
    joined(z, left, next, n, many); \
  }
SET_SCATTER(ADDING)
#undef ADDING
