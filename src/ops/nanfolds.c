/*
** nanfolds.c - folds that leave NaNs out: nansum and its kin. A NaN is replaced
** by what changes no result; what has none is folded as it is. Of nanmin and
** nanmax there are kernels. nanmedian is in quantile.c.
*/
#include <math.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"
#include "base/error.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "reduce.h"
#include "result.h"

static bool has_nans (const Array *a) {
  return tide_kind(a->dtype) >= KIND_FLOAT;
}

/* {== steps =========================================================== */

/* Pushes x with a number in place of its NaNs. */
static int push_without (lua_State *L, int x, lua_Number number) {
  if (!has_nans(tide_checkarray(L, x)))
    return x;
  int nan = tide_apply(L, "isnan", x);
  lua_pushnumber(L, number);
  lua_pushvalue(L, x);
  return tide_applywith(L, "where", nan, 2);
}

/* Pushes how many elements of x are no NaNs, as of the dtype of x. */
static int push_numbers (lua_State *L, int x, int axes) {
  int z = tide_apply(L, "logical_not", tide_apply(L, "isnan", x));
  return tide_applyastype(L, tide_foldlike(L, "count_nonzero", z, axes),
                          tide_checkarray(L, x)->dtype);
}

/* Pushes the array at 1 as what means are computed in: floats, which those of
** 16 bits are too short for. */
static int push_floats (lua_State *L) {
  DType t = tide_checkarray(L, 1)->dtype;
  if (tide_kind(t) < KIND_FLOAT)
    return tide_applyastype(L, 1, DTYPE_FLOAT64);
  return tide_ishalf(t) ? tide_applyastype(L, 1, DTYPE_FLOAT32) : 1;
}

/* Pushes the mean of x along axes. */
static int push_mean (lua_State *L, int x, int axes) {
  int z = tide_foldlike(L, "sum", push_without(L, x, 0), axes);
  return tide_applyto(L, "div", z, push_numbers(L, x, axes));
}

/* Pushes the axes of a reduction that leaves each of them, of one element;
** returns where: two values. */
static int push_kept (lua_State *L, const Reduction *r) {
  luaL_checkstack(L, 8, NULL);
  if (r->axes == UINT32_MAX) {
    lua_pushnil(L);
  } else {
    lua_newtable(L);
    for (int i = 0, n = 0; i < r->a->ndim; i++)
      if ((r->axes >> i & 1) != 0) {
        lua_pushinteger(L, i + 1);
        lua_rawseti(L, -2, ++n);
      }
  }
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "keepdims");
  return lua_gettop(L) - 1;
}

/* ==} */

/* {== folds =========================================================== */

static const char *const plain[] = {"axis", "out", "keepdims", NULL};
static const char *const typed[] = {"axis", "out", "keepdims", "dtype", NULL};

/* Behind the arguments the options stand once more: see tide_keepoption. */
enum { LAST = 4 };

static int read (lua_State *L, Reduction *r, const char *const names[],
                 const char *without) {
  tide_readreduction(L, r, names);
  lua_pushvalue(L, r->options);
  return tide_pushaxes(L, r, without);
}

static int give (lua_State *L) {
  return tide_deliverout(L, LAST,
                         tide_currentstream(L, tide_checkarray(L, 1)->dev));
}

/* The fold of that name, with a number for NaNs. */
static int replaced (lua_State *L, const char *name, lua_Number number,
                     const char *const names[]) {
  Reduction r;
  int axes = read(L, &r, names, NULL);
  tide_foldlike(L, name, push_without(L, 1, number), axes);
  return give(L);
}

/* nansum(a [, axis] [, { axis=, out=, keepdims=, dtype= }]) */
static int array_nansum (lua_State *L) {
  return replaced(L, "sum", 0, typed);
}

static int array_nanprod (lua_State *L) {
  return replaced(L, "prod", 1, typed);
}

/* nanargmin(a [, axis] [, { axis=, out=, keepdims= }]): of NaNs alone, the
** first one. */
static int array_nanargmin (lua_State *L) {
  return replaced(L, "argmin", HUGE_VAL, plain);
}

