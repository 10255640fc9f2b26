/*
** strided.cuh - the elementwise operations for operands of any strides: views,
** broadcast operands, transposed ones. add_nd_f32 is one of them; copy_nd_w32
** moves elements of 32 bits of any type. If the pointer of an operand is NULL
** the operand is the number. On the host device: src/rt/host/kernels/strided.c.
**
** A thread has an item: a pack of up to 16 bytes of a row if the geometry
** allows it, else one element. For rare and unary operations it is always one
** element. Finding an item's place takes a division for each axis but the
** first, in 32 bits wherever the numbers fit. So a row that is added to each
** row of a matrix moves 8 bytes an element (the row stays in the cache) with a
** division for four. Operands that are not runs are loaded one by one, all of a
** pack before any is used.
*/
#ifndef TIDE_STRIDED_CUH
#define TIDE_STRIDED_CUH

#include "common.cuh"
#include "geometry.h"
#include "ops.h"

static __device__ __forceinline__ uint64_t quotient (uint64_t n, uint64_t d) {
  return ((n | d) >> 32) == 0 ? (uint32_t)n / (uint32_t)d : n / d;
}

/* The places of an item of 'pack' elements in each operand, and in its row. */
template <int SIDES>
struct Item {
  int64_t at[SIDES];
  int64_t place;

  __device__ __forceinline__ Item (const Geometry &g, uint64_t i, int pack) {
    int d = g.ndim - 1;
    uint64_t rest = d > 0 ? quotient(i, g.row) : 0;
    place = (int64_t)(i - rest * g.row) * pack;
#pragma unroll
    for (int k = 0; k < SIDES; k++)
      at[k] = place * g.stride[k][d];
#pragma unroll 1
    while (--d > 0) {
      uint64_t next = quotient(rest, (uint64_t)g.shape[d]);
      add(g, d, (int64_t)(rest - next * (uint64_t)g.shape[d]));
      rest = next;
    }
    if (d == 0)
      add(g, 0, (int64_t)rest);
  }

  __device__ __forceinline__ void add (const Geometry &g, int d, int64_t i) {
#pragma unroll
    for (int k = 0; k < SIDES; k++)
      at[k] += i * g.stride[k][d];
  }
};

/* Loads N elements from 'at', 'step' apart: a run, or all the same, or
** neither. */
template <int N, class T>
static __device__ __forceinline__ Pack<T, N> gather (const T *x, T number,
                                                     int64_t at, int64_t step) {
  Pack<T, N> p;
  if (x != NULL && step == 1 && aligned<N>(x + at))
    return *reinterpret_cast<const Pack<T, N> *>(x + at);
  if (x != NULL && step != 0) {
#pragma unroll
    for (int k = 0; k < N; k++)
      p.at[k] = x[at + k * step];
    return p;
  }
  T one = (x != NULL) ? x[at] : number;
#pragma unroll
  for (int k = 0; k < N; k++)
    p.at[k] = one;
  return p;
}

template <class T>
static __device__ __forceinline__ T pick (const T *x, T number, int64_t at) {
  return (x != NULL) ? x[at] : number;
}

/* z = F::at(x, y), in packs of N if the geometry has packs. */
template <class F, int N, class Z, class T>
static __device__ __forceinline__ void strided (Z *z, const T *x, const T *y,
                                                T number, const Geometry &g) {
  const int last = g.ndim - 1;
  const int64_t n = g.shape[last];
  const int64_t xs = g.stride[1][last], ys = g.stride[2][last];
  for (uint64_t i = first(); i < g.items; i += stride()) {
    const Item<3> it(g, i, g.pack);
    const int64_t at = it.at[0], ax = it.at[1], ay = it.at[2];
    if (N > 1 && g.pack == N && it.place + N <= n) {
      const Pack<T, N> p = gather<N>(x, number, ax, xs);
      const Pack<T, N> q = gather<N>(y, number, ay, ys);
      Pack<Z, N> r;
#pragma unroll
      for (int k = 0; k < N; k++)
        r.at[k] = F::at(p.at[k], q.at[k]);
      *reinterpret_cast<Pack<Z, N> *>(z + at) = r;
    } else {
      const int count = (g.pack == 1) ? 1 : (int)(n - it.place);
#pragma unroll 1
      for (int k = 0; k < count; k++)
        z[at + k] = F::at(pick(x, number, ax + k * xs),
                          pick(y, number, ay + k * ys));
    }
  }
}

