/*
** insert.c - arrays with more elements, or fewer, along an axis: append,
** insert, delete. Each copies runs of the array that stay together.
*/
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "indices.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/dtypes.h"

/* {== parts =========================================================== */

/* Pushes the view of n elements along an axis, from 'at' on. */
static Array *push_run (lua_State *L, Array *a, int axis, int64_t at,
                        int64_t n) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = n;
  return array_push_view(L, a, a->ndim, shape, array_stride(a),
                         a->off + (size_t)(at * array_stride(a)[axis] *
                                           (int64_t)dtype_size(a->dtype)));
}

/* Copies n elements along the axis. */
static void copy_run (lua_State *L, RtStream *s, Array *z, int64_t to, Array *a,
                      int64_t from, int64_t n, int axis) {
  if (n == 0)
    return;
  Array *y = push_run(L, z, axis, to, n), *x = push_run(L, a, axis, from, n);
  array_copyto(L, s, y, x);
  array_drop(L, lua_gettop(L) - 2);
}

/* Describes a result like 'a' with 'by' more elements along the axis. */
static void be_longer (Like *like, const Array *a, int axis, int64_t by) {
  *like = (Like){.of = a, .ndim = a->ndim, .shape = like->wide};
  memcpy(like->wide, a->shape, (size_t)a->ndim * sizeof *like->wide);
  like->wide[axis] += by;
}

/* Pushes the array at 1; without an axis as a 1-d one, with axis 0. */
static Array *push_along (lua_State *L, int *axis) {
  Array *a = array_check(L, 1);
  int64_t size = (int64_t)a->size;
  if (*axis >= 0) {
    lua_pushvalue(L, 1);
    return a;
  }
  *axis = 0;
  return shape_push_reshaped(L, 1, 1, &size);
}

/* ==} */

/* {== values ========================================================== */

/* Returns the common dtype of the values at 'arg' and an array of 't'. A number
** or a table of numbers does not widen an array of its kind. */
static DType common_dtype (lua_State *L, int arg, DType t, const Array *v) {
  if (array_test(L, arg) != NULL)
    return dtype_promote(t, v->dtype);
  if (dtype_kind(v->dtype) <= dtype_kind(t))
    return t;
  return (dtype_kind(t) < KIND_FLOAT) ? (DType)v->dtype
                                      : dtype_promote(t, v->dtype);
}

/* Pushes the table at 'arg' as an array beside 'a'; dtype -1: that of its
** elements. */
static Array *push_table (lua_State *L, int arg, const Array *a, RtStream *s,
                          int dtype) {
  DType floats = dtype_floats_beside(L, (DType)a->dtype);
  Array *h = array_push_table_as(L, arg, a->dev, dtype, floats);
  Array *v = array_new(L, a->dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, v, h);
  array_release(h);
  lua_remove(L, -2);
  return v;
}

/* Pushes the values at 'arg', an array, a table or a number, as an array on the
** device of 'a'. Values without a dtype get the given one, or with -1 their
** own. */
static Array *push_values (lua_State *L, int arg, Array *a, RtStream *s,
                           int dtype) {
  Array *v = array_test(L, arg);
  if (v != NULL) {
    array_check_open(L, arg, v);
    array_check_devices(L, a, v);
    lua_pushvalue(L, arg);
    return v;
  }
  if (dtype_is_scalar(L, arg)) {
    DType floats = dtype_floats_beside(L, (DType)a->dtype);
    DType t = (dtype < 0) ? dtype_infer_as(L, arg, floats) : (DType)dtype;
    v = array_new(L, a->dev, t, 0, NULL, s);
    array_fill_with(L, s, v, arg);
    return v;
  }
  if (!lua_istable(L, arg))
    type_error(L, arg, "tide.Array, table or number");
  return push_table(L, arg, a, s, dtype);
}

/* ==} */

/* {== append ========================================================== */

/* Raises unless 'a' and the values have the same shape except along the
** axis. */
static void check_appended (lua_State *L, const Array *a, const Array *v,
                            int axis) {
  bool fits = (v->ndim == a->ndim);
  for (int i = 0; fits && i < a->ndim; i++)
    fits = (i == axis || v->shape[i] == a->shape[i]);
  if (fits)
    return;
  array_push_shape(L, v);
  array_push_shape(L, a);
  argerror_raise(L, 2, "values of shape %s do not go with an array of shape %s",
                 lua_tostring(L, -2), lua_tostring(L, -1));
}

