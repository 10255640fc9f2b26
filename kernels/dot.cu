/*
** dot.cu - dot products of two vectors: the first stage of a sum, whose last
** one is in reduce.cuh; or all of it, for short vectors; or for the rows of two
** matrices. Written by hand: see by_hand.lua. Host kernels:
** src/rt/host/kernels/dot.c.
**
**   dot_partial: z[b] = block b's sum of x[i] * y[i], as float64; each product
**                is rounded to the type of the computation
**   dot_whole:   z[0] = the sum of the only block
**   dot_rows:    z[r] = row r's sum, by as many threads as for a sum of rows
**
** Reads both vectors once, 8 bytes an element of float32, in the order in which
** a sum of the products would: memory-bound, with four loads of 16 bytes in
** flight.
*/
#include "axis.cuh"
#include "common.cuh"
#include "ops.h"
#include "reduce.cuh"

struct Products {
  typedef double A;
  static __device__ __forceinline__ A none () { return 0; }
  static __device__ __forceinline__ A join (A a, A b) { return a + b; }
};

template <class S, int N, int R>
static __device__ __forceinline__ double add_products (
    double a, const Pack<typename S::T, N> (&p)[R],
    const Pack<typename S::T, N> (&q)[R]) {
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int k = 0; k < N; k++)
      a += (double)(S::load(p[r].at[k]) * S::load(q[r].at[k]));
  return a;
}

/* A thread's share: packs me, me + step ..., then the elements after the last
** pack. */
template <class S>
static __device__ __forceinline__ double products (
    const typename S::T *x, const typename S::T *y, size_t n, size_t me,
    size_t step) {
  typedef typename S::T T;
  constexpr int N = PACK(T, T);
  const size_t packs = n / N;
  const bool x_whole = aligned<N>(x), y_whole = aligned<N>(y);
  double a = 0;
  size_t i = me;
  for (; i + step < packs; i += 2 * step) {
    const Pack<T, N> p[2] = {load_pack<N>(x, i, x_whole),
                             load_pack<N>(x, i + step, x_whole)};
    const Pack<T, N> q[2] = {load_pack<N>(y, i, y_whole),
                             load_pack<N>(y, i + step, y_whole)};
    a = add_products<S>(a, p, q);
  }
  if (i < packs) {
    const Pack<T, N> p[1] = {load_pack<N>(x, i, x_whole)};
    const Pack<T, N> q[1] = {load_pack<N>(y, i, y_whole)};
    a = add_products<S>(a, p, q);
  }
  for (size_t k = packs * N + me; k < n; k += step)
    a += (double)(S::load(x[k]) * S::load(y[k]));
  return a;
}

/* Returns the block's sum, in thread 0. */
template <class S>
static __device__ __forceinline__ double block_products (
    const typename S::T *x, const typename S::T *y, size_t n) {
  return block<Products>(products<S>(x, y, n, first(), stride()));
}

/* Calls put(r, a) with the sum a of row r of n elements. */
template <class S, class Put>
static __device__ __forceinline__ void row_products (
    const typename S::T *x, const typename S::T *y, size_t rows, size_t n,
    Put put) {
  const unsigned group = axis_group(n, COLUMN_PACK(typename S::T));
  const int shift = __ffs((int)group) - 1;
  const unsigned lane = threadIdx.x & (group - 1), each = AXIS_TEAM >> shift;
  for (size_t b = blockIdx.x; b * each < rows; b += gridDim.x) {
    const size_t row = b * each + (threadIdx.x >> shift);
    double a = 0;
    if (row < rows)
      a = products<S>(x + row * n, y + row * n, n, lane, group);
    a = (group > 32) ? block<Products>(a) : among<Products>(a, group);
    if (lane == 0 && row < rows)
      put(row, a);
    if (group > 32)
      __syncthreads();  /* before block() uses its memory again */
  }
}

#define DOT(s) \
  struct dot_of_##s { \
    typedef t_##s T; \
    static __device__ __forceinline__ auto load (T x) { return LOAD(s, x); } \
  }; \
  extern "C" __global__ void __launch_bounds__(PARTIAL_BLOCK) \
  dot_partial_##s (double *z, const t_##s *x, const t_##s *y, size_t n) { \
    after_previous(); \
    const double a = block_products<dot_of_##s>(x, y, n); \
    if (threadIdx.x == 0) \
      z[blockIdx.x] = a; \
  } \
  extern "C" __global__ void __launch_bounds__(FINAL_BLOCK) \
  dot_whole_##s (t_##s *z, const t_##s *x, const t_##s *y, size_t n) { \
    after_previous(); \
    const double a = block_products<dot_of_##s>(x, y, n); \
    if (threadIdx.x == 0) \
      *z = STORE(s, a); \
  }
DOT(f16)
DOT(bf16)
DOT(f32)
DOT(f64)

#define ROWS(s) \
  extern "C" __global__ void __launch_bounds__(AXIS_TEAM, 4) \
  dot_rows_##s (t_##s *z, const t_##s *x, const t_##s *y, size_t rows, \
                size_t n) { \
    after_previous(); \
    row_products<dot_of_##s>(x, y, rows, n, [=] (size_t r, double a) { \
      z[r] = STORE(s, a); \
    }); \
  }
ROWS(f32)
ROWS(f64)

#undef DOT
#undef ROWS
