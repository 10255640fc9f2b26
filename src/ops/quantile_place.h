/* quantile_place.h - the position of a quantile. See quantile_place.c. */
#ifndef TIDE_OPS_QUANTILE_PLACE_H
#define TIDE_OPS_QUANTILE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Method {
  INVERTED_CDF,
  AVERAGED_INVERTED_CDF,
  CLOSEST_OBSERVATION,
  INTERPOLATED_INVERTED_CDF,
  HAZEN,
  WEIBULL,
  LINEAR,
  MEDIAN_UNBIASED,
  NORMAL_UNBIASED,
  LOWER,
  HIGHER,
  MIDPOINT,
  NEAREST,
  METHODS,
  MEDIAN,   /* the mean of both, which may be infinite */
  NANMEDIAN /* the same without NaNs */
} Method;

/* The names of the methods up to METHODS, then NULL. */
extern const char *const tide_quantilemethods[];

/* A position among sorted elements, from 0: 'share' of the way from 'low' to
** 'high'. */
typedef struct Place {
  int64_t low, high;
  double share;
} Place;

/* Tells whether the method returns elements only, and nothing between them. */
bool tide_isdiscrete (Method m);

/* Returns the position of the quantile 'q' among n sorted elements. */
Place tide_quantileplace (Method m, int64_t n, double q);

#endif