/* Pushes the values at 2, in the dtype of the result if they are integers of
** the program, because it must have them. */
static Array *push_appended (lua_State *L, Array *a, RtStream *s, DType *t) {
  Array *v = push_values(L, 2, a, s, -1);
  *t = common_dtype(L, 2, a->dtype, v);
  if (array_test(L, 2) != NULL || *t == v->dtype ||
      dtype_kind(*t) != KIND_INTEGER || dtype_kind(v->dtype) != KIND_INTEGER)
    return v;
  array_drop(L, lua_gettop(L) - 1);
  return push_values(L, 2, a, s, *t);
}

/* Copies the array at 'from' behind the first 'at' elements of z. */
static void put_behind (lua_State *L, RtStream *s, Array *z, int64_t at,
                        int from, int axis) {
  Array *x = array_push_cast(L, from, z->dtype);
  copy_run(L, s, z, at, x, 0, x->shape[axis], axis);
  array_drop(L, lua_gettop(L) - 1);
}

/*
** append(a, values [, axis] [, { axis=, out= }]) -> the elements of 'a', then
** the values, along an axis; by default both as 1-d arrays.
*/
static int array_append (lua_State *L) {
  Like like;
  Target to;
  int axis;
  Array *a = array_check(L, 1);
  lua_settop(L, 4);
  int options = operand_opt_axis(L, 3, a->ndim, operand_axis_out, &axis);
  bool flat = (axis < 0);
  a = push_along(L, &axis);
  RtStream *s = current_get_stream(L, a->dev);
  DType t;
  Array *v = push_appended(L, a, s, &t);
  int64_t size = (int64_t)v->size;
  if (flat)
    v = shape_push_reshaped(L, lua_gettop(L), 1, &size);
  int values = lua_gettop(L);
  check_appended(L, a, v, axis);
  be_longer(&like, a, axis, v->shape[axis]);
  operand_push_out(L, &to, options, &like, t, s, a, v);
  put_behind(L, s, to.z, 0, 5, axis);
  put_behind(L, s, to.z, a->shape[axis], values, axis);
  return operand_return(L, &to, s);
}

/* ==} */

/* {== places ========================================================== */

/* A place along the axis, from 0, and its index in the list. */
typedef struct InsertPlace {
  int64_t at, order;
} InsertPlace;

static int compare_places (const void *p, const void *q) {
  const InsertPlace *x = p, *y = q;
  if (x->at != y->at)
    return (x->at < y->at) ? -1 : 1;
  return (x->order < y->order) ? -1 : 1;
}

/* Returns the place for the index on the top (popped), on an axis of n
** elements; 'more': it may be behind the last one. */
static int64_t pop_place (lua_State *L, int64_t n, bool more) {
  int isint;
  lua_Integer i = lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER)
    argerror_raise(L, 2, "an index must be an integer, got %s",
                   luaL_typename(L, -1));
  lua_pop(L, 1);
  if (i == 0 || i > n + more || i < -n)
    argerror_raise(L, 2, "%s", indices_push_error(L, i, 0, (size_t)n, 1));
  return (i < 0) ? i + n : i - 1;
}

/* Pushes memory with the places for the index at 2, or a list of indices, in
** order. */
static const InsertPlace *push_places (lua_State *L, int64_t n, bool more,
                                       size_t *count) {
  bool list = lua_istable(L, 2);
  *count = list ? (size_t)lua_rawlen(L, 2) : 1;
  if (list)
    list_check(L, 2, *count,
               "a list of indices; options are a table of their own");
  InsertPlace *p = class_new_memory(L, (*count + 1) * sizeof *p);
  for (size_t i = 0; i < *count; i++) {
    if (list)
      lua_rawgeti(L, 2, (lua_Integer)i + 1);
    else
      lua_pushvalue(L, 2);
    p[i] = (InsertPlace){pop_place(L, n, more), (int64_t)i};
  }
  qsort(p, *count, sizeof *p, compare_places);
  return p;
}

static void check_places (lua_State *L) {
  if (!lua_istable(L, 2) && lua_type(L, 2) != LUA_TNUMBER)
    type_error(L, 2, "integer or table");
}

/* ==} */

/* {== insert ========================================================== */

/*
** Pushes the values on the top in the shape for one place along the axis of an
** array of 'ndim' axes: their axes become its last ones; or, if the index is no
** list, the first one becomes the axis.
*/
static Array *push_block (lua_State *L, Array *v, int ndim, int axis) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  int lacks = ndim - v->ndim, first = lua_istable(L, 2) ? axis : 0;
  for (int i = 0; i < ndim; i++) {
    int from = (i == axis) ? first : (first < axis && i < axis) ? i + 1 : i;
    shape[i] = (from < lacks) ? 1 : v->shape[from - lacks];
    strides[i] = (from < lacks) ? 0 : array_stride(v)[from - lacks];
  }
  return array_push_view(L, v, ndim, shape, strides, v->off);
}

