/*
** gradient.c - the slope of an array along its axes: gradient. Between
** neighbours it is a weighted sum of three elements, at the ends of two, or of
** three if the option 'edge_order' is 2.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/list.h"
#include "base/option.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"

/* The slope along one axis. */
typedef struct Slope {
  RtStream *s;
  int x, z;    /* indices of the floats, and of the result */
  int axis;    /* from 0 */
  int64_t n;   /* elements along it */
  int spacing; /* index of a number, or of the distances between neighbours */
  bool second; /* ends of three elements */
} Slope;

/* {== views =========================================================== */

/* Pushes the view of 'n' elements along an axis, from element 'from' on. */
static int push_part (lua_State *L, int x, int axis, int64_t from, int64_t n) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, x);
  int64_t at = from * array_stride(a)[axis] * (int64_t)dtype_size(a->dtype);
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = n;
  array_push_view(L, a, a->ndim, shape, array_stride(a),
                  a->off + (size_t)(a->size > 0 ? at : 0));
  return lua_gettop(L);
}

/* Pushes element i of the array, -1 for the last one. */
static int push_element (lua_State *L, const Slope *k, int64_t i) {
  return push_part(L, k->x, k->axis, i < 0 ? k->n + i : i, 1);
}

/* z[from] ... z[from + n - 1] = y */
static void put (lua_State *L, const Slope *k, int64_t from, int64_t n, int y) {
  y = composed_astype(L, y, array_check(L, k->z)->dtype);
  int z = push_part(L, k->z, k->axis, from, n);
  array_copyto(L, k->s, array_check(L, z), array_check(L, y));
}

/* ==} */

/* {== even distances ================================================== */

/* Pushes (y - x) / (distance * by). */
static int push_slope (lua_State *L, const Slope *k, int y, int x, double by) {
  int d = composed_binary(L, "sub", y, x);
  return composed_scalar(L, "div_", d, lua_tonumber(L, k->spacing) * by);
}

/* The end at element 'at' is (3 y - 4 x + w) / (2 distances), where x is the
** next element and w the one behind it; 'sign' is the way to them. */
static int push_even_end (lua_State *L, const Slope *k, int64_t at, int sign) {
  int y = push_element(L, k, at), x = push_element(L, k, at + sign);
  if (!k->second)
    return push_slope(L, k, sign > 0 ? x : y, sign > 0 ? y : x, 1);
  double h = sign * lua_tonumber(L, k->spacing);
  y = composed_scalar(L, "mul", y, -1.5 / h);
  y = composed_binary(L, "add", y, composed_scalar(L, "mul", x, 2 / h));
  x = push_element(L, k, at + 2 * sign);
  return composed_binary(L, "add", y, composed_scalar(L, "mul", x, -0.5 / h));
}

static void fill_even (lua_State *L, const Slope *k) {
  int64_t inner = k->n - 2;
  if (inner > 0) {
    int after = push_part(L, k->x, k->axis, 2, inner);
    int before = push_part(L, k->x, k->axis, 0, inner);
    put(L, k, 1, inner, push_slope(L, k, after, before, 2));
  }
  put(L, k, 0, 1, push_even_end(L, k, 0, 1));
  put(L, k, k->n - 1, 1, push_even_end(L, k, -1, -1));
}

/* ==} */

/* {== uneven distances ================================================ */

/* Pushes x / (y * z). */
static int push_ratio (lua_State *L, int x, int y, int z) {
  return composed_binary(L, "div", x, composed_binary(L, "mul", y, z));
}

/* Pushes a x + b y + c z. */
static int push_weighted (lua_State *L, const int w[3], const int x[3]) {
  int sum = composed_binary(L, "mul", w[0], x[0]);
  for (int i = 1; i < 3; i++)
    sum = composed_binary(L, "add", sum, composed_binary(L, "mul", w[i], x[i]));
  return sum;
}

