/*
** count.c - the host kernels of kernels/count.cu, which defines their results.
*/
#include "host_kernels.h"

#include "count.h"

#include "kernels/axis.h"
#include "kernels/search.h"

/*
** Each part of a launch counts in counters of its own and adds them to the
** common ones at the end. There is room for them, or the launch has one part.
** The macro counts bin(i) of elements 'first' up to 'last'.
*/
#define COUNT(bin) \
  do { \
    int64_t room[COUNT_APART]; \
    int64_t *own = (block[2] > 1) ? room : z; \
    if (own == room) \
      memset(room, 0, bins * sizeof *room); \
    for (size_t i = first; i < last; i++) { \
      const size_t b = bin; \
      if (b < bins) \
        own[b]++; \
    } \
    for (size_t b = 0; b < bins && own == room; b++) \
      __atomic_fetch_add(&z[b], room[b], __ATOMIC_RELAXED); \
  } while (0)

#define BINCOUNT(s, T) \
  HOST_KERNEL(bincount_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, bins); \
    PARAM(4, int64_t, base); \
    SPAN(n); \
    (void)grid; \
    COUNT((uint64_t)(int64_t)x[i] - (uint64_t)base); \
  }
BINCOUNT(u8, uint8_t)
BINCOUNT(i32, int32_t)
BINCOUNT(i64, int64_t)

#define HISTOGRAM(s, T) \
  HOST_KERNEL(histogram_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const T *, edge); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, bins); \
    PARAM(5, size_t, even); \
    const double low = edge[0]; \
    const double scale = (double)bins / ((double)edge[bins] - low); \
    SPAN(n); \
    (void)grid; \
    COUNT(bin_of_##s(x[i], edge, bins, even, low, scale)); \
  }
HISTOGRAM(f32, float)
HISTOGRAM(f64, double)

/*
** For the host device alone, which has few threads: a part of the elements is
** added up in a row of z of its own, without a sort. The number of parts is an
** argument, so sums do not depend on the number of threads.
**
**   z[p][b] = the sum of those w[i] of part p for which x[i] is base + b
*/
#define WEIGHTS(s, T) \
  HOST_KERNEL(weights_##s) { \
    PARAM(0, double *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const double *, w); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, bins); \
    PARAM(5, int64_t, base); \
    PARAM(6, size_t, parts); \
    SPAN(parts); \
    (void)grid; \
    for (size_t p = first; p < last; p++) { \
      double *sum = z + p * bins; \
      const size_t end = axis_first(p + 1, parts, n); \
      memset(sum, 0, bins * sizeof *sum); \
      for (size_t i = axis_first(p, parts, n); i < end; i++) { \
        const uint64_t b = (uint64_t)(int64_t)x[i] - (uint64_t)base; \
        if (b < bins) \
          sum[b] += w[i]; \
      } \
    } \
  }
WEIGHTS(u8, uint8_t)
WEIGHTS(i32, int32_t)
WEIGHTS(i64, int64_t)
