/* quantile.h - the position of a quantile. See quantile_place.c,
** quantile_nan.c. */
#ifndef TIDE_OPS_QUANTILE_H
#define TIDE_OPS_QUANTILE_H

#include <lua.h>
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
  MEDIAN /* the mean of both, which may be infinite */
} Method;

/* The names of the methods up to METHODS, then NULL. */
extern const char *const quantile_methods[];

/* A position among sorted elements, from 0: 'share' of the way from 'low' to
** 'high'. */
typedef struct QuantilePlace {
  int64_t low, high;
  double share;
} QuantilePlace;

/* Tells whether the method returns elements only, and nothing between them. */
bool quantile_is_discrete (Method m);

/* Returns the position of the quantile 'q' among n sorted elements. */
QuantilePlace quantile_position (Method m, int64_t n, double q);

/* A QuantilePlace for each of several lines, whose lengths only the device
** knows. The fields are stack indices of arrays: 'low' and 'high' of int64
** places, which count from 1, 'share' of float64. */
typedef struct QuantilePlaces {
  int low, high, share;
} QuantilePlaces;

/* quantile_nan.c: pushes the positions for each line; the float64 array at 'n'
** has the lengths. A line of length 0 gets the first place. */
QuantilePlaces quantile_push_places (lua_State *L, Method m, int n, double q);

#endif
