/*
** elementwise.cuh - z[i] = f(x[i], y[i]) and its kin: how the elementwise
** kernels that kernels/generate.lua makes go about it, add_vv_f32 and so on. An
** operand is an array (v) or one number (s); F::at is the expression.
**
** All are memory-bound: add_vv_f32 moves 12 bytes an element and computes one
** flop. So each thread moves 16 bytes at a time of its widest operand, and the
** launcher starts enough threads for every pack (rt_elementwise_grid): eight
** blocks of 256 fill an SM and keep 64 KB of loads in flight there. Of an array
** that is not aligned to packs a thread loads as many elements one by one, all
** at the same time; those after the last pack have a thread each.
**
** z may be x or y itself, but may not overlap them otherwise.
*/
#ifndef TIDE_ELEMENTWISE_CUH
#define TIDE_ELEMENTWISE_CUH

#include "common.cuh"
#include "ops.h"

template <class T>
struct Array {
  typedef T type;
  const T *x;
  __device__ T at (size_t i) const { return x[i]; }
  template <int N> __device__ Pack<T, N> pack (size_t i) const {
    return load_pack<N>(x, i, aligned<N>(x));
  }
};

template <class T>
struct Number {
  typedef T type;
  T x;
  __device__ T at (size_t) const { return x; }
  template <int N> __device__ Pack<T, N> pack (size_t) const {
    Pack<T, N> p;
#pragma unroll
    for (int k = 0; k < N; k++)
      p.at[k] = x;
    return p;
  }
};

/* z[i] = f.at(x[i], y[i]); functions of one operand ignore y. */
template <class F, class Z, class X, class Y>
static __device__ __forceinline__ void map (Z *z, X x, Y y, size_t n,
                                            F f = F()) {
  constexpr int N = PACK(typename X::type, Z);
  const size_t packs = n / N;
  for (size_t i = first(); i < packs; i += stride()) {
    auto p = x.template pack<N>(i);
    auto q = y.template pack<N>(i);
    Pack<Z, N> r;
#pragma unroll
    for (int k = 0; k < N; k++)
      r.at[k] = f.at(p.at[k], q.at[k]);
    store_pack(z, i, r, aligned<N>(z));
  }
  for (size_t i = packs * N + first(); i < n; i += stride())
    z[i] = f.at(x.at(i), y.at(i));
}

/* The same without packs, for what takes longer than its memory does. */
template <class F, class Z, class T>
static __device__ __forceinline__ void singly (Z *z, const T *x, const T *y,
                                               size_t n) {
  for (size_t i = first(); i < n; i += stride())
    z[i] = F::at(x[i], y[i]);
}

/* z[i] = F::at(x, y, i), a term of the progression */
template <class F, class T>
static __device__ __forceinline__ void progression (T *z, T x, T y, size_t n) {
  constexpr int N = PACK(T, T);
  const size_t packs = aligned<N>(z) ? n / N : 0;
  for (size_t i = first(); i < packs; i += stride()) {
    Pack<T, N> r;
#pragma unroll
    for (int k = 0; k < N; k++)
      r.at[k] = F::at(x, y, i * N + k);
    reinterpret_cast<Pack<T, N> *>(z)[i] = r;
  }
  for (size_t i = packs * N + first(); i < n; i += stride())
    z[i] = F::at(x, y, i);
}

/* The bounds of clip as one number. */
template <class T>
struct Bounds {
  T lo, hi;
};

/* What nan_to_num puts for NaN and for the infinities, likewise; of four, as a
** pack has to be a power of two of bytes. */
template <class T>
struct Fillers {
  T nan, above, below, unused;
};

#endif
