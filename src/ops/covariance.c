/*
** covariance.c - ranges, weighted means and covariances: ptp, average, cov,
** corrcoef. They are made of other functions.
*/
#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "result.h"

/* Pushes x as an array of 't'. Returns the index. */
static int push_as (lua_State *L, int x, DType t) {
  array_push_cast(L, x, t);
  return lua_gettop(L);
}

/* {== ptp ============================================================= */

/* ptp(a [, axis] [, { axis=, out=, keepdims= }]) -> the maximum minus the
** minimum. */
static int array_ptp (lua_State *L) {
  static const char *const names[] = {"axis", "out", "keepdims", NULL};
  Reduction r;
  reduce_read(L, &r, names);
  RtStream *s = current_get_stream(L, r.a->dev);
  if (dtype_kind(r.a->dtype) == KIND_COMPLEX || r.a->dtype == DTYPE_BOOL)
    return error_raise(L, "'ptp' is not defined for %s arrays",
                       dtype_name(r.a->dtype));
  lua_pushvalue(L, r.options);
  int axes = composed_axes(L, &r, NULL);
  int most = composed_reduce(L, "max", 1, axes);
  composed_binary(L, "sub", most, composed_reduce(L, "min", 1, axes));
  return result_deliver_out(L, 4, s);
}

/* ==} */

/* {== average ========================================================= */

enum { WEIGHTS = 4, AGAIN }; /* indices of the option, and of all options */

/* Pushes the weights as an array with the axes of 'a'. Returns the index. */
static int push_weights (lua_State *L, const Reduction *r) {
  int64_t shape[MAX_DIMS], axis = 0;
  const int at = WEIGHTS;
  Array *w = array_test(L, at), *a = r->a;
  if (w == NULL)
    argerror_raise(L, r->options,
                   "option 'weights' must be a tide.Array, got %s",
                   luaL_typename(L, at));
  array_check_open(L, r->options, w);
  array_check_devices(L, a, w);
  if (array_same_shape(w, a))
    return at;
  while (axis < a->ndim && (r->axes >> axis & 1) == 0)
    axis++;
  argerror_check(L,
                 w->ndim == 1 && r->axes == 1u << axis && axis < a->ndim &&
                   w->shape[0] == a->shape[axis],
                 r->options,
                 "option 'weights' must have the array's shape, or one axis as "
                 "long as the one that goes");
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (i == axis) ? w->shape[0] : 1;
  shape_push_reshaped(L, at, a->ndim, shape);
  shape_push_broadcast(L, r->options, array_check(L, -1), a->ndim, a->shape);
  return lua_gettop(L);
}

/*
** average(a [, axis] [, { axis=, out=, keepdims=, weights= }]) -> the mean,
** weighted if there are weights.
*/
static int array_average (lua_State *L) {
  static const char *const names[] = {"axis", "out", "keepdims", "weights",
                                      NULL};
  Reduction r;
  reduce_read(L, &r, names);
  RtStream *s = current_get_stream(L, r.a->dev);
  composed_option(L, r.options, "weights");
  lua_pushvalue(L, r.options);
  int axes = composed_axes(L, &r, "weights");
  if (!lua_isnil(L, WEIGHTS)) {
    int w = push_weights(L, &r);
    DType t = dtype_promote(r.a->dtype, array_check(L, w)->dtype);
    if (dtype_kind(r.a->dtype) < KIND_FLOAT)
      t = dtype_promote(t, DTYPE_FLOAT64);
    w = push_as(L, w, t);
    int z = composed_binary(L, "mul", push_as(L, 1, t), w);
    z = composed_reduce(L, "sum", z, axes);
    composed_binary(L, "div", z, composed_reduce(L, "sum", w, axes));
  } else {
    composed_reduce(L, "mean", 1, axes);
  }
  return result_deliver_out(L, AGAIN, s);
}

/* ==} */

/* {== cov ============================================================= */

/* The options of a call of cov. */
typedef struct Covariance {
  bool rows; /* variables are rows, else columns */
  lua_Number ddof;
  int options; /* their index: 2, without y, or 3 */
  int weights; /* index of all weights of observations, or 0 */
  int unsure;  /* index of aweights, or 0 */
  DType t;
} Covariance;

