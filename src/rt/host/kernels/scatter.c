/*
** scatter.c - the host kernels of kernels/scatter.cu, which defines their
** results.
*/
#include "host_kernels.h"

#include "count.h"

#include "kernels/scatter.h"

#define SUMS(s, T) \
  HOST_KERNEL(scatter_##s) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, v); \
    PARAM(2, const double *, sums); \
    PARAM(3, double *, left); \
    PARAM(4, const int64_t *, places); \
    PARAM(5, const int64_t *, order); \
    PARAM(6, int64_t *, next); \
    PARAM(7, const int64_t *, index); \
    PARAM(8, size_t, n); \
    PARAM(9, size_t, m); \
    PARAM(10, size_t, inner); \
    PARAM(11, size_t, vn); \
    PARAM(12, size_t, rows); \
    PARAM(13, int64_t *, bad); \
    const Scatter w = {places, order, sums, n, m, inner, vn, left, next}; \
    (void)grid, (void)block; \
    if (bad != NULL && scatter_place(&w, 0) == 0) \
      report_index(bad, index[order[0] - 1]); \
    for (size_t row = 0; row < rows; row++) \
      for (size_t chunk = 0; chunk < SCATTER_CHUNKS(m); chunk++) \
        for (size_t j = 0; j < inner; j++) \
          scatter_chunk_##s(&w, z, v, row, chunk, j); \
  }
SET_SCATTER(SUMS)

/*
** For the host device alone, which has few threads: goes in the order of the
** indices, with a sum for each place of a row, so it needs no sort. It reads
** only places that have an index, because 'sums' is uninitialised memory.
*/
#define ORDERED(s, T) \
  HOST_KERNEL(scatter_ordered_##s) { \
    PARAM(0, T *, z); \
    PARAM(1, double *, sums); \
    PARAM(2, const int64_t *, places); \
    PARAM(3, const T *, v); \
    PARAM(4, const int64_t *, index); \
    PARAM(5, size_t, n); \
    PARAM(6, size_t, m); \
    PARAM(7, size_t, inner); \
    PARAM(8, size_t, vn); \
    PARAM(9, size_t, rows); \
    PARAM(10, int64_t *, bad); \
    size_t from = 0; \
    (void)grid, (void)block; \
    for (size_t t = 0; t < m; t++) \
      if (places[t] == 0) \
        report_index(bad, index[t]); \
    for (size_t row = 0; row < rows; row++, z += n * inner) { \
      for (size_t t = 0; t < m; t++) \
        for (size_t j = 0; j < inner && places[t] > 0; j++) \
          sums[((size_t)places[t] - 1) * inner + j] = -0.0; \
      for (size_t t = 0; t < m; t++) \
        for (size_t j = 0; j < inner; j++) { \
          if (places[t] > 0) \
            sums[((size_t)places[t] - 1) * inner + j] += (double) \
              LOAD(s, v[from]); \
          from = (from + 1 < vn) ? from + 1 : 0; \
        } \
      for (size_t t = 0; t < m; t++) \
        for (size_t j = 0; j < inner && places[t] > 0; j++) { \
          const size_t i = ((size_t)places[t] - 1) * inner + j; \
          z[i] = STORE(s, (double)LOAD(s, z[i]) + sums[i]); \
          sums[i] = -0.0; \
        } \
    } \
  }
SET_SCATTER(ORDERED)

/* A launch of scatter_k32 or scatter_k64; 'sign' and 'inf' as in keys.h. */
typedef struct Keyed {
  const int64_t *index;
  const void *v;
  size_t n, m, inner, rows, vn, base, mode;
  uint64_t sign, inf;
  int op;
  int64_t *bad;
} Keyed;

