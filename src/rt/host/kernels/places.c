/*
** places.c - the host kernels of kernels/places.cu, which defines their
** results.
*/
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "host_kernels.h"
#include "kernels/ops.h"

/* The places of 'count' indices that are next to one another in memory. */
WIDE static void places_next (int64_t *z, const int64_t *index, size_t n,
                              size_t count, size_t mode, size_t base, bool keep,
                              size_t begin, size_t more) {
  INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    const int64_t given = from_one(index[i], base, n, mode);
    const size_t at = place_by(given, n, mode);
    const int64_t out = keep ? move_out(given, more) : 0;
    z[i] = at < n ? (int64_t)(begin + at) + 1 : out;
  }
}

/* Goes line by line, so that no element needs a division. */
HOST_KERNEL(places_i64) {
  PARAM(0, int64_t *, z);
  PARAM(1, const int64_t *, index);
  PARAM(2, size_t, n);
  PARAM(3, size_t, m);
  PARAM(4, size_t, inner);
  PARAM(5, size_t, count);
  PARAM(6, size_t, mode);
  PARAM(7, size_t, base);
  PARAM(8, size_t, keep);
  (void)grid, (void)block;
  const size_t more = count / m * n - n, lines = count / (m * inner);
  for (size_t o = 0; o < lines; o++) {
    if (inner == 1) {
      places_next(z, index, n, m, mode, base, keep != 0, o * n, more);
      z += m;
      index += m;
      continue;
    }
    for (size_t t = 0; t < m; t++)
      for (size_t j = 0; j < inner; j++) {
        const int64_t given = from_one(*index++, base, n, mode);
        const size_t at = place_by(given, n, mode);
        *z++ = at < n ? (int64_t)((o * n + at) * inner + j) + 1
               : keep ? move_out(given, more)
                      : 0;
      }
  }
}

HOST_KERNEL(ravel_i64) {
  PARAM(0, int64_t *, z);
  PARAM(1, const int64_t *, index);
  PARAM(2, size_t, n);
  PARAM(3, size_t, inner);
  PARAM(4, size_t, count);
  PARAM(5, size_t, mode);
  PARAM(6, size_t, axis);
  PARAM(7, size_t, end);
  PARAM(8, size_t, base);
  PARAM(9, int64_t *, bad);
  (void)grid, (void)block;
  for (size_t i = 0; i < count; i++) {
    const size_t at = place_by(index[i], n, mode);
    const int64_t sum = axis == 0 ? 1 : z[i];
    const int64_t own = ravel(sum, index[i], at, n, inner, axis);
    if (end && own < 0)
      report_index(bad, own);
    z[i] = !end ? own : (own < 0 ? 0 : own) - (base == 0);
  }
}

/* Places below 2^31 and their quotients are exact in float64, and dividing
** those in vectors takes a fourth of the time. 'out' has all bits set if x is
** not a place. Returns whether all are places. */
WIDE static bool unravel_few (int64_t *z, const int64_t *x, size_t size,
                              double inner, double n, int64_t base,
                              int64_t fill, size_t count) {
  int64_t wrong = 0;
  INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    const int64_t at = x[i] < 0 ? x[i] + (int64_t)size : x[i] - 1;
    const int64_t out = (at | ((int64_t)size - 1 - at)) >> 63; /* -1; 0 */
    const double place = (double)(int32_t)(at & ~out);
    const double line = trunc(place / inner);
    const int64_t index = (int32_t)(line - n * trunc(line / n));
    z[i] = (fill & out) | ((index + base) & ~out);
    wrong |= out;
  }
  return wrong == 0;
}

HOST_KERNEL(unravel_i64) {
  PARAM(0, int64_t *, z);
  PARAM(1, const int64_t *, x);
  PARAM(2, size_t, size);
  PARAM(3, size_t, inner);
  PARAM(4, size_t, n);
  PARAM(5, int64_t, base);
  PARAM(6, int64_t, fill);
  PARAM(7, size_t, count);
  PARAM(8, int64_t *, bad);
  (void)grid, (void)block;
  if (size > 0 && size <= INT32_MAX) {
    if (!unravel_few(z, x, size, (double)inner, (double)n, base, fill, count))
      for (size_t i = 0; i < count && bad != NULL; i++)
        if (!is_place(x[i], size))
          report_index(bad, x[i]);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const bool there = is_place(x[i], size);
    if (!there)
      report_index(bad, x[i]);
    z[i] = !there ? fill : (int64_t)(place_of(x[i], size) / inner % n) + base;
  }
}

/* Never used: the host kernels of put go through the indices in order. */
HOST_KERNEL(put_last) { (void)params, (void)grid, (void)block; }
