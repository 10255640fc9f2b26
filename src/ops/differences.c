/*
** differences.c - differences and areas along an axis: diff, trapezoid.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

/* {== neighbours ====================================================== */

/* Pushes the view of all elements but the first, or the last, along an axis.
** Returns the index. */
static int push_but_one (lua_State *L, int x, int axis, bool first) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, x);
  int64_t step = array_stride(a)[axis] * (int64_t)dtype_size(a->dtype);
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis]--;
  array_push_view(L, a, a->ndim, shape, array_stride(a),
                  a->off + (size_t)(first && shape[axis] > 0 ? step : 0));
  return lua_gettop(L);
}

/* Pushes op(each element, the one before it). */
static int push_pairs (lua_State *L, const char *op, int x, int axis) {
  int y = push_but_one(L, x, axis, true);
  return composed_binary(L, op, y, push_but_one(L, x, axis, false));
}

/* Pushes the differences; for bools, whether neighbours differ. */
static int push_differences (lua_State *L, int x, int axis) {
  bool truths = array_check(L, x)->dtype == DTYPE_BOOL;
  return push_pairs(L, truths ? "ne" : "sub", x, axis);
}

/* ==} */

/* {== diff ============================================================ */

static const char *const diff_options[] = {"axis", "append", "out", "prepend",
                                           NULL};

enum { PREPEND = 5, APPEND, OPTIONS }; /* indices of options, and of all */

/* Pushes the array or number at 'at', which comes before or after the array at
** 1, as an array with its axes. Returns false if there is none. */
static bool push_end (lua_State *L, int options, int at, const char *name,
                      int axis, RtStream *s) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, 1), *v = array_test(L, at);
  if (lua_isnil(L, at))
    return false;
  bool number = dtype_is_scalar(L, at);
  if (v == NULL && !number)
    argerror_raise(L, options,
                   "option '%s' must be a number or a tide.Array, got %s", name,
                   luaL_typename(L, at));
  if (number) {
    Element e;
    DType t = dtype_promote_scalar(L, at, a->dtype);
    const char *why = dtype_read_element(L, at, t, &e);
    if (why != NULL)
      argerror_raise(L, options, "option '%s': %s", name, why);
    v = array_new(L, a->dev, t, 0, NULL, s);
    array_fill_with(L, s, v, at);
  } else {
    lua_pushvalue(L, at);
  }
  array_check_open(L, options, v);
  array_check_devices(L, a, v);
  if (v->ndim == 0) {
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[axis] = 1;
    shape_push_broadcast(L, options, v, a->ndim, shape);
  }
  return true;
}

/* Pushes 'a', at 1, extended by the options prepend and append. */
static int push_extended (lua_State *L, int options, int axis, RtStream *s) {
  int x = 1;
  if (push_end(L, options, PREPEND, "prepend", axis, s)) {
    int before = lua_gettop(L);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, axis + 1);
    x = composed_call(L, "append", before, 2);
  }
  if (push_end(L, options, APPEND, "append", axis, s)) {
    lua_pushinteger(L, axis + 1);
    x = composed_call(L, "append", x, 2);
  }
  return x;
}

/*
** diff(a [, n] [, axis] [, { axis=, out=, prepend=, append= }]) -> the
** differences of neighbours along the axis, the last one by default; n times,
** 1 by default. For bools: whether they differ.
*/
/* Pushes an array like the one at 'x', which has no elements, after so many
** more differences. */
static void push_shorter (lua_State *L, int x, int axis, int64_t times,
                          RtStream *s) {
  int64_t shape[MAX_DIMS];
  const Array *a = array_check(L, x);
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = (shape[axis] > times) ? shape[axis] - times : 0;
  array_new(L, a->dev, (DType)a->dtype, a->ndim, shape, s);
}

static int array_diff (lua_State *L) {
  int axis = -1, options = lua_istable(L, 2) ? 2 : 3;
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int64_t n = (options == 2) ? 1 : arg_opt_integer(L, 2, 1);
  argerror_check(L, n >= 0, 2, "the number of times must not be negative");
  argerror_check(L, a->ndim > 0, 1, "at least one axis expected");
  if (options == 3)
    options = operand_opt_axis(L, 3, a->ndim, diff_options, &axis);
  else if (option_check(L, 2, diff_options))
    axis = axes_option_one(L, 2, false, a->ndim);
  entry_check_end(L, options + 1);
  axis = (axis < 0) ? a->ndim - 1 : axis;
  lua_settop(L, 4);
  composed_option(L, options, "prepend");
  composed_option(L, options, "append");
  lua_pushvalue(L, options);
  RtStream *s = current_get_stream(L, a->dev);
  int x = push_extended(L, options, axis, s);
  int below = lua_gettop(L);
  for (; n > 0 && array_check(L, x)->shape[axis] > 0; n--) {
    if (array_check(L, x)->size > 0 || x == 1) {
      push_differences(L, x, axis);
    } else {
      push_shorter(L, x, axis, n, s);
      n = 1;
    }
    lua_insert(L, below + 1);
    array_drop(L, below + 1); /* also the earlier differences */
    x = below + 1;
  }
  if (x == 1)
    composed_unary(L, "copy", 1);
  return result_deliver_out(L, OPTIONS, s);
}

