/*
** select.cu - moves elements by conditions and indices. They are moved
** unchanged, so there is a kernel for each width rather than for each dtype.
** Written by hand: see by_hand.lua. Host kernels: src/rt/host/kernels/select.c.
**
**   where: z[i] = c[i] ? x[i] : y[i]; x or y NULL: the number instead
**   take:  z[o,t,j] = x[o,index[t],j], where x has n and z m of them; an index
**          out of range is wrapped or clipped, and is stored in *bad, a word of
**          the host's, if that is not NULL
**   put:   z[o,index[t],j] = v[o,t,j], where v has 'vn' elements, which repeat,
**          or is NULL: the number. If last is not NULL, last[p] is 1 + the last
**          t whose place is p, and only that one is written. 'gather': each
**          place of z looks for its own t there, 0 for none, and last[n] is
**          that of an index out of range. 'mode': a PLACE of ops.h; *bad as
**          above
**   mask:  some rows x[i,...] one after the other; place[i] counts the wanted
**          rows up to i, so i is wanted if that is more than up to i - 1. Rows
**          from number 'room' on are left out
**   put_mask: z[i,...] = v[place[i]-1,...] where c[i]; if v has another number
**          of rows, *bad is the right number plus one. place NULL: v, whose vn
**          elements fill a row, each time; v NULL: the number
**   eye:   z[i,j] = number where j = i + k, else 0
**   one_hot: z[i,j] = number where index[i], which counts from 1, means j,
**          else 0
**   triangle:  z[o,i,j] = x[o,i,j] where j <= i + k or, for the upper one,
**          j >= i + k; else 0, and x is not read there
**
** All are memory-bound: neighbouring threads have neighbouring elements of z,
** or of x for mask. Each thread loads EACH of them before it stores any,
** because a store might change what is loaded next. where_w32 moves 13 bytes an
** element.
*/
#include "common.cuh"
#include "ops.h"
#include "split.cuh"

template <class T>
static __device__ __forceinline__ T word (uint64_t bits) { return (T)bits; }
template <>
__device__ __forceinline__ uint4 word<uint4> (uint64_t bits) {
  return make_uint4((unsigned)bits, (unsigned)(bits >> 32), 0, 0);
}

/* Pack i of x; N times the number if x is NULL. */
template <int N, class T>
static __device__ __forceinline__ Pack<T, N> side (const T *x, T number,
                                                   size_t i) {
  if (x != NULL)
    return reinterpret_cast<const Pack<T, N> *>(x)[i];
  Pack<T, N> p;
#pragma unroll
  for (int k = 0; k < N; k++)
    p.at[k] = number;
  return p;
}

/* Reads both sides, wanted or not. So the loads do not wait for c, and unwanted
** elements lie beside wanted ones. */
template <class T>
static __device__ __forceinline__ void where (T *z, const bool *c, const T *x,
    const T *y, uint64_t a, uint64_t b, size_t n) {
  constexpr int N = 16 / sizeof(T);
  const T xs = word<T>(a), ys = word<T>(b);
  size_t packs = 0;
  if (aligned<N>(z) && aligned<N>(c) && aligned<N>(x) && aligned<N>(y))
    packs = n / N;
  for (size_t i = first(); i < packs; i += stride()) {
    const Pack<bool, N> m = reinterpret_cast<const Pack<bool, N> *>(c)[i];
    const Pack<T, N> p = side<N>(x, xs, i), q = side<N>(y, ys, i);
    Pack<T, N> r;
#pragma unroll
    for (int k = 0; k < N; k++)
      r.at[k] = m.at[k] ? p.at[k] : q.at[k];
    reinterpret_cast<Pack<T, N> *>(z)[i] = r;
  }
  for (size_t i = packs * N + first(); i < n; i += stride())
    z[i] = c[i] ? (x != NULL ? x[i] : xs) : (y != NULL ? y[i] : ys);
}