/*
** Elements are of type T, keys of K. Parts of a launch take whole rows. If
** there is one row, of few elements, each part combines its values in room of
** its own first, and then with z.
*/
#define KEYED(s, K, T) \
  static inline \
    __attribute__((always_inline)) void combine_##T(const Keyed *w, T *z, \
                                                    size_t begin, size_t end, \
                                                    size_t from, int op) { \
    const T *v = w->v; \
    const K sign = (K)w->sign, inf = (K)w->inf; \
    const size_t n = w->n, inner = w->inner, vn = w->vn; \
    for (size_t t = begin; t < end; t++) { \
      size_t at = (size_t)w->index[t] - w->base; \
      if (at >= n) { /* rare: negative or out of range */ \
        const int64_t given = from_one(w->index[t], w->base, n, w->mode); \
        at = place_by(given, n, w->mode); \
        if (at == n) { \
          report_index(w->bad, given); \
          from = (from + inner) % vn; \
          continue; \
        } \
      } \
      for (size_t i = at * inner; i < (at + 1) * inner; i++, from++) { \
        if (from == vn) \
          from = 0; \
        z[i] = (T)scatter_bits_##s(z[i], v[from], sign, inf, op); \
      } \
    } \
  } \
  static void row_##T(const Keyed *w, T *z, size_t begin, size_t end, \
                      size_t from) { \
    if (w->op == SCATTER_ADD) \
      combine_##T(w, z, begin, end, from, SCATTER_ADD); \
    else if (w->op == SCATTER_MIN) \
      combine_##T(w, z, begin, end, from, SCATTER_MIN); \
    else \
      combine_##T(w, z, begin, end, from, SCATTER_MAX); \
  } \
  static void apart_##T(const Keyed *w, T *z, size_t begin, size_t end) { \
    T room[COUNT_APART]; \
    for (size_t b = 0; b < w->n; b++) \
      room[b] = w->op == SCATTER_ADD \
                  ? 0 \
                  : __atomic_load_n(&z[b], __ATOMIC_RELAXED); \
    row_##T(w, room, begin, end, begin % w->vn); \
    for (size_t b = 0; b < w->n; b++) { \
      T old = __atomic_load_n(&z[b], __ATOMIC_RELAXED), sum; \
      do \
        sum = (T)scatter_bits_##s(old, room[b], (K)w->sign, (K)w->inf, w->op); \
      while (!__atomic_compare_exchange_n(&z[b], &old, sum, true, \
                                          __ATOMIC_RELAXED, \
                                          __ATOMIC_RELAXED)); \
    } \
  } \
  static void keyed_##T(const Keyed *w, T *z, const unsigned block[3]) { \
    const size_t each = w->m * w->inner; \
    SPAN(w->rows > 1 || block[2] == 1 ? w->rows : w->m); \
    if (w->rows == 1 && block[2] > 1) \
      apart_##T(w, z, first, last); \
    else \
      for (size_t row = first; row < last; row++) \
        row_##T(w, z + row * w->n * w->inner, 0, w->m, row * each % w->vn); \
  }
KEYED(k32, uint32_t, uint8_t)
KEYED(k32, uint32_t, uint16_t)
KEYED(k32, uint32_t, uint32_t)
KEYED(k64, uint64_t, uint64_t)

#define KEYED_PARAMS(K) \
  PARAM(0, void *, z); \
  PARAM(1, const int64_t *, index); \
  PARAM(2, const void *, v); \
  PARAM(3, size_t, n); \
  PARAM(4, size_t, m); \
  PARAM(5, size_t, inner); \
  PARAM(6, size_t, count); \
  PARAM(7, size_t, vn); \
  PARAM(8, size_t, base); \
  PARAM(9, size_t, mode); \
  PARAM(10, K, sign); \
  PARAM(11, K, inf); \
  PARAM(12, int64_t, code); \
  PARAM(13, int64_t *, bad); \
  const size_t rows = count / (m * inner); \
  const Keyed w = {index, v,    n,    m,    inner, rows, \
                   vn,    base, mode, sign, inf,   SCATTER_OP(code), \
                   bad}; \
  (void)grid

HOST_KERNEL(scatter_k32) {
  KEYED_PARAMS(uint32_t);
  switch (SCATTER_WIDTH(code)) {
    case 1: keyed_uint8_t(&w, z, block); break;
    case 2: keyed_uint16_t(&w, z, block); break;
    default: keyed_uint32_t(&w, z, block);
  }
}

HOST_KERNEL(scatter_k64) {
  KEYED_PARAMS(uint64_t);
  keyed_uint64_t(&w, z, block);
}
