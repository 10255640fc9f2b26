/*
** norm.c - norms of vectors and matrices, and traces: norm, trace.
*/
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "singular.h"
#include "openers.h"
#include "reduce.h"
#include "result.h"
#include "rt/kernels/kernels.h"

/* {== arguments ======================================================= */

enum { ORDER = 2, AXES, LAST }; /* arguments of norm; LAST: of trace as well */

typedef enum Ord {
  ORD_EUCLID,  /* the root of the sum of squares: no order, or 'fro' */
  ORD_NUCLEAR, /* the sum of singular values */
  ORD_NUMBER
} Ord;

/* A call norm(a [, ord [, axes]] [, { ord=, axis=, keepdims=, out= }]). */
typedef struct Norm {
  Array *a;
  Ord ord;
  lua_Number p;
  bool matrix; /* norms of matrices: axes[0] are the rows */
  int naxes;
  int axes[MAX_DIMS];
  bool keepdims;
  DType t;     /* of the result */
  int options; /* index of the table of options; maybe nil */
} Norm;

static bool is_options (lua_State *L, int arg) {
  return lua_istable(L, arg) && lua_rawlen(L, arg) == 0;
}

/* Returns the index of the options among arguments 2 to LAST. Missing arguments
** before them become nil. */
static int find_options (lua_State *L, const char *const names[]) {
  int options = 2;
  lua_settop(L, LAST);
  while (options < LAST && !is_options(L, options))
    options++;
  for (int i = options + 1; i <= LAST; i++)
    argerror_check(L, lua_isnil(L, i), i, "nothing comes after the options");
  option_check(L, options, names);
  return options;
}

/* Tells whether there is an argument before the options. */
static bool is_given (lua_State *L, int arg, int options) {
  return arg < options && !lua_isnil(L, arg);
}

/* Reads the order at 'idx'; errors name 'arg'. */
static void read_order (lua_State *L, Norm *n, int arg, int idx) {
  if (lua_type(L, idx) == LUA_TNUMBER) {
    n->ord = ORD_NUMBER;
    n->p = lua_tonumber(L, idx);
    argerror_check(L, !isnan(n->p), arg, "the order of a norm is no NaN");
    return;
  }
  const char *name = lua_type(L, idx) == LUA_TSTRING ? lua_tostring(L, idx)
                                                     : "";
  bool nuclear = (strcmp(name, "nuc") == 0);
  argerror_check(L, nuclear || strcmp(name, "fro") == 0, arg,
                 "the order of a norm is a number, 'fro' or 'nuc', got %s",
                 *name != '\0' ? lua_pushfstring(L, "'%s'", name)
                               : luaL_typename(L, idx));
  n->ord = nuclear ? ORD_NUCLEAR : ORD_EUCLID;
  n->matrix = true;
}

static void read_options (lua_State *L, Norm *n) {
  static const char *const names[] = {"ord", "axis", "keepdims", "out", NULL};
  int options = n->options = find_options(L, names);
  bool ordered = is_given(L, ORDER, options);
  bool given = is_given(L, AXES, options);
  n->naxes = given ? axes_check(L, AXES, n->a->ndim, n->axes) : -1;
  if (ordered)
    read_order(L, n, ORDER, ORDER);
  if (lua_isnil(L, options))
    return;
  if (option_get(L, options, "ord") != LUA_TNIL) {
    argerror_check(L, !ordered, options,
                   "option 'ord' is given besides an order");
    read_order(L, n, options, lua_gettop(L));
  }
  lua_settop(L, LAST);
  int axes = axes_option(L, options, given, n->a->ndim, n->axes);
  n->naxes = given ? n->naxes : axes;
  n->keepdims = option_flag(L, options, "keepdims", false);
}

/* Reads the axes. By default all elements are used or, with an order, the array
** is a vector or matrix. Along three axes or more the elements are those of a
** vector. */
static void read_axes (lua_State *L, Norm *n) {
  bool all = (n->naxes < 0), plain = (n->ord == ORD_EUCLID && !n->matrix);
  if (all) {
    n->naxes = n->a->ndim;
    for (int i = 0; i < n->naxes; i++)
      n->axes[i] = i;
  }
  if (plain)
    return;
  if (n->matrix ? n->naxes != 2 : n->naxes < 1)
    argerror_raise(L,
                   all                             ? 1
                   : is_given(L, AXES, n->options) ? AXES
                                                   : n->options,
                   "%s",
                   n->matrix ? "the matrices of such a norm have two axes"
                             : "a norm with an order has one axis or more");
  n->matrix = (n->naxes == 2);
}