/* Element e of [outer,m,inner]: o, t and j. 'one': outer is 1. */
struct Slice {
  size_t o, t, j;
  __device__ __forceinline__ Slice (size_t e, size_t m, size_t inner,
                                    bool one) {
    const Split a(e, inner);
    o = 0;
    t = a.q;
    j = a.r;
    if (!one) {
      const Split b(a.q, m);
      o = b.q;
      t = b.r;
    }
  }
};

/*
** Elements e, e + stride() ... of [outer,m,inner], EACH of them: their indices,
** and the first place in [outer,n,inner] that an index may mean. Past the end
** it is element e again.
*/
struct Indexed {
  static constexpr int EACH = 4;
  int64_t given[EACH];
  size_t t[EACH], line[EACH];
  __device__ __forceinline__ Indexed (const int64_t *index, size_t e, size_t n,
                                      size_t m, size_t inner, size_t count) {
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride();
      const Slice at(i < count ? i : e, m, inner, count == m * inner);
      given[k] = index[at.t];
      t[k] = at.t;
      line[k] = at.o * n * inner + at.j;
    }
  }
};

template <class T>
static __device__ __forceinline__ void take (T *z, const T *x,
    const int64_t *index, size_t n, size_t m, size_t inner, size_t count,
    size_t wraps, int64_t *bad) {
  constexpr int EACH = Indexed::EACH;
  int64_t wrong = IN_RANGE;
  for (size_t e = first(); e < count; e += EACH * stride()) {
    const Indexed by(index, e, n, m, inner, count);
    T own[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t at = wraps ? place_around(by.given[k], n) :
                        place_of(by.given[k], n);
      wrong = is_place(by.given[k], n) ? wrong : by.given[k];
      own[k] = x[by.line[k] + at * inner];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
      if (e + k * stride() < count)
        z[e + k * stride()] = own[k];
  }
  report_index(bad, wrong);
}

/* Writes elements of z[outer,n,inner], each of which reads its word of 'last':
** EACH at a time, because the reads are in random order. */
template <class T>
static __device__ __forceinline__ void put_gathered (T *z,
    const int64_t *index, const uint32_t *last, const T *v, size_t n,
    size_t m, size_t inner, size_t count, size_t vn, int64_t *bad) {
  constexpr int EACH = 4;
  if (first() == 0 && last[n] != 0)
    report_index(bad, index[last[n] - 1]);
  const size_t size = count / (m * inner) * n * inner;
  for (size_t e = first(); e < size; e += EACH * stride()) {
    uint32_t t[EACH];
    T own[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride();
      t[k] = i < size ? last[Split(Split(i, inner).q, n).r] : 0;
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      if (t[k] == 0)
        continue;
      const Split a(e + k * stride(), inner), b(a.q, n);
      const size_t from = (b.q * m + t[k] - 1) * inner + a.r;
      own[k] = v[vn == count ? from : Split(from, vn).r];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
      if (t[k] != 0)
        z[e + k * stride()] = own[k];
  }
}

template <class T>
static __device__ __forceinline__ void put (T *z, const int64_t *index,
    const uint32_t *last, const T *v, uint64_t number, size_t n, size_t m,
    size_t inner, size_t count, size_t vn, size_t mode, int64_t *bad) {
  constexpr int EACH = Indexed::EACH;
  int64_t wrong = IN_RANGE;
  for (size_t e = first(); e < count; e += EACH * stride()) {
    const Indexed by(index, e, n, m, inner, count);
    size_t to[EACH];
    bool wins[EACH];
    T own[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t at = place_by(by.given[k], n, mode);
      wrong = at < n ? wrong : by.given[k];
      to[k] = by.line[k] + at * inner;
      wins[k] = e + k * stride() < count && at < n &&
                (last == NULL || last[at] == (uint32_t)by.t[k] + 1);
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride();
      own[k] = word<T>(number);
      if (v != NULL && wins[k])
        own[k] = v[vn == count ? i : Split(i, vn).r];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
      if (wins[k])
        z[to[k]] = own[k];
  }
  report_index(bad, wrong);
}

template <class T>
static __device__ __forceinline__ void mask (T *z, const T *x,
    const int64_t *place, size_t inner, size_t room, size_t count) {
#pragma unroll 4
  for (size_t e = first(); e < count; e += stride()) {
    const Split a(e, inner);
    const int64_t before = (a.q > 0) ? place[a.q - 1] : 0;
    if (place[a.q] > before && (size_t)before < room)
      z[(size_t)before * inner + a.r] = x[e];
  }
}

/*
** z[i] = one where c[i], by packs. Packs that change in part are read first. A
** thread has EACH at a time, because these reads wait for c. Returns how many
** elements are done.
*/
template <class T>
static __device__ __forceinline__ size_t fill_masked (T *z, const bool *c,
                                                      T one, size_t n) {
  constexpr int N = 16 / sizeof(T), EACH = MASKED_EACH;
  if (!aligned<N>(z) || !aligned<N>(c))
    return 0;
  Pack<T, N> *packs = reinterpret_cast<Pack<T, N> *>(z);
  for (size_t e = first(); e < n / N; e += EACH * stride()) {
    Pack<bool, N> m[EACH];
    Pack<T, N> p[EACH];
    bool any[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride();
      m[k] = reinterpret_cast<const Pack<bool, N> *>(c)[i < n / N ? i : e];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      bool all = true;
      any[k] = false;
#pragma unroll
      for (int j = 0; j < N; j++) {
        any[k] |= m[k].at[j];
        all &= m[k].at[j];
      }
      any[k] &= e + k * stride() < n / N;
      if (any[k] && !all)
        p[k] = packs[e + k * stride()];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
#pragma unroll
      for (int j = 0; j < N; j++)
        p[k].at[j] = m[k].at[j] ? one : p[k].at[j];
      if (any[k])
        packs[e + k * stride()] = p[k];
    }
  }
  return n / N * N;
}

template <class T>
static __device__ __forceinline__ void put_mask (T *z, const bool *c,
    const int64_t *place, const T *v, uint64_t number, size_t inner,
    size_t count, size_t vn, int64_t *bad) {
  const T one = word<T>(number);
  if (bad != NULL && first() == 0 &&
      (size_t)place[count / inner - 1] * inner != vn)
    *bad = place[count / inner - 1] + 1;
  const size_t done =
      v == NULL && inner == 1 ? fill_masked(z, c, one, count) : 0;
#pragma unroll 4
  for (size_t e = done + first(); e < count; e += stride()) {
    const Split a(e, inner);
    if (!c[a.q])
      continue;
    size_t from = a.r;
    if (place != NULL)
      from += (size_t)(place[a.q] - 1) * inner;
    else if (vn < inner)
      from = Split(a.r, vn).r;
    if (v == NULL)
      z[e] = one;
    else if (from < vn)
      z[e] = v[from];
  }
}

template <class T>
static __device__ __forceinline__ void eye (T *z, uint64_t number, int64_t k,
                                            size_t columns, size_t count) {
  for (size_t e = first(); e < count; e += stride()) {
    const Split a(e, columns);
    z[e] = word<T>((int64_t)a.r == (int64_t)a.q + k ? number : 0);
  }
}

/* By packs of a row's neighbours: the row's length is a multiple of theirs. */
template <int N, class T>
static __device__ __forceinline__ void one_hot_packs (T *z,
    const int64_t *index, uint64_t number, size_t columns, size_t count) {
  for (size_t i = first(); i < count / N; i += stride()) {
    const Split a(i, columns / N);
    const uint64_t beyond = (uint64_t)index[a.q] - 1 - a.r * N;
    Pack<T, N> p;
#pragma unroll
    for (int j = 0; j < N; j++)
      p.at[j] = word<T>(beyond == (uint64_t)j ? number : 0);
    reinterpret_cast<Pack<T, N> *>(z)[i] = p;
  }
}

template <class T>
static __device__ __forceinline__ void one_hot (T *z, const int64_t *index,
    uint64_t number, size_t columns, size_t count) {
  constexpr int N = 16 / sizeof(T);
  if (columns % N == 0 && aligned<N>(z))
    one_hot_packs<N>(z, index, number, columns, count);
  else
    one_hot_packs<1>(z, index, number, columns, count);
}

template <int N, class T>
static __device__ __forceinline__ void triangle_packs (T *z, const T *x,
    int64_t k, size_t upper, size_t rows, size_t columns, size_t count) {
  for (size_t i = first(); i < count / N; i += stride()) {
    const Split a(i, columns / N), b(a.q, rows);
    const int64_t beyond = (int64_t)(a.r * N) - (int64_t)b.r - k;
    const bool some = upper ? beyond + N > 0 : beyond <= 0;
    Pack<T, N> p;
    if (some)
      p = reinterpret_cast<const Pack<T, N> *>(x)[i];
#pragma unroll
    for (int j = 0; j < N; j++)
      p.at[j] = some && (upper ? beyond + j >= 0 : beyond + j <= 0)
                    ? p.at[j] : word<T>(0);
    reinterpret_cast<Pack<T, N> *>(z)[i] = p;
  }
}

template <class T>
static __device__ __forceinline__ void triangle (T *z, const T *x, int64_t k,
    size_t upper, size_t rows, size_t columns, size_t count) {
  constexpr int N = 16 / sizeof(T);
  if (columns % N == 0 && aligned<N>(z) && aligned<N>(x)) {
    triangle_packs<N>(z, x, k, upper, rows, columns, count);
    return;
  }
#pragma unroll 4
  for (size_t e = first(); e < count; e += stride()) {
    const Split a(e, columns), b(a.q, rows);
    const int64_t beyond = (int64_t)a.r - (int64_t)b.r - k;
    z[e] = (upper ? beyond >= 0 : beyond <= 0) ? x[e] : word<T>(0);
  }
}

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

#define SELECT(b) \
  KERNEL where_##b (t_##b *z, const bool *c, const t_##b *x, const t_##b *y, \
                    uint64_t xs, uint64_t ys, size_t n) { \
    after_previous(); \
    where(z, c, x, y, xs, ys, n); \
  } \
  KERNEL take_##b (t_##b *z, const t_##b *x, const int64_t *index, size_t n, \
                   size_t m, size_t inner, size_t count, size_t wraps, \
                   int64_t *bad) { \
    after_previous(); \
    take(z, x, index, n, m, inner, count, wraps, bad); \
  } \
  KERNEL put_##b (t_##b *z, const int64_t *index, const uint32_t *last, \
                  const t_##b *v, uint64_t number, size_t n, size_t m, \
                  size_t inner, size_t count, size_t vn, size_t mode, \
                  int64_t *bad, size_t gather) { \
    after_previous(); \
    if (gather) \
      put_gathered(z, index, last, v, n, m, inner, count, vn, bad); \
    else \
      put(z, index, last, v, number, n, m, inner, count, vn, mode, bad); \
  } \
  KERNEL mask_##b (t_##b *z, const t_##b *x, const int64_t *place, \
                   size_t inner, size_t room, size_t count) { \
    after_previous(); \
    mask(z, x, place, inner, room, count); \
  } \
  KERNEL put_mask_##b (t_##b *z, const bool *c, const int64_t *place, \
                       const t_##b *v, uint64_t number, size_t inner, \
                       size_t count, size_t vn, int64_t *bad) { \
    after_previous(); \
    put_mask(z, c, place, v, number, inner, count, vn, bad); \
  } \
  KERNEL eye_##b (t_##b *z, uint64_t number, int64_t k, size_t columns, \
                  size_t count) { \
    after_previous(); \
    eye(z, number, k, columns, count); \
  } \
  KERNEL one_hot_##b (t_##b *z, const int64_t *index, uint64_t number, \
                      size_t columns, size_t count) { \
    after_previous(); \
    one_hot(z, index, number, columns, count); \
  } \
  KERNEL triangle_##b (t_##b *z, const t_##b *x, int64_t k, size_t upper, \
                       size_t rows, size_t columns, size_t count) { \
    after_previous(); \
    triangle(z, x, k, upper, rows, columns, count); \
  }

SET_WIDTH(SELECT)

#undef KERNEL
