/*
** sums.cu - floats added to the elements of z at places of which several may be
** the same, in the same order every time. Of CUDA alone: the host device goes
** by the order of the elements. Written by hand: 'others' of table.lua.
**
** Where z has few elements (up to SUMS_ROOM):
**
**   sums_few:   a warp has a sum for each element of z in shared memory. Of the
**       32 numbers that it takes at a time it adds up those of a place first,
**       two by two, so that no two lanes write the same sum. A block leaves the
**       sums of its warps, as a row of n + 1: the last says whether a place was
**       none
**   sums_total: adds the rows to z, in their order
**
** Else pairs of a key and a number, by radix_order:
**
**   sums_keys:  the key is the place from 0, the number its bits as float32; or
**       where it has more, which element it is. What has no place is -0.0,
**       which changes no sum, for place 0, and sets *seen
**   sums_parts: the pairs are sorted by all of the key but its last byte, so
**       those of SUMS_BUCKET neighbours of z, a bucket, are together. A warp
**       takes SUMS_SHARE pairs and adds up one bucket after the other, as in
**       sums_few. What begins and ends among them is added to z; of what goes
**       on before or after, the sums are left
**   sums_joined: adds up what is left of a bucket, in the order of the warps
**   sums_runs:  the same where z has many elements for each pair, most of which
**       nothing goes to. The pairs are sorted by all of the key; a warp takes
**       SUMS_SPAN and adds up the run of each place, 32 at a time by a
**       segmented scan. What goes on before or after is left as an entry, as
**       by scatter_f32 ... (scatter.h), which add those up
**
** index[t] counts from 'base', by 'mode', as in scatter_bin; v has vn elements
** again and again. Sums are of float64.
**
** sums_few and sums_parts are bound by their instructions, some 80 for 32
** numbers; the others by memory: all read pairs and z, and write z, in order.
*/
#include "common.cuh"
#include "scatter.h"
#include "split.cuh"

#define WARPS (SUMS_BLOCK / 32)
#define ALL 0xffffffffu
#define NONE 0xffffffffu  /* no key: it is below n, which is no more */
#define EACH 4            /* groups of 32 that are on the way at a time */
#define KERNEL extern "C" __global__ void __launch_bounds__(SUMS_BLOCK)

#define NUMBER(s, T) \
  FN double number (T x) { return (double)LOAD(s, x); } \
  FN void set_number (T *z, double x) { *z = STORE(s, x); }
SET_SCATTER(NUMBER)

template <class T>
static __device__ __forceinline__ double number_at (const T *v, size_t t,
                                                    size_t m, size_t vn) {
  return number(v[vn == m ? t : Split(t, vn).r]);
}

/* {== few elements ==================================================== */

/* The lanes of the warp that have the same number, which has so many bits. */
static __device__ __forceinline__ unsigned peers_of_bits (unsigned x,
                                                          int bits) {
  unsigned peers = ALL;
  for (int b = 0; b < bits; b++) {
    const bool has = (x >> b & 1) != 0;
    const unsigned with = __ballot_sync(ALL, has);
    peers &= has ? with : ~with;
  }
  return peers;
}

/*
** The sum of x over the lanes that are peers, in the first of them: each adds
** what the next one has, then every other one drops out, until none has a next
** one. All lanes of the warp call it.
*/
static __device__ __forceinline__ double sum_of_peers (double x,
                                                       unsigned peers) {
  const unsigned lane = threadIdx.x % 32;
  unsigned rank = __popc(peers & ((1u << lane) - 1));
  peers &= lane == 31 ? 0 : ALL << (lane + 1);
  while (__any_sync(ALL, peers != 0)) {
    const int next = __ffs(peers);
    const double other = __shfl_sync(ALL, x, next > 0 ? next - 1 : lane);
    if (next > 0)
      x += other;
    peers &= __ballot_sync(ALL, (rank & 1) == 0);
    rank >>= 1;
  }
  return x;
}

