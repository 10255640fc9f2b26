/*
** spread.c - ranges, weighted means and covariances: ptp, average, cov,
** corrcoef. They are made of other functions.
*/
#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/slip.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "result.h"

/* Pushes x as an array of 't'. Returns the index. */
static int push_as (lua_State *L, int x, DType t) {
  tide_pushcast(L, x, t);
  return lua_gettop(L);
}

/* {== ptp ============================================================= */

/* ptp(a [, axis] [, { axis=, out=, keepdims= }]) -> the maximum minus the
** minimum. */
static int array_ptp (lua_State *L) {
  static const char *const names[] = {"axis", "out", "keepdims", NULL};
  Reduction r;
  tide_readreduction(L, &r, names);
  RtStream *s = tide_currentstream(L, r.a->dev);
  if (tide_kind(r.a->dtype) == KIND_COMPLEX || r.a->dtype == DTYPE_BOOL)
    return tide_raise(L, "'ptp' is not defined for %s arrays",
                      tide_dtypename(r.a->dtype));
  lua_pushvalue(L, r.options);
  int axes = tide_pushaxes(L, &r, NULL);
  int most = tide_foldlike(L, "max", 1, axes);
  tide_applyto(L, "sub", most, tide_foldlike(L, "min", 1, axes));
  return tide_deliverout(L, 4, s);
}

/* ==} */

/* {== average ========================================================= */

enum { WEIGHTS = 4, AGAIN }; /* indices of the option, and of all options */

/* Pushes the weights as an array with the axes of 'a'. Returns the index. */
static int push_weights (lua_State *L, const Reduction *r) {
  int64_t shape[MAX_DIMS], axis = 0;
  const int at = WEIGHTS;
  Array *w = tide_testarray(L, at), *a = r->a;
  if (w == NULL)
    tide_argerror(L, r->options,
                  "option 'weights' must be a tide.Array, got %s",
                  luaL_typename(L, at));
  tide_checkopen(L, r->options, w);
  tide_checkdevices(L, a, w);
  if (tide_sameshape(w, a))
    return at;
  while (axis < a->ndim && (r->axes >> axis & 1) == 0)
    axis++;
  tide_argcheck(L,
                w->ndim == 1 && r->axes == 1u << axis && axis < a->ndim &&
                  w->shape[0] == a->shape[axis],
                r->options,
                "option 'weights' must have the array's shape, or one axis as "
                "long as the one that goes");
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (i == axis) ? w->shape[0] : 1;
  tide_pushreshaped(L, at, a->ndim, shape);
  tide_pushbroadcast(L, r->options, tide_checkarray(L, -1), a->ndim, a->shape);
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
  tide_readreduction(L, &r, names);
  RtStream *s = tide_currentstream(L, r.a->dev);
  tide_keepoption(L, r.options, "weights");
  lua_pushvalue(L, r.options);
  int axes = tide_pushaxes(L, &r, "weights");
  if (!lua_isnil(L, WEIGHTS)) {
    int w = push_weights(L, &r);
    DType t = tide_promote(r.a->dtype, tide_checkarray(L, w)->dtype);
    t = (tide_kind(t) < KIND_FLOAT) ? DTYPE_FLOAT64 : t;
    w = push_as(L, w, t);
    int z = tide_applyto(L, "mul", push_as(L, 1, t), w);
    z = tide_foldlike(L, "sum", z, axes);
    tide_applyto(L, "div", z, tide_foldlike(L, "sum", w, axes));
  } else {
    tide_foldlike(L, "mean", 1, axes);
  }
  return tide_deliverout(L, AGAIN, s);
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
  bool complex = (tide_kind(c->t) == KIND_COMPLEX);
  int64_t n = a->shape[1];
  if (lua_isnil(L, at))
    return 0;
  Array *w = tide_testarray(L, at);
  if (w == NULL)
    tide_argerror(L, c->options,
                  "option '%s' must be a "
                  "tide.Array, got %s",
                  name, luaL_typename(L, at));
  tide_checkopen(L, c->options, w);
  tide_checkdevices(L, a, w);
  if (w->ndim != 1 || w->shape[0] != n)
    tide_argerror(L, c->options,
                  "option '%s' must have one "
                  "axis of %I elements: one for each observation",
                  name, (LUAI_UACINT)n);
  return push_as(L, at, complex ? DTYPE_FLOAT64 : c->t);
}

/* Pushes the array at 'arg' as variables x observations. */
static int push_variables (lua_State *L, int arg, const Covariance *c) {
  Array *a = tide_checkarray(L, arg);
  int64_t shape[] = {1, a->ndim > 0 ? a->shape[0] : 1};
  tide_argcheck(L, a->ndim <= 2, arg, "at most two axes expected");
  if (a->ndim < 2) {
    tide_pushreshaped(L, arg, 2, shape);
    return push_as(L, lua_gettop(L), c->t);
  }
  int x = push_as(L, arg, c->t);
  if (!c->rows && a->shape[0] != 1)
    tide_pushfield(L, x, "T");
  return lua_gettop(L);
}