static void check_order (lua_State *L, const Norm *n) {
  int arg = is_given(L, ORDER, n->options) ? ORDER : n->options;
  if (n->matrix && n->ord == ORD_NUMBER)
    argerror_check(L, fabs(n->p) == 1 || fabs(n->p) == 2 || isinf(n->p), arg,
                   "norms of matrices are 1, -1, 2, -2, math.huge, "
                   "-math.huge, 'fro', 'nuc'");
}

static void read_norm (lua_State *L, Norm *n) {
  *n = (Norm){.a = array_check(L, 1), .ord = ORD_EUCLID, .p = 2};
  read_options(L, n);
  read_axes(L, n);
  check_order(L, n);
  DType t = n->a->dtype;
  n->t = (t == DTYPE_COMPLEX64)                                  ? DTYPE_FLOAT32
         : (t == DTYPE_COMPLEX128 || dtype_kind(t) < KIND_FLOAT) ? DTYPE_FLOAT64
                                                                 : t;
}

/* ==} */

/* {== norms =========================================================== */

/* Raises if a maximum or minimum of no elements is asked for. */
static void check_some (lua_State *L, const char *name, const Array *x, int n,
                        const int *axes) {
  size_t folded = 1, results = 1;
  uint32_t along = 0;
  for (int i = 0; i < n; i++)
    along |= 1u << axes[i];
  for (int i = 0; i < x->ndim; i++)
    *((along >> i & 1) != 0 ? &folded : &results) *= (size_t)x->shape[i];
  argerror_check(L, folded > 0 || results == 0 || strcmp(name, "sum") == 0, 1,
                 "an array without elements has no such norm");
}

/* Pushes x folded along n axes, with keepdims. */
static int fold (lua_State *L, const char *name, int x, int n,
                 const int *axes) {
  check_some(L, name, array_check(L, x), n, axes);
  lua_createtable(L, 0, 2);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_pushinteger(L, axes[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "axis");
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "keepdims");
  return composed_call(L, name, x, 1);
}

/* Pushes x, of floats, folded along all axes of the norm, with keepdims, by a
** fold that has no function of its own. */
static int fold_by (lua_State *L, ReduceOp op, int x, const Norm *n) {
  const Array *a = array_check(L, x);
  RtStream *s = current_get_stream(L, a->dev);
  int64_t shape[MAX_DIMS];
  uint32_t axes = 0;
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  for (int i = 0; i < n->naxes; i++) {
    axes |= 1u << n->axes[i];
    shape[n->axes[i]] = 1;
  }
  Array *z = array_new(L, a->dev, a->dtype, a->ndim, shape, s);
  reduce_fold(L, s, (Fold){op, 1}, z, x, axes);
  return lua_gettop(L);
}

/* Pushes the array in the dtype of norms. Floats of 16 bits keep theirs if a
** single fold does it. */
static int push_floats (lua_State *L, const Norm *n) {
  DType t = n->a->dtype;
  bool once = n->ord == ORD_EUCLID || (!n->matrix && (n->p == 1 || n->p == 2));
  if (dtype_kind(t) < KIND_FLOAT)
    t = DTYPE_FLOAT64;
  array_push_cast(L, 1, dtype_is_half(t) && !once ? DTYPE_FLOAT32 : t);
  return lua_gettop(L);
}

static int push_euclid (lua_State *L, const Norm *n, int x) {
  if (dtype_kind(array_check(L, x)->dtype) == KIND_COMPLEX)
    x = composed_unary(L, "abs", x);
  return fold_by(L, REDUCE_euclid, x, n);
}

/* Counts the elements that are not 0. */
static int push_count (lua_State *L, const Norm *n, int x) {
  x = composed_scalar(L, "ne", x, 0);
  return fold(L, "sum", x, n->naxes, n->axes);
}

static int push_vector (lua_State *L, const Norm *n, int x) {
  if (n->p == 0)
    return push_count(L, n, x);
  if (n->p == 1 && dtype_kind(array_check(L, x)->dtype) == KIND_FLOAT)
    return fold_by(L, REDUCE_sum_abs, x, n);
  x = composed_unary(L, "abs", x);
  if (isinf(n->p))
    return fold(L, n->p > 0 ? "max" : "min", x, n->naxes, n->axes);
  if (n->p != 1)
    x = composed_scalar(L, "pow", x, n->p);
  x = fold(L, "sum", x, n->naxes, n->axes);
  return (n->p == 1) ? x : composed_scalar(L, "pow", x, 1 / n->p);
}

/* Pushes the maximum or minimum of the sums of absolute values of columns
** (order 1), or of rows. */
static int push_matrix (lua_State *L, const Norm *n, int x) {
  bool columns = (fabs(n->p) == 1);
  x = fold(L, "sum", composed_unary(L, "abs", x), 1, &n->axes[columns ? 0 : 1]);
  return fold(L, n->p > 0 ? "max" : "min", x, 1, &n->axes[columns ? 1 : 0]);
}

