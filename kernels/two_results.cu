/*
** two_results.cu - functions with two results, which read x once. Written by
** hand: see by_hand.lua. Host kernels: src/rt/host/kernels/two_results.c.
**
**   modf_both:  y[i] = the fraction of x[i], z[i] = its whole number
**   frexp_both: y[i] = the mantissa of x[i], z[i] = its exponent, an int32
**
** Memory-bound: 12 bytes an element of float32, where two launches would move
** 16. A thread moves 16 bytes at a time of the widest of the three. All of a
** pack is loaded before either result is stored, so one of them may be x. They
** must not overlap otherwise.
*/
#include "common.cuh"
#include "ops.h"

template <class F>
static __device__ __forceinline__ void map_both (
    typename F::Y *y, typename F::Z *z, const typename F::X *x, size_t n) {
  typedef typename F::X X;
  typedef typename F::Z Z;
  constexpr int N = PACK(X, Z);  /* Y is as wide as X */
  const size_t packs = n / N;
  for (size_t i = first(); i < packs; i += stride()) {
    const Pack<X, N> p = load_pack<N>(x, i, aligned<N>(x));
    Pack<typename F::Y, N> q;
    Pack<Z, N> r;
#pragma unroll
    for (int k = 0; k < N; k++)
      F::at(p.at[k], &q.at[k], &r.at[k]);
    store_pack(y, i, q, aligned<N>(y));
    store_pack(z, i, r, aligned<N>(z));
  }
  for (size_t i = packs * N + first(); i < n; i += stride()) {
    typename F::Y a;
    Z b;
    F::at(x[i], &a, &b);
    y[i] = a;
    z[i] = b;
  }
}

#define BOTH(op, s, T, one, two) \
  struct f_##op##_both_##s { \
    typedef t_##s X, Y; \
    typedef T Z; \
    static __device__ __forceinline__ void at (X x_, Y *y, Z *z) { \
      const auto x = LOAD(s, x_); \
      *y = STORE(s, one(x)); \
      *z = two; \
    } \
  }; \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  op##_both_##s (t_##s *y, T *z, const t_##s *x, size_t n) { \
    after_previous(); \
    map_both<f_##op##_both_##s>(y, z, x, n); \
  }

#define BOTH_OF(s) \
  BOTH(modf, s, t_##s, fraction, STORE(s, trunc(x))) \
  BOTH(frexp, s, int32_t, mantissa, exponent(x))

BOTH_OF(f16)
BOTH_OF(bf16)
BOTH_OF(f32)
BOTH_OF(f64)

#undef BOTH_OF
#undef BOTH
