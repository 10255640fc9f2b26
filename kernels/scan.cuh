/*
** scan.cuh - scans along an axis: cumsum_apply_f32 and so on. An array is
** 'lines' of n elements each, 'inner' apart. A line is cut into chunks, the
** last of which may be shorter. On the host device: src/rt/host/kernels/scan.h.
**
**   op_sums:  sums[line][c] = the fold of chunk c of the line
**   op_apply: z = the running fold. Each chunk goes on from the one before it,
**             whose place in 'ends' has the fold up to there. If a line is one
**             chunk (ends NULL), only this is launched. Between the two it
**             turns the lines of sums into such ends.
**
** Memory-bound: reads every element twice and writes it once; once each if a
** line is one chunk. Long lines of adjacent elements are scanned by a block a
** chunk (short ones by a warp), SCAN_ROWS packs of 16 bytes a thread, next to
** those of the next thread. The packs of the next tile are in flight meanwhile.
** Last chunks come first, and written data are not to stay in the L2 cache,
** where the last reads of op_sums may still be. All other lines are done by a
** thread a chunk, so that neighbouring threads read neighbours.
**
** The order of folding depends on the shape alone (kernel_plan_scan), not on
** timing, so floats come out the same every time.
*/
#ifndef TIDE_SCAN_CUH
#define TIDE_SCAN_CUH

#include "common.cuh"
#include "ops.h"
#include "reduce.cuh"

#define WARPS (SCAN_BLOCK / 32)

/* {== a block or a warp a chunk ======================================= */

/* A thread's share of a tile: packs, one for each of its warp's rows. */
template <class T>
struct Share {
  static constexpr int N = 16 / sizeof(T);
  static constexpr size_t ROW = 32 * N, WARP = SCAN_ROWS * ROW;
  Pack<T, N> at[SCAN_ROWS];
};

/* Loads from x[i] on; only elements below n count. */
template <class F, class T>
static __device__ __forceinline__ void load (Share<T> &own, const T *x,
                                             size_t i, size_t n, bool packs) {
  typedef Share<T> S;
  constexpr int N = S::N;
  if (packs && i + (SCAN_ROWS - 1) * S::ROW + N <= n) {
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
      own.at[k] = *reinterpret_cast<const Pack<T, N> *>(x + i + k * S::ROW);
  } else {
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
#pragma unroll
      for (int j = 0; j < N; j++)
        own.at[k].at[j] = i + k * S::ROW + j < n ? x[i + k * S::ROW + j] :
                                                   F::out(F::none());
  }
}

template <class T>
static __device__ __forceinline__ void store (const Share<T> &own, T *z,
                                              size_t i, size_t n, bool packs) {
  typedef Share<T> S;
  constexpr int N = S::N;
  if (packs && i + (SCAN_ROWS - 1) * S::ROW + N <= n) {
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
      __stcs(reinterpret_cast<uint4 *>(z + i + k * S::ROW),
             reinterpret_cast<const uint4 &>(own.at[k]));
  } else {
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
#pragma unroll
      for (int j = 0; j < N; j++)
        if (i + k * S::ROW + j < n)
          z[i + k * S::ROW + j] = own.at[k].at[j];
  }
}

/* Returns the value of the thread d before this one, and of thread 'lane'. */
template <class A>
static __device__ __forceinline__ A up (A a, int d) {
  return (A)__shfl_up_sync(0xffffffffu, a, d);
}

static __device__ __forceinline__ t_c128 up (t_c128 a, int d) {
  return make_c128(up(a.re, d), up(a.im, d));
}

template <class A>
static __device__ __forceinline__ A of_lane (A a, int lane) {
  return (A)__shfl_sync(0xffffffffu, a, lane);
}

static __device__ __forceinline__ t_c128 of_lane (t_c128 a, int lane) {
  return make_c128(of_lane(a.re, lane), of_lane(a.im, lane));
}

/* sum[k] = the fold of row k up to and including this thread's pack. */
template <class F>
static __device__ __forceinline__ void across (
    typename F::A *sum, const Share<typename F::T> &own) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < SCAN_ROWS; k++) {
    sum[k] = F::map(own.at[k].at[0]);
#pragma unroll
    for (int j = 1; j < own.N; j++)
      sum[k] = F::join(sum[k], F::map(own.at[k].at[j]));
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++) {
      const typename F::A other = up(sum[k], d);
      if (lane >= d)
        sum[k] = F::join(other, sum[k]);
    }
}

/* Joins 'before' with the values in 'part' of the warps before this one; then
** 'before' becomes the fold with all of them. */
template <class F>
static __device__ __forceinline__ typename F::A ahead (
    typename F::A &before, const typename F::A *part) {
  typename F::A prefix = before;
#pragma unroll
  for (int w = 0; w < WARPS; w++) {
    if (w == threadIdx.x / 32)
      prefix = before;
    before = F::join(before, part[w]);
  }
  return prefix;
}