/* Pushes the name of the function for errors of matrices. */
static const char *push_name (lua_State *L) {
  lua_Debug ar;
  const char *own = error_own_function(L, &ar);
  return lua_pushfstring(L, "linalg.%s", own != NULL ? own : "norm");
}

/* Pushes the greatest singular value (order 2), the least or the sum. */
static int push_singular (lua_State *L, const Norm *n, int x) {
  Array *a = array_check(L, x);
  int axes[MAX_DIMS], k = 0, last = a->ndim - 2;
  int64_t shape[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++) {
    bool folded = (i == n->axes[0] || i == n->axes[1]);
    shape[i] = folded ? 1 : a->shape[i];
    if (!folded)
      axes[k++] = i;
  }
  axes[k++] = n->axes[0];
  axes[k] = n->axes[1];
  RtStream *s = current_get_stream(L, a->dev);
  const char *name = push_name(L);
  singular_push_values(L, s, shape_push_permuted(L, a, axes), name);
  fold(L,
       n->ord == ORD_NUCLEAR ? "sum"
       : n->p > 0            ? "max"
                             : "min",
       lua_gettop(L), 1, &last);
  shape_push_reshaped(L, lua_gettop(L), a->ndim, shape);
  return lua_gettop(L);
}

static bool is_spectral (const Norm *n) {
  return n->matrix &&
         (n->ord == ORD_NUCLEAR || (n->ord == ORD_NUMBER && fabs(n->p) == 2));
}

/* Pushes the view without the axes that were folded. */
static void push_without (lua_State *L, const Norm *n) {
  const Array *z = array_check(L, -1);
  int64_t shape[MAX_DIMS];
  uint32_t gone = 0;
  int ndim = 0;
  for (int i = 0; i < n->naxes; i++)
    gone |= 1u << n->axes[i];
  for (int i = 0; i < z->ndim; i++)
    if (!(gone >> i & 1))
      shape[ndim++] = z->shape[i];
  shape_push_reshaped(L, lua_gettop(L), ndim, shape);
}

/*
** norm(a [, ord [, axes]] [, { ord=, axis=, keepdims=, out= }]) -> the norms of
** vectors along an axis, of matrices along two, of all elements along more axes
** as of a vector, or of all elements.
*/
static int array_norm (lua_State *L) {
  Norm n;
  read_norm(L, &n);
  int x = push_floats(L, &n);
  if (is_spectral(&n))
    x = push_singular(L, &n, x);
  else if (n.ord == ORD_EUCLID || (n.p == 2 && !n.matrix))
    x = push_euclid(L, &n, x);
  else
    x = n.matrix ? push_matrix(L, &n, x) : push_vector(L, &n, x);
  array_push_cast(L, x, n.t);
  if (!n.keepdims)
    push_without(L, &n);
  return result_deliver_out(L, n.options, current_get_stream(L, n.a->dev));
}

/* ==} */

/* {== trace =========================================================== */

/* Pushes the diagonals for trace's arguments before the options. */
static int push_diagonals (lua_State *L, const Array *a, int options) {
  int axes[MAX_DIMS];
  argerror_check(L, a->ndim >= 2, 1, "at least two axes expected");
  if (is_given(L, 2, options))
    arg_check_integer(L, 2);
  if (is_given(L, 3, options))
    argerror_check(L, axes_check(L, 3, a->ndim, axes) == 2, 3,
                   "two axes expected");
  for (int i = 2; i < options; i++)
    lua_pushvalue(L, i);
  return composed_call(L, "diagonal", 1, options - 2);
}

/* trace(a [, k] [, axes] [, { dtype=, out= }]) -> the sums of the diagonals
** that tide.diagonal returns. */
static int array_trace (lua_State *L) {
  static const char *const names[] = {"dtype", "out", NULL};
  const Array *a = array_check(L, 1);
  int options = find_options(L, names);
  int view = push_diagonals(L, a, options);
  lua_createtable(L, 0, 1);
  if (lua_istable(L, options) && option_get(L, options, "dtype") != LUA_TNIL) {
    dtype_check(L, lua_gettop(L));
    lua_setfield(L, view + 1, "dtype");
  }
  lua_settop(L, view + 1);
  lua_pushinteger(L, -1);
  lua_insert(L, -2);
  composed_call(L, "sum", view, 2);
  return result_deliver_out(L, options, current_get_stream(L, a->dev));
}

/* ==} */

static const Function functions[] = {
  {"norm", array_norm, 4},
  {"trace", array_trace, 4},
  {NULL, NULL, 0},
};

void open_norm (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
