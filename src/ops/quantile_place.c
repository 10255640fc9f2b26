/*
** quantile_place.c - the position of a quantile among sorted elements, by each
** of NumPy's methods.
*/
#include "quantile.h"

#include <math.h>
#include <stddef.h>

const char *const quantile_methods[] = {"inverted_cdf",
                                        "averaged_inverted_cdf",
                                        "closest_observation",
                                        "interpolated_inverted_cdf",
                                        "hazen",
                                        "weibull",
                                        "linear",
                                        "median_unbiased",
                                        "normal_unbiased",
                                        "lower",
                                        "higher",
                                        "midpoint",
                                        "nearest",
                                        NULL};

bool quantile_is_discrete (Method m) {
  return m == INVERTED_CDF || m == CLOSEST_OBSERVATION || m == LOWER ||
         m == HIGHER || m == NEAREST;
}

/* Returns Hyndman and Fan's position, for their methods with two parameters. */
static double between (double n, double q, double alpha, double beta) {
  return n * q + (alpha + q * (1 - alpha - beta)) - 1;
}

/* Returns the last element not behind the position, or the next one. */
static double observed (double at, bool even) {
  double low = floor(at);
  bool on = (at == low) && (!even || fmod(low, 2) == 0);
  return on ? low : low + 1;
}

static double place_of (Method m, double n, double q) {
  switch (m) {
    case INVERTED_CDF: return observed(n * q - 1, false);
    case CLOSEST_OBSERVATION: return observed(n * q - 1 - 0.5, true);
    case AVERAGED_INVERTED_CDF: return n * q - 1;
    case INTERPOLATED_INVERTED_CDF: return between(n, q, 0, 1);
    case HAZEN: return between(n, q, 0.5, 0.5);
    case WEIBULL: return between(n, q, 0, 0);
    case MEDIAN_UNBIASED: return between(n, q, 1 / 3.0, 1 / 3.0);
    case NORMAL_UNBIASED: return between(n, q, 3 / 8.0, 3 / 8.0);
    case LOWER: return floor((n - 1) * q);
    case HIGHER: return ceil((n - 1) * q);
    case MIDPOINT: return 0.5 * (floor((n - 1) * q) + ceil((n - 1) * q));
    case NEAREST: return rint((n - 1) * q);
    default: return (n - 1) * q;
  }
}

QuantilePlace quantile_position (Method m, int64_t n, double q) {
  double at = place_of(m, (double)n, q);
  QuantilePlace p = {0, 0, 0};
  if (at >= (double)(n - 1))
    p.low = p.high = n - 1;
  else if (at > 0) {
    p.low = (int64_t)floor(at);
    p.share = at - floor(at);
    if (m == AVERAGED_INVERTED_CDF)
      p.share = (p.share == 0) ? 0.5 : 1;
    p.high = p.low + (p.share > 0);
  } else if (at == 0 && m == AVERAGED_INVERTED_CDF) {
    p.high = 1;
    p.share = 0.5;
  }
  return p;
}
