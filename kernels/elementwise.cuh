/*
** elementwise.cuh - z[i] = f(x[i], y[i]) and the like: the loops of the
** elementwise kernels that kernels/generate.lua makes, such as add_vv_f32. An
** operand is an array (v) or one number (s); F::at is the expression.
**
** All are memory-bound: add_vv_f32 moves 12 bytes an element and computes one
** flop. So each thread moves 16 bytes at a time of its widest operand, and the
** launcher starts enough threads for every pack (kernel_elementwise_grid):
** eight blocks of 256 fill an SM and keep 64 KB of loads in flight there. If an
** array is not aligned to packs a thread loads as many elements one by one, all
** at the same time. Elements after the last pack have a thread each.
**
** z may be x or y itself, but must not overlap them otherwise.
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

/* Packs two numbers of 16 bits into a word, as CUDA's conversions take them. */
template <class T>
static __device__ __forceinline__ uint32_t two_halves (T a, T b) {
  return a.bits | (uint32_t)b.bits << 16;
}

template <class T, int W>
static __device__ __forceinline__ T half_of (const Pack<uint32_t, W> &p,
                                             int k) {
  return T{(uint16_t)(p.at[k / 2] >> k % 2 * 16)};
}

template <int N, class T>
static __device__ __forceinline__ Pack<uint32_t, N / 2> load_words (
    const T *x, size_t i, bool whole) {
  Pack<uint32_t, N / 2> p;
  if (whole)
    return reinterpret_cast<const Pack<uint32_t, N / 2> *>(x)[i];
#pragma unroll
  for (int k = 0; k < N; k += 2)
    p.at[k / 2] = two_halves(x[i * N + k], x[i * N + k + 1]);
  return p;
}

template <int N, class T>
static __device__ __forceinline__ void store_words (
    T *z, size_t i, const Pack<uint32_t, N / 2> &p, bool whole) {
  if (whole) {
    reinterpret_cast<Pack<uint32_t, N / 2> *>(z)[i] = p;
    return;
  }
#pragma unroll
  for (int k = 0; k < N; k++)
    z[i * N + k] = half_of<T>(p, k);
}

/*
** z[i] = F::at(x[i]) for numbers of 16 bits, where NaN gives NaN. Keeping its
** sign takes more time than the rest of exp(x). So a pack is converted by
** CUDA's own instructions, which drop the sign, until a result is NaN. If x has
** no NaN, results are stored with their signs; else all begins again, one by
** one.
*/
template <class F, class T>
static __device__ __forceinline__ void map_halves (T *z, const T *x, size_t n) {
  constexpr int N = PACK(T, T);
  const size_t packs = n / N;
  for (size_t i = first(); i < packs; i += stride()) {
    const auto p = load_words<N>(x, i, aligned<N>(x));
    Pack<uint32_t, N / 2> r;
    float own[N];
    bool given = false, nan = false;
#pragma unroll
    for (int k = 0; k < N; k++) {
      own[k] = F::number(plain(half_of<T>(p, k)));
      nan |= own[k] != own[k];
    }
#pragma unroll
    for (int k = 0; k < N; k += 2)
      r.at[k / 2] = plain_pair(T(), own[k], own[k + 1]);
    if (nan) {
#pragma unroll
      for (int k = 0; k < N; k++) {
        const float a = plain(half_of<T>(p, k));
        given |= a != a;
      }
#pragma unroll
      for (int k = 0; k < N; k += 2)
        r.at[k / 2] = two_halves(F::store(own[k]), F::store(own[k + 1]));
    }
    if (!given) {
      store_words<N>(z, i, r, aligned<N>(z));
      continue;
    }
#pragma unroll 1
    for (size_t k = i * N; k < (i + 1) * N; k++)
      z[k] = F::at(x[k], T());
  }
  for (size_t i = packs * N + first(); i < n; i += stride())
    z[i] = F::at(x[i], T());
}

/* Maps one element at a time, for functions that take longer than their memory
** accesses. */
template <class F, class Z, class T>
static __device__ __forceinline__ void singly (Z *z, const T *x, const T *y,
                                               size_t n) {
  for (size_t i = first(); i < n; i += stride())
    z[i] = F::at(x[i], y[i]);
}

/* z[i] = F::at(x, y, i), an element of an arithmetic progression */
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

/* The replacements of nan_to_num for NaN and for the infinities, as one number.
** There are four, because a pack has to be a power of two of bytes. */
template <class T>
struct Fillers {
  T nan, above, below, unused;
};

#endif
