/*
** softmax.cu - softmax along an axis, or its logarithm. Written by hand: see
** by_hand.lua. Host kernels: src/rt/host/kernels/softmax.c.
**
**   softmax_axis: z[o,i,j] = e(i) / sum of e, e(i) = exp(x[o,i,j] - greatest);
**       'log': x - greatest - log(sum of e). 'chunks' is 1: rows are not cut
**
** A row is read once and held in registers, so 8 bytes an element of float32
** are moved. Blocks of up to 1024 threads leave each thread 64 registers, a
** quarter of which hold the row. Columns are read three times, neighbours by
** neighbours. Sums are float64, in an order that depends on n alone. They are
** rounded to the type of the computation, like all other steps.
*/
#include "common.cuh"
#include "ops.h"
#include "softmax.h"

template <class C>
static __device__ __forceinline__ C greater_of (C a, C b) {
  return a != a ? a : a > b ? a : b;
}

struct Greatest {
  template <class A> static __device__ A join (A a, A b) {
    return greater_of(a, b);
  }
};

struct Total_of {
  template <class A> static __device__ A join (A a, A b) { return a + b; }
};

/* Joins the values of all threads of a group; all of them get the result.
** 'part' has room for each warp, and no values that are still needed. */
template <class F, class A>
static __device__ __forceinline__ A join_all (A a, unsigned group, A *part) {
  const unsigned width = group < 32 ? group : 32;
  for (unsigned d = width / 2; d > 0; d /= 2)
    a = F::join(a, __shfl_xor_sync(0xffffffffu, a, d));
  if (group <= 32)
    return a;
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = a;
  __syncthreads();
  a = part[threadIdx.x % (group / 32)];
  for (unsigned d = group / 64; d > 0; d /= 2)
    a = F::join(a, __shfl_xor_sync(0xffffffffu, a, d));
  return a;
}

/* Loads a thread's elements of a row: pack j is number j * group + lane of
** it. */
template <class S, int HELD>
static __device__ __forceinline__ void hold (typename S::C (&v)[HELD],
    const typename S::T *row, unsigned n, unsigned lane, unsigned group,
    bool whole) {
  constexpr int N = S::N;
#pragma unroll
  for (int j = 0; j < HELD / N; j++) {
    const unsigned i = j * group + lane;
    if ((i + 1) * N <= n) {
      const Pack<typename S::T, N> p = load_pack<N>(row, i, whole);
#pragma unroll
      for (int k = 0; k < N; k++)
        v[j * N + k] = S::load(p.at[k]);
    } else {
#pragma unroll
      for (int k = 0; k < N; k++)
        v[j * N + k] = i * N + k < n ? S::load(row[i * N + k])
                                     : (typename S::C)-INFINITY;
    }
  }
}

template <class S, int HELD>
static __device__ __forceinline__ void give (typename S::T *row,
    const typename S::C (&v)[HELD], unsigned n, unsigned lane, unsigned group,
    bool whole) {
  constexpr int N = S::N;
#pragma unroll
  for (int j = 0; j < HELD / N; j++) {
    const unsigned i = j * group + lane;
    if ((i + 1) * N <= n) {
      Pack<typename S::T, N> p;
#pragma unroll
      for (int k = 0; k < N; k++)
        p.at[k] = S::store(v[j * N + k]);
      store_pack(row, i, p, whole);
    } else {
#pragma unroll
      for (int k = 0; k < N; k++)
        if (i * N + k < n)
          row[i * N + k] = S::store(v[j * N + k]);
    }
  }
}

