/*
** along.cu - moves elements by an index for each, along an axis. Written by
** hand: see by_hand.lua. Host kernels: src/rt/host/kernels/along.c.
**
**   take_along: z[o,t,j] = x[o,index[o,t,j],j], where x has n and z m of them;
**       an index out of range is wrapped or clipped, and is stored in *bad, a
**       word of the host's, if that is not NULL
**   put_along: z[o,index[o,t]] = v[o,t], for rows of n <= ALONG_ROW elements
**       and m indices; v has 'vn' elements, which repeat, or is NULL: then the
**       number is stored. The last one of equal indices counts. 'mode': a PLACE
**       of ops.h; *bad as above
**
** Memory-bound: an index is read once, and elements in random order are in one
** row, hence in the cache or in shared memory. A thread does all its loads
** before it stores anything, because a store might change what is loaded next.
** A block of put_along has a row: it finds the last index of each place, and
** then writes the places in order.
*/
#include "common.cuh"
#include "ops.h"
#include "split.cuh"

#define EACH 4

template <class T>
static __device__ __forceinline__ void take_along (T *z, const T *x,
    const int64_t *index, size_t n, size_t m, size_t inner, size_t count,
    size_t wraps, int64_t *bad) {
  const size_t step = stride();
  int64_t wrong = IN_RANGE;
  for (size_t e = first(); e < count; e += EACH * step) {
    int64_t given[EACH];
    T own[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
      given[k] = index[e + k * step < count ? e + k * step : e];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t to = e + k * step < count ? e + k * step : e;
      const Split a(to, inner), b(a.q, m);
      const size_t at = wraps ? place_around(given[k], n) :
                        place_of(given[k], n);
      wrong = is_place(given[k], n) ? wrong : given[k];
      own[k] = x[(b.q * n + at) * inner + a.r];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
      if (e + k * step < count)
        z[e + k * step] = own[k];
  }
  report_index(bad, wrong);
}

template <class T>
static __device__ __forceinline__ void put_along (T *z, const int64_t *index,
    const T *v, T number, size_t n, size_t m, size_t rows, size_t vn,
    size_t mode, int64_t *bad) {
  __shared__ uint32_t last[ALONG_ROW];
  for (size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const int64_t *own = index + row * m;
    for (size_t p = threadIdx.x; p < n; p += MAP_BLOCK)
      last[p] = 0;
    __syncthreads();
    for (size_t t = threadIdx.x; t < m; t += EACH * MAP_BLOCK) {
      int64_t given[EACH];
#pragma unroll
      for (int k = 0; k < EACH; k++)
        given[k] = own[t + k * MAP_BLOCK < m ? t + k * MAP_BLOCK : t];
#pragma unroll
      for (int k = 0; k < EACH; k++) {
        const size_t at = place_by(given[k], n, mode);
        if (at < n && t + k * MAP_BLOCK < m)
          atomicMax(&last[at], (uint32_t)(t + k * MAP_BLOCK) + 1);
        if (at == n)
          report_index(bad, given[k]);
      }
    }
    __syncthreads();
    for (size_t p = threadIdx.x; p < n; p += EACH * MAP_BLOCK) {
      uint32_t t[EACH];
      T value[EACH];
#pragma unroll
      for (int k = 0; k < EACH; k++) {
        t[k] = p + k * MAP_BLOCK < n ? last[p + k * MAP_BLOCK] : 0;
        value[k] = number;
        if (t[k] == 0 || v == NULL)
          continue;
        const size_t from = row * m + t[k] - 1;
        value[k] = v[vn == rows * m ? from : Split(from, vn).r];
      }
#pragma unroll
      for (int k = 0; k < EACH; k++)
        if (t[k] != 0)
          z[row * n + p + k * MAP_BLOCK] = value[k];
    }
    __syncthreads();  /* before 'last' is written again */
  }
}

template <class T>
static __device__ __forceinline__ T number_of (uint64_t bits) {
  return (T)bits;
}
template <>
__device__ __forceinline__ uint4 number_of<uint4> (uint64_t bits) {
  return make_uint4((unsigned)bits, (unsigned)(bits >> 32), 0, 0);
}

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

#define ALONG(b) \
  KERNEL take_along_##b (t_##b *z, const t_##b *x, const int64_t *index, \
                         size_t n, size_t m, size_t inner, size_t count, \
                         size_t wraps, int64_t *bad) { \
    after_previous(); \
    take_along(z, x, index, n, m, inner, count, wraps, bad); \
  } \
  KERNEL put_along_##b (t_##b *z, const int64_t *index, const t_##b *v, \
                        uint64_t number, size_t n, size_t m, size_t rows, \
                        size_t vn, size_t mode, int64_t *bad) { \
    after_previous(); \
    put_along(z, index, v, number_of<t_##b>(number), n, m, rows, vn, mode, \
              bad); \
  }

SET_WIDTH(ALONG)

#undef KERNEL
#undef EACH
