/*
** axis.cuh - folds along one axis: reductions, such as sum_axis_f32, and
** searches for the first element, such as argmin_axis_f32.
**
** Reads every element once. If the axis is the last one, a row goes to a
** thread, a few threads, a warp or a block, by its length, in packs of 16
** bytes. Else a thread has a pack of columns and every k-th row of them, at
** least AXIS_DEEP rows if there are as many. Threads of a block with the same
** columns combine in shared memory at the end. Both keep ROUNDS loads in
** flight. Short rows and columns are bound by the thread's other instructions
** (2^22 threads of 300 instructions take an H200 40 us), so there are no
** needless divisions.
**
** The kernels want 1024 threads on a multiprocessor, which leaves a thread 64
** registers: some threads load while others combine. Rows have blocks of
** AXIS_TEAM.
*/
#ifndef TIDE_AXIS_CUH
#define TIDE_AXIS_CUH

#include "axis.h"
#include "common.cuh"
#include "ops.h"
#include "reduce.cuh"
#include "split.cuh"

/* Part 'which' of all lines of n elements: its line, and its range there.
** Mostly it is the whole line. */
struct Chunk {
  size_t line, first, n;
};

static __device__ __forceinline__ Chunk chunk_of (size_t which, size_t n,
                                                  size_t chunks) {
  if (chunks == 1)
    return {which, 0, n};
  const size_t c = which % chunks, first = axis_first(c, chunks, n);
  return {which / chunks, first, axis_first(c + 1, chunks, n) - first};
}

/* Folds over 'group' threads, at most a warp; the first of them gets the
** result. */
template <class F>
static __device__ __forceinline__ typename F::A among (typename F::A a,
                                                       unsigned group) {
  for (unsigned d = group / 2; d > 0; d /= 2)
    a = F::join(a, down(a, d));
  return a;
}

/* Likewise for rows of a pack each: a thread has AXIS_ROWS of them at a time,
** as kernel_axis_grid assumes. */
template <class F, class Put>
static __device__ __forceinline__ void fold_packs (const typename F::T *x,
                                                   size_t rows, Put put) {
  typedef typename F::T T;
  constexpr int N = PACK(T, T);
  const size_t step = stride();
  size_t row = first();
  for (; row + (AXIS_ROWS - 1) * step < rows; row += AXIS_ROWS * step) {
    Pack<T, N> p[AXIS_ROWS];
#pragma unroll
    for (int r = 0; r < AXIS_ROWS; r++)
      p[r] = load_pack<N>(x, row + r * step, true);
#pragma unroll
    for (int r = 0; r < AXIS_ROWS; r++) {
      const Pack<T, N> own[1] = {p[r]};
      typename F::A a = F::none();
      take_packs(F(), a, own, 0, 0);
      put(row + r * step, a);
    }
  }
  for (; row < rows; row += step) {
    const Pack<T, N> p[1] = {load_pack<N>(x, row, true)};
    typename F::A a = F::none();
    take_packs(F(), a, p, 0, 0);
    put(row, a);
  }
}

/* put(i, a): a is the fold of part i of all lines. */
template <class F, class Put>
static __device__ __forceinline__ void fold_rows (
    const typename F::T *x, size_t outer, size_t n, size_t chunks, Put put) {
  constexpr size_t N = PACK(typename F::T, typename F::T);
  if (n == N && chunks == 1 && aligned<N>(x)) {
    fold_packs<F>(x, outer, put);
    return;
  }
  const unsigned group = axis_group(chunks == 1 ? n : n / chunks,
                                    COLUMN_PACK(typename F::T));
  const int shift = __ffs((int)group) - 1;
  const unsigned lane = threadIdx.x & (group - 1), each = AXIS_TEAM >> shift;
  const size_t rows = outer * chunks;
  for (size_t b = blockIdx.x; b * each < rows; b += gridDim.x) {
    const size_t row = b * each + (threadIdx.x >> shift);
    typename F::A a = F::none();
    if (row < rows) {
      const Chunk c = chunk_of(row, n, chunks);
      a = share<F>(x + c.line * n + c.first, c.n, lane, group, c.first);
    }
    a = (group > 32) ? block<F>(a) : among<F>(a, group);
    if (lane == 0 && row < rows)
      put(row, a);
    if (group > 32)
      __syncthreads();  /* before block() uses its memory again */
  }
}

