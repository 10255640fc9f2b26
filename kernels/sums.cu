/*
** sums.cu - adds floats to the elements of z at places of which several may be
** the same, in the same order every time. Written by hand: see by_hand.lua. The
** host device has sums_few and sums_total alone (rt/host/kernels/sums.c).
**
** If z has few elements (up to SUMS_ROOM):
**
**   sums_few:   a warp has a sum for each element of z in shared memory. It
**       takes 32 numbers at a time, and first adds up those of a place, two by
**       two, so that no two lanes write the same sum. A block leaves the
**       sums of its warps, as a row of n + 1: the last is a word that reports
**       an index without a place
**   sums_total: adds the rows to z, in their order; *bad, a word of the host's,
**       becomes such a word, if it is not NULL
**
** Else there are pairs of a key and a number, sorted by radix_order:
**
**   sums_keys:  the key is the place from 0, the number its bits as float32 or,
**       if they are not enough, the element's own number. An index without a
**       place gives -0.0, which changes no sum, for place 0, and *seen reports
**       it
**   sums_runs:  if z has many elements for each pair, so that most get nothing.
**       A warp takes SUMS_SPAN pairs and adds up the run of each place, 32 at a
**       time by a segmented scan. Runs that go on before or after are left as
**       entries for scatter_f32 ... (scatter.h), which add those up
**
** and the kernels of buckets.cu if z has fewer.
**
** index[t] counts from 'base', by 'mode', as in scatter_bin; v has vn elements,
** which repeat. Sums are of float64. Words report an index as report_index
** does; a bin's number without a place is not reported.
**
** sums_few is bound by its instructions, some 80 for 32 numbers; the others by
** memory: they read pairs and z, and write z, in order.
*/
#include "sums.cuh"

#define KERNEL extern "C" __global__ void __launch_bounds__(SUMS_BLOCK)

/* {== few elements ==================================================== */

template <class T>
static __device__ __forceinline__ void few (double *sums,
    const int64_t *index, const T *v, size_t n, size_t m, size_t vn,
    int64_t base, size_t mode) {
  __shared__ double room[SUMS_ROOM];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned copies = n * SUMS_WARPS <= SUMS_ROOM
                              ? SUMS_WARPS : SUMS_ROOM / (unsigned)n;
  const int bits = 32 - __clz((unsigned)n);
  const size_t step = (size_t)gridDim.x * copies * 32;
  double *own = room + warp * n;
  bool wrong = false;
  sums += blockIdx.x * (n + 1);
  int64_t *bad = reinterpret_cast<int64_t *>(&sums[n]);
  if (threadIdx.x == 0)
    *bad = 0;
  for (size_t i = threadIdx.x; i < copies * n; i += SUMS_BLOCK)
    room[i] = -0.0;
  __syncthreads();
  const size_t from = ((size_t)blockIdx.x * copies + warp) * 32;
  for (size_t at = from; warp < copies && at < m; at += SUMS_EACH * step) {
    unsigned bin[SUMS_EACH];
    double x[SUMS_EACH];
#pragma unroll
    for (int k = 0; k < SUMS_EACH; k++) {
      const size_t t = at + k * step + lane;
      const size_t b = t < m ? scatter_bin(index[t], n, base, mode) : n;
      wrong = wrong || (t < m && b == n);
      bin[k] = (unsigned)b;
      x[k] = b < n ? number_at(v, t, m, vn) : -0.0;
    }
#pragma unroll
    for (int k = 0; k < SUMS_EACH; k++) {
      const unsigned peers = peers_of_bits(bin[k], bits);
      const double sum = sum_of_peers(x[k], peers);
      if (bin[k] < n && (peers & ((1u << lane) - 1)) == 0)
        own[bin[k]] += sum;
      __syncwarp();
    }
  }
  for (size_t t = from + lane; wrong && t < m; t += step)
    if (scatter_bin(index[t], n, base, mode) == n)
      report_index(bad, index[t]);
  __syncthreads();
  for (size_t b = threadIdx.x; b < n; b += SUMS_BLOCK) {
    double sum = room[b];
    for (unsigned c = 1; c < copies; c++)
      sum += room[c * n + b];
    sums[b] = sum;
  }
}

