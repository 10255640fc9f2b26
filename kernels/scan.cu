/*
** scan.cu - running folds along an axis: every SCAN line of kernels.def. An
** array is 'lines' of n elements each, 'inner' apart; a line is cut into
** chunks, of which the last may be shorter. Twins: src/rt/host/scan.c.
**
**   op_sums:  sums[line][c] = the fold of chunk c of the line
**   op_carry: each line of sums becomes what comes before the chunk
**   op_apply: z = the running fold, each chunk begun with its carry; where a
**             line is one chunk (carry NULL), that is all there is to do
**
** Memory-bound: reads every element twice and writes it once; once each where
** a line is one chunk. Long lines of neighbours are scanned by a block a chunk,
** SCAN_ITEMS neighbours a thread; all others by a thread a chunk, so that
** neighbouring threads read neighbours.
**
** Which elements are folded in which order depends on the shape alone
** (rt_scan), not on timing, so floats come out the same every time.
*/
#include "common.cuh"
#include "kin.h"
#include "ops.h"

#define WARPS (SCAN_BLOCK / 32)

/* {== a block a chunk ================================================= */

/* This thread's neighbours from x[i], of which only those below n count. */
template <class F>
static __device__ __forceinline__ void load (typename F::A *a,
    const typename F::T *x, size_t i, size_t n, bool packs) {
  typedef typename F::T T;
  constexpr int N = 16 / sizeof(T);
  if (packs && i + SCAN_ITEMS <= n) {
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k += N) {
      const Pack<T, N> p = *reinterpret_cast<const Pack<T, N> *>(x + i + k);
#pragma unroll
      for (int j = 0; j < N; j++)
        a[k + j] = F::load(p.at[j]);
    }
  } else {
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
      a[k] = i + k < n ? F::load(x[i + k]) : F::none();
  }
}

template <class F>
static __device__ __forceinline__ void store (typename F::T *z,
    const typename F::A *a, size_t i, size_t n, bool packs) {
  typedef typename F::T T;
  constexpr int N = 16 / sizeof(T);
  if (packs && i + SCAN_ITEMS <= n) {
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k += N) {
      Pack<T, N> p;
#pragma unroll
      for (int j = 0; j < N; j++)
        p.at[j] = F::out(a[k + j]);
      *reinterpret_cast<Pack<T, N> *>(z + i + k) = p;
    }
  } else {
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
      if (i + k < n)
        z[i + k] = F::out(a[k]);
  }
}

/* What the thread d before this one has. */
template <class A>
static __device__ __forceinline__ A up (A a, int d) {
  return (A)__shfl_up_sync(0xffffffffu, a, d);
}

static __device__ __forceinline__ t_c128 up (t_c128 a, int d) {
  return make_c128(up(a.re, d), up(a.im, d));
}

/*
** 'before' folded with what the threads before this one have, 'own' being this
** one's; then 'before' has all of them as well. 'part' is free again afterwards.
** All threads of the block call it.
*/
template <class F>
static __device__ __forceinline__ typename F::A ahead (typename F::A own,
    typename F::A *before, typename F::A *part) {
  typedef typename F::A A;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const A other = up(own, d);
    if (lane >= d)
      own = F::join(other, own);
  }
  if (lane == 31)
    part[warp] = own;
  __syncthreads();
  A prefix = *before, all = *before;
#pragma unroll
  for (int w = 0; w < WARPS; w++) {
    if (w < warp)
      prefix = F::join(prefix, part[w]);
    all = F::join(all, part[w]);
  }
  const A left = up(own, 1);
  *before = all;
  __syncthreads();
  return lane > 0 ? F::join(prefix, left) : prefix;
}

/* z = the running fold of x[0..n), begun with 'before'. */
template <class F>
static __device__ __forceinline__ void row (typename F::T *z,
    const typename F::T *x, typename F::A before, size_t n,
    typename F::A *part) {
  constexpr int N = 16 / sizeof(typename F::T);
  const bool packs = aligned<N>(x) && aligned<N>(z);
  for (size_t tile = 0; tile < n; tile += SCAN_TILE) {
    const size_t i = tile + threadIdx.x * SCAN_ITEMS;
    typename F::A a[SCAN_ITEMS];
    load<F>(a, x, i, n, packs);
#pragma unroll
    for (int k = 1; k < SCAN_ITEMS; k++)
      a[k] = F::join(a[k - 1], a[k]);
    const typename F::A prefix = ahead<F>(a[SCAN_ITEMS - 1], &before, part);
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
      a[k] = F::join(prefix, a[k]);
    store<F>(z, a, i, n, packs);
  }
}

/* The fold of x[0..n). */
template <class F>
static __device__ __forceinline__ typename F::A total (
    const typename F::T *x, size_t n, typename F::A *part) {
  const bool packs = aligned<16 / sizeof(typename F::T)>(x);
  typename F::A own = F::none(), all = F::none();
  for (size_t tile = 0; tile < n; tile += SCAN_TILE) {
    typename F::A a[SCAN_ITEMS];
    load<F>(a, x, tile + threadIdx.x * SCAN_ITEMS, n, packs);
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
      own = F::join(own, a[k]);
  }
  ahead<F>(own, &all, part);
  return all;
}