enum { FWEIGHTS = 4, AWEIGHTS, LAST };

/* Pushes the weights at 'at', one for each of n observations. Returns 0 if
** there are none. */
static int push_option (lua_State *L, const Covariance *c, int at,
                        const char *name, const Array *a) {
  bool complex = (dtype_kind(c->t) == KIND_COMPLEX);
  int64_t n = a->shape[1];
  if (lua_isnil(L, at))
    return 0;
  Array *w = array_test(L, at);
  if (w == NULL)
    argerror_raise(L, c->options, "option '%s' must be a tide.Array, got %s",
                   name, luaL_typename(L, at));
  array_check_open(L, c->options, w);
  array_check_devices(L, a, w);
  if (w->ndim != 1 || w->shape[0] != n)
    argerror_raise(L, c->options,
                   "option '%s' must have one axis of %I elements: one for "
                   "each observation",
                   name, (LUAI_UACINT)n);
  return push_as(L, at, complex ? DTYPE_FLOAT64 : c->t);
}

/* Pushes the array at 'arg' as variables x observations. */
static int push_variables (lua_State *L, int arg, const Covariance *c) {
  Array *a = array_check(L, arg);
  int64_t shape[] = {1, a->ndim > 0 ? a->shape[0] : 1};
  argerror_check(L, a->ndim <= 2, arg, "at most two axes expected");
  if (a->ndim < 2) {
    shape_push_reshaped(L, arg, 2, shape);
    return push_as(L, lua_gettop(L), c->t);
  }
  int x = push_as(L, arg, c->t);
  if (!c->rows && a->shape[0] != 1)
    class_push_field(L, x, "T");
  return lua_gettop(L);
}

/* Pushes the variables of 'm' at 1 and, if there is one, of 'y' at 2. */
static int push_both (lua_State *L, const Covariance *c) {
  int x = push_variables(L, 1, c);
  if (c->options == 2 || lua_isnil(L, 2))
    return x;
  int y = push_variables(L, 2, c);
  if (array_check(L, x)->shape[1] != array_check(L, y)->shape[1])
    argerror_raise(L, 2,
                   "as many observations expected as the first array has");
  lua_pushvalue(L, y);
  lua_pushinteger(L, 1);
  return composed_call(L, "append", x, 2);
}

static int sum_along (lua_State *L, const char *name, int x, int axis) {
  lua_pushinteger(L, axis);
  return composed_call(L, name, x, 1);
}

/* Pushes the means of the rows of x as a column. */
static int push_means (lua_State *L, int x, int total, const Covariance *c) {
  if (c->weights == 0) {
    x = sum_along(L, "mean", x, 2);
  } else {
    x = sum_along(L, "sum", composed_binary(L, "mul", x, c->weights), 2);
    x = composed_binary(L, "div", x, total);
  }
  return sum_along(L, "expand_dims", x, 2);
}

/* Pushes the divisor for weighted observations: at least 0. */
static int push_freedom (lua_State *L, int total, const Covariance *c) {
  int less;
  if (c->unsure == 0)
    return composed_scalar(L, "maximum",
                           composed_scalar(L, "sub", total, c->ddof), 0);
  less = composed_binary(L, "mul", c->weights, c->unsure);
  less = composed_binary(L, "div", composed_unary(L, "sum", less), total);
  less = composed_scalar(L, "mul", less, c->ddof);
  return composed_scalar(L, "maximum", composed_binary(L, "sub", total, less),
                         0);
}

/* Pushes the covariances of the rows of x. */
static int push_products (lua_State *L, int x, const Covariance *c) {
  int64_t n = array_check(L, x)->shape[1];
  int total = (c->weights != 0) ? composed_unary(L, "sum", c->weights) : 0;
  x = composed_binary(L, "sub", x, push_means(L, x, total, c));
  int y = (c->weights != 0) ? composed_binary(L, "mul", x, c->weights) : x;
  if (dtype_kind(c->t) == KIND_COMPLEX)
    y = composed_unary(L, "conj", y);
  class_push_field(L, y, "T");
  int z = composed_binary(L, "matmul", x, lua_gettop(L));
  if (c->weights != 0)
    return composed_binary(L, "div", z, push_freedom(L, total, c));
  lua_Number by = (lua_Number)n - c->ddof;
  return composed_scalar(L, "div", z, by > 0 ? by : 0);
}

