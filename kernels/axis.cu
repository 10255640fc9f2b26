/*
** axis.cu - folds along one axis: every REDUCE line of kernels.def as op_axis,
** every FIND line (argmin, argmax) too. Twins: src/rt/host/axis.c.
**
** Reads every element once. Where the axis is the last one, a row goes to a
** thread, 8, a warp or a block, by its length, in packs of 16 bytes. Else a
** thread has a pack of columns and every so manieth row of them; a block's
** threads that have the same columns meet in shared memory at the end. Both
** keep ROUNDS loads in flight.
*/
#include "axis.h"
#include "common.cuh"
#include "kin.h"
#include "ops.h"

/* Fold over 'group' threads, at most a warp; the first of them has it. */
template <class F>
static __device__ __forceinline__ typename F::A among (typename F::A a,
                                                       unsigned group) {
  for (unsigned d = group / 2; d > 0; d /= 2)
    a = F::join(a, down(a, d));
  return a;
}

template <class F>
static __device__ __forceinline__ void put (void *z, size_t i, bool partial,
                                            typename F::A a) {
  if (partial)
    ((typename F::A *)z)[i] = a;
  else
    ((typename F::Z *)z)[i] = F::out(a);
}

template <class F>
static __device__ __forceinline__ void fold_rows (
    void *z, const typename F::T *x, size_t outer, size_t n, size_t chunks,
    bool partial) {
  const unsigned group = axis_group(n / chunks);
  const unsigned lane = threadIdx.x % group;
  const size_t rows = outer * chunks, each = AXIS_TEAM / group;
  for (size_t b = blockIdx.x; b * each < rows; b += gridDim.x) {
    const size_t row = b * each + threadIdx.x / group;
    typename F::A a = F::none();
    if (row < rows) {
      const size_t c = row % chunks, lo = axis_first(c, chunks, n);
      a = share<F>(x + row / chunks * n + lo,
                   axis_first(c + 1, chunks, n) - lo, lane, group);
    }
    a = (group > 32) ? block<F>(a) : among<F>(a, group);
    if (lane == 0 && row < rows)
      put<F>(z, row, partial, a);
    if (group > 32)
      __syncthreads();  /* before block() uses its memory again */
  }
}

/* Rows lo + from, + step ... of N columns. 'packs': they are aligned. */
template <class F, int N>
static __device__ __forceinline__ void fold_columns (
    typename F::A a[N], const typename F::T *x, size_t rows, size_t inner,
    size_t from, size_t step, bool packs) {
  typedef typename F::T T;
  size_t r = from;
  if (packs) {
    for (; r + (ROUNDS - 1) * step < rows; r += ROUNDS * step) {
      Pack<T, N> p[ROUNDS];
#pragma unroll
      for (int k = 0; k < ROUNDS; k++)
        p[k] = *reinterpret_cast<const Pack<T, N> *>(x + (r + k * step) *
                                                     inner);
#pragma unroll
      for (int k = 0; k < ROUNDS; k++)
#pragma unroll
        for (int i = 0; i < N; i++)
          a[i] = F::join(a[i], F::map(p[k].at[i]));
    }
  }
  for (; r < rows; r += step)
#pragma unroll
    for (int i = 0; i < N; i++)
      a[i] = F::join(a[i], F::map(x[r * inner + i]));
}

template <class F, int N>
static __device__ __forceinline__ void columns (
    void *z, const typename F::T *x, size_t outer, size_t n, size_t inner,
    size_t chunks, bool partial) {
  __shared__ typename F::A part[AXIS_BLOCK];
  const size_t width = inner / N;
  const unsigned lanes = axis_lanes(inner, N);
  const unsigned lane = threadIdx.x % lanes, row = threadIdx.x / lanes;
  const unsigned rows = AXIS_BLOCK / lanes;
  const size_t across = (width + lanes - 1) / lanes;
  const bool packs = aligned<N>(x);
  for (size_t b = blockIdx.x; b < outer * chunks * across; b += gridDim.x) {
    const size_t column = b % across * lanes + lane, which = b / across;
    const size_t c = which % chunks, lo = axis_first(c, chunks, n);
    typename F::A a[N];
#pragma unroll
    for (int i = 0; i < N; i++)
      a[i] = F::none();
    if (column < width)
      fold_columns<F, N>(a, x + (which / chunks * n + lo) * inner + column * N,
                         axis_first(c + 1, chunks, n) - lo, inner, row, rows,
                         packs);
#pragma unroll
    for (int i = 0; i < N; i++) {
      part[threadIdx.x] = a[i];
      __syncthreads();
      for (unsigned d = rows / 2; d > 0; d /= 2) {
        if (row < d)
          part[threadIdx.x] = F::join(part[threadIdx.x],
                                      part[threadIdx.x + d * lanes]);
        __syncthreads();
      }
      if (row == 0 && column < width)
        put<F>(z, which * inner + column * N + i, partial, part[threadIdx.x]);
      __syncthreads();
    }
  }
}

