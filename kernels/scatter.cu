/*
** scatter.cu - adds elements to others, or takes the least or greatest, at
** places that may be the same: scatter.h has the method. Written by hand: see
** by_hand.lua. Host kernels: src/rt/host/kernels/scatter.c.
**
**   scatter_f32 ...: a launch of sums of floats. A thread takes a chunk of a
**       column, so neighbouring threads have neighbouring columns. *bad, a word
**       of the host's, reports an index without a place, if it is not NULL
**   scatter_k32, scatter_k64: combines z[o,index[t],j] with v[o,t,j], where v
**       has vn elements, which repeat, by the operation and width of 'code'.
**       The index counts from 'base'; 'mode': a PLACE of ops.h. *bad as above
**
** Bound by the places, which are in random order: a sector of 32 bytes for
** each.
*/
#include "common.cuh"
#include "scatter.h"
#include "split.cuh"

#define KERNEL extern "C" __global__ void __launch_bounds__(MAP_BLOCK)

#define SUMS(s, T) \
  KERNEL scatter_##s (T *z, const T *v, const double *sums, double *left, \
                      const int64_t *places, const int64_t *order, \
                      int64_t *next, const int64_t *index, size_t n, \
                      size_t m, size_t inner, size_t vn, size_t rows, \
                      int64_t *bad) { \
    after_previous(); \
    const Scatter w = {places, order, sums, n, m, inner, vn, left, next}; \
    const size_t chunks = SCATTER_CHUNKS(m); \
    if (bad != NULL && first() == 0 && scatter_place(&w, 0) == 0) \
      report_index(bad, index[order[0] - 1]); \
    for (size_t e = first(); e < rows * chunks * inner; e += stride()) { \
      const Split a(e, inner), b(a.q, chunks); \
      scatter_chunk(&w, z, v, b.q, b.r, a.r); \
    } \
  }
SET_SCATTER(SUMS)

/* Elements as bits; elements of one or two bytes are part of a word. */
static __device__ __forceinline__ uint64_t bits_at (const void *x, size_t i,
                                                    int width) {
  return width == 8 ? static_cast<const uint64_t *>(x)[i] :
         width == 4 ? static_cast<const uint32_t *>(x)[i] :
         width == 2 ? static_cast<const uint16_t *>(x)[i] :
                      static_cast<const uint8_t *>(x)[i];
}

static __device__ __forceinline__ void come (uint32_t *z, uint32_t x) {
  atomicAdd(z, x);
}
static __device__ __forceinline__ void come (uint64_t *z, uint64_t x) {
  atomicAdd(reinterpret_cast<unsigned long long *>(z), x);
}
static __device__ __forceinline__ uint32_t swap (uint32_t *z, uint32_t old,
                                                 uint32_t x) {
  return atomicCAS(z, old, x);
}
static __device__ __forceinline__ uint64_t swap (uint64_t *z, uint64_t old,
                                                 uint64_t x) {
  return atomicCAS(reinterpret_cast<unsigned long long *>(z), old, x);
}

/* Combines x with element i of z, 'width' bytes of a word K. */
template <class K>
static __device__ __forceinline__ void put_together (void *z, size_t i, K x,
    K sign, K inf, int op, int width) {
  const uintptr_t at = (uintptr_t)z + i * width;
  K *word = reinterpret_cast<K *>(at & ~(uintptr_t)(sizeof(K) - 1));
  if (op == SCATTER_ADD && width == sizeof(K)) {
    come(word, x);
    return;
  }
  const int shift = (int)(at % sizeof(K)) * 8;
  const K mask = (K)(~(K)0 >> (8 * (sizeof(K) - width)));
  K seen = *static_cast<volatile K *>(word);
  for (;;) {
    const K old = (seen >> shift) & mask;
    const K own = scatter_bits(old, x, sign, inf, op) & mask;
    if (own == old)
      return;
    const K found = swap(word, seen, (seen & ~(mask << shift)) | own << shift);
    if (found == seen)
      return;
    seen = found;
  }
}

template <class K>
static __device__ __forceinline__ void scatter (void *z, const int64_t *index,
    const void *v, size_t n, size_t m, size_t inner, size_t count, size_t vn,
    size_t base, size_t mode, K sign, K inf, int64_t code, int64_t *bad) {
  const int op = SCATTER_OP(code), width = SCATTER_WIDTH(code);
  for (size_t e = first(); e < count; e += stride()) {
    const Split a(e, inner), b(a.q, m);
    const int64_t given = from_one(index[b.r], base, n, mode);
    const size_t at = place_by(given, n, mode);
    const size_t from = vn == count ? e : Split(e, vn).r;
    if (at < n)
      put_together(z, (b.q * n + at) * inner + a.r,
                   (K)bits_at(v, from, width), sign, inf, op, width);
    else
      report_index(bad, given);
  }
}

#define KEYED(s, K) \
  KERNEL scatter_##s (void *z, const int64_t *index, const void *v, \
                      size_t n, size_t m, size_t inner, size_t count, \
                      size_t vn, size_t base, size_t mode, K sign, K inf, \
                      int64_t code, int64_t *bad) { \
    after_previous(); \
    scatter<K>(z, index, v, n, m, inner, count, vn, base, mode, sign, inf, \
               code, bad); \
  }
SET_KEY(KEYED)

#undef KERNEL