/* Pushes 'n' distances from number 'from' on. */
static int push_distances (lua_State *L, const Slope *k, int64_t from,
                           int64_t n) {
  return push_part(L, k->spacing, k->axis, from, n);
}

/* Each element between two neighbours, at distances g and h. */
static void fill_inner (lua_State *L, const Slope *k) {
  int64_t n = k->n - 2;
  int g = push_distances(L, k, 0, n), h = push_distances(L, k, 1, n), x[3];
  int both = composed_binary(L, "add", g, h);
  int w[] = {
    composed_unary(L, "neg", push_ratio(L, h, g, both)),
    push_ratio(L, composed_binary(L, "sub", h, g), g, h),
    push_ratio(L, g, h, both),
  };
  for (int i = 0; i < 3; i++)
    x[i] = push_part(L, k->x, k->axis, i, n);
  put(L, k, 1, n, push_weighted(L, w, x));
}

/* Pushes the end whose elements are x[0], x[1], x[2] and their distances g and
** h, seen from there; 'sign' is the way to them. */
static int push_bent_end (lua_State *L, const int x[3], int g, int h,
                          int sign) {
  int both = composed_binary(L, "add", g, h);
  int first = composed_binary(L, "add", g, both);
  int w[] = {
    composed_unary(L, "neg", push_ratio(L, first, g, both)),
    push_ratio(L, both, g, h),
    composed_unary(L, "neg", push_ratio(L, g, h, both)),
  };
  int z = push_weighted(L, w, x);
  return sign > 0 ? z : composed_unary(L, "neg", z);
}

static int push_uneven_end (lua_State *L, const Slope *k, int64_t at,
                            int sign) {
  int64_t last = k->n - 2;
  int x[3], g = push_distances(L, k, sign > 0 ? 0 : last, 1);
  for (int i = 0; i < 2 + k->second; i++)
    x[i] = push_element(L, k, at + i * sign);
  if (k->second)
    return push_bent_end(L, x, g,
                         push_distances(L, k, sign > 0 ? 1 : last - 1, 1),
                         sign);
  int d = composed_binary(L, "sub", x[sign > 0], x[sign < 0]);
  return composed_binary(L, "div", d, g);
}

static void fill_uneven (lua_State *L, const Slope *k) {
  if (k->n > 2)
    fill_inner(L, k);
  put(L, k, 0, 1, push_uneven_end(L, k, 0, 1));
  put(L, k, k->n - 1, 1, push_uneven_end(L, k, -1, -1));
}

/* ==} */

/* {== arguments ======================================================= */

/* Pushes the spacing of axis number i of 'n': the argument at 2, or an element
** of it, or 1. */
static void push_spacing (lua_State *L, int i, int n, bool given) {
  if (!given || lua_isnil(L, 2)) {
    lua_pushinteger(L, 1);
  } else if (lua_istable(L, 2)) {
    lua_Unsigned own = lua_rawlen(L, 2);
    list_check(L, 2, own,
               "a list of spacings; options are a table of their "
               "own");
    argerror_check(L, own == (lua_Unsigned)n, 2,
                   "a list has one spacing for each axis, %d, got %d; "
                   "coordinates are a tide.Array",
                   n, (int)own);
    lua_rawgeti(L, 2, i + 1);
  } else {
    lua_pushvalue(L, 2);
  }
}

/* Raises unless the value on the top is a number, or coordinates for an axis of
** n elements. */
static void check_spacing (lua_State *L, const Array *a, int64_t n) {
  const Array *x = array_test(L, -1);
  if (x == NULL && lua_type(L, -1) != LUA_TNUMBER)
    argerror_raise(L, 2, "a number or a tide.Array expected, got %s",
                   luaL_typename(L, -1));
  if (x == NULL)
    return;
  array_check_open(L, 2, x);
  array_check_devices(L, a, x);
  argerror_check(L, dtype_kind(x->dtype) != KIND_COMPLEX, 2,
                 "real coordinates expected");
  argerror_check(L, x->ndim == 1, 2, "coordinates must have one axis, have %d",
                 x->ndim);
  if (x->shape[0] != n)
    argerror_raise(L, 2, "%I coordinates for an axis of %I elements",
                   (LUAI_UACINT)x->shape[0], (LUAI_UACINT)n);
}

