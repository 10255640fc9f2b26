/*
** nanfolds.c - folds that ignore NaNs: nansum and others. nansum, nanmean,
** nanmin, nanmax and the count of numbers have kernels for floats. Otherwise
** NaNs are replaced by a number that does not change the result. Dtypes without
** NaN use the plain fold. nanmedian is in quantile.c.
*/
#include <math.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "result.h"

static bool has_nans (const Array *a) {
  return dtype_kind(a->dtype) >= KIND_FLOAT;
}

/* {== steps =========================================================== */

/* Pushes x with a number in place of its NaNs. */
static int push_without (lua_State *L, int x, lua_Number number) {
  if (!has_nans(array_check(L, x)))
    return x;
  int nan = composed_unary(L, "isnan", x);
  lua_pushnumber(L, number);
  lua_pushvalue(L, x);
  return composed_call(L, "where", nan, 2);
}

/* A fold: its axes as values for a function, and as they were read; 'kept':
** keepdims. */
typedef struct Along {
  const Reduction *r;
  int axes;
  bool kept;
} Along;

/* Pushes x, of floats, folded by a fold that has no function of its own. */
static int fold_by (lua_State *L, ReduceOp op, int x, const Along *to) {
  const Reduction *r = to->r;
  const Array *a = array_check(L, x);
  RtStream *s = current_get_stream(L, a->dev);
  int64_t shape[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (r->axes >> i & 1) ? 1 : a->shape[i];
  Array *z = array_new(L, a->dev, (DType)kernel_reduce_dtype(op, a->dtype),
                       to->kept ? a->ndim : r->like.ndim,
                       to->kept ? shape : r->like.shape, s);
  reduce_fold(L, s, (Fold){op, 1}, z, x, r->axes);
  return lua_gettop(L);
}

static bool is_float (lua_State *L, int x) {
  return dtype_kind(array_check(L, x)->dtype) == KIND_FLOAT;
}

/* Pushes the number of elements of x that are no NaNs, in the dtype of x. */
static int push_numbers (lua_State *L, int x, const Along *to) {
  DType t = array_check(L, x)->dtype;
  if (is_float(L, x))
    return composed_astype(L, fold_by(L, REDUCE_numbers, x, to), t);
  int z = composed_unary(L, "logical_not", composed_unary(L, "isnan", x));
  return composed_astype(L, composed_reduce(L, "count_nonzero", z, to->axes),
                         t);
}

/* Pushes the array at 1 in the dtype of means: floats, because 16 bits are too
** short. */
static int push_floats (lua_State *L) {
  DType t = array_check(L, 1)->dtype;
  if (dtype_kind(t) < KIND_FLOAT)
    return composed_astype(L, 1, DTYPE_FLOAT64);
  return dtype_is_half(t) ? composed_astype(L, 1, DTYPE_FLOAT32) : 1;
}

static int push_mean (lua_State *L, int x, const Along *to) {
  if (is_float(L, x))
    return fold_by(L, REDUCE_nanmean, x, to);
  int z = composed_reduce(L, "sum", push_without(L, x, 0), to->axes);
  return composed_binary(L, "div", z, push_numbers(L, x, to));
}

/* ==} */

/* {== folds =========================================================== */

enum { NAN_LENGTH = 3 }; /* "nan", before the name of a fold */

static const char *const plain[] = {"axis", "out", "keepdims", NULL};
static const char *const typed[] = {"axis", "out", "keepdims", "dtype", NULL};

/* The options are copied behind the arguments: see composed_option. */
enum { LAST = 4 };

static int read (lua_State *L, Reduction *r, const char *const names[],
                 const char *without) {
  reduce_read(L, r, names);
  lua_pushvalue(L, r->options);
  return composed_axes(L, r, without);
}

static int give (lua_State *L) {
  return result_deliver_out(L, LAST,
                            current_get_stream(L, array_check(L, 1)->dev));
}

/* Calls the fold of that name with NaNs replaced by a number. */
static int replaced (lua_State *L, const char *name, lua_Number number,
                     const char *const names[]) {
  Reduction r;
  int axes = read(L, &r, names, NULL);
  composed_reduce(L, name, push_without(L, 1, number), axes);
  return give(L);
}

/* Folds the floats at 1, as was read, by a fold of their own. Returns 1. */
static int fold_floats (lua_State *L, ReduceOp op, const Reduction *r) {
  RtStream *s = current_get_stream(L, r->a->dev);
  Array *z = reduce_push_out(L, r, r->a->dtype, s);
  reduce_fold(L, s, (Fold){op, 1}, z, 1, r->axes);
  return 1;
}

/* Tells whether it is a fold of floats without a change of dtype. */
static bool is_plain (const Reduction *r) {
  return dtype_kind(r->a->dtype) == KIND_FLOAT && r->dtype < 0;
}

/* Raises for complex numbers, because they are in no order. */
static void check_real (lua_State *L, const Array *a, const char *name) {
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    error_raise(L, "'%s' is not defined for %s arrays", name,
                dtype_name(a->dtype));
}

/* nansum(a [, axis] [, { axis=, out=, keepdims=, dtype= }]) */
static int array_nansum (lua_State *L) {
  Reduction r;
  reduce_read(L, &r, typed);
  if (is_plain(&r))
    return fold_floats(L, REDUCE_nansum, &r);
  lua_pushvalue(L, r.options);
  composed_reduce(L, "sum", push_without(L, 1, 0), composed_axes(L, &r, NULL));
  return give(L);
}

static int array_nanprod (lua_State *L) {
  return replaced(L, "prod", 1, typed);
}

static int place (lua_State *L, const char *name, lua_Number number) {
  Reduction r;
  reduce_read(L, &r, plain);
  argerror_check(L, r.axes == UINT32_MAX || __builtin_popcount(r.axes) == 1,
                 lua_isnil(L, 2) ? r.options : 2, "one axis expected");
  check_real(L, r.a, name);
  return replaced(L, name + NAN_LENGTH, number, plain);
}

/* nanargmin(a [, axis] [, { axis=, out=, keepdims= }]): the first NaN if there
** are only NaNs. */
static int array_nanargmin (lua_State *L) {
  return place(L, "nanargmin", HUGE_VAL);
}

static int array_nanargmax (lua_State *L) {
  return place(L, "nanargmax", -HUGE_VAL);
}

/* Pushes the minimum or maximum; NaN if there are only NaNs. Dtypes without
** NaN, and arrays without elements, use the fold of that name. */
static int extreme (lua_State *L, const char *name, ReduceOp op) {
  Reduction r;
  reduce_read(L, &r, plain);
  check_real(L, r.a, name);
  if (is_plain(&r) && r.a->size > 0)
    return fold_floats(L, op, &r);
  lua_pushvalue(L, r.options);
  composed_reduce(L, name + NAN_LENGTH, 1, composed_axes(L, &r, NULL));
  return give(L);
}

static int array_nanmin (lua_State *L) {
  return extreme(L, "nanmin", REDUCE_nanmin);
}

static int array_nanmax (lua_State *L) {
  return extreme(L, "nanmax", REDUCE_nanmax);
}

/* ==} */

/* {== moments ========================================================= */

/* Returns the result at z in the float dtype of the array at 1. */
static int give_float (lua_State *L, int z) {
  DType t = array_check(L, 1)->dtype;
  if (dtype_kind(t) >= KIND_FLOAT && array_check(L, z)->dtype != t)
    composed_astype(L, z, t);
  return give(L);
}

/* nanmean(a [, axis] [, { axis=, out=, keepdims= }]) */
static int array_nanmean (lua_State *L) {
  Reduction r;
  reduce_read(L, &r, plain);
  if (is_plain(&r))
    return fold_floats(L, REDUCE_nanmean, &r);
  lua_pushvalue(L, r.options);
  Along to = {&r, composed_axes(L, &r, NULL), false};
  return give_float(L, push_mean(L, push_floats(L), &to));
}

/* Pushes the distances at d, with 0 where x is NaN. The distance of an infinity
** from an infinite mean is NaN as well, and stays. */
static int push_zeros (lua_State *L, int d, int x) {
  if (!has_nans(array_check(L, x)))
    return d;
  int is = composed_unary(L, "isnan", x);
  lua_pushinteger(L, 0);
  lua_pushvalue(L, d);
  return composed_call(L, "where", is, 2);
}

/* Pushes the mean square of the distances from the mean, or its square root. */
static int variance (lua_State *L, bool root) {
  static const char *const names[] = {"axis", "out", "keepdims", "ddof", NULL};
  Reduction r;
  Along to = {&r, read(L, &r, names, "ddof"), false};
  lua_Number ddof = option_number(L, r.options, "ddof", 0);
  check_real(L, r.a, root ? "nanstd" : "nanvar");
  int x = push_floats(L);
  const Along kept = {&r, composed_kept_axes(L, &r), true};
  int d = composed_binary(L, "sub", x, push_mean(L, x, &kept));
  d = composed_unary(L, "square", push_zeros(L, d, x));
  int n = composed_scalar(L, "sub", push_numbers(L, x, &to), ddof);
  n = composed_scalar(L, "maximum", n, 0);
  int none = composed_scalar(L, "eq", n, 0);
  int z = composed_binary(L, "div", composed_reduce(L, "sum", d, to.axes), n);
  lua_pushnumber(L, (lua_Number)NAN);
  lua_pushvalue(L, z);
  z = composed_call(L, "where", none, 2);
  return give_float(L, root ? composed_unary(L, "sqrt", z) : z);
}

/* nanvar(a [, axis] [, { axis=, out=, keepdims=, ddof= }]) */
static int array_nanvar (lua_State *L) { return variance(L, false); }

static int array_nanstd (lua_State *L) { return variance(L, true); }

/* ==} */

static const Function functions[] = {
  {"nanargmax", array_nanargmax, 3}, {"nanargmin", array_nanargmin, 3},
  {"nanmax", array_nanmax, 3},       {"nanmean", array_nanmean, 3},
  {"nanmin", array_nanmin, 3},       {"nanprod", array_nanprod, 3},
  {"nanstd", array_nanstd, 3},       {"nansum", array_nansum, 3},
  {"nanvar", array_nanvar, 3},       {NULL, NULL, 0},
};

void open_nanfolds (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