/* Makes the running fold of a share in place; the fold before the warp is
** given. */
template <class F>
static __device__ __forceinline__ void run (Share<typename F::T> &own,
    const typename F::A *sum, typename F::A prefix) {
  typedef typename F::A A;
#pragma unroll
  for (int k = 0; k < SCAN_ROWS; k++) {
    const A left = up(sum[k], 1);
    A a = threadIdx.x % 32 > 0 ? F::join(prefix, left) : prefix;
#pragma unroll
    for (int j = 0; j < own.N; j++) {
      a = F::join(a, F::map(own.at[k].at[j]));
      own.at[k].at[j] = F::out(a);
    }
    prefix = F::join(prefix, of_lane(sum[k], 31));
  }
}

/*
** z = the running fold of x[0..n), begun with 'before', by a team of threads.
** 'part': room for twice the number of warps, by turns, so that one barrier for
** each tile is enough.
*/
template <class F>
static __device__ __forceinline__ void row (typename F::T *z,
    const typename F::T *x, typename F::A before, size_t n, unsigned team,
    typename F::A part[2][WARPS], unsigned &turn) {
  typedef typename F::A A;
  typedef Share<typename F::T> S;
  const bool packs = aligned<S::N>(x) && aligned<S::N>(z);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x % team / 32;
  const size_t tile = team / 32 * S::WARP;
  size_t i = warp * S::WARP + lane * S::N;
  S next;
  load<F>(next, x, i, n, packs);
  for (size_t at = 0; at < n; at += tile, i += tile) {
    S own = next;
    A sum[SCAN_ROWS], prefix = before;
    if (at + tile < n)
      load<F>(next, x, i + tile, n, packs);
    across<F>(sum, own);
    A all = sum[0];
#pragma unroll
    for (int k = 1; k < SCAN_ROWS; k++)
      all = F::join(all, sum[k]);
    if (team == 32) {
      before = F::join(before, of_lane(all, 31));
    } else {
      if (lane == 31)
        part[turn][warp] = all;
      __syncthreads();
      prefix = ahead<F>(before, part[turn]);
      turn ^= 1;
    }
    run<F>(own, sum, prefix);
    store(own, z, i, n, packs);
  }
}

template <class F>
static __device__ __forceinline__ void rows (typename F::T *z,
    const typename F::T *x, const typename F::A *ends, typename F::A *sums,
    size_t n, size_t chunk, size_t chunks, size_t lines) {
  __shared__ typename F::A part[2][WARPS];
  const unsigned team = SCAN_TEAM(chunk), me = threadIdx.x % team;
  const size_t each = SCAN_BLOCK / team, all = lines * chunks;
  unsigned turn = 0;
  for (size_t g = blockIdx.x * each + threadIdx.x / team; g < all;
       g += gridDim.x * each) {
    const size_t b = ends != NULL ? all - 1 - g : g, c = b % chunks;
    const size_t at = c * chunk, from = b / chunks * n + at;
    const size_t len = n - at < chunk ? n - at : chunk;
    if (z != NULL) {
      row<F>(z + from, x + from, ends != NULL && c > 0 ? ends[b - 1] :
             F::none(), len, team, part, turn);
    } else {
      const typename F::A a = block<F>(share<F>(x + from, len, me, team));
      if (me == 0)
        sums[b] = a;
      __syncthreads();  /* before block() uses its memory again */
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
      a = F::join(a, F::map(own[k]));
      if (z != NULL)
        z[(i + k) * inner] = F::out(a);
    }
  }
  for (; i < n; i++) {
    a = F::join(a, F::map(x[i * inner]));
    if (z != NULL)
      z[i * inner] = F::out(a);
  }
  return a;
}

template <class F>
static __device__ __forceinline__ void columns (typename F::T *z,
    const typename F::T *x, const typename F::A *ends, typename F::A *sums,
    size_t n, size_t inner, size_t chunk, size_t chunks, size_t lines) {
  for (size_t g = first(); g < lines * chunks; g += stride()) {
    const size_t j = g % inner, c = g / inner % chunks;
    const size_t outer = g / inner / chunks, at = c * chunk;
    const size_t from = (outer * n + at) * inner + j;
    const size_t sum = (outer * inner + j) * chunks + c;
    const size_t len = n - at < chunk ? n - at : chunk;
    const typename F::A a = column<F>(z != NULL ? z + from : NULL, x + from,
        ends != NULL && c > 0 ? ends[sum - 1] : F::none(), len, inner);
    if (sums != NULL)
      sums[sum] = a;
  }
}

/* ==} */

template <class F>
static __device__ __forceinline__ void scan (typename F::T *z,
    const typename F::T *x, const typename F::A *ends, typename F::A *sums,
    size_t n, size_t inner, size_t chunk, size_t chunks, size_t lines) {
  if (inner == 1 && n > SCAN_SHORT)
    rows<F>(z, x, ends, sums, n, chunk, chunks, lines);
  else
    columns<F>(z, x, ends, sums, n, inner, chunk, chunks, lines);
}

/* Threads of a block, and the least number of blocks on a multiprocessor: four
** leave 64 registers a thread, wide elements take more. */
#define SCAN_APPLY_BOUNDS(A) SCAN_BLOCK, 32 / sizeof(A)

#undef WARPS
#undef AT_ONCE

#endif