/* Pushes the values at 3 for so many places of 'a'. */
static Array *push_inserted (lua_State *L, RtStream *s, Array *a, int axis,
                             size_t count) {
  int64_t shape[MAX_DIMS];
  push_values(L, 3, a, s, a->dtype);
  Array *v = array_push_cast(L, lua_gettop(L), a->dtype);
  if (v->ndim > a->ndim)
    argerror_raise(L, 3, "values of %d axes do not go into an array of %d",
                   v->ndim, a->ndim);
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[axis] = (int64_t)count;
  if (count == 1) {
    v = push_block(L, v, a->ndim, axis);
    shape[axis] = v->shape[axis];
  }
  return shape_push_broadcast(L, 3, v, a->ndim, shape);
}

/* z = a with v inserted at the places: a part at each, or all at one. */
static void insert (lua_State *L, RtStream *s, Array *z, Array *a, Array *v,
                    const InsertPlace *p, size_t count, int axis) {
  int64_t from = 0, to = 0, n = (count == 1) ? v->shape[axis] : 1;
  for (size_t i = 0; i < count; i++) {
    copy_run(L, s, z, to, a, from, p[i].at - from, axis);
    to += p[i].at - from;
    from = p[i].at;
    copy_run(L, s, z, to, v, p[i].order, n, axis);
    to += n;
  }
  copy_run(L, s, z, to, a, from, a->shape[axis] - from, axis);
}

/*
** insert(a, index, values [, axis] [, { axis=, out= }]) -> 'a' with values
** inserted before the element at the index, or at each index of a list; without
** an axis, into 'a' as a 1-d array.
*/
static int array_insert (lua_State *L) {
  Like like;
  Target to;
  int axis;
  size_t count;
  Array *a = array_check(L, 1);
  check_places(L);
  lua_settop(L, 5);
  int options = operand_opt_axis(L, 4, a->ndim, operand_axis_out, &axis);
  a = push_along(L, &axis);
  const InsertPlace *p = push_places(L, a->shape[axis], true, &count);
  RtStream *s = current_get_stream(L, a->dev);
  Array *v = push_inserted(L, s, a, axis, count);
  be_longer(&like, a, axis, v->shape[axis]);
  operand_push_out(L, &to, options, &like, a->dtype, s, a, v);
  insert(L, s, to.z, a, v, p, count, axis);
  return operand_return(L, &to, s);
}

/* ==} */

/* {== delete ========================================================== */

/* Counts the different places. */
static int64_t count_different (const InsertPlace *p, size_t count) {
  int64_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += (i == 0 || p[i].at != p[i - 1].at);
  return n;
}

/* z = a without those places. */
static void without (lua_State *L, RtStream *s, Array *z, Array *a,
                     const InsertPlace *p, size_t count, int axis) {
  int64_t from = 0, to = 0;
  for (size_t i = 0; i < count; i++) {
    if (p[i].at < from)
      continue;
    copy_run(L, s, z, to, a, from, p[i].at - from, axis);
    to += p[i].at - from;
    from = p[i].at + 1;
  }
  copy_run(L, s, z, to, a, from, a->shape[axis] - from, axis);
}

/*
** delete(a, index [, axis] [, { axis=, out= }]) -> 'a' without the element at
** the index, or at each index of a list; without an axis, of 'a' as a 1-d
** array.
*/
static int array_delete (lua_State *L) {
  Like like;
  Target to;
  int axis;
  size_t count;
  Array *a = array_check(L, 1);
  check_places(L);
  lua_settop(L, 4);
  int options = operand_opt_axis(L, 3, a->ndim, operand_axis_out, &axis);
  a = push_along(L, &axis);
  const InsertPlace *p = push_places(L, a->shape[axis], false, &count);
  RtStream *s = current_get_stream(L, a->dev);
  be_longer(&like, a, axis, -count_different(p, count));
  operand_push_out(L, &to, options, &like, a->dtype, s, a, NULL);
  without(L, s, to.z, a, p, count, axis);
  return operand_return(L, &to, s);
}

/* ==} */

static const Function functions[] = {
  {"append", array_append, 4},
  {"delete", array_delete, 4},
  {"insert", array_insert, 5},
  {NULL, NULL, 0},
};

void open_insert (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