template <class T>
static __device__ __forceinline__ void few (double *sums,
    const int64_t *index, const T *v, size_t n, size_t m, size_t vn,
    int64_t base, size_t mode) {
  __shared__ double room[SUMS_ROOM];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned copies = n * WARPS <= SUMS_ROOM ? WARPS
                                                 : SUMS_ROOM / (unsigned)n;
  const int bits = 32 - __clz((unsigned)n);
  const size_t step = (size_t)gridDim.x * copies * 32;
  double *own = room + warp * n;
  bool wrong = false;
  for (size_t i = threadIdx.x; i < copies * n; i += SUMS_BLOCK)
    room[i] = -0.0;
  __syncthreads();
  size_t at = ((size_t)blockIdx.x * copies + warp) * 32;
  for (; warp < copies && at < m; at += EACH * step) {
    unsigned bin[EACH];
    double x[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t t = at + k * step + lane;
      const size_t b = t < m ? scatter_bin(index[t], n, base, mode) : n;
      wrong = wrong || (t < m && b == n);
      bin[k] = (unsigned)b;
      x[k] = b < n ? number_at(v, t, m, vn) : -0.0;
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const unsigned peers = peers_of_bits(bin[k], bits);
      const double sum = sum_of_peers(x[k], peers);
      if (bin[k] < n && (peers & ((1u << lane) - 1)) == 0)
        own[bin[k]] += sum;
      __syncwarp();
    }
  }
  wrong = __syncthreads_or(wrong) != 0;
  sums += blockIdx.x * (n + 1);
  for (size_t b = threadIdx.x; b < n; b += SUMS_BLOCK) {
    double sum = room[b];
    for (unsigned c = 1; c < copies; c++)
      sum += room[c * n + b];
    sums[b] = sum;
  }
  if (threadIdx.x == 0)
    sums[n] = wrong;
}