/* Pushes the distances of coordinates, with the axes of 'a', and uses them
** instead. */
static void measure (lua_State *L, Slope *k, const Array *a) {
  int64_t shape[MAX_DIMS];
  Array *x = array_test(L, k->spacing);
  if (x == NULL)
    return;
  int points = k->spacing;
  if (dtype_kind(x->dtype) != KIND_FLOAT)
    points = composed_astype(L, points, DTYPE_FLOAT64);
  int d = composed_unary(L, "diff", points);
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (i == k->axis) ? k->n - 1 : 1;
  shape_push_reshaped(L, d, a->ndim, shape);
  k->spacing = lua_gettop(L);
}

/* Pushes the slopes along the axis of the floats at k->x. */
static void push_slopes (lua_State *L, Slope *k) {
  Array *a = array_check(L, k->x);
  k->n = a->shape[k->axis];
  array_new(L, a->dev, a->dtype, a->ndim, a->shape, k->s);
  k->z = lua_gettop(L);
  if (a->size == 0)
    return;
  measure(L, k, a);
  (lua_isuserdata(L, k->spacing) ? fill_uneven : fill_even)(L, k);
  array_drop(L, k->z);
}

/* Reads the option: 1 or 2. */
static int read_order (lua_State *L, int options) {
  int order = lua_istable(L, options)
                ? (int)option_integer(L, options, "edge_order", 1)
                : 1;
  argerror_check(L, order == 1 || order == 2, options,
                 "option 'edge_order' must be 1 or 2");
  return order;
}

enum { LAST = 3 };

/*
** gradient(a [, spacing] [, { axis=, edge_order= }]) -> for each axis the
** slope along it. The spacing is a distance, coordinates, or a list of those.
*/
static int array_gradient (lua_State *L) {
  static const char *const names[] = {"axis", "edge_order", NULL};
  int axes[MAX_DIMS], n = -1;
  lua_settop(L, LAST);
  Array *a = array_check(L, 1);
  bool list = lua_istable(L, 2) && lua_rawlen(L, 2) > 0;
  int options = (lua_istable(L, 2) && !list) ? 2 : 3;
  entry_check_end(L, options + 1);
  argerror_check(L, a->ndim > 0, 1, "at least one axis expected");
  if (option_check(L, options, names))
    n = axes_option(L, options, false, a->ndim, axes);
  for (int i = n < 0 ? 0 : a->ndim; i < a->ndim; i++)
    axes[i] = i;
  n = (n < 0) ? a->ndim : n;
  int order = read_order(L, options);
  luaL_checkstack(L, n + 8, NULL);
  RtStream *s = current_get_stream(L, a->dev);
  for (int i = 0; i < n; i++) {
    if (a->shape[axes[i]] <= order)
      argerror_raise(L, 1, "axis %d must have at least %d elements, has %I",
                     axes[i] + 1, order + 1, (LUAI_UACINT)a->shape[axes[i]]);
    push_spacing(L, i, n, options == 3);
    check_spacing(L, a, a->shape[axes[i]]);
  }
  array_push_cast(L, 1,
                  dtype_kind(a->dtype) < KIND_FLOAT ? DTYPE_FLOAT64 : a->dtype);
  Slope k = {.s = s, .x = lua_gettop(L), .second = order == 2};
  for (int i = 0; i < n; i++) {
    k.axis = axes[i];
    k.spacing = LAST + 1 + i;
    push_slopes(L, &k);
  }
  lua_rotate(L, LAST + n + 1, n);
  array_drop(L, LAST + 2 * n);
  return n;
}

/* ==} */

static const Function functions[] = {
  {"gradient", array_gradient, 3},
  {NULL, NULL, 0},
};

void open_gradient (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
