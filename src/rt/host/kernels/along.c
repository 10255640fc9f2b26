/*
** along.c - the host kernels of kernels/along.cu, which defines their results.
*/
#include "host_kernels.h"

#include "kernels/ops.h"

/* Does slices 'first' up to 'last' of the result. A waiting thread may read
** *bad meanwhile. */
#define TAKE_ALONG(b, T) \
  HOST_KERNEL(take_along_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const int64_t *, index); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, m); \
    PARAM(5, size_t, inner); \
    PARAM(6, size_t, count); \
    PARAM(7, size_t, wraps); \
    PARAM(8, int64_t *, bad); \
    SPAN(count / inner); \
    (void)grid; \
    size_t t = first % m; \
    x += first / m * n * inner; \
    for (size_t i = first; i < last; i++) { \
      for (size_t j = 0; j < inner; j++) { \
        const int64_t given = index[i * inner + j]; \
        const size_t at = wraps ? place_around(given, n) : place_of(given, n); \
        if (bad != NULL && !is_place(given, n)) \
          report_index(bad, given); \
        z[i * inner + j] = x[at * inner + j]; \
      } \
      if (++t == m) { \
        t = 0; \
        x += n * inner; \
      } \
    } \
  }

/* Goes through the indices in order, so the last of equal ones wins. */
#define PUT_ALONG(b, T) \
  HOST_KERNEL(put_along_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const int64_t *, index); \
    PARAM(2, const T *, v); \
    PARAM(3, uint64_t, bits); \
    PARAM(4, size_t, n); \
    PARAM(5, size_t, m); \
    PARAM(6, size_t, rows); \
    PARAM(7, size_t, vn); \
    PARAM(8, size_t, mode); \
    PARAM(9, int64_t *, bad); \
    T one = {0}; \
    size_t from = 0; \
    (void)grid, (void)block; \
    memcpy(&one, &bits, sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits); \
    for (size_t row = 0; row < rows; row++, z += n, index += m) \
      for (size_t t = 0; t < m; t++) { \
        const size_t at = place_by(index[t], n, mode); \
        if (at < n) \
          z[at] = v != NULL ? v[from] : one; \
        else \
          report_index(bad, index[t]); \
        if (++from >= vn) \
          from = 0; \
      } \
  }

#define ALONG(b) TAKE_ALONG(b, t_##b) PUT_ALONG(b, t_##b)
SET_WIDTH(ALONG)
