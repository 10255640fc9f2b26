/*
** elementwise.cu - z[i] = f(x[i], y[i]) and its kin: every BINARY, UNARY, CAST,
** FILL and ARANGE line of kernels.def, for each type of its set. An operand
** is an array (v) or one number (s). Twins of the same names:
** src/rt/host/kernels/elementwise.c.
**
** All are memory-bound: add_vv_f32 moves 12 bytes an element and computes one
** flop. So each thread moves 16 bytes at a time of its widest operand, and the
** launcher starts enough threads for every pack (rt_elementwise_grid): eight
** blocks of 256 fill an SM and keep 64 KB of loads in flight there. Arrays not
** aligned to packs, and the elements after the last pack, go one by one.
**
** z may be x or y itself, but may not overlap them otherwise.
*/
#include "common.cuh"
#include "kin.h"
#include "ops.h"

template <class T>
struct Array {
  typedef T type;
  const T *x;
  __device__ T at (size_t i) const { return x[i]; }
  template <int N> __device__ Pack<T, N> pack (size_t i) const {
    return reinterpret_cast<const Pack<T, N> *>(x)[i];
  }
  template <int N> __device__ bool packs () const { return aligned<N>(x); }
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
  template <int N> __device__ bool packs () const { return true; }
};

/* z[i] = F::at(x[i], y[i]); functions of one operand ignore y. */
template <class F, class Z, class X, class Y>
static __device__ __forceinline__ void map (Z *z, X x, Y y, size_t n) {
  constexpr int N = PACK(typename X::type, Z);
  size_t packs = 0;
  if (aligned<N>(z) && x.template packs<N>() && y.template packs<N>())
    packs = n / N;
  for (size_t i = first(); i < packs; i += stride()) {
    auto p = x.template pack<N>(i);
    auto q = y.template pack<N>(i);
    Pack<Z, N> r;
#pragma unroll
    for (int k = 0; k < N; k++)
      r.at[k] = F::at(p.at[k], q.at[k]);
    reinterpret_cast<Pack<Z, N> *>(z)[i] = r;
  }
  for (size_t i = packs * N + first(); i < n; i += stride())
    z[i] = F::at(x.at(i), y.at(i));
}

/* The same without packs, for what is slow, or rare. */
template <class F, class Z, class T>
static __device__ __forceinline__ void singly (Z *z, const T *x, const T *y,
                                               size_t n) {
#pragma unroll 1
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

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

/* The expression as a function of two T that gives a Z. */
#define FUNCTION(name, s, z, ...) \
  struct name { \
    typedef t_##s T; \
    typedef TYPE(z) Z; \
    static __device__ __forceinline__ Z at (T x_, T y_) { \
      const CALC(s) x = LOAD(s, x_), y = LOAD(s, y_); \
      (void)x, (void)y; \
      return STORE(z, __VA_ARGS__); \
    } \
  };

/* z[i] = f(x[i], y[i]), where x, y or neither is a number. */
#define MAP2(s, op, R, kin, forms, ...) \
  OF_KIN(kin, s, MAP_##forms(s, op, R, __VA_ARGS__))
#define MAP_TURNED(other) MAP_NOTHING
#define MAP_NOTHING(s, op, R, ...)
#define MAP_RARE(s, op, R, ...) \
  FUNCTION(op##_##s, s, RESULT_##R(s), __VA_ARGS__) \
  KERNEL op##_vv_##s (op##_##s::Z *z, const t_##s *x, const t_##s *y, \
                      size_t n) { \
    singly<op##_##s>(z, x, y, n); \
  }
#define MAP_EVEN(s, op, R, ...) \
  FUNCTION(op##_##s, s, RESULT_##R(s), __VA_ARGS__) \
  KERNEL op##_vv_##s (op##_##s::Z *z, const t_##s *x, const t_##s *y, \
                      size_t n) { \
    map<op##_##s>(z, Array<t_##s>{x}, Array<t_##s>{y}, n); \
  } \
  KERNEL op##_vs_##s (op##_##s::Z *z, const t_##s *x, t_##s y, size_t n) { \
    map<op##_##s>(z, Array<t_##s>{x}, Number<t_##s>{y}, n); \
  }
#define MAP_MOST MAP_EVEN
#define MAP_FULL(s, op, R, ...) \
  MAP_EVEN(s, op, R, __VA_ARGS__) \
  KERNEL op##_sv_##s (op##_##s::Z *z, t_##s x, const t_##s *y, size_t n) { \
    map<op##_##s>(z, Number<t_##s>{x}, Array<t_##s>{y}, n); \
  }