/* ==} */

/* {== trapezoid ======================================================= */

static const char *const trapezoid_options[] = {"axis", "dx", "out", NULL};

/* Pushes the distances of the points at 2, for each pair of neighbours along
** an axis of 'a'. Returns 0 if there are no points. */
static int push_steps (lua_State *L, const Array *a, int axis) {
  int64_t shape[MAX_DIMS];
  Array *x = array_check(L, 2);
  array_check_devices(L, a, x);
  argerror_check(L, x->ndim == 1 || x->ndim == a->ndim, 2,
                 "points must have one axis, or as many as the array");
  int along = (x->ndim == 1) ? 0 : axis;
  if (x->shape[along] != a->shape[axis])
    argerror_raise(L, 2, "%I points for an axis of %I elements",
                   (LUAI_UACINT)x->shape[along], (LUAI_UACINT)a->shape[axis]);
  if (a->shape[axis] == 0)
    return 0;
  int steps = push_pairs(L, "sub", 2, along);
  if (x->ndim > 1)
    return steps;
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (i == axis) ? a->shape[axis] - 1 : 1;
  shape_push_reshaped(L, steps, a->ndim, shape);
  return lua_gettop(L);
}

/* Pushes the view without the axis, at its first or last element. Returns the
** index. */
static int push_end_of (lua_State *L, int x, int axis, bool last) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  Array *a = array_check(L, x);
  int64_t step = array_stride(a)[axis] * (int64_t)dtype_size(a->dtype);
  for (int i = 0, k = 0; i < a->ndim; i++) {
    if (i == axis)
      continue;
    shape[k] = a->shape[i];
    strides[k++] = array_stride(a)[i];
  }
  bool moves = last && a->size > 0;
  array_push_view(L, a, a->ndim - 1, shape, strides,
                  a->off + (size_t)(moves ? step * (a->shape[axis] - 1) : 0));
  return lua_gettop(L);
}

/* Pushes the area for points at distance one: each pair of neighbours counts
** half of both, so it is the sum without half of each end. */
static int push_even (lua_State *L, int y, int axis) {
  int ends = composed_binary(L, "add", push_end_of(L, y, axis, false),
                             push_end_of(L, y, axis, true));
  ends = composed_scalar(L, "mul", ends, 0.5);
  int inner = push_but_one(L, push_but_one(L, y, axis, true), axis, false);
  lua_pushinteger(L, axis + 1);
  return composed_binary(L, "add", composed_call(L, "sum", inner, 1), ends);
}

/* Pushes the sum of the areas under each pair of neighbours; 'd' has their
** distances, or else it is dx. */
static int push_uneven (lua_State *L, int y, int axis, int d, lua_Number dx) {
  int z = push_pairs(L, "add", y, axis);
  z = (d != 0) ? composed_binary(L, "mul", z, d)
               : composed_scalar(L, "mul", z, dx);
  z = composed_scalar(L, "div", z, 2);
  lua_pushinteger(L, axis + 1);
  return composed_call(L, "sum", z, 1);
}

/* Pushes the area of no points, with the usual dtype. */
static int push_nothing (lua_State *L, int y, int axis) {
  y = composed_scalar(L, "div", y, 2);
  lua_pushinteger(L, axis + 1);
  return composed_call(L, "sum", y, 1);
}

/*
** trapezoid(y [, x] [, { axis=, dx=, out= }]) -> the area under the lines
** between neighbours along an axis, the last one by default, at the points x,
** or at distance 'dx'.
*/
static int array_trapezoid (lua_State *L) {
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  int options = lua_istable(L, 2) ? 2 : 3, axis = -1;
  entry_check_end(L, options + 1);
  argerror_check(L, a->ndim > 0, 1, "at least one axis expected");
  if (option_check(L, options, trapezoid_options))
    axis = axes_option_one(L, options, false, a->ndim);
  lua_Number dx = lua_istable(L, options) ? option_number(L, options, "dx", 1)
                                          : 1;
  axis = (axis < 0) ? a->ndim - 1 : axis;
  lua_pushvalue(L, options);
  bool spaced = options == 3 && !lua_isnil(L, 2);
  RtStream *s = current_get_stream(L, a->dev);
  int d = spaced ? push_steps(L, a, axis) : 0, y = 1;
  if (a->dtype == DTYPE_BOOL) { /* sums need integers */
    lua_pushliteral(L, "int8");
    y = composed_call(L, "astype", 1, 1);
  }
  if (a->shape[axis] == 0)
    push_nothing(L, y, axis);
  else if (!spaced && a->shape[axis] > 1 && dtype_kind(a->dtype) >= KIND_FLOAT)
    composed_scalar(L, "mul", push_even(L, y, axis), dx);
  else
    push_uneven(L, y, axis, d, dx);
  return result_deliver_out(L, 4, s);
}

/* ==} */

static const Function functions[] = {
  {"diff", array_diff, 4},
  {"trapezoid", array_trapezoid, 3},
  {NULL, NULL, 0},
};

void open_differences (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
