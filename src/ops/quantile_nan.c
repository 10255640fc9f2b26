/*
** quantile_nan.c - the positions of a quantile in lines of which only the
** device knows how many elements are numbers. It takes the steps of
** quantile_place.c as operations on arrays, so that both round alike.
*/
#include "composed.h"
#include "quantile.h"

/* Pushes n q + (alpha + q (1 - alpha - beta)) - 1. */
static int push_linear (lua_State *L, int n, double q, double alpha,
                        double beta) {
  int at = composed_scalar(L, "mul", n, q);
  at = composed_scalar(L, "add", at, alpha + q * (1 - alpha - beta));
  return composed_scalar(L, "sub", at, 1);
}

/* Pushes (n - 1) q. */
static int push_inner (lua_State *L, int n, double q) {
  return composed_scalar(L, "mul", composed_scalar(L, "sub", n, 1), q);
}

/* Pushes the even places among n q - 1.5, and the next ones to the others. */
static int push_closest (lua_State *L, int n, double q) {
  int at = composed_scalar(L, "sub", composed_scalar(L, "mul", n, q), 1);
  at = composed_scalar(L, "sub", at, 0.5);
  int low = composed_unary(L, "floor", at);
  int off = composed_binary(L, "ne", at, low);
  int odd = composed_scalar(L, "ne", composed_scalar(L, "mod", low, 2), 0);
  return composed_binary(L, "add", low, composed_binary(L, "bor", off, odd));
}

/* Pushes the places half way between the elements around (n - 1) q. */
static int push_midpoint (lua_State *L, int n, double q) {
  int at = push_inner(L, n, q), low = composed_unary(L, "floor", at);
  int sum = composed_binary(L, "add", low, composed_unary(L, "ceil", at));
  return composed_scalar(L, "mul", sum, 0.5);
}

static int push_position (lua_State *L, Method m, int n, double q) {
  switch (m) {
    case INVERTED_CDF:
      return composed_unary(L, "ceil", push_linear(L, n, q, 0, 1));
    case CLOSEST_OBSERVATION: return push_closest(L, n, q);
    case AVERAGED_INVERTED_CDF:
    case INTERPOLATED_INVERTED_CDF: return push_linear(L, n, q, 0, 1);
    case HAZEN: return push_linear(L, n, q, 0.5, 0.5);
    case WEIBULL: return push_linear(L, n, q, 0, 0);
    case MEDIAN_UNBIASED: return push_linear(L, n, q, 1 / 3.0, 1 / 3.0);
    case NORMAL_UNBIASED: return push_linear(L, n, q, 3 / 8.0, 3 / 8.0);
    case LOWER: return composed_unary(L, "floor", push_inner(L, n, q));
    case HIGHER: return composed_unary(L, "ceil", push_inner(L, n, q));
    case MIDPOINT: return push_midpoint(L, n, q);
    case NEAREST: return composed_unary(L, "round", push_inner(L, n, q));
    default: return push_inner(L, n, q);
  }
}

/* Pushes the positions, limited to those of elements. */
static int push_limited (lua_State *L, int at, int last) {
  return composed_scalar(L, "maximum", composed_binary(L, "minimum", at, last),
                         0);
}

/* Pushes the positions, from 0, as places from 1. */
static int push_places (lua_State *L, int at, int last) {
  at = composed_scalar(L, "add", push_limited(L, at, last), 1);
  return composed_astype(L, at, DTYPE_INT64);
}

/* Pushes half of the way where a position is at an element, else all of it. */
static int push_halves (lua_State *L, int at, int low) {
  int on = composed_binary(L, "eq", at, low);
  lua_pushnumber(L, 0.5);
  lua_pushnumber(L, 1);
  return composed_astype(L, composed_call(L, "where", on, 2), DTYPE_FLOAT64);
}

QuantilePlaces quantile_push_places (lua_State *L, Method m, int n, double q) {
  bool averaged = m == AVERAGED_INVERTED_CDF;
  int last = composed_scalar(L, "sub", n, 1), at = push_position(L, m, n, q);
  if (!averaged)
    at = push_limited(L, at, last);
  int low = composed_unary(L, "floor", at);
  int share = averaged ? push_halves(L, at, low)
                       : composed_binary(L, "sub", at, low);
  int high = averaged ? composed_scalar(L, "add", low, 1)
                      : composed_unary(L, "ceil", at);
  return (QuantilePlaces){push_places(L, low, last), push_places(L, high, last),
                          share};
}
