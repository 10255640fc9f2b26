/*
** quantile.c - quantile, percentile, median: sorted elements at given
** positions, or values between two of them (quantile_place.c). The positions
** are known beforehand, so each is a view of a sorted array, in which no other
** elements have to be right. nanquantile and its like depend on the number of
** NaNs in each line (quantile_nan.c).
*/
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "quantile.h"
#include "result.h"
#include "rt/kernels/dtypes.h"
#include "rt/program/numeral.h"
#include "sort.h"

/* {== elements ======================================================== */

/* A call. */
typedef struct Quantiles {
  Array *a;
  uint32_t axes; /* the reduced ones */
  bool keepdims;
  Method method;
  bool nan;      /* ignores NaNs, which floats alone have */
  bool list;     /* a list of numbers: the first axis of the result */
  int n;         /* their number */
  int64_t count; /* elements of each line */
  DType t;       /* of the result */
} Quantiles;

/* Pushes a matrix whose rows are the lines of reduced axes. */
static void push_lines (lua_State *L, Quantiles *k) {
  int order[MAX_DIMS], n = 0;
  int64_t shape[] = {1, 1}; /* elements of kept axes, of reduced axes */
  for (int gone = 0; gone <= 1; gone++)
    for (int i = 0; i < k->a->ndim; i++)
      if ((int)(k->axes >> i & 1) == gone) {
        shape[gone] *= k->a->shape[i];
        order[n++] = i;
      }
  k->count = shape[1];
  shape_push_permuted(L, k->a, order);
  shape_push_reshaped(L, lua_gettop(L), 2, shape);
}

/* Pushes element i of each line. */
static int push_element (lua_State *L, int sorted, int64_t i) {
  lua_pushinteger(L, -1);
  lua_pushinteger(L, i + 1);
  return composed_call(L, "select", sorted, 2);
}

/* Pushes the mean of two arrays of float64. If their sum is infinite, which
** that of shorter floats never is, halves are added. */
static int push_middle (lua_State *L, int low, int high, const Quantiles *k) {
  int sum = composed_binary(L, "add", low, high);
  int mean = composed_scalar(L, "mul", sum, 0.5);
  if (k->a->dtype != DTYPE_FLOAT64)
    return mean;
  int infinite = composed_unary(L, "isinf", sum);
  low = composed_scalar(L, "mul", low, 0.5);
  high = composed_scalar(L, "mul", high, 0.5);
  composed_binary(L, "add", low, high);
  lua_pushvalue(L, mean);
  return composed_call(L, "where", infinite, 2);
}

/* Pushes the value at the position, in float64; as in NumPy, from the nearer
** end. */
static int push_between (lua_State *L, int sorted, const Quantiles *k,
                         QuantilePlace p) {
  int low = composed_astype(L, push_element(L, sorted, p.low), DTYPE_FLOAT64);
  if (p.low == p.high)
    return low;
  int high = composed_astype(L, push_element(L, sorted, p.high), DTYPE_FLOAT64);
  if (k->method == MEDIAN)
    return push_middle(L, low, high, k);
  int far = composed_binary(L, "sub", high, low);
  if (p.share < 0.5)
    return composed_binary(L, "add", low,
                           composed_scalar(L, "mul", far, p.share));
  return composed_binary(L, "sub", high,
                         composed_scalar(L, "mul", far, 1 - p.share));
}

/* Pushes z, with NaN for lines that have one, which then is their last
** element. */
static int push_with_nans (lua_State *L, int sorted, int z,
                           const Quantiles *k) {
  if (dtype_kind(k->a->dtype) != KIND_FLOAT)
    return z;
  int last = push_element(L, sorted, k->count - 1);
  last = composed_astype(L, last, array_check(L, z)->dtype);
  int nan = composed_unary(L, "isnan", last);
  lua_pushvalue(L, last);
  lua_pushvalue(L, z);
  return composed_call(L, "where", nan, 2);
}

/* Pushes how many elements of each line are before its NaNs, in float64. */
static int push_numbers (lua_State *L, int sorted, const Quantiles *k) {
  int nan = composed_unary(L, "isnan", sorted);
  lua_pushinteger(L, -1);
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "keepdims");
  int n = composed_call(L, "count_nonzero", nan, 2);
  n = composed_unary(L, "neg_", composed_astype(L, n, DTYPE_FLOAT64));
  return composed_scalar(L, "add_", n, (lua_Number)k->count);
}

