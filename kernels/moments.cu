/*
** moments.cu - variances along an axis, and standard deviations, by the method
** of moments.h. Written by hand: see by_hand.lua. Host kernels:
** src/rt/host/kernels/moments.c.
**
**   moments_axis:  as the reductions of axis.cuh; 'partial': Moments of the
**                  chunks, else the result: squares / by
**   moments_final: the result from n Moments for each of x[outer, n, inner]
**
** Reads every element once and is bound by memory, like a sum: an element of
** float32 takes one conversion and four float64 operations.
*/
#include "axis.cuh"
#include "common.cuh"
#include "moments.h"

static __device__ __forceinline__ Moments down (Moments a, int d) {
  return {down(a.n, d), down(a.mean, d), down(a.squares, d)};
}

#define LOADER(s) \
  static __device__ __forceinline__ double as_double (t_##s x) { \
    return (double)LOAD(s, x); \
  }
LOADER(f16)
LOADER(bf16)
LOADER(f32)
LOADER(f64)

/* Elements that a thread takes at a time: as many as leave it 64 registers,
** with the loads in flight. */
enum { FEW = 8 };

/* Takes x(k), k < M, which are few; M is a power of two. */
template <int M, class X>
static __device__ __forceinline__ Moments moments_of (X x) {
  double sum = 0, squares = 0;
#pragma unroll
  for (int k = 0; k < M; k++)
    sum += x(k);
  const double mean = sum * (1.0 / M);
#pragma unroll
  for (int k = 0; k < M; k++) {
    const double away = x(k) - mean;
    squares += away * away;
  }
  return {M, mean, squares};
}

/* A fold of elements of that type. */
template <class E>
struct Spread {
  typedef E T;
  typedef Moments A;
  static __device__ __forceinline__ A none () { return {0, 0, 0}; }
  static __device__ __forceinline__ A join (A a, A b) {
    return moments_join(a, b);
  }
  static __device__ __forceinline__ A take (A a, T x, size_t) {
    const double own = as_double(x);
    return join(a, moments_of<1>([=] (int) { return own; }));
  }
};

template <class E, int N, int R>
static __device__ __forceinline__ void take_packs (
    Spread<E>, Moments &a, const Pack<E, N> (&p)[R], size_t, size_t) {
  constexpr int M = N * R < FEW ? N * R : FEW;
#pragma unroll
  for (int b = 0; b < N * R; b += M)
    a = moments_join(a, moments_of<M>([&] (int k) {
      return as_double(p[(b + k) / N].at[(b + k) % N]);
    }));
}

template <class E, int N, int R>
static __device__ __forceinline__ void take_rows (
    Spread<E>, Moments (&a)[N], const Pack<E, N> (&p)[R], size_t, size_t) {
  const double n = a[0].n + R, part = R / n;  /* of all columns */
#pragma unroll
  for (int i = 0; i < N; i++)
    a[i] = moments_put(a[i], moments_of<R>([&] (int k) {
      return as_double(p[k].at[i]);
    }), n, part);
}

template <class E, class Store>
static __device__ __forceinline__ void spread_axis (
    void *z, const E *x, size_t outer, size_t n, size_t inner, size_t chunks,
    bool partial, double by, bool root, Store store) {
  fold_axis<Spread<E> >(x, outer, n, inner, chunks, [=] (size_t i, Moments a) {
    if (partial)
      static_cast<Moments *>(z)[i] = a;
    else
      static_cast<E *>(z)[i] = store(moments_end(a, by, root));
  });
}

/* A result for each group of threads. */
template <class E, class Store>
static __device__ __forceinline__ void spread_final (
    E *z, const Moments *x, size_t outer, size_t n, size_t inner, double by,
    bool root, Store store) {
  typedef Spread<E> F;
  const unsigned group = axis_sharers(n, MOMENTS_BLOCK);
  const unsigned lane = threadIdx.x % group, each = MOMENTS_BLOCK / group;
  const size_t results = outer * inner;
  for (size_t b = blockIdx.x; b * each < results; b += gridDim.x) {
    const size_t i = b * each + threadIdx.x / group;
    Moments a = F::none();
    for (size_t r = lane; i < results && r < n; r += group)
      a = moments_join(a, x[(i / inner * n + r) * inner + i % inner]);
    a = (group > 32) ? block<F>(a) : among<F>(a, group);
    if (lane == 0 && i < results)
      z[i] = store(moments_end(a, by, root));
    if (group > 32)
      __syncthreads();  /* before block() uses its memory again */
  }
}

#define MOMENTS(s) \
  extern "C" __global__ void __launch_bounds__(AXIS_TEAM, 4) \
  moments_axis_##s (void *z, const t_##s *x, size_t outer, size_t n, \
                    size_t inner, size_t chunks, size_t partial, double by, \
                    int64_t root) { \
    after_previous(); \
    spread_axis(z, x, outer, n, inner, chunks, partial != 0, by, root != 0, \
                [] (double v) { return STORE(s, v); }); \
  } \
  extern "C" __global__ void __launch_bounds__(MOMENTS_BLOCK) \
  moments_final_##s (t_##s *z, const Moments *x, size_t outer, size_t n, \
                     size_t inner, double by, int64_t root) { \
    after_previous(); \
    spread_final(z, x, outer, n, inner, by, root != 0, \
                 [] (double v) { return STORE(s, v); }); \
  }
MOMENTS(f16)
MOMENTS(bf16)
MOMENTS(f32)
MOMENTS(f64)

#undef LOADER
#undef MOMENTS
