/*
** lfilter.c - the host kernel of kernels/lfilter.cu, which defines its results.
** Neighbouring lines are filtered together, in vectors. A line without
** neighbours has its state in registers, or in vectors if it is long.
*/
#include "host_kernels.h"

#include "kernels/lfilter.h"

enum { TOGETHER = 8 }; /* fewer lines of short states are filtered alone */

/* Filters up to LFILTER_TILE neighbouring lines. */
WIDE static void columns (double *y, double *z, const double *f, size_t n,
                          size_t lines, size_t width, size_t order) {
  const double *a = f + order + 1;
  for (size_t i = 0; i < n; i++, y += lines) {
    double x[LFILTER_TILE], now[LFILTER_TILE];
    for (size_t j = 0; j < width; j++) {
      x[j] = y[j];
      y[j] = now[j] = f[0] * x[j] + z[j];
    }
    for (size_t k = 1; k <= order; k++) {
      double *s = z + (k - 1) * lines;
      if (k < order) {
        const double *after = s + lines;
        INDEPENDENT
        for (size_t j = 0; j < width; j++)
          s[j] = lfilter_next(f[k], x[j], after[j], a[k], now[j]);
      } else {
        for (size_t j = 0; j < width; j++)
          s[j] = lfilter_next(f[k], x[j], 0, a[k], now[j]);
      }
    }
  }
}

/* Filters a line whose elements are adjacent. */
WIDE static void line (double *y, double *restrict z, const double *restrict f,
                       size_t n, size_t order) {
  const double *restrict a = f + order + 1;
  for (size_t i = 0; i < n; i++) {
    const double x = y[i], now = f[0] * x + z[0];
    for (size_t k = 1; k < order; k++)
      z[k - 1] = lfilter_next(f[k], x, z[k], a[k], now);
    z[order - 1] = lfilter_next(f[order], x, 0, a[order], now);
    y[i] = now;
  }
}

/* Filters lines one by one; tells whether their states are short. */
static bool alone (double *y, double *z, const double *f, size_t n,
                   size_t lines, size_t width, size_t order) {
  for (size_t j = 0; j < width; j++)
    if (!lfilter_is_few(y + j, z + j, f, n, lines, order))
      return false;
  return true;
}

HOST_KERNEL(lfilter_f64) {
  PARAM(0, double *, y);
  PARAM(1, double *, z);
  PARAM(2, const double *, f);
  PARAM(3, size_t, n);
  PARAM(4, size_t, lines);
  PARAM(5, size_t, order);
  SPAN((lines + LFILTER_TILE - 1) / LFILTER_TILE);
  (void)grid;
  for (size_t t = first; t < last; t++) {
    const size_t at = t * LFILTER_TILE, left = lines - at,
                 width = left < LFILTER_TILE ? left : LFILTER_TILE;
    if (width < TOGETHER && alone(y + at, z + at, f, n, lines, width, order))
      continue;
    if (lines == 1)
      line(y, z, f, n, order);
    else
      columns(y + at, z + at, f, n, lines, width, order);
  }
}
