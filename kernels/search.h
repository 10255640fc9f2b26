/*
** search.h - places in sorted arrays, bins, and interpolation. Valid C and CUDA
** C++; the same in search.cu, count.cu and their host kernels.
*/
#ifndef TIDE_SEARCH_H
#define TIDE_SEARCH_H

#include "keys.h"

/* Tells whether the key is among the n complex numbers of a, which are sorted
** by their real parts, then by their imaginary ones. */
FN bool is_complex_among (const t_c128 *a, size_t n, t_c128 key) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const t_c128 own = a[middle];
    if (own.re < key.re || (own.re == key.re && own.im < key.im))
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && a[low].re == key.re && a[low].im == key.im;
}

/* Counts how many of the n sorted edges are not above x. */
#define EDGES(s, T) \
  FN size_t NAME(edges_upto, s) (const T *edge, size_t n, T x) { \
    size_t low = 0, high = n; \
    while (low < high) { \
      const size_t middle = low + (high - low) / 2; \
      if (edge[middle] <= x) \
        low = middle + 1; \
      else \
        high = middle; \
    } \
    return low; \
  }
EDGES(f32, float)
EDGES(f64, double)
#undef EDGES

/*
** Returns the bin of x, from 0, among those between bins + 1 edges; 'bins' if
** it is in none, like NaN. For even edges 'scale' leads near the bin; the
** edges, which were rounded, decide.
*/
#define BIN(s, T) \
  FN size_t NAME(bin_of, s) (T x, const T *edge, size_t bins, size_t even, \
                             double low, double scale) { \
    if (!(x >= edge[0] && x <= edge[bins])) \
      return bins; \
    if (x == edge[bins]) \
      return bins - 1; \
    if (!even) \
      return NAME(edges_upto, s)(edge, bins + 1, x) - 1; \
    const double about = ((double)x - low) * scale; \
    size_t b = about >= 0 && about < (double)bins ? (size_t)about : bins - 1; \
    while (b > 0 && x < edge[b]) \
      b--; \
    while (b + 1 < bins && x >= edge[b + 1]) \
      b++; \
    return b; \
  }
BIN(f32, float)
BIN(f64, double)
#undef BIN

/*
** Linear interpolation at x through the n points, of which 'upto' are not above
** x, as in NumPy. If the slope is infinite and the formula fails from one end,
** the other end is tried. Beyond the ends the result is the end's, or 'left' if
** bit 0 of 'given' is set, and 'right' if bit 1 is. A single point gives its
** number for NaN as well.
*/
FN double between_points (double x, size_t upto, const double *xs,
                          const double *ys, size_t n, size_t given,
                          double left, double right) {
  if (n == 1 && !(x < xs[0]) && !(x > xs[0]))
    return ys[0];
  if (x != x)
    return x;
  if (upto == 0)
    return given & 1 ? left : ys[0];
  if (upto == n)
    return x > xs[n - 1] && given & 2 ? right : ys[n - 1];
  const size_t i = upto - 1;
  if (xs[i] == x)
    return ys[i];
  const double slope = (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]);
  double y = slope * (x - xs[i]) + ys[i];
  if (y != y)
    y = slope * (x - xs[i + 1]) + ys[i + 1];
  return y != y && ys[i] == ys[i + 1] ? ys[i] : y;
}

#endif