/* Turns v into the results of a row, whose elements the group has; elements
** beyond n do not count. */
template <class S, int HELD>
static __device__ __forceinline__ void settle (typename S::C (&v)[HELD],
    unsigned n, unsigned lane, unsigned group, bool log, typename S::C *most,
    double *sums) {
  typedef typename S::C C;
  constexpr int N = S::N;
  C top = -INFINITY;
#pragma unroll
  for (int k = 0; k < HELD; k++)
    top = greater_of(v[k], top);
  top = join_all<Greatest>(top, group, most);
  double sum = 0;
#pragma unroll
  for (int k = 0; k < HELD; k++) {
    const unsigned i = (k / N * group + lane) * N + k % N;
    const C away = v[k] - top, e = exp(away);
    v[k] = log ? away : e;
    sum += i < n ? (double)e : 0;
  }
  const C all = (C)join_all<Total_of>(sum, group, sums);
  const C less = log ? ::log(all) : 0;
#pragma unroll
  for (int k = 0; k < HELD; k++)
    v[k] = log ? v[k] - less : v[k] / all;
}

template <class S>
static __device__ __forceinline__ void softmax_rows (
    typename S::T *z, const typename S::T *x, size_t rows, size_t n,
    bool log) {
  typedef typename S::C C;
  constexpr int HELD = SOFTMAX_HELD(sizeof(C));
  __shared__ C most[32];
  __shared__ double sums[32];
  const unsigned group = softmax_group(n, sizeof(C));
  const unsigned lane = threadIdx.x & (group - 1), each = blockDim.x / group;
  const bool even = n % S::N == 0;
  const bool packs_x = even && aligned<S::N>(x);
  const bool packs_z = even && aligned<S::N>(z);
  for (size_t b = blockIdx.x; b * each < rows; b += gridDim.x) {
    const size_t row = b * each + threadIdx.x / group;
    const unsigned own = row < rows ? (unsigned)n : 0;
    C v[HELD];
    hold<S>(v, x + row * n, own, lane, group, packs_x);
    settle<S>(v, own, lane, group, log, most, sums);
    give<S>(z + row * n, v, own, lane, group, packs_z);
  }
}

template <class S>
static __device__ __forceinline__ void softmax_column (
    typename S::T *z, const typename S::T *x, size_t n, size_t inner,
    bool log) {
  typedef typename S::C C;
  C top = -INFINITY;
#pragma unroll 8
  for (size_t i = 0; i < n; i++)
    top = greater_of(S::load(x[i * inner]), top);
  double sum = 0;
#pragma unroll 8
  for (size_t i = 0; i < n; i++)
    sum += (double)exp(S::load(x[i * inner]) - top);
  const C all = (C)sum, less = log ? ::log(all) : 0;
#pragma unroll 8
  for (size_t i = 0; i < n; i++) {
    const C away = S::load(x[i * inner]) - top;
    z[i * inner] = S::store(log ? away - less : exp(away) / all);
  }
}

template <class S>
static __device__ __forceinline__ void softmax (
    typename S::T *z, const typename S::T *x, size_t outer, size_t n,
    size_t inner, bool log) {
  if (inner == 1) {
    softmax_rows<S>(z, x, outer, n, log);
    return;
  }
  for (size_t i = first(); i < outer * inner; i += stride()) {
    const size_t at = i / inner * n * inner + i % inner;
    softmax_column<S>(z + at, x + at, n, inner, log);
  }
}

#define SOFTMAX(s, computed) \
  struct softmax_of_##s { \
    typedef t_##s T; \
    typedef computed C; \
    static constexpr int N = 16 / sizeof(T); \
    static __device__ __forceinline__ C load (T x) { return LOAD(s, x); } \
    static __device__ __forceinline__ T store (C x) { return STORE(s, x); } \
  }; \
  extern "C" __global__ void __launch_bounds__(SOFTMAX_MOST) \
  softmax_axis_##s (t_##s *z, const t_##s *x, size_t outer, size_t n, \
                    size_t inner, size_t chunks, size_t log) { \
    after_previous(); \
    (void)chunks; \
    softmax<softmax_of_##s>(z, x, outer, n, inner, log != 0); \
  }
SOFTMAX(f16, float)
SOFTMAX(bf16, float)
SOFTMAX(f32, float)
SOFTMAX(f64, double)

#undef SOFTMAX
