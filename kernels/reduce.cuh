/*
** reduce.cuh - folds of n elements to one, in stages: sum_partial_f32 and so
** on. A fold F has the types of an element, T, of an accumulator, A, and of the
** result, Z, and the functions between them.
**
**   op_partial: z[b] = block b's fold of its part of x[0..n), one accumulator a
**               block. Elements are 'apart' from each other, which is 1 on the
**               host
**   op_final:   z[0] = the fold of n accumulators, by one block
**   op_whole:   both at once, by one block, for small n (launches cost more
**               than the loop does)
**
** The last two divide by 'by', if the fold does that: see table.lua.
**
** Reads every element once and hardly writes: memory-bound. Each thread keeps
** ROUNDS loads of 16 bytes in flight, or of as many elements if x is not
** aligned, or not a run. PARTIAL_BLOCK = 256 lets eight blocks share an SM;
** FINAL_BLOCK = 1024 is as many threads as one block can have.
**
** The order of the fold depends on n and the grid alone, not on where x's
** elements are or on timing, so a sum of floats is the same every time.
*/
#ifndef TIDE_REDUCE_CUH
#define TIDE_REDUCE_CUH

#include "common.cuh"
#include "ops.h"

#define ROUNDS 4

/* The fold F over accumulators. */
template <class F>
struct Again {
  typedef typename F::A T, A;
  static __device__ A none () { return F::none(); }
  static __device__ A join (A a, A b) { return F::join(a, b); }
  static __device__ A take (A a, A x, size_t) { return F::join(a, x); }
};

/*
** Folds the elements of R packs into a; pack r stands at 'at' + r * 'step'.
** Folds that can do several at a time better overload it.
*/
template <class F, class T, int N, int R>
static __device__ __forceinline__ void take_packs (
    F, typename F::A &a, const Pack<T, N> (&p)[R], size_t at, size_t step) {
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int k = 0; k < N; k++)
      a = F::take(a, p[r].at[k], at + r * step + k);
}

/* Loads pack i of elements that are 'apart' from each other: 1 if 'whole'. */
template <int N, class T>
static __device__ __forceinline__ Pack<T, N> load_apart (const T *x, size_t i,
                                                         bool whole,
                                                         int64_t apart) {
  Pack<T, N> p;
  if (whole)
    return reinterpret_cast<const Pack<T, N> *>(x)[i];
  const T *own = x + (int64_t)(i * N) * apart;
#pragma unroll
  for (int k = 0; k < N; k++)
    p.at[k] = own[k * apart];
  return p;
}

/*
** Folds a thread's share of x: packs me, me + step ..., in that order, then
** likewise the elements after the last pack. 'base' is where x begins, for
** folds that need the place of an element.
*/
template <class F>
static __device__ __forceinline__ typename F::A share (
    const typename F::T *x, size_t n, size_t me, size_t step,
    size_t base = 0, int64_t apart = 1) {
  typedef typename F::T T;
  constexpr int N = PACK(T, T);
  const size_t packs = n / N;
  const bool whole = apart == 1 && aligned<N>(x);
  typename F::A a = F::none();
  size_t i = me;
  for (; i + (ROUNDS - 1) * step < packs; i += ROUNDS * step) {
    Pack<T, N> p[ROUNDS];
#pragma unroll
    for (int r = 0; r < ROUNDS; r++)
      p[r] = load_apart<N>(x, i + r * step, whole, apart);
    take_packs(F(), a, p, base + i * N, step * N);
  }
  for (; i < packs; i += step) {
    const Pack<T, N> p[1] = {load_apart<N>(x, i, whole, apart)};
    take_packs(F(), a, p, base + i * N, 0);
  }
  for (size_t k = packs * N + me; k < n; k += step)
    a = F::take(a, x[(int64_t)k * apart], base + k);
  return a;
}

/* Returns the value of the thread d further on. */
template <class A>
static __device__ __forceinline__ A down (A a, int d) {
  return (A)__shfl_down_sync(0xffffffffu, a, d);
}

static __device__ __forceinline__ t_c128 down (t_c128 a, int d) {
  return make_c128(down(a.re, d), down(a.im, d));
}

template <class F>
static __device__ __forceinline__ typename F::A warp (typename F::A a) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    a = F::join(a, down(a, d));
  return a;
}

/* Folds across the block; thread 0 gets the result. Whole warps only. */
template <class F>
static __device__ __forceinline__ typename F::A block (typename F::A a) {
  __shared__ typename F::A part[32];
  a = warp<F>(a);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x < 32)
    a = warp<F>(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : F::none());
  return a;
}

template <class F>
static __device__ __forceinline__ void fold_partial (
    typename F::A *z, const typename F::T *x, size_t n,
    int64_t apart) {
  typename F::A a = block<F>(share<F>(x, n, first(), stride(), 0, apart));
  if (threadIdx.x == 0)
    z[blockIdx.x] = a;
}

template <class F>
static __device__ __forceinline__ void fold_whole (
    typename F::Z *z, const typename F::T *x, size_t n,
    int64_t apart, double by) {
  typename F::A a = block<F>(share<F>(x, n, first(), stride(), 0, apart));
  if (threadIdx.x == 0)
    *z = F::out(a, by);
}

template <class F>
static __device__ __forceinline__ void fold_final (
    typename F::Z *z, const typename F::A *x, size_t n,
    int64_t apart, double by) {
  typename F::A a =
    block<F>(share<Again<F> >(x, n, first(), stride(), 0, apart));
  if (threadIdx.x == 0)
    *z = F::out(a, by);
}

#endif