/* The same, an element at a time. Functions of one operand ignore y. */
template <class F, int SIDES, class Z, class T>
static __device__ __forceinline__ void singly (Z *z, const T *x, const T *y,
                                               T number, const Geometry &g) {
#pragma unroll 1
  for (uint64_t i = first(); i < g.items; i += stride()) {
    const Item<SIDES> it(g, i, 1);
    if (SIDES == 2)
      z[it.at[0]] = F::at(x[it.at[1]], number);
    else
      z[it.at[0]] = F::at(pick(x, number, it.at[1]),
                          pick(y, number, it.at[SIDES - 1]));
  }
}

/* Loads N elements from x on, 'step' apart, as a pack; the step may be
** negative. */
template <int N, class T>
static __device__ __forceinline__ Pack<T, N> row_pack (const T *x,
                                                       int64_t step) {
  Pack<T, N> p;
  if (step != -1 || !aligned<N>(x + 1))
    return gather<N>(x, T(), 0, step);
  const Pack<T, N> back = *reinterpret_cast<const Pack<T, N> *>(x - (N - 1));
#pragma unroll
  for (int k = 0; k < N; k++)
    p.at[k] = back.at[N - 1 - k];
  return p;
}

/* Loads N elements of x, from the item on; they go on in other rows. */
template <int N, class T>
static __device__ __forceinline__ Pack<T, N> rows_pack (
    const T *x, Item<2> it, uint64_t e, uint64_t size, const Geometry &g) {
  const int last = g.ndim - 1;
  const int64_t n = g.shape[last], step = g.stride[1][last];
  Pack<T, N> p;
#pragma unroll
  for (int k = 0; k < N; k++) {
    if (e + k >= size)
      break;
    p.at[k] = x[it.at[1]];
    it.at[1] += step;
    if (++it.place < n)
      continue;
    it.place = 0;
    if (g.ndim == 2)
      it.at[1] += g.stride[1][0] - n * step;
    else if (g.ndim > 2)
      it.at[1] = Item<2>(g, e + k + 1, 1).at[1];
  }
  return p;
}

/* Writes packs of z, which is one run: the last pack may not be whole. */
template <int N, class T>
static __device__ __forceinline__ void copy_packs (T *z, const T *x,
                                                   const Geometry &g) {
  const int last = g.ndim - 1;
  uint64_t size = 1;
  for (int d = 0; d <= last; d++)
    size *= (uint64_t)g.shape[d];
  for (uint64_t i = first(); i < g.items; i += stride()) {
    const uint64_t e = i * N;
    const Item<2> it(g, e, 1);
    const bool whole = e + N <= size;
    Pack<T, N> p;
    if (whole && it.place + N <= g.shape[last])
      p = row_pack<N>(x + it.at[1], g.stride[1][last]);
    else
      p = rows_pack<N>(x, it, e, size, g);
    if (whole)
      reinterpret_cast<Pack<T, N> *>(z)[i] = p;
    else
#pragma unroll
      for (int k = 0; k < N; k++)
        if (e + k < size)
          z[e + k] = p.at[k];
  }
}

/* If rows of both are runs, src/array/layout.c makes elements wider. Packs
** are for copies in which only z has runs. */
template <class T>
static __device__ __forceinline__ void strided_copy (T *z, const T *x,
                                                     T number,
                                                     const Geometry &g) {
  constexpr int N = 16 / sizeof(T);
  if (N > 1 && g.pack == N) {
    copy_packs<N>(z, x, g);
    return;
  }
  for (uint64_t i = first(); i < g.items; i += stride()) {
    const Item<2> it(g, i, 1);
    z[it.at[0]] = pick(x, number, it.at[1]);
  }
}

#endif
