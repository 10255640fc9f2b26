/*
** sums.c - the host kernels sums_few and sums_total of kernels/sums.cu, which
** defines their results.
**
** A row of sums belongs to a part of the elements, which are added in their
** order. The number of rows is the grid's, so sums do not depend on the number
** of threads.
*/
#include "host_kernels.h"

#include "kernels/axis.h"
#include "kernels/scatter.h"

/* Elements of z whose totals are computed at a time. */
enum { SUMS_BATCH = 256 };

/* -0.0 is the sum of no numbers, and changes none: not even a NaN's bits. */
static inline bool is_nothing (double sum) { return sum == 0 && signbit(sum); }

/* Numbers without a place are added to the word that reports an index. */
#define FEW(s, T) \
  static void add_##s(double *sum, int64_t *bad, const int64_t *index, \
                      const T *v, size_t n, size_t count, size_t from, \
                      size_t vn, int64_t base, size_t mode) { \
    for (size_t t = 0; t < count; t++, from++) { \
      size_t b = (size_t)index[t] - (size_t)base; \
      if (b >= n) { /* rare: negative or out of range */ \
        b = scatter_bin(index[t], n, base, mode); \
        if (b == n) \
          report_index(bad, index[t]); \
      } \
      if (from == vn) \
        from = 0; \
      sum[b] += (double)LOAD(s, v[from]); \
    } \
  } \
  HOST_KERNEL(sums_few_##s) { \
    PARAM(0, double *, sums); \
    PARAM(1, const int64_t *, index); \
    PARAM(2, const T *, v); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, m); \
    PARAM(5, size_t, vn); \
    PARAM(6, int64_t, base); \
    PARAM(7, size_t, mode); \
    const size_t rows = grid[0]; \
    SPAN(rows); \
    for (size_t r = first; r < last; r++) { \
      double *sum = sums + r * (n + 1); \
      const size_t t = axis_first(r, rows, m); \
      int64_t bad = 0; \
      for (size_t b = 0; b <= n; b++) \
        sum[b] = -0.0; \
      add_##s(sum, &bad, index + t, v, n, axis_first(r + 1, rows, m) - t, \
              t % vn, vn, base, mode); \
      memcpy(&sum[n], &bad, sizeof bad); \
    } \
  } \
  WIDE static void total_##s(T *z, const double *sums, size_t n, size_t rows, \
                             size_t count) { \
    double sum[SUMS_BATCH]; \
    for (size_t b = 0; b < count; b++) \
      sum[b] = -0.0; \
    for (size_t r = 0; r < rows; r++) \
      for (size_t b = 0; b < count; b++) \
        sum[b] += sums[r * (n + 1) + b]; \
    for (size_t b = 0; b < count; b++) \
      if (!is_nothing(sum[b])) \
        z[b] = STORE(s, (double)LOAD(s, z[b]) + sum[b]); \
  } \
  HOST_KERNEL(sums_total_##s) { \
    PARAM(0, T *, z); \
    PARAM(1, const double *, sums); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, rows); \
    PARAM(4, int64_t *, bad); \
    SPAN(n); \
    (void)grid; \
    for (size_t r = 0; r < rows && first == 0; r++) { \
      int64_t word; \
      memcpy(&word, &sums[r * (n + 1) + n], sizeof word); \
      if (word != 0) \
        report_index(bad, reported_index(word)); \
    } \
    for (size_t b = first; b < last; b += SUMS_BATCH) \
      total_##s(z + b, sums + b, n, rows, \
                last - b < SUMS_BATCH ? last - b : SUMS_BATCH); \
  }
SET_SCATTER(FEW)