/* N folds with an element each of R rows; row r stands at 'at' + r * 'step'.
** Otherwise like take_packs. */
template <class F, class T, int N, int R>
static __device__ __forceinline__ void take_rows (
    F, typename F::A (&a)[N], const Pack<T, N> (&p)[R], size_t at,
    size_t step) {
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int i = 0; i < N; i++)
      a[i] = F::take(a[i], p[r].at[i], at + r * step);
}

/* Folds rows from, from + step ... of N columns. 'packs': they are aligned.
** 'base': the place of row 0. */
template <class F, int N>
static __device__ __forceinline__ void fold_columns (
    typename F::A (&a)[N], const typename F::T *x, size_t rows, size_t inner,
    size_t from, size_t step, bool packs, size_t base) {
  typedef typename F::T T;
  size_t r = from;
  if (packs) {
    for (; r + (ROUNDS - 1) * step < rows; r += ROUNDS * step) {
      Pack<T, N> p[ROUNDS];
#pragma unroll
      for (int k = 0; k < ROUNDS; k++)
        p[k] = *reinterpret_cast<const Pack<T, N> *>(x + (r + k * step) *
                                                     inner);
      take_rows(F(), a, p, base + r, step);
    }
    for (; r < rows; r += step) {
      const Pack<T, N> p[1] = {
        *reinterpret_cast<const Pack<T, N> *>(x + r * inner)
      };
      take_rows(F(), a, p, base + r, 0);
    }
  }
  for (; r < rows; r += step)
#pragma unroll
    for (int i = 0; i < N; i++)
      a[i] = F::take(a[i], x[r * inner + i], base + r);
}

/* Columns of a thread that are combined in shared memory at once, in up to 8
** KB. */
template <class A, int N>
struct Meeting {
  static constexpr int n = N * sizeof(A) <= 64 ? N :
                           N > 1 && N / 2 * sizeof(A) <= 64 ? N / 2 : 1;
};

/* 'part' has room for an accumulator of each column that a block combines. */
template <class F, int N, class Put>
static __device__ __forceinline__ void columns (
    const typename F::T *x, size_t outer, size_t n, size_t inner,
    size_t chunks, typename F::A *part, Put put) {
  constexpr int G = Meeting<typename F::A, N>::n;
  typename F::A *own = part + threadIdx.x;
  const size_t width = inner / N;
  const unsigned lanes = axis_lanes(inner, N);
  const unsigned rows = axis_rows(chunks == 1 ? n : n / chunks, lanes);
  const int along = __ffs((int)lanes) - 1, up = along + __ffs((int)rows) - 1;
  const unsigned lane = threadIdx.x & (lanes - 1);
  const unsigned row = threadIdx.x >> along & (rows - 1);
  const unsigned team = threadIdx.x >> up, teams = AXIS_BLOCK >> up;
  const size_t across = (width + lanes - 1) >> along;
  const size_t tiles = outer * chunks * across;
  const bool packs = aligned<N>(x);
  for (size_t at = (size_t)blockIdx.x * teams; at < tiles;
       at += (size_t)gridDim.x * teams) {
    const Split tile(at + team, across);
    const size_t which = tile.q, column = tile.r * lanes + lane;
    const bool is = at + team < tiles && column < width;
    typename F::A a[N];
#pragma unroll
    for (int i = 0; i < N; i++)
      a[i] = F::none();
    if (is) {
      const Chunk c = chunk_of(which, n, chunks);
      fold_columns<F, N>(a, x + (c.line * n + c.first) * inner + column * N,
                         c.n, inner, row, rows, packs, c.first);
    }
    if (rows == 1) {
      if (is)
#pragma unroll
        for (int i = 0; i < N; i++)
          put(which * inner + column * N + i, a[i]);
      continue;
    }
#pragma unroll
    for (int i = 0; i < N; i += G) {
#pragma unroll
      for (int g = 0; g < G; g++)
        own[g * AXIS_BLOCK] = a[i + g];
      __syncthreads();
      for (unsigned d = rows / 2; d > 0; d /= 2) {
        if (row < d)
#pragma unroll
          for (int g = 0; g < G; g++)
            own[g * AXIS_BLOCK] = F::join(own[g * AXIS_BLOCK],
                                          own[g * AXIS_BLOCK + d * lanes]);
        __syncthreads();
      }
      if (row == 0 && is)
#pragma unroll
        for (int g = 0; g < G; g++)
          put(which * inner + column * N + i + g, own[g * AXIS_BLOCK]);
      __syncthreads();
    }
  }
}