/* Pushes the variables of 'm' at 1 and, if there is one, of 'y' at 2. */
static int push_both (lua_State *L, const Covariance *c) {
  int x = push_variables(L, 1, c);
  if (c->options == 2 || lua_isnil(L, 2))
    return x;
  int y = push_variables(L, 2, c);
  if (tide_checkarray(L, x)->shape[1] != tide_checkarray(L, y)->shape[1])
    tide_argerror(L, 2, "as many observations expected as the first array has");
  lua_pushvalue(L, y);
  lua_pushinteger(L, 1);
  return tide_applywith(L, "append", x, 2);
}

static int sum_along (lua_State *L, const char *name, int x, int axis) {
  lua_pushinteger(L, axis);
  return tide_applywith(L, name, x, 1);
}

/* Pushes the means of the rows of x as a column. */
static int push_means (lua_State *L, int x, int total, const Covariance *c) {
  if (c->weights == 0) {
    x = sum_along(L, "mean", x, 2);
  } else {
    x = sum_along(L, "sum", tide_applyto(L, "mul", x, c->weights), 2);
    x = tide_applyto(L, "div", x, total);
  }
  return sum_along(L, "expand_dims", x, 2);
}

/* Pushes the divisor for weighted observations: at least 0. */
static int push_freedom (lua_State *L, int total, const Covariance *c) {
  int less;
  if (c->unsure == 0)
    return tide_applynumber(L, "maximum",
                            tide_applynumber(L, "sub", total, c->ddof), 0);
  less = tide_applyto(L, "mul", c->weights, c->unsure);
  less = tide_applyto(L, "div", tide_apply(L, "sum", less), total);
  less = tide_applynumber(L, "mul", less, c->ddof);
  return tide_applynumber(L, "maximum", tide_applyto(L, "sub", total, less), 0);
}

/* Pushes the covariances of the rows of x. */
static int push_products (lua_State *L, int x, const Covariance *c) {
  int64_t n = tide_checkarray(L, x)->shape[1];
  int total = (c->weights != 0) ? tide_apply(L, "sum", c->weights) : 0;
  x = tide_applyto(L, "sub", x, push_means(L, x, total, c));
  int y = (c->weights != 0) ? tide_applyto(L, "mul", x, c->weights) : x;
  if (tide_kind(c->t) == KIND_COMPLEX)
    y = tide_apply(L, "conj", y);
  tide_pushfield(L, y, "T");
  int z = tide_applyto(L, "matmul", x, lua_gettop(L));
  if (c->weights != 0)
    return tide_applyto(L, "div", z, push_freedom(L, total, c));
  lua_Number by = (lua_Number)n - c->ddof;
  return tide_applynumber(L, "div", z, by > 0 ? by : 0);
}

static void read_covariance (lua_State *L, const char *const names[],
                             Covariance *c) {
  int options = lua_istable(L, 2) ? 2 : 3;
  lua_settop(L, 3);
  tide_checkend(L, options + 1);
  Array *a = tide_checkarray(L, 1);
  bool given = tide_checkoptions(L, options, names) != 0;
  *c = (Covariance){.rows = !given || tide_optflag(L, options, "rowvar", true),
                    .options = options,
                    .t = tide_promote(a->dtype, DTYPE_FLOAT64)};
  bool bias = given && tide_optflag(L, options, "bias", false);
  c->ddof = given ? tide_optnum(L, options, "ddof", bias ? 0 : 1) : 1;
  if (options == 3 && !lua_isnil(L, 2)) {
    Array *y = tide_checkarray(L, 2);
    tide_checkdevices(L, a, y);
    c->t = tide_promote(c->t, y->dtype);
  }
  if (given && tide_getoption(L, options, "dtype") != LUA_TNIL) {
    c->t = tide_checkdtype(L, lua_gettop(L));
    tide_argcheck(L, tide_kind(c->t) >= KIND_FLOAT, options,
                  "option 'dtype' must be a float type");
  }
  lua_settop(L, 3);
  tide_keepoption(L, options, "fweights");
  tide_keepoption(L, options, "aweights");
  lua_pushvalue(L, options);
}

static void read_weights (lua_State *L, int x, Covariance *c) {
  Array *a = tide_checkarray(L, x);
  int f = push_option(L, c, FWEIGHTS, "fweights", a);
  c->unsure = push_option(L, c, AWEIGHTS, "aweights", a);
  c->weights = f == 0           ? c->unsure
               : c->unsure == 0 ? f
                                : tide_applyto(L, "mul", f, c->unsure);
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
  RtStream *s = tide_currentstream(L, tide_checkarray(L, 1)->dev);
  tide_apply(L, "squeeze", lua_gettop(L));
  return tide_deliverout(L, LAST, s);
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
  int d = tide_apply(L, "diagonal", z);
  if (tide_kind(c.t) == KIND_COMPLEX) {
    d = tide_apply(L, "sqrt", tide_apply(L, "real", d));
    z = tide_applyto(L, "div", z, sum_along(L, "expand_dims", d, 2));
    tide_applyto(L, "div", z, d);
    return give(L);
  }
  d = tide_apply(L, "sqrt", d);
  z = tide_applyto(L, "div", z, sum_along(L, "expand_dims", d, 2));
  z = tide_applyto(L, "div", z, d);
  lua_pushnumber(L, -1);
  lua_pushnumber(L, 1);
  tide_applywith(L, "clip", z, 2);
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

void tide_openspread (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