/* z[i] = f(x[i]) */
#define MAP1(name, s, z, ...) \
  FUNCTION(f_##name, s, z, __VA_ARGS__) \
  MAP1_BY(f_##name, name, s, z)
#define MAP1_BY(f, name, s, z) \
  KERNEL name (TYPE(z) *z_, const t_##s *x, size_t n) { \
    map<f>(z_, Array<t_##s>{x}, Number<t_##s>{}, n); \
  }

/* z[i] = x */
#define MAP0(b) \
  struct f_fill_##b { \
    static __device__ __forceinline__ t_##b at (t_##b x, t_##b) { return x; } \
  }; \
  KERNEL fill_##b (t_##b *z, t_##b x, size_t n) { \
    map<f_fill_##b>(z, Number<t_##b>{x}, Number<t_##b>{}, n); \
  }

/* z[i] = x + i*y */
#define PROGRESSION(s, kin) OF_KIN(kin, s, ARANGE_OF(s))
#define ARANGE_OF(s) \
  struct f_arange_##s { \
    static __device__ __forceinline__ t_##s at (t_##s x, t_##s y, size_t i) { \
      return STORE(s, term(LOAD(s, x), LOAD(s, y), i)); \
    } \
  }; \
  KERNEL arange_##s (t_##s *z, t_##s x, t_##s y, size_t n) { \
    progression<f_arange_##s>(z, x, y, n); \
  }

/* The bounds of clip as one number. */
template <class T>
struct Bounds {
  T lo, hi;
};

/* z[i] = x[i] between lo and hi, as maximum and then minimum would have it */
#define BETWEEN(s, x_) \
  struct f_clip_##s { \
    typedef t_##s T; \
    static __device__ __forceinline__ T at (T own, Bounds<T> y) { \
      const CALC(s) x = LOAD(s, own), lo = LOAD(s, y.lo), hi = LOAD(s, y.hi); \
      const CALC(s) a = x != x ? x : x > lo ? x : lo; \
      return STORE(s, a != a ? a : a < hi ? a : hi); \
    } \
  }; \
  KERNEL clip_##s (t_##s *z, const t_##s *x, t_##s lo, t_##s hi, size_t n) { \
    map<f_clip_##s>(z, Array<t_##s>{x}, Number<Bounds<t_##s> >{{lo, hi}}, n); \
  }

#define UNARY_OF(s, op, R, kin, ...) \
  OF_KIN(kin, s, MAP1(op##_##s, s, RESULT_##R(s), __VA_ARGS__))
#define CAST_OF(s, to) \
  struct f_cast_##s##_##to { \
    static __device__ __forceinline__ t_##to at (t_##s x, t_##s) { \
      return CONVERT(to, LOAD(s, x)); \
    } \
  }; \
  MAP1_BY(f_cast_##s##_##to, cast_##s##_##to, s, to)

#define BINARY(op, set, R, kin, forms, expr) \
  SET_##set(MAP2, op, R, kin, forms, expr)
#define UNARY(op, set, R, kin, expr) SET_##set(UNARY_OF, op, R, kin, expr)
#define CAST(to, set) SET_##set(CAST_OF, to)
#define FILL SET_WIDTH(MAP0)
#define ARANGE(set, kin) SET_##set(PROGRESSION, kin)
#define CLIP(set) SET_##set(BETWEEN, )
#include "kernels.def"

#undef KERNEL