template <class F, class Put>
static __device__ __forceinline__ void fold_axis (
    const typename F::T *x, size_t outer, size_t n, size_t inner,
    size_t chunks, Put put) {
  constexpr int N = COLUMN_PACK(typename F::T);
  __shared__ typename F::A part[Meeting<typename F::A, N>::n * AXIS_BLOCK];
  if (inner == 1)
    fold_rows<F>(x, outer, n, chunks, put);
  else if (inner % N == 0)
    columns<F, N>(x, outer, n, inner, chunks, part, put);
  else
    columns<F, 1>(x, outer, n, inner, chunks, part, put);
}

/* {== reductions ====================================================== */

template <class F>
static __device__ __forceinline__ void reduce_axis (
    void *z, const typename F::T *x, size_t outer, size_t n, size_t inner,
    size_t chunks, bool partial, double by) {
  typedef typename F::A A;
  fold_axis<F>(x, outer, n, inner, chunks, [=] (size_t i, A a) {
    if (partial)
      ((A *)z)[i] = a;
    else
      ((typename F::Z *)z)[i] = F::out(a, by);
  });
}

/* ==} */

/* {== picks =========================================================== */

/* A candidate; at < 0: none. */
template <class C>
struct Pick {
  C x;
  int64_t at;
};

template <class C>
static __device__ __forceinline__ Pick<C> down (Pick<C> a, int d) {
  return {down(a.x, d), down(a.at, d)};
}

/* A fold that picks the first element by Find's order; of equal ones the first
** in place. NaN comes before any number. */
template <class Find>
struct Picked {
  typedef typename Find::T T;
  typedef typename Find::C C;
  typedef Pick<C> A;
  static __device__ A none () { return {C(), -1}; }
  static __device__ A join (A a, A b) {
    if (a.at < 0 || b.at < 0)
      return (a.at < 0) ? b : a;
    const bool nan = a.x != a.x, other = b.x != b.x;
    const bool same = nan ? other : a.x == b.x;
    const bool second = same ? b.at < a.at :
                        !nan && (other || Find::before(b.x, a.x));
    return second ? b : a;
  }
  /* x stands after all elements that a was picked from. */
  static __device__ A take (A a, T x_, size_t at) {
    const C x = Find::load(x_);
    const bool better = a.x == a.x && (x != x || Find::before(x, a.x));
    return (a.at < 0 || better) ? A{x, (int64_t)at} : a;
  }
};

/* A block picks one of n candidates for each result. Candidates are places
** along the axis of 'full' elements. */
template <class F>
static __device__ __forceinline__ void pick_again (
    int64_t *z, const typename F::T *x, const int64_t *candidates,
    size_t outer, size_t n, size_t inner, size_t full, size_t base) {
  for (size_t i = blockIdx.x; i < outer * inner; i += gridDim.x) {
    const size_t line = i / inner, column = i % inner;
    typename F::A a = F::none();
    for (size_t r = threadIdx.x; r < n; r += blockDim.x) {
      const size_t at = (size_t)candidates[(line * n + r) * inner + column];
      a = F::take(a, x[(line * full + at) * inner + column], at);
    }
    a = block<F>(a);
    if (threadIdx.x == 0)
      z[i] = a.at + (int64_t)base;
    __syncthreads();  /* before block() uses its memory again */
  }
}

template <class F>
static __device__ __forceinline__ void pick_axis (
    int64_t *z, const typename F::T *x, const int64_t *candidates,
    size_t outer, size_t n, size_t inner, size_t chunks, size_t full,
    size_t base) {
  if (candidates != NULL)
    pick_again<F>(z, x, candidates, outer, n, inner, full, base);
  else
    fold_axis<F>(x, outer, n, inner, chunks,
                 [=] (size_t i, typename F::A a) {
      z[i] = a.at + (int64_t)base;
    });
}

/* ==} */

#endif