template <class F>
static __device__ __forceinline__ void fold_axis (
    void *z, const typename F::T *x, size_t outer, size_t n, size_t inner,
    size_t chunks, bool partial) {
  constexpr int N = COLUMN_PACK(typename F::T);
  if (inner == 1)
    fold_rows<F>(z, x, outer, n, chunks, partial);
  else if (inner % N == 0)
    columns<F, N>(z, x, outer, n, inner, chunks, partial);
  else
    columns<F, 1>(z, x, outer, n, inner, chunks, partial);
}

/* Two blocks on a multiprocessor: 64 registers a thread. Rows have blocks of
** AXIS_TEAM. */
#define KERNEL extern "C" __global__ void __launch_bounds__(AXIS_BLOCK, 2)

/* The folds themselves, sum_f32 and so on, are in reduce.cu. */
#define FOLD_AXIS(s, op, kin) OF_KIN(kin, s, AXIS_OF(s, op))
#define AXIS_OF(s, op) \
  KERNEL op##_axis_##s (void *z, const t_##s *x, size_t outer, size_t n, \
                        size_t inner, size_t chunks, size_t partial) { \
    fold_axis<op##_##s>(z, x, outer, n, inner, chunks, partial != 0); \
  }

/* One element of those that may be picked; at < 0: none. */
template <class T>
struct Pick {
  T x;
  int64_t at;
};

/* Is the one at i picked rather than that at k? NaN is first of all. */
template <class F, class T>
static __device__ __forceinline__ bool picked (Pick<T> i, Pick<T> k) {
  if (i.at < 0 || k.at < 0)
    return k.at < 0;
  const bool nan = i.x != i.x, other = k.x != k.x;
  if (nan || other)
    return nan && (!other || i.at < k.at);
  return F::before(i.x, k.x) || (i.x == k.x && i.at < k.at);
}

/*
** z = where the pick is, along an axis of 'full' elements. Without candidates
** these are all, and n = full; with them there are n, [outer, n, inner]
** places. 'lanes' columns by 'rows' threads share them, several such groups a
** block.
*/
template <class F, class T, class C>
static __device__ __forceinline__ void pick_axis (
    int64_t *z, const T *x, const int64_t *candidates, size_t outer, size_t n,
    size_t inner, size_t chunks, size_t full, size_t base) {
  __shared__ Pick<C> part[AXIS_BLOCK];
  const unsigned lanes = axis_power(inner, AXIS_SINGLE);
  const unsigned rows = axis_rows(n / chunks, lanes);
  const unsigned group = lanes * rows, each = AXIS_BLOCK / group;
  const unsigned me = threadIdx.x % group;
  const unsigned lane = me % lanes, row = me / lanes;
  const size_t across = (inner + lanes - 1) / lanes;
  const size_t tiles = outer * chunks * across;
  for (size_t b = blockIdx.x; b * each < tiles; b += gridDim.x) {
    const size_t tile = b * each + threadIdx.x / group;
    const size_t column = tile % across * lanes + lane, which = tile / across;
    const size_t c = which % chunks, o = which / chunks;
    const bool mine = tile < tiles && column < inner;
    Pick<C> best = {C(), -1};
    for (size_t r = axis_first(c, chunks, n) + row;
         mine && r < axis_first(c + 1, chunks, n); r += rows) {
      Pick<C> next = {C(), (int64_t)r};
      if (candidates != NULL)
        next.at = candidates[(o * n + r) * inner + column];
      next.x = F::load(x[(o * full + (size_t)next.at) * inner + column]);
      if (picked<F>(next, best))
        best = next;
    }
    part[threadIdx.x] = best;
    __syncthreads();
    for (unsigned d = rows / 2; d > 0; d /= 2) {
      if (row < d && picked<F>(part[threadIdx.x + d * lanes],
                               part[threadIdx.x]))
        part[threadIdx.x] = part[threadIdx.x + d * lanes];
      __syncthreads();
    }
    if (mine && row == 0)
      z[which * inner + column] = part[threadIdx.x].at + (int64_t)base;
    __syncthreads();
  }
}

#define FIND_AXIS(s, op, ...) \
  struct op##_##s { \
    static __device__ __forceinline__ CALC(s) load (t_##s x) { \
      return LOAD(s, x); \
    } \
    static __device__ __forceinline__ bool before (CALC(s) x, CALC(s) y) { \
      return __VA_ARGS__; \
    } \
  }; \
  KERNEL op##_axis_##s (int64_t *z, const t_##s *x, \
                        const int64_t *candidates, size_t outer, size_t n, \
                        size_t inner, size_t chunks, size_t full, \
                        size_t base) { \
    pick_axis<op##_##s, t_##s, CALC(s)>(z, x, candidates, outer, n, inner, \
                                        chunks, full, base); \
  }

#define REDUCE(op, set, own, kin, acc, none, map, join) \
  SET_##own(FOLD_AXIS, op, kin)
#define FIND(op, set, before) SET_##set(FIND_AXIS, op, before)
#include "kernels.def"

#undef KERNEL
