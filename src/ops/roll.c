/*
** roll.c - roll: shifts elements along axes; those past the end come back at
** the start. It makes two copies to views of the result for each axis.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

/* Copies rows [from, from + n) of an axis to [to, to + n). */
static void move_rows (lua_State *L, RtStream *s, Array *z, Array *a, int axis,
                       int64_t from, int64_t to, int64_t n) {
  int64_t shape[MAX_DIMS], size = (int64_t)dtype_size(a->dtype);
  if (n == 0)
    return;
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = n;
  Array *x = array_push_view(L, a, a->ndim, shape, array_stride(a),
                             a->off +
                               (size_t)(from * array_stride(a)[axis] * size));
  Array *y = array_push_view(L, z, a->ndim, shape, array_stride(z),
                             z->off +
                               (size_t)(to * array_stride(z)[axis] * size));
  array_copyto(L, s, y, x);
  array_drop(L, lua_gettop(L) - 2);
}

/* Returns the number of distances at 2: an integer, or a list. */
static int count_distances (lua_State *L) {
  if (!lua_istable(L, 2))
    return arg_check_integer(L, 2), 1;
  lua_Unsigned n = lua_rawlen(L, 2);
  argerror_check(L, n <= MAX_DIMS, 2, "more than 32 distances");
  list_check(L, 2, n, "a list of distances; options are a table of their own");
  return (int)n;
}

/* Returns distance i, reduced to 0 to n - 1 for an axis of n elements. */
static int64_t read_distance (lua_State *L, int i, int64_t n) {
  int isint;
  axes_push_listed(L, 2, i);
  lua_Integer by = lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER)
    argerror_raise(L, 2, "distance %d must be an integer, got %s", i + 1,
                   luaL_typename(L, -1));
  lua_pop(L, 1);
  return by % n + (by % n < 0 ? n : 0);
}

/* Finds the shift of each axis of 'x': one of as many distances, the only one,
** or, with one axis, the sum of all of them. */
static void find_shifts (lua_State *L, const Array *x, int n, const int *axes,
                         int given, int64_t shifts[]) {
  if (given != n && given != 1 && n != 1)
    argerror_raise(L, 2, "%d distances for %d axes", given, n);
  for (int i = 0; i < n; i++) {
    int64_t length = x->shape[axes[i]];
    int first = (given == n) ? i : 0, last = (n == 1) ? given : first + 1;
    shifts[i] = 0;
    for (int k = first; k < last; k++)
      shifts[i] = (shifts[i] + read_distance(L, k, length)) % length;
  }
}

/* y = x, shifted along one axis after the other. */
static void move_axes (lua_State *L, RtStream *s, Array *y, Array *x, int n,
                       const int *axes, const int64_t *shifts) {
  int left = 0;
  for (int i = 0; i < n; i++)
    left += (shifts[i] != 0);
  if (left == 0)
    array_copyto(L, s, y, x);
  for (int i = 0; i < n; i++) {
    int64_t length = x->shape[axes[i]], by = shifts[i];
    if (by == 0)
      continue;
    Array *to = (--left == 0)
                  ? y
                  : array_new(L, x->dev, x->dtype, x->ndim, x->shape, s);
    move_rows(L, s, to, x, axes[i], 0, by, length - by);
    move_rows(L, s, to, x, axes[i], length - by, 0, by);
    x = to;
  }
}

/* roll(a, by [, axis] [, { axis=, out= }]) -> elements shifted along an axis,
** from its end to its start; by default along 'a' as a 1-d array. Distances and
** axes may be lists. */
static int array_roll (lua_State *L) {
  int axes[MAX_DIMS], n;
  int64_t shifts[MAX_DIMS];
  lua_settop(L, 4);
  Array *a = array_check(L, 1);
  int given = count_distances(L);
  int64_t size = (int64_t)a->size;
  int options = operand_opt_axes(L, 3, a->ndim, operand_axis_out, axes, &n);
  RtStream *s = current_get_stream(L, a->dev);
  Array *z = array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
  if (size == 0)
    return result_deliver_out(L, options, s);
  Array *x = a, *y = z;
  if (n < 0) {
    x = shape_push_reshaped(L, 1, 1, &size);
    y = array_push_view(L, z, 1, &size, NULL, z->off);
    axes[0] = 0;
    n = 1;
  }
  find_shifts(L, x, n, axes, given, shifts);
  move_axes(L, s, y, x, n, axes, shifts);
  array_drop(L, 5);
  return result_deliver_out(L, options, s);
}

static const Function functions[] = {
  {"roll", array_roll, 4},
  {NULL, NULL, 0},
};

void open_roll (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
