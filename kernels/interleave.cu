/*
** interleave.cu - columns side by side: interleave_w32 moves elements of 32
** bits of any type. Written by hand: see by_hand.lua. Host kernels:
** src/rt/host/kernels/interleave.c.
**
**   z[i,j] = column j of i < n, where z has rows of 'row' elements, and up to
**   INTERLEAVE_MOST columns, a, b, c, d, go to the first of each
**
** Reads and writes every element once. A copy for each column would write parts
** of memory transactions, as often as there are columns. If two or four columns
** fill a row, a thread has as many rows as fill a pack of 16 bytes, or one;
** else it has the elements of one row, one by one.
*/
#include "common.cuh"
#include "types.h"

/* Writes rows as packs of z, if all of it is aligned so; returns how many are
** done. */
template <int K, class T>
static __device__ __forceinline__ size_t whole_rows (
    T *z, const T *const (&x)[K], size_t n) {
  constexpr int N = 16 / sizeof(T), R = N > K ? N / K : 1;
  bool whole = aligned<R * K>(z);
#pragma unroll
  for (int j = 0; j < K; j++)
    whole = whole && aligned<R>(x[j]);
  if (!whole)
    return 0;
  for (size_t i = first(); i < n / R; i += stride()) {
    Pack<T, R> p[K];
    Pack<T, R * K> r;
#pragma unroll
    for (int j = 0; j < K; j++)
      p[j] = load_pack<R>(x[j], i, true);
#pragma unroll
    for (int k = 0; k < R * K; k++)
      r.at[k] = p[k % K].at[k / K];
    store_pack(z, i, r, true);
  }
  return n / R * R;
}

template <int K, class T>
static __device__ __forceinline__ void interleave (
    T *z, const T *const (&x)[K], size_t row, size_t n) {
  size_t done = 0;
  if constexpr (K == 2 || K == 4)
    done = row == K ? whole_rows(z, x, n) : 0;
  for (size_t i = done + first(); i < n; i += stride()) {
    T own[K];
#pragma unroll
    for (int j = 0; j < K; j++)
      own[j] = x[j][i];
#pragma unroll
    for (int j = 0; j < K; j++)
      z[i * row + j] = own[j];
  }
}

template <class T>
static __device__ __forceinline__ void interleave (
    T *z, const T *a, const T *b, const T *c, const T *d, size_t columns,
    size_t row, size_t n) {
  static_assert(INTERLEAVE_MOST == 4, "a case for each number of columns");
  switch (columns) {
    case 1: interleave<1, T>(z, {a}, row, n); break;
    case 2: interleave<2, T>(z, {a, b}, row, n); break;
    case 3: interleave<3, T>(z, {a, b, c}, row, n); break;
    default: interleave<4, T>(z, {a, b, c, d}, row, n);
  }
}

#define INTERLEAVE(b) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  interleave_##b (t_##b *z, const t_##b *x0, const t_##b *x1, \
                  const t_##b *x2, const t_##b *x3, size_t columns, \
                  size_t row, size_t n) { \
    after_previous(); \
    interleave(z, x0, x1, x2, x3, columns, row, n); \
  }
SET_WIDTH(INTERLEAVE)

#undef INTERLEAVE
