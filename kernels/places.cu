/*
** places.cu - converts indices before elements are moved by them. Written by
** hand: see by_hand.lua. Host kernels: src/rt/host/kernels/places.c.
**
**   places_i64: for index[o,t,j], of an axis of n elements, the place of
**       element [o,index,j] in memory, from 1. For an index out of range 0 or,
**       to keep it, the index by move_out, which is never a place
**   put_last: last[p] = 1 + the last t whose place is p, from <= p < to. last[]
**       is 0 beforehand: by a launch with 'begin' 1, or 2, which clears all of
**       its m words. The place of an index out of range is n
**   ravel_i64: adds to z, places from 1, the places of an axis of n elements,
**       'inner' apart, number 'axis' from 0; the first launch stores them. An
**       index without a place becomes word_of_axis, and stays that. The last
**       launch makes places count from 'base', stores 0 for such words, and
**       reports one in *bad: a word of the host's, or NULL
**   unravel_i64: for each place x among 'size', from 1, the index along an axis
**       of n elements, 'inner' apart, which counts from 'base'; else 'fill',
**       and *bad reports x
**
** Memory-bound; put_last by its words, in random order. A thread loads EACH
** elements before it stores anything, because a store might change what it
** loads next.
*/
#include "common.cuh"
#include "ops.h"
#include "split.cuh"

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

#define EACH 4

/* Loads elements e, e + stride() ... of x; past the end, element e again. */
static __device__ __forceinline__ void load_each (int64_t (&own)[EACH],
    const int64_t *x, size_t e, size_t count) {
#pragma unroll
  for (int k = 0; k < EACH; k++)
    own[k] = x[e + k * stride() < count ? e + k * stride() : e];
}

KERNEL places_i64 (int64_t *z, const int64_t *index, size_t n, size_t m,
                   size_t inner, size_t count, size_t mode, size_t base,
                   size_t keep) {
  after_previous();
  for (size_t e = first(); e < count; e += EACH * stride()) {
    int64_t given[EACH];
    load_each(given, index, e, count);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride();
      if (i >= count)
        break;
      const Split a(i, inner), b(a.q, m);
      const int64_t own = from_one(given[k], base, n, mode);
      const size_t at = place_by(own, n, mode);
      z[i] = at < n ? (int64_t)((b.q * n + at) * inner + a.r) + 1 :
             keep ? move_out(own, count / m * n - n) : 0;
    }
  }
}

KERNEL put_last (uint32_t *last, const int64_t *index, size_t n, size_t m,
                 size_t mode, size_t begin, size_t from, size_t to) {
  after_previous();
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
                  size_t count, size_t mode, size_t axis, size_t end,
                  size_t base, int64_t *bad) {
  after_previous();
  int64_t wrong = IN_RANGE;
  for (size_t e = first(); e < count; e += EACH * stride()) {
    int64_t given[EACH], sum[EACH] = {1, 1, 1, 1};
    load_each(given, index, e, count);
    if (axis > 0)
      load_each(sum, z, e, count);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = e + k * stride(), at = place_by(given[k], n, mode);
      if (i >= count)
        break;
      const int64_t own = ravel(sum[k], given[k], at, n, inner, axis);
      wrong = own < 0 ? own : wrong;
      z[i] = !end ? own : (own < 0 ? 0 : own) - (base == 0);
    }
  }
  if (end)
    report_index(bad, wrong);
}

KERNEL unravel_i64 (int64_t *z, const int64_t *x, size_t size, size_t inner,
                    size_t n, int64_t base, int64_t fill, size_t count,
                    int64_t *bad) {
  after_previous();
  int64_t wrong = IN_RANGE;
  for (size_t e = first(); e < count; e += EACH * stride()) {
    int64_t given[EACH];
    load_each(given, x, e, count);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const bool there = is_place(given[k], size);
      if (e + k * stride() >= count)
        break;
      wrong = there ? wrong : given[k];
      z[e + k * stride()] = !there ? fill : base + (int64_t)
          Split(Split(place_of(given[k], size), inner).q, n).r;
    }
  }
  report_index(bad, wrong);
}

#undef EACH
#undef KERNEL