static int array_nanargmax (lua_State *L) {
  return replaced(L, "argmax", -HUGE_VAL, plain);
}

/* The least or greatest; NaN where there is nothing else. What has no NaNs, and
** what has no elements, is left to the fold of that name. */
static int extreme (lua_State *L, const char *name, ReduceOp op) {
  Reduction r;
  tide_readreduction(L, &r, plain);
  if (tide_kind(r.a->dtype) == KIND_FLOAT && r.a->size > 0) {
    RtStream *s = tide_currentstream(L, r.a->dev);
    tide_fold(L, s, op, tide_pushreduced(L, &r, r.a->dtype, s), 1, r.axes);
    return 1;
  }
  lua_pushvalue(L, r.options);
  tide_foldlike(L, name, 1, tide_pushaxes(L, &r, NULL));
  return give(L);
}

static int array_nanmin (lua_State *L) {
  return extreme(L, "min", REDUCE_nanmin);
}

static int array_nanmax (lua_State *L) {
  return extreme(L, "max", REDUCE_nanmax);
}

/* ==} */

/* {== moments ========================================================= */

/* The result at z, in the dtype of floats of the array at 1. */
static int give_float (lua_State *L, int z) {
  DType t = tide_checkarray(L, 1)->dtype;
  if (tide_kind(t) >= KIND_FLOAT && tide_checkarray(L, z)->dtype != t)
    tide_applyastype(L, z, t);
  return give(L);
}

/* nanmean(a [, axis] [, { axis=, out=, keepdims= }]) */
static int array_nanmean (lua_State *L) {
  Reduction r;
  int axes = read(L, &r, plain, NULL);
  return give_float(L, push_mean(L, push_floats(L), axes));
}

/* Pushes the distances at d, 0 where x is NaN: an infinity's from an infinite
** mean is NaN as well, and stays. */
static int push_zeros (lua_State *L, int d, int x) {
  if (!has_nans(tide_checkarray(L, x)))
    return d;
  int is = tide_apply(L, "isnan", x);
  lua_pushinteger(L, 0);
  lua_pushvalue(L, d);
  return tide_applywith(L, "where", is, 2);
}

/* Pushes the mean square of the distances from the mean, or its root. */
static int variance (lua_State *L, bool root) {
  static const char *const names[] = {"axis", "out", "keepdims", "ddof", NULL};
  Reduction r;
  int axes = read(L, &r, names, "ddof");
  lua_Number ddof = tide_optnum(L, r.options, "ddof", 0);
  if (tide_kind(r.a->dtype) == KIND_COMPLEX)
    return tide_raise(L, "'var' is not defined for %s arrays",
                      tide_dtypename(r.a->dtype));
  int x = push_floats(L);
  int d = tide_applyto(L, "sub", x, push_mean(L, x, push_kept(L, &r)));
  d = tide_apply(L, "square", push_zeros(L, d, x));
  int n = tide_applynumber(L, "sub", push_numbers(L, x, axes), ddof);
  n = tide_applynumber(L, "maximum", n, 0);
  int none = tide_applynumber(L, "eq", n, 0);
  int z = tide_applyto(L, "div", tide_foldlike(L, "sum", d, axes), n);
  lua_pushnumber(L, (lua_Number)NAN);
  lua_pushvalue(L, z);
  z = tide_applywith(L, "where", none, 2);
  return give_float(L, root ? tide_apply(L, "sqrt", z) : z);
}

/* nanvar(a [, axis] [, { axis=, out=, keepdims=, ddof= }]) */
static int array_nanvar (lua_State *L) { return variance(L, false); }

static int array_nanstd (lua_State *L) { return variance(L, true); }

/* ==} */

static const Function functions[] = {
  {"nanargmax", array_nanargmax, 3},
  {"nanargmin", array_nanargmin, 3},
  {"nanmax", array_nanmax, 3},
  {"nanmean", array_nanmean, 3},
  {"nanmin", array_nanmin, 3},
  {"nanprod", array_nanprod, 3},
  {"nanstd", array_nanstd, 3},
  {"nansum", array_nansum, 3},
  {"nanvar", array_nanvar, 3},
  {NULL, NULL, 0}
};

void tide_opennanfolds (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}