static void read_covariance (lua_State *L, const char *const names[],
                             Covariance *c) {
  int options = lua_istable(L, 2) ? 2 : 3;
  lua_settop(L, 3);
  entry_check_end(L, options + 1);
  Array *a = array_check(L, 1);
  bool given = option_check(L, options, names) != 0;
  *c = (Covariance){.rows = !given || option_flag(L, options, "rowvar", true),
                    .options = options,
                    .t = dtype_promote(a->dtype, DTYPE_FLOAT64)};
  bool bias = given && option_flag(L, options, "bias", false);
  c->ddof = given ? option_number(L, options, "ddof", bias ? 0 : 1) : 1;
  if (options == 3 && !lua_isnil(L, 2)) {
    Array *y = array_check(L, 2);
    array_check_devices(L, a, y);
    c->t = dtype_promote(c->t, y->dtype);
  }
  if (given && option_get(L, options, "dtype") != LUA_TNIL) {
    c->t = dtype_check(L, lua_gettop(L));
    argerror_check(L, dtype_kind(c->t) >= KIND_FLOAT, options,
                   "option 'dtype' must be a float type");
  }
  lua_settop(L, 3);
  composed_option(L, options, "fweights");
  composed_option(L, options, "aweights");
  lua_pushvalue(L, options);
}

static void read_weights (lua_State *L, int x, Covariance *c) {
  Array *a = array_check(L, x);
  int f = push_option(L, c, FWEIGHTS, "fweights", a);
  c->unsure = push_option(L, c, AWEIGHTS, "aweights", a);
  c->weights = f == 0           ? c->unsure
               : c->unsure == 0 ? f
                                : composed_binary(L, "mul", f, c->unsure);
}

/* Pushes the covariances, as a matrix. */
static int push_covariance (lua_State *L, const char *const names[],
                            Covariance *c) {
  read_covariance(L, names, c);
  int x = push_both(L, c);
  read_weights(L, x, c);
  return push_products(L, x, c);
}

/* Returns the result, on the top, without axes of one element. */
static int give (lua_State *L) {
  RtStream *s = current_get_stream(L, array_check(L, 1)->dev);
  composed_unary(L, "squeeze", lua_gettop(L));
  return result_deliver_out(L, LAST, s);
}

/*
** cov(m [, y] [, { rowvar=, bias=, ddof=, fweights=, aweights=, dtype=, out=
** }]) -> the covariances of the variables, which are the rows of m and y;
** columns are observations.
*/
static int array_cov (lua_State *L) {
  static const char *const names[] = {"aweights", "bias", "ddof",   "dtype",
                                      "fweights", "out",  "rowvar", NULL};
  Covariance c;
  push_covariance(L, names, &c);
  return give(L);
}

/* ==} */

/* {== corrcoef ======================================================== */

/* corrcoef(m [, y] [, { rowvar=, dtype=, out= }]) -> the covariances divided by
** both standard deviations: from -1 to 1. */
static int array_corrcoef (lua_State *L) {
  static const char *const names[] = {"dtype", "out", "rowvar", NULL};
  Covariance c;
  int z = push_covariance(L, names, &c);
  int d = composed_unary(L, "diagonal", z);
  if (dtype_kind(c.t) == KIND_COMPLEX) {
    d = composed_unary(L, "sqrt", composed_unary(L, "real", d));
    z = composed_binary(L, "div", z, sum_along(L, "expand_dims", d, 2));
    composed_binary(L, "div", z, d);
    return give(L);
  }
  d = composed_unary(L, "sqrt", d);
  z = composed_binary(L, "div", z, sum_along(L, "expand_dims", d, 2));
  z = composed_binary(L, "div", z, d);
  lua_pushnumber(L, -1);
  lua_pushnumber(L, 1);
  composed_call(L, "clip", z, 2);
  return give(L);
}

/* ==} */

static const Function functions[] = {
  {"average", array_average, 3},
  {"corrcoef", array_corrcoef, 3},
  {"cov", array_cov, 3},
  {"ptp", array_ptp, 3},
  {NULL, NULL, 0},
};

void open_covariance (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
