/*
** scatter.c - the host kernels of kernels/scatter.cu, which defines their
** results.
*/
#include "host_kernels.h"

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

static inline uint64_t bits_at (const void *x, size_t i, int width) {
  return width == 8   ? ((const uint64_t *)x)[i]
         : width == 4 ? ((const uint32_t *)x)[i]
         : width == 2 ? ((const uint16_t *)x)[i]
                      : ((const uint8_t *)x)[i];
}

static inline void set_bits (void *x, size_t i, int width, uint64_t bits) {
  if (width == 8)
    ((uint64_t *)x)[i] = bits;
  else if (width == 4)
    ((uint32_t *)x)[i] = (uint32_t)bits;
  else if (width == 2)
    ((uint16_t *)x)[i] = (uint16_t)bits;
  else
    ((uint8_t *)x)[i] = (uint8_t)bits;
}

#define KEYED(s, K) \
  HOST_KERNEL(scatter_##s) { \
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
    const int op = SCATTER_OP(code), width = SCATTER_WIDTH(code); \
    size_t from = 0; \
    (void)grid, (void)block; \
    for (size_t row = 0; row < count / (m * inner); row++) \
      for (size_t t = 0; t < m; t++) { \
        const int64_t given = from_one(index[t], base); \
        const size_t at = place_by(given, n, mode); \
        if (at == n) \
          report_index(bad, given); \
        for (size_t j = 0; j < inner; j++) { \
          if (at < n) { \
            const size_t i = (row * n + at) * inner + j; \
            const K old = (K)bits_at(z, i, width); \
            set_bits(z, i, width, \
                     scatter_bits_##s(old, (K)bits_at(v, from, width), sign, \
                                      inf, op)); \
          } \
          from = (from + 1 < vn) ? from + 1 : 0; \
        } \
      } \
  }
SET_KEY(KEYED)