/* A block takes 32 columns, a warp every so many rows of them. */
template <class T>
static __device__ __forceinline__ void total (T *z, const double *sums,
    size_t n, size_t rows, uint32_t *bad) {
  __shared__ double part[WARPS][32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t b = (size_t)blockIdx.x * 32 + lane;
  double sum = -0.0;
  if (b <= n)
#pragma unroll 4
    for (size_t r = warp; r < rows; r += WARPS)
      sum += sums[r * (n + 1) + b];
  part[warp][lane] = sum;
  __syncthreads();
  if (warp > 0 || b > n)
    return;
  for (int w = 1; w < WARPS; w++)
    sum += part[w][lane];
  if (b < n)
    set_number(&z[b], number(z[b]) + sum);
  else if (sum > 0 && bad != NULL)
    *bad = 1;
}

/* ==} */

/* {== many ============================================================ */

static __device__ __forceinline__ uint32_t bits_of (double x) {
  return __float_as_uint((float)x);
}

/* What belongs to a key: a number that float32 has, or which one it is. */
template <class T>
static __device__ __forceinline__ uint32_t belonging (const T *v, size_t t,
                                                      size_t m, size_t vn) {
  return sizeof(T) == 8 ? (uint32_t)t : bits_of(number_at(v, t, m, vn));
}

template <class T>
static __device__ __forceinline__ double number_of (const T *v, uint32_t own,
                                                    size_t m, size_t vn) {
  if (sizeof(T) < 8)
    return (double)__uint_as_float(own);
  return own == NONE ? -0.0 : number_at(v, own, m, vn);
}

template <class T>
static __device__ __forceinline__ void keys (uint32_t *key, uint32_t *own,
    uint32_t *seen, const int64_t *index, const T *v, size_t n, size_t m,
    size_t vn, int64_t base, size_t mode) {
  const size_t step = stride();
  bool wrong = false;
  for (size_t t = first(); t < m; t += EACH * step) {
    size_t place[EACH];
    uint32_t has[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
      const size_t i = t + e * step < m ? t + e * step : t;
      place[e] = scatter_bin(index[i], n, base, mode);
      has[e] = belonging(v, i, m, vn);
    }
#pragma unroll
    for (int e = 0; e < EACH; e++)
      if (t + e * step < m) {
        const bool there = place[e] < n;
        key[t + e * step] = there ? (uint32_t)place[e] : 0;
        own[t + e * step] = there ? has[e] : sizeof(T) == 8 ? NONE
                                                            : bits_of(-0.0);
        wrong |= !there;
      }
  }
  if (wrong)
    *seen = 1;
}

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
  if (!__any_sync(ALL, is && last[place] != lane)) {
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

/* Nothing has come. */
static __device__ __forceinline__ bool is_nothing (double sum) {
  return __double_as_longlong(sum) == __double_as_longlong(-0.0);
}

/* A lane clears what it alone has looked at. */
static __device__ __forceinline__ void clear (double *sums) {
#pragma unroll
  for (int i = threadIdx.x % 32; i < SUMS_BUCKET; i += 32)
    sums[i] = -0.0;
  __syncwarp();
}

/* Adds the sums of a bucket to z, whose elements stay as they are where nothing
** has come; and clears them. */
template <class T>
static __device__ __forceinline__ void add_bucket (T *z, double *sums,
                                                   uint32_t bucket, size_t n) {
  const size_t from = (size_t)bucket * SUMS_BUCKET;
  const unsigned lane = threadIdx.x % 32;
  if (from + SUMS_BUCKET <= n) {
#pragma unroll 1
    for (unsigned i = lane; i < SUMS_BUCKET; i += EACH * 32) {
      T *own = z + from + i;
      double old[EACH];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        old[e] = number(own[e * 32]);
#pragma unroll
      for (int e = 0; e < EACH; e++)
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

/* Leaves them, where 'left' is, and clears them. */
static __device__ __forceinline__ void leave_bucket (double *left,
                                                     double *sums) {
#pragma unroll
  for (int i = threadIdx.x % 32; i < SUMS_BUCKET; i += 32)
    left[i] = sums[i];
  clear(sums);
}

/* Pair t, or nothing from 'to' on. */
template <class T>
static __device__ __forceinline__ void take_pair (uint32_t *k, double *x,
    const uint32_t *key, const uint32_t *own, const T *v, size_t t, size_t to,
    size_t m, size_t vn) {
  *k = t < to ? key[t] : 0;
  *x = t < to ? number_of(v, own[t], m, vn) : -0.0;
}

/* Of each share two buckets may be left: one that began before, and one that
** goes on and began in it. next[] has their numbers, from 1. */
template <class T>
static __device__ __forceinline__ void shares (T *z, const uint32_t *key,
    const uint32_t *own, const T *v, double *left, uint32_t *next, size_t n,
    size_t m, size_t vn) {
  __shared__ double room[WARPS][SUMS_BUCKET];
  __shared__ uint8_t last[WARPS][SUMS_BUCKET];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t share = (size_t)blockIdx.x * WARPS + warp;
  const size_t from = share * SUMS_SHARE;
  double *sums = room[warp];
  if (from >= m)
    return;
  const size_t to = m - from < SUMS_SHARE ? m : from + SUMS_SHARE;
  uint32_t bucket = key[from] / SUMS_BUCKET, head = 0, tail = 0;
  bool open = from > 0 && key[from - 1] / SUMS_BUCKET == bucket;
  left += 2 * share * SUMS_BUCKET;
  clear(sums);
  uint32_t k[EACH];
  double x[EACH];
#pragma unroll
  for (int e = 0; e < EACH; e++)
    take_pair(&k[e], &x[e], key, own, v, from + e * 32 + lane, to, m, vn);
#pragma unroll 1
  for (size_t at = from; at < to; at += 32) {
    unsigned lanes = __ballot_sync(ALL, at + lane < to);
    for (;;) {
      const unsigned with = lanes &
          __ballot_sync(ALL, k[0] / SUMS_BUCKET == bucket);
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
      bucket = __shfl_sync(ALL, k[0] / SUMS_BUCKET, __ffs(lanes) - 1);
    }
#pragma unroll
    for (int e = 1; e < EACH; e++) {
      k[e - 1] = k[e];
      x[e - 1] = x[e];
    }
    take_pair(&k[EACH - 1], &x[EACH - 1], key, own, v, at + EACH * 32 + lane,
              to, m, vn);
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

/* The sum of x from the head of this lane's run on, the last bit of 'heads' up
** to it, if there is one. */
static __device__ __forceinline__ double sum_of_run (double x,
                                                     unsigned heads) {
  const int lane = threadIdx.x % 32;
  const unsigned upto = heads & (ALL >> (31 - lane));
  const int from = upto != 0 ? 31 - __clz(upto) : 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const double other = __shfl_up_sync(ALL, x, d);
    if (lane - d >= from)
      x = other + x;
  }
  return x;
}

template <class T>
static __device__ __forceinline__ void runs (T *z, const uint32_t *key,
    const uint32_t *own, const T *v, double *left, int64_t *next, size_t m,
    size_t vn) {
  const int lane = threadIdx.x % 32;
  const size_t span = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
  const size_t from = span * SUMS_SPAN;
  if (from >= m)
    return;
  const size_t to = m - from < SUMS_SPAN ? m : from + SUMS_SPAN;
  uint32_t last = from > 0 ? key[from - 1] : NONE;
  bool open = from > 0 && key[from] == last;  /* no run has begun yet */
  bool ended = false;                         /* what began before has */
  double carry = -0.0;
  for (size_t at = from; at < to; at += EACH * 32) {
    uint32_t k[EACH], after[EACH];
    double x[EACH], old[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
      const size_t t = at + e * 32 + lane;
      k[e] = t < to ? key[t] : NONE;
      after[e] = lane == 31 && t + 1 < m ? key[t + 1] : NONE;
      x[e] = t < to ? number_of(v, own[t], m, vn) : -0.0;
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {  /* all of z before any of it is written */
      const uint32_t behind = __shfl_down_sync(ALL, k[e], 1);
      after[e] = lane < 31 ? behind : after[e];
      old[e] = k[e] != after[e] ? number(z[k[e] != NONE ? k[e] : 0]) : 0;
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
      uint32_t before = __shfl_up_sync(ALL, k[e], 1);
      if (lane == 0)
        before = last;
      const unsigned heads = __ballot_sync(ALL, k[e] != before);
      double sum = lane == 0 && (heads & 1) == 0 ? carry + x[e] : x[e];
      if (heads != ALL)
        sum = sum_of_run(sum, heads);
      const bool first_one = open && (heads & (ALL >> (31 - lane))) == 0;
      const bool ends = k[e] != NONE && k[e] != after[e];
      if (ends && first_one) {
        left[2 * span] = sum;
        next[2 * span] = (int64_t)k[e] + 1;
      } else if (ends) {
        set_number(&z[k[e]], old[e] + sum);
      }
      ended = ended || __any_sync(ALL, ends && first_one);
      open = open && heads == 0;
      carry = __shfl_sync(ALL, sum, 31);
      last = __shfl_sync(ALL, k[e], 31);
    }
  }
  if (left == NULL || lane > 0)
    return;
  const bool more = to < m && key[to] == key[to - 1];
  const int64_t place = more ? (int64_t)last + 1 : 0;
  if (!ended) {
    left[2 * span] = open && more ? carry : -0.0;
    next[2 * span] = open ? place : 0;
  }
  left[2 * span + 1] = more && !open ? carry : -0.0;
  next[2 * span + 1] = place;
}

/* ==} */

#define ADDING(s, T) \
  KERNEL sums_few_##s (double *sums, const int64_t *index, const T *v, \
                       size_t n, size_t m, size_t vn, int64_t base, \
                       size_t mode) { \
    few(sums, index, v, n, m, vn, base, mode); \
  } \
  KERNEL sums_total_##s (T *z, const double *sums, size_t n, size_t rows, \
                         uint32_t *bad) { \
    total(z, sums, n, rows, bad); \
  } \
  KERNEL sums_keys_##s (uint32_t *key, uint32_t *own, uint32_t *seen, \
                        const int64_t *index, const T *v, size_t n, \
                        size_t m, size_t vn, int64_t base, size_t mode) { \
    keys(key, own, seen, index, v, n, m, vn, base, mode); \
  } \
  KERNEL sums_parts_##s (T *z, const uint32_t *key, const uint32_t *own, \
                         const T *v, double *left, uint32_t *next, \
                         const uint32_t *seen, size_t n, size_t m, size_t vn, \
                         uint32_t *bad) { \
    if (first() == 0 && bad != NULL && *seen != 0) \
      *bad = 1; \
    shares(z, key, own, v, left, next, n, m, vn); \
  } \
  extern "C" __global__ void __launch_bounds__(SUMS_BUCKET) \
  sums_joined_##s (T *z, const double *left, const uint32_t *next, size_t n, \
                   size_t many) { \
    joined(z, left, next, n, many); \
  } \
  KERNEL sums_runs_##s (T *z, const uint32_t *key, const uint32_t *own, \
                        const T *v, double *left, int64_t *next, \
                        const uint32_t *seen, size_t m, size_t vn, \
                        uint32_t *bad) { \
    if (first() == 0 && bad != NULL && *seen != 0) \
      *bad = 1; \
    runs(z, key, own, v, left, next, m, vn); \
  }
SET_SCATTER(ADDING)

#undef KERNEL
#undef NUMBER
#undef ADDING
#undef WARPS
#undef ALL
#undef NONE
#undef EACH