/* A block takes 32 columns, a warp every k-th row of them. */
template <class T>
static __device__ __forceinline__ void total (T *z, const double *sums,
    size_t n, size_t rows, int64_t *bad) {
  __shared__ double part[SUMS_WARPS][32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t b = (size_t)blockIdx.x * 32 + lane;
  double sum = -0.0;
  if (bad != NULL && blockIdx.x == 0)
    for (size_t r = threadIdx.x; r < rows; r += SUMS_BLOCK)
      if (__double_as_longlong(sums[r * (n + 1) + n]) != 0)
        *bad = __double_as_longlong(sums[r * (n + 1) + n]);
  if (b < n)
#pragma unroll 4
    for (size_t r = warp; r < rows; r += SUMS_WARPS)
      sum += sums[r * (n + 1) + b];
  part[warp][lane] = sum;
  __syncthreads();
  if (warp > 0 || b >= n)
    return;
  for (int w = 1; w < SUMS_WARPS; w++)
    sum += part[w][lane];
  set_number(&z[b], number(z[b]) + sum);
}

/* ==} */

/* {== many elements =================================================== */

static __device__ __forceinline__ uint32_t bits_of (double x) {
  return __float_as_uint((float)x);
}

/* Returns the number of a key: its bits if float32 holds it, else its
** element. */
template <class T>
static __device__ __forceinline__ uint32_t belonging (const T *v, size_t t,
                                                      size_t m, size_t vn) {
  return sizeof(T) == 8 ? (uint32_t)t : bits_of(number_at(v, t, m, vn));
}

template <class T>
static __device__ __forceinline__ void keys (uint32_t *key, uint32_t *own,
    int64_t *seen, const int64_t *index, const T *v, size_t n, size_t m,
    size_t vn, int64_t base, size_t mode) {
  const size_t step = stride();
  int64_t wrong = IN_RANGE;
  for (size_t t = first(); t < m; t += SUMS_EACH * step) {
    int64_t given[SUMS_EACH];
    size_t place[SUMS_EACH];
    uint32_t has[SUMS_EACH];
#pragma unroll
    for (int e = 0; e < SUMS_EACH; e++) {
      const size_t i = t + e * step < m ? t + e * step : t;
      given[e] = index[i];
      place[e] = scatter_bin(given[e], n, base, mode);
      has[e] = belonging(v, i, m, vn);
    }
#pragma unroll
    for (int e = 0; e < SUMS_EACH; e++)
      if (t + e * step < m) {
        const bool there = place[e] < n;
        key[t + e * step] = there ? (uint32_t)place[e] : 0;
        own[t + e * step] = there ? has[e] : sizeof(T) == 8 ? NO_KEY
                                                            : bits_of(-0.0);
        wrong = there ? wrong : given[e];
      }
  }
  report_index(seen, wrong);
}

/* Returns the sum of x from the head of this lane's run on. The head is the
** last bit of 'heads' up to the lane, if there is one. */
static __device__ __forceinline__ double sum_of_run (double x,
                                                     unsigned heads) {
  const int lane = threadIdx.x % 32;
  const unsigned upto = heads & (LANES >> (31 - lane));
  const int from = upto != 0 ? 31 - __clz(upto) : 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const double other = __shfl_up_sync(LANES, x, d);
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
  const size_t span = (size_t)blockIdx.x * SUMS_WARPS + threadIdx.x / 32;
  const size_t from = span * SUMS_SPAN;
  if (from >= m)
    return;
  const size_t to = m - from < SUMS_SPAN ? m : from + SUMS_SPAN;
  uint32_t last = from > 0 ? key[from - 1] : NO_KEY;
  bool open = from > 0 && key[from] == last;  /* no run has begun yet */
  bool ended = false;                         /* the run from before has
                                                 ended */
  double carry = -0.0;
  for (size_t at = from; at < to; at += SUMS_EACH * 32) {
    uint32_t k[SUMS_EACH], after[SUMS_EACH];
    double x[SUMS_EACH], old[SUMS_EACH];
#pragma unroll
    for (int e = 0; e < SUMS_EACH; e++) {
      const size_t t = at + e * 32 + lane;
      k[e] = t < to ? key[t] : NO_KEY;
      after[e] = lane == 31 && t + 1 < m ? key[t + 1] : NO_KEY;
      x[e] = t < to ? number_of(v, own[t], m, vn) : -0.0;
    }
#pragma unroll
    for (int e = 0; e < SUMS_EACH; e++) {  /* reads all of z before it writes
                                              any */
      const uint32_t behind = __shfl_down_sync(LANES, k[e], 1);
      after[e] = lane < 31 ? behind : after[e];
      old[e] = k[e] != after[e] ? number(z[k[e] != NO_KEY ? k[e] : 0]) : 0;
    }
#pragma unroll
    for (int e = 0; e < SUMS_EACH; e++) {
      uint32_t before = __shfl_up_sync(LANES, k[e], 1);
      if (lane == 0)
        before = last;
      const unsigned heads = __ballot_sync(LANES, k[e] != before);
      double sum = lane == 0 && (heads & 1) == 0 ? carry + x[e] : x[e];
      if (heads != LANES)
        sum = sum_of_run(sum, heads);
      const bool first_one = open && (heads & (LANES >> (31 - lane))) == 0;
      const bool ends = k[e] != NO_KEY && k[e] != after[e];
      if (ends && first_one) {
        left[2 * span] = sum;
        next[2 * span] = (int64_t)k[e] + 1;
      } else if (ends) {
        set_number(&z[k[e]], old[e] + sum);
      }
      ended = ended || __any_sync(LANES, ends && first_one);
      open = open && heads == 0;
      carry = __shfl_sync(LANES, sum, 31);
      last = __shfl_sync(LANES, k[e], 31);
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
    after_previous(); \
    few(sums, index, v, n, m, vn, base, mode); \
  } \
  KERNEL sums_total_##s (T *z, const double *sums, size_t n, size_t rows, \
                         int64_t *bad) { \
    after_previous(); \
    total(z, sums, n, rows, bad); \
  } \
  KERNEL sums_keys_##s (uint32_t *key, uint32_t *own, int64_t *seen, \
                        const int64_t *index, const T *v, size_t n, \
                        size_t m, size_t vn, int64_t base, size_t mode) { \
    after_previous(); \
    keys(key, own, seen, index, v, n, m, vn, base, mode); \
  } \
  KERNEL sums_runs_##s (T *z, const uint32_t *key, const uint32_t *own, \
                        const T *v, double *left, int64_t *next, \
                        const int64_t *seen, size_t m, size_t vn, \
                        int64_t *bad) { \
    after_previous(); \
    if (first() == 0 && bad != NULL && *seen != 0) \
      *bad = *seen; \
    runs(z, key, own, v, left, next, m, vn); \
  }
SET_SCATTER(ADDING)

#undef KERNEL
#undef ADDING
