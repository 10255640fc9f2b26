/*
** count.c - the twins of kernels/count.cu, which says what they compute.
*/
#include "twins.h"

#include "kernels/search.h"

#define BINCOUNT(s, T) \
  TWIN(bincount_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, bins); \
    PARAM(4, int64_t, base); \
    (void)grid, (void)block; \
    for (size_t i = 0; i < n; i++) { \
      const uint64_t b = (uint64_t)(int64_t)x[i] - (uint64_t)base; \
      if (b < bins) \
        z[b]++; \
    } \
  }
BINCOUNT(u8, uint8_t)
BINCOUNT(i32, int32_t)
BINCOUNT(i64, int64_t)

#define HISTOGRAM(s, T) \
  TWIN(histogram_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const T *, edge); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, bins); \
    PARAM(5, size_t, even); \
    const double low = edge[0]; \
    const double scale = (double)bins / ((double)edge[bins] - low); \
    (void)grid, (void)block; \
    for (size_t i = 0; i < n; i++) { \
      const size_t b = bin_of_##s(x[i], edge, bins, even, low, scale); \
      if (b < bins) \
        z[b]++; \
    } \
  }
HISTOGRAM(f32, float)
HISTOGRAM(f64, double)

TWIN(segments_f64) {
  PARAM(0, double *, z);
  PARAM(1, const double *, w);
  PARAM(2, const int64_t *, order);
  PARAM(3, const int64_t *, start);
  PARAM(4, size_t, parts);
  (void)block;
  for (size_t k = 0; k < grid[0]; k++) {
    const size_t b = k / parts;
    const Segment s = segment_of(start[b], start[b + 1], k % parts, parts);
    double sum = 0;
    for (int64_t i = s.from; i < s.to; i++)
      sum += w[order[i] - 1];
    z[k] = sum;
  }
}
