/*
** places.cu - indices, before anything is moved by them. Written by hand:
** 'others' of table.lua. Twins: src/rt/host/kernels/places.c.
**
**   places_i64: for index[o,t,j], of an axis of n elements, the place of
**       element [o,index,j] in memory, from 1; 0 where there is none, which
**       who looks there finds wrong
**   put_last: last[p] = 1 + the last t whose place is p, from <= p < to. All
**       that is written there is 0 beforehand: by a launch with 'begin' 1, or
**       2, which is for all of its m words. The place of an index out of range
**       is n
**   ravel_i64: adds to z, places from 1, those that are 'inner' apart of an
**       axis of n elements; 0 stays 0. The first launch begins, the last one
**       makes them count from 'base' and sets *bad where there is no place: a
**       word of the host's, or NULL
**   unravel_i64: of each place x among 'size', from 1, the index along an axis
**       of n elements, 'inner' apart, which counts from 'base'; else 'fill',
**       and *bad
**
** Memory-bound; put_last by its words, which are in any order. A thread loads
** EACH elements before it stores anything, which might be what it loads next.
*/
#include "common.cuh"
#include "ops.h"
#include "split.cuh"

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

#define EACH 4

/* The elements e, e + stride() ... of x; past the end element e again. */
static __device__ __forceinline__ void load_each (int64_t (&own)[EACH],
    const int64_t *x, size_t e, size_t count) {
#pragma unroll
  for (int k = 0; k < EACH; k++)
    own[k] = x[e + k * stride() < count ? e + k * stride() : e];
}

KERNEL places_i64 (int64_t *z, const int64_t *index, size_t n, size_t m,
                   size_t inner, size_t count, size_t mode, size_t base) {
  for (size_t e = first(); e < count; e += EACH * stride()) {
    int64_t given[EACH];
    load_each(given, index, e, count);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride();
      if (i >= count)
        break;
      const Split a(i, inner), b(a.q, m);
      const size_t at = place_by(from_one(given[k], base), n, mode);
      z[i] = at == n ? 0 : (int64_t)((b.q * n + at) * inner + a.r) + 1;
    }
  }
}

KERNEL put_last (uint32_t *last, const int64_t *index, size_t n, size_t m,
                 size_t mode, size_t begin, size_t from, size_t to) {
  if (begin == 2)
    for (size_t t = first(); t < m; t += stride())
      last[t] = 0;
  for (size_t t = first(); t < m && begin < 2; t += EACH * stride()) {
    int64_t given[EACH];
    load_each(given, index, t, m);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t own = t + k * stride(), at = place_by(given[k], n, mode);
      if (own < m && begin)
        last[at] = 0;
      else if (own < m && at >= from && at < to)
        atomicMax(&last[at], (uint32_t)own + 1);
    }
  }
}

KERNEL ravel_i64 (int64_t *z, const int64_t *index, size_t n, size_t inner,
                  size_t count, size_t mode, size_t begin, size_t end,
                  size_t base, uint32_t *bad) {
  bool wrong = false;
  for (size_t e = first(); e < count; e += EACH * stride()) {
    int64_t given[EACH], sum[EACH] = {1, 1, 1, 1};
    load_each(given, index, e, count);
    if (!begin)
      load_each(sum, z, e, count);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride(), at = place_by(given[k], n, mode);
      const bool there = sum[k] != 0 && at < n;
      if (i >= count)
        break;
      wrong |= !there;
      z[i] = (there ? sum[k] + (int64_t)(at * inner) : 0) -
             (end && base == 0);
    }
  }
  if (wrong && end && bad != NULL)
    *bad = 1;
}

KERNEL unravel_i64 (int64_t *z, const int64_t *x, size_t size, size_t inner,
                    size_t n, int64_t base, int64_t fill, size_t count,
                    uint32_t *bad) {
  bool wrong = false;
  for (size_t e = first(); e < count; e += EACH * stride()) {
    int64_t given[EACH];
    load_each(given, x, e, count);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const bool there = is_place(given[k], size);
      if (e + k * stride() >= count)
        break;
      wrong |= !there;
      z[e + k * stride()] = !there ? fill : base + (int64_t)
          Split(Split(place_of(given[k], size), inner).q, n).r;
    }
  }
  if (wrong && bad != NULL)
    *bad = 1;
}

#undef EACH
#undef KERNEL