/* Pushes the elements of the lines at the places, in float64. */
static int push_taken (lua_State *L, RtStream *s, int sorted, int places) {
  return composed_astype(L, sort_take_rows(L, s, sorted, places),
                         DTYPE_FLOAT64);
}

/* push_between for positions of which only the device knows. */
static int push_between_places (lua_State *L, RtStream *s, int sorted,
                                const Quantiles *k, QuantilePlaces p) {
  int low = push_taken(L, s, sorted, p.low);
  int high = push_taken(L, s, sorted, p.high);
  if (k->method == MEDIAN)
    return push_middle(L, low, high, k);
  int far = composed_binary(L, "sub", high, low);
  int rest = composed_scalar(L, "add", composed_unary(L, "neg", p.share), 1);
  int up = composed_binary(L, "add", low,
                           composed_binary(L, "mul", far, p.share));
  composed_binary(L, "sub", high, composed_binary(L, "mul", far, rest));
  int down = lua_gettop(L), nearer = composed_scalar(L, "lt", p.share, 0.5);
  lua_pushvalue(L, up);
  lua_pushvalue(L, down);
  int z = composed_call(L, "where", nearer, 2);
  int one = composed_binary(L, "eq", p.low, p.high);
  lua_pushvalue(L, low);
  lua_pushvalue(L, z);
  return composed_call(L, "where", one, 2);
}

/* Pushes the quantile q of the elements before the NaNs of each line. */
static int push_before_nans (lua_State *L, RtStream *s, int sorted,
                             const Quantiles *k, double q) {
  int n = push_numbers(L, sorted, k);
  QuantilePlaces p = quantile_push_places(L, k->method, n, q);
  return quantile_is_discrete(k->method)
           ? sort_take_rows(L, s, sorted, p.low)
           : push_between_places(L, s, sorted, k, p);
}

/* Pushes the quantile q of each line. */
static int push_quantile (lua_State *L, RtStream *s, int sorted,
                          const Quantiles *k, double q) {
  if (k->nan)
    return push_before_nans(L, s, sorted, k, q);
  QuantilePlace p = quantile_position(k->method, k->count, q);
  int z = quantile_is_discrete(k->method) ? push_element(L, sorted, p.low)
                                          : push_between(L, sorted, k, p);
  return push_with_nans(L, sorted, z, k);
}

/* ==} */

/* {== results ========================================================= */

/* Pushes the array for all results: an axis for a list of numbers, then the
** kept axes. */
static Array *push_results (lua_State *L, const Quantiles *k, RtStream *s) {
  int64_t shape[MAX_DIMS + 1];
  int n = 0;
  if (k->list)
    shape[n++] = k->n;
  for (int i = 0; i < k->a->ndim; i++) {
    bool gone = (k->axes >> i & 1) != 0;
    if (!gone || k->keepdims)
      shape[n++] = gone ? 1 : k->a->shape[i];
  }
  if (n > MAX_DIMS)
    error_raise(L, "the result would have more than %d axes", MAX_DIMS);
  return array_new(L, k->a->dev, k->t, n, shape, s);
}

/* z[i] = x, which has the kept axes. */
static void put_result (lua_State *L, RtStream *s, int z, int i, int x,
                        const Quantiles *k) {
  Array *all = array_check(L, z), *own;
  int first = k->list ? 1 : 0;
  size_t size = all->size / (size_t)(k->list ? k->n : 1);
  x = composed_astype(L, x, k->t);
  shape_push_reshaped(L, x, all->ndim - first, all->shape + first);
  own = array_check(L, -1);
  array_push_view(L, all, all->ndim - first, all->shape + first, NULL,
                  all->off + (size_t)i * size * dtype_size(k->t));
  array_copyto(L, s, array_check(L, -1), own);
}

enum { NUMBERS = 5 }; /* index of the number, or of the list */

/* Raises for the wrong number, or other value, on the top. */
static int refuse_number (lua_State *L, double whole) {
  const char *wanted = whole == 1 ? "numbers from 0 to 1 expected"
                                  : "numbers from 0 to 100 expected";
  if (lua_type(L, -1) != LUA_TNUMBER)
    return argerror_raise(L, 2, "%s, got a %s", wanted, luaL_typename(L, -1));
  char text[NUMERAL];
  double q = lua_tonumber(L, -1);
  numeral_write(text, 14, q);
  return argerror_raise(L, 2, "%s, got %s%s", wanted, text,
                        whole == 1 && q > 1 && q <= 100
                          ? "; 'percentile' takes those from 0 to 100"
                          : "");
}