template <class F>
static __device__ __forceinline__ void rows (typename F::T *z,
    const typename F::T *x, const typename F::A *carry, typename F::A *sums,
    size_t n, size_t chunk, size_t chunks, size_t lines) {
  __shared__ typename F::A part[WARPS];
  for (size_t b = blockIdx.x; b < lines * chunks; b += gridDim.x) {
    const size_t at = b % chunks * chunk, from = b / chunks * n + at;
    const size_t len = n - at < chunk ? n - at : chunk;
    if (z != NULL) {
      row<F>(z + from, x + from, carry != NULL ? carry[b] : F::none(), len,
             part);
    } else {
      const typename F::A a = total<F>(x + from, len, part);
      if (threadIdx.x == 0)
        sums[b] = a;
    }
  }
}

/* ==} */

/* {== a thread a chunk ================================================ */

#define AT_ONCE 8  /* loads that a thread has in flight */

template <class F>
static __device__ __forceinline__ typename F::A column (typename F::T *z,
    const typename F::T *x, typename F::A a, size_t n, size_t inner) {
  size_t i = 0;
  for (; i + AT_ONCE <= n; i += AT_ONCE) {
    typename F::T own[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
      own[k] = x[(i + k) * inner];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
      a = F::join(a, F::load(own[k]));
      if (z != NULL)
        z[(i + k) * inner] = F::out(a);
    }
  }
  for (; i < n; i++) {
    a = F::join(a, F::load(x[i * inner]));
    if (z != NULL)
      z[i * inner] = F::out(a);
  }
  return a;
}

template <class F>
static __device__ __forceinline__ void columns (typename F::T *z,
    const typename F::T *x, const typename F::A *carry, typename F::A *sums,
    size_t n, size_t inner, size_t chunk, size_t chunks, size_t lines) {
  for (size_t g = first(); g < lines * chunks; g += stride()) {
    const size_t j = g % inner, c = g / inner % chunks;
    const size_t outer = g / inner / chunks, at = c * chunk;
    const size_t from = (outer * n + at) * inner + j;
    const size_t sum = (outer * inner + j) * chunks + c;
    const size_t len = n - at < chunk ? n - at : chunk;
    const typename F::A a = column<F>(z != NULL ? z + from : NULL, x + from,
        carry != NULL ? carry[sum] : F::none(), len, inner);
    if (sums != NULL)
      sums[sum] = a;
  }
}

/* ==} */

template <class F>
static __device__ __forceinline__ void scan (typename F::T *z,
    const typename F::T *x, const typename F::A *carry, typename F::A *sums,
    size_t n, size_t inner, size_t chunk, size_t chunks, size_t lines) {
  if (inner == 1 && n > SCAN_SHORT)
    rows<F>(z, x, carry, sums, n, chunk, chunks, lines);
  else
    columns<F>(z, x, carry, sums, n, inner, chunk, chunks, lines);
}

/* Block b turns line b of sums into what comes before each of them. */
template <class F>
static __device__ __forceinline__ void carry (typename F::A *sums,
                                              size_t chunks, size_t lines) {
  __shared__ typename F::A part[WARPS];
  for (size_t line = blockIdx.x; line < lines; line += gridDim.x) {
    typename F::A *s = sums + line * chunks, before = F::none();
    for (size_t at = 0; at < chunks; at += SCAN_BLOCK) {
      const size_t i = at + threadIdx.x;
      const typename F::A own = i < chunks ? s[i] : F::none();
      const typename F::A prefix = ahead<F>(own, &before, part);
      if (i < chunks)
        s[i] = prefix;
    }
  }
}

#define KERNEL extern "C" __global__ void __launch_bounds__(SCAN_BLOCK)

#define RUNNING(s, op, none_, ...) \
  OF_KIN(LONG, s, SCAN_OF(s, op, none_, __VA_ARGS__))
#define SCAN_OF(s, op, none_, ...) \
  struct op##_##s { \
    typedef t_##s T; \
    typedef TYPE(ACC_SUM(s)) A; \
    static __device__ A load (T x) { return STORE(ACC_SUM(s), LOAD(s, x)); } \
    static __device__ T out (A a) { return STORE(s, a); } \
    static __device__ A none () { return STORE(ACC_SUM(s), none_); } \
    static __device__ A join (A a, A b) { \
      return STORE(ACC_SUM(s), __VA_ARGS__); \
    } \
  }; \
  KERNEL op##_sums_##s (op##_##s::A *sums, const t_##s *x, size_t n, \
                        size_t inner, size_t chunk, size_t chunks, \
                        size_t lines) { \
    scan<op##_##s>(NULL, x, NULL, sums, n, inner, chunk, chunks, lines); \
  } \
  KERNEL op##_carry_##s (op##_##s::A *sums, size_t chunks, size_t lines) { \
    carry<op##_##s>(sums, chunks, lines); \
  } \
  KERNEL op##_apply_##s (t_##s *z, const t_##s *x, const op##_##s::A *before, \
                         size_t n, size_t inner, size_t chunk, \
                         size_t chunks, size_t lines) { \
    scan<op##_##s>(z, x, before, NULL, n, inner, chunk, chunks, lines); \
  }

#define SCAN(op, none, join) SET_RUNNING(RUNNING, op, none, join)
#include "kernels.def"

#undef KERNEL
#undef WARPS
#undef AT_ONCE
