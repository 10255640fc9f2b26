/* quantile_place.h - where a quantile lies. See quantile_place.c. */
#ifndef TIDE_OPS_QUANTILE_PLACE_H
#define TIDE_OPS_QUANTILE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Method {
  INVERTED_CDF, AVERAGED_INVERTED_CDF, CLOSEST_OBSERVATION,
  INTERPOLATED_INVERTED_CDF, HAZEN, WEIBULL, LINEAR, MEDIAN_UNBIASED,
  NORMAL_UNBIASED, LOWER, HIGHER, MIDPOINT, NEAREST, METHODS,
  MEDIAN,     /* the mean of both, which may be infinite */
  NANMEDIAN   /* the same of what is no NaN */
} Method;

/* The names of the methods before METHODS, and NULL. */
extern const char *const tide_quantilemethods[];

/* A place among sorted elements, from 0: 'share' of the way from one to the
** next. */
typedef struct Place {
  int64_t low, high;
  double share;
} Place;

/* Tells whether the method gives elements only, and nothing between them. */
bool tide_isdiscrete (Method m);

/* Returns the place of the quantile 'q' among n sorted elements. */
Place tide_quantileplace (Method m, int64_t n, double q);

#endif