/* Returns number i. */
static double read_number (lua_State *L, int i, const Quantiles *k,
                           double whole) {
  if (k->list)
    lua_rawgeti(L, NUMBERS, i + 1);
  else
    lua_pushvalue(L, NUMBERS);
  double q = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(q >= 0 && q <= whole))
    refuse_number(L, whole);
  lua_pop(L, 1);
  return q / whole;
}

/* Pushes a list of the elements of the array at 2, or its only one. Waits. */
static void push_fetched (lua_State *L, Array *q, const char *what) {
  argerror_check(L, q->ndim <= 1, 2,
                 "a number or a list expected, got an array of more than one "
                 "axis");
  argerror_check(L, dtype_kind(q->dtype) != KIND_COMPLEX, 2,
                 "real numbers expected");
  argerror_check(L, q->size <= 100000, 2, "too many numbers");
  blocking_check_capture(L, current_get_stream(L, q->dev), what,
                         "the numbers of an array; a Lua table of them needs "
                         "no wait");
  blocking_check(L, q->dev, what);
  array_push_cast(L, 2, DTYPE_FLOAT64);
  const Array *h = array_fetch(L, array_check(L, -1), what);
  lua_createtable(L, (int)h->size, 0);
  const double *numbers = (const double *)(uintptr_t)array_pointer(h);
  for (size_t i = 0; i < h->size; i++) {
    lua_pushnumber(L, numbers[i]);
    if (h->ndim == 0)
      return;
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

/* Puts the number, list or array at 2 to NUMBERS. */
static void read_numbers (lua_State *L, Quantiles *k, double whole) {
  Array *q = array_test(L, 2);
  if (q != NULL) {
    push_fetched(L, array_check(L, 2), whole == 1 ? "quantile" : "percentile");
    lua_replace(L, NUMBERS);
    lua_settop(L, NUMBERS);
  } else if (!lua_istable(L, 2) && lua_type(L, 2) != LUA_TNUMBER) {
    type_error(L, 2, "number, table or tide.Array");
  }
  k->list = lua_istable(L, NUMBERS);
  if (k->list) {
    lua_Unsigned n = lua_rawlen(L, NUMBERS);
    argerror_check(L, n <= 100000, 2, "too many numbers");
    list_check_in(L, 2, NUMBERS, n,
                  "a list of numbers; options are a table of their own");
    k->n = (int)n;
  }
  for (int i = 0; i < k->n; i++)
    read_number(L, i, k, whole);
}

/* Returns number i, or that of a median. */
static double number_at (lua_State *L, int i, const Quantiles *k,
                         double whole) {
  return (whole > 0) ? read_number(L, i, k, whole) : 0.5;
}

/* Pushes a matrix of which the rows have the sorted elements that are needed:
** all if the places are known only to the device. */
static int push_sorted (lua_State *L, RtStream *s, Quantiles *k, double whole) {
  SortPlaces p = {0};
  push_lines(L, k);
  for (int i = 0; i < k->n && p.n <= PARTITION_PLACES; i++) {
    QuantilePlace at = quantile_position(k->method, k->count,
                                         number_at(L, i, k, whole));
    sort_add_place(&p, at.low);
    if (at.high != at.low)
      sort_add_place(&p, at.high);
  }
  if (dtype_kind(k->a->dtype) == KIND_FLOAT)
    sort_add_place(&p, k->count - 1); /* for push_with_nans */
  sort_push_rows(L, s, false, false, k->nan ? NULL : &p);
  return lua_gettop(L);
}

/* z = the quantiles of the lines of 'a'. */
static void fill_results (lua_State *L, RtStream *s, int z, Quantiles *k,
                          double whole) {
  int sorted = push_sorted(L, s, k, whole);
  if (k->count == 0) {
    if (dtype_kind(k->t) != KIND_FLOAT)
      error_raise(L, "a quantile of an array without elements");
    lua_pushnumber(L, (lua_Number)NAN);
    array_fill_with(L, s, array_check(L, z), lua_gettop(L));
    return;
  }
  for (int i = 0; i < k->n; i++) {
    int top = lua_gettop(L);
    double q = number_at(L, i, k, whole);
    put_result(L, s, z, i, push_quantile(L, s, sorted, k, q), k);
    array_drop(L, top);
  }
}

/* ==} */

/* {== arguments ======================================================= */

/* Reads axes and options from 'arg' on. Returns the index of the options. */
static int read_options (lua_State *L, int arg, Quantiles *k,
                         const char *const names[]) {
  int axes[MAX_DIMS], n;
  k->a = array_check(L, 1);
  if (dtype_kind(k->a->dtype) == KIND_COMPLEX)
    argerror_raise(L, 1, "real numbers expected, got %s",
                   dtype_name(k->a->dtype));
  int options = operand_opt_axes(L, arg, k->a->ndim, names, axes, &n);
  k->axes = (n < 0) ? UINT32_MAX : 0;
  for (int i = 0; i < n; i++)
    k->axes |= 1u << axes[i];
  k->keepdims = lua_istable(L, options) &&
                option_flag(L, options, "keepdims", false);
  return options;
}

static Method read_method (lua_State *L, int options) {
  Method m = LINEAR;
  composed_option(L, options, "method");
  if (!lua_isnil(L, -1)) {
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1)
                                                      : "";
    for (m = 0; m < METHODS && strcmp(quantile_methods[m], name) != 0;)
      m++;
    argerror_check(L, m < METHODS, options,
                   "option 'method' must be one of NumPy's: 'linear', 'lower', "
                   "'higher', 'midpoint', 'nearest', 'hazen', 'weibull', "
                   "'median_unbiased', 'normal_unbiased', 'inverted_cdf', "
                   "'averaged_inverted_cdf', 'interpolated_inverted_cdf' or "
                   "'closest_observation'");
  }
  lua_pop(L, 1);
  return m;
}

static DType float_of (DType t) {
  return dtype_kind(t) == KIND_FLOAT ? t : DTYPE_FLOAT64;
}

/* Pushes the result; the numbers are from 0 to 'whole'. */
static int quantile (lua_State *L, double whole, bool nan) {
  static const char *const names[] = {"axis", "keepdims", "method", "out",
                                      NULL};
  Quantiles k = {.n = 1};
  lua_settop(L, 4);
  int options = read_options(L, 3, &k, names);
  lua_settop(L, 4);
  k.method = read_method(L, options);
  k.nan = nan && dtype_kind(k.a->dtype) == KIND_FLOAT;
  k.t = quantile_is_discrete(k.method) ? (DType)k.a->dtype
                                       : float_of(k.a->dtype);
  lua_pushvalue(L, 2);
  read_numbers(L, &k, whole);
  RtStream *s = current_get_stream(L, k.a->dev);
  lua_pushvalue(L, options);
  push_results(L, &k, s);
  int z = lua_gettop(L);
  fill_results(L, s, z, &k, whole);
  lua_pushvalue(L, z);
  return result_deliver_out(L, NUMBERS + 1, s);
}

/*
** quantile(a, q [, axis] [, { axis=, keepdims=, method=, out= }]) -> the value
** below which a fraction q of the elements lies; for a list, one for each q.
*/
static int array_quantile (lua_State *L) { return quantile(L, 1, false); }

/* percentile(a, q ...): quantile with q from 0 to 100. */
static int array_percentile (lua_State *L) { return quantile(L, 100, false); }

/* nanquantile, nanpercentile: of the elements that are not NaN. */

static int array_nanquantile (lua_State *L) { return quantile(L, 1, true); }

static int array_nanpercentile (lua_State *L) { return quantile(L, 100, true); }

static int median (lua_State *L, bool nan) {
  static const char *const names[] = {"axis", "keepdims", "out", NULL};
  Quantiles k = {.n = 1, .method = MEDIAN};
  lua_settop(L, 3);
  int options = read_options(L, 2, &k, names);
  lua_settop(L, 3);
  k.t = float_of(k.a->dtype);
  k.nan = nan && dtype_kind(k.a->dtype) == KIND_FLOAT;
  RtStream *s = current_get_stream(L, k.a->dev);
  lua_pushvalue(L, options);
  push_results(L, &k, s);
  int z = lua_gettop(L);
  fill_results(L, s, z, &k, 0);
  lua_pushvalue(L, z);
  return result_deliver_out(L, 4, s);
}

/* median(a [, axis] [, { axis=, keepdims=, out= }]) -> the middle element, or
** the mean of the two. */
static int array_median (lua_State *L) { return median(L, false); }

/* nanmedian: median that ignores NaNs. */
static int array_nanmedian (lua_State *L) { return median(L, true); }

/* ==} */

static const Function functions[] = {
  {"median", array_median, 3},
  {"nanmedian", array_nanmedian, 3},
  {"nanpercentile", array_nanpercentile, 4},
  {"nanquantile", array_nanquantile, 4},
  {"percentile", array_percentile, 4},
  {"quantile", array_quantile, 4},
  {NULL, NULL, 0},
};

void open_quantile (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
