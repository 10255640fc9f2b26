/*
** index.c - a[key]: an element or a view. A key is an integer or a table with a
** component for each of the first axes: an integer, which drops the axis, or a
** range {first, last, step}, each part of which is optional. A key may also be
** an array, which selects elements by their places: see src/ops/.
*/
#include "base/arg.h"
#include "base/error.h"
#include "base/option.h"
#include "base/type.h"
#include "index.h"

#include <string.h>

#include "array.h"
#include "axes.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/list.h"
#include "base/state.h"
#include "dtype.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"

/* {== components ====================================================== */

/* Takes one element of axis 'axis', and drops the axis. */
static void take_index (IndexPart *p, const Array *a, int axis, int64_t i) {
  p->at += i * array_stride(a)[axis];
}

static void take_axis (IndexPart *p, int64_t n, int64_t stride) {
  p->shape[p->ndim] = n;
  p->strides[p->ndim++] = stride;
}

static void take_rest (IndexPart *p, const Array *a, int axis) {
  for (; axis < a->ndim; axis++)
    take_axis(p, a->shape[axis], array_stride(a)[axis]);
}

/* Counts from i to j (both from 1) by 'step'; -1 if they are out of range. */
static int64_t count (lua_Integer i, lua_Integer j, lua_Integer step,
                      int64_t n) {
  uint64_t by = (step < 0) ? 0 - (uint64_t)step : (uint64_t)step;
  lua_Integer low = (step < 0) ? j : i, high = (step < 0) ? i : j;
  if (low < 1 || high > n || high < low - 1)
    return -1;
  return (high < low) ? 0 : (int64_t)((uint64_t)(high - low) / by) + 1;
}

/* Takes elements 'bound[0]' to 'bound[1]' of the axis. */
static void take_range (lua_State *L, IndexPart *p, const Array *a, int axis,
                        const lua_Integer bound[3]) {
  int64_t n = a->shape[axis], stride = array_stride(a)[axis];
  lua_Integer i = bound[0] < 0 ? bound[0] + n + 1 : bound[0];
  lua_Integer j = bound[1] < 0 ? bound[1] + n + 1 : bound[1];
  if (bound[2] == 0)
    error_raise(L, "the step of a range must not be 0");
  int64_t size = count(i, j, bound[2], n);
  if (size < 0 && bound[2] > 0 && i <= n && j >= 1 && j < i)
    error_raise(L,
                "range {%I, %I} ends before it begins; backwards is {%I, %I, "
                "-1}",
                (LUAI_UACINT)bound[0], (LUAI_UACINT)bound[1],
                (LUAI_UACINT)bound[0], (LUAI_UACINT)bound[1]);
  if (size < 0)
    error_raise(L, "range {%I, %I} is out of range for an axis of %I elements",
                (LUAI_UACINT)bound[0], (LUAI_UACINT)bound[1], (LUAI_UACINT)n);
  if (size > 0)
    p->at += (i - 1) * stride;
  take_axis(p, size, size > 1 ? stride * bound[2] : stride);
}

/* Reads the range on the top: {first, last, step}; all optional. */
static void read_range (lua_State *L, IndexPart *p, const Array *a, int axis) {
  lua_Integer bound[3] = {1, -1, 1};
  lua_Unsigned given = 0;
  int t = lua_gettop(L);
  if (lua_rawlen(L, t) > 3)
    error_raise(L,
                "a range is {first, last, step}; got %I values; those at "
                "several places are a[tide.array{...}]",
                (LUAI_UACINT)lua_rawlen(L, t));
  for (int i = 2; i >= 0; i--) {
    int isint = lua_rawgeti(L, t, i + 1) == LUA_TNUMBER;
    given += !lua_isnil(L, -1);
    if (isint)
      bound[i] = lua_tointegerx(L, -1, &isint);
    if (!isint && !lua_isnil(L, -1))
      error_raise(L, "the bounds of a range must be integers");
    if (i == 2 && bound[2] < 0) { /* backwards: defaults cover all */
      bound[0] = -1;
      bound[1] = 1;
    }
    lua_pop(L, 1);
  }
  list_check_of(L, NULL, t, given,
                "a range, which is {first, last, step} without names");
  take_range(L, p, a, axis, bound);
}

/* ==} */

/* {== keys ============================================================ */

enum { SHOWN = 8 }; /* indices in a message */

/* Returns the end of the message that an index is out of range. */
static const char *from_one (lua_Integer i) {
  return i == 0 ? ": indices count from 1" : "";
}

static void refuse_array (lua_State *L) {
  error_raise(L, "an array is an index alone, and of a tide.Array: a[mask], "
                 "a[indices]; along another axis than the first there are "
                 "a:take(indices, axis) and a:put(indices, x, axis)");
}

/* Raises for any key, because the array has no axes. */
static int refuse_axes (lua_State *L) {
  return error_raise(L, "a 0-d array has no elements to index; use :item(), or "
                        ":fill(x) to set it");
}

static void read_integer (lua_State *L, const Array *a, int key, IndexPart *p) {
  int isint;
  lua_Integer i = lua_tointegerx(L, key, &isint);
  if (array_test_any(L, key) != NULL)
    refuse_array(L);
  if (!isint)
    error_raise(L, "array index must be an integer%s, got %s",
                a->object.class == &array_host_class
                  ? " or a table"
                  : ", a table or an array of integers or bools",
                lua_type(L, key) == LUA_TNUMBER ? type_push_number(L, key)
                                                : type_push_name(L, key));
  int64_t row = axes_resolve(i, a->shape[0]);
  if (row < 0)
    error_raise(L, "index %I is out of range for an axis of %I elements%s",
                (LUAI_UACINT)i, (LUAI_UACINT)a->shape[0], from_one(i));
  take_index(p, a, 0, row);
}

/* Tells whether the table at 'key' is a list of integers only. */
static bool is_list (lua_State *L, int key, lua_Unsigned n) {
  bool all = true;
  for (lua_Unsigned i = 1; i <= n && all; i++) {
    lua_rawgeti(L, key, (lua_Integer)i);
    all = lua_isinteger(L, -1);
    lua_pop(L, 1);
  }
  return all;
}

/* Pushes a hint how to select elements of the first axis, because a list of
** integers may be meant for that. */
static const char *push_choosing (lua_State *L, const Array *a, int key) {
  luaL_Buffer b;
  lua_Unsigned n = lua_rawlen(L, key);
  if (n < 2 || n > SHOWN || !is_list(L, key, n))
    return lua_pushliteral(L, "");
  luaL_buffinit(L, &b);
  for (lua_Unsigned i = 1; i <= n; i++) {
    if (i > 1)
      luaL_addstring(&b, ", ");
    lua_rawgeti(L, key, (lua_Integer)i);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  const char *list = lua_tostring(L, -1);
  if (a->object.class == &array_host_class)
    return lua_pushfstring(
      L, "; those at several places are tide.asarray(h)[tide.array{%s}]", list);
  return lua_pushfstring(L,
                         "; those at several places are a[tide.array{%s}], or "
                         "a:take({%s}, 1)",
                         list, list);
}

/* Reads the component on the top. */
static void read_component (lua_State *L, const Array *a, int key, int axis,
                            IndexPart *p) {
  int isint;
  if (lua_istable(L, -1)) {
    read_range(L, p, a, axis);
    return;
  }
  lua_Integer i = lua_tointegerx(L, -1, &isint);
  if (array_test_any(L, -1) != NULL)
    refuse_array(L);
  if (!isint || lua_type(L, -1) != LUA_TNUMBER)
    error_raise(L,
                "index of axis %d must be an integer or a range {first, last, "
                "step}, got %s",
                axis + 1,
                lua_type(L, -1) == LUA_TNUMBER ? type_push_number(L, -1)
                                               : type_push_name(L, -1));
  int64_t place = axes_resolve(i, a->shape[axis]);
  if (place < 0)
    error_raise(L, "index %I is out of range for axis %d of %I elements%s%s",
                (LUAI_UACINT)i, axis + 1, (LUAI_UACINT)a->shape[axis],
                from_one(i),
                axis > 0 && axes_resolve(i, a->shape[0]) >= 0
                  ? push_choosing(L, a, key)
                  : "");
  take_index(p, a, axis, place);
}

void index_read_key (lua_State *L, const Array *a, int key, IndexPart *p) {
  int axis = 0;
  p->at = 0;
  p->ndim = 0;
  if (a->ndim == 0 && (!lua_istable(L, key) || lua_rawlen(L, key) > 0))
    refuse_axes(L);
  if (!lua_istable(L, key)) {
    read_integer(L, a, key, p);
    axis = 1;
  } else {
    lua_Unsigned n = lua_rawlen(L, key);
    if (n > (lua_Unsigned)a->ndim)
      error_raise(L,
                  "%I indices for an array of %d %s: a key has one for each "
                  "axis%s; a range is written a[{ {first, last} }]",
                  (LUAI_UACINT)n, a->ndim, a->ndim == 1 ? "axis" : "axes",
                  push_choosing(L, a, key));
    list_check_of(L, NULL, key, n,
                  "an index, which has an integer or a range {first, last, "
                  "step} for each axis");
    for (; axis < (int)n; axis++) {
      lua_rawgeti(L, key, axis + 1);
      read_component(L, a, key, axis, p);
      lua_pop(L, 1);
    }
  }
  take_rest(p, a, axis);
}

Array *index_push_part (lua_State *L, Array *a, const IndexPart *p) {
  return array_push_view(L, a, p->ndim, p->shape, p->strides,
                         a->off +
                           (size_t)(p->at * (int64_t)dtype_size(a->dtype)));
}

bool index_is_past (lua_State *L, const Array *a, int key) {
  return a->ndim > 0 && lua_isinteger(L, key) &&
         lua_tointeger(L, key) == a->shape[0] + 1;
}

/* Checks x of a[key] = x, which is no argument in the program's eyes. */
static void check_value (lua_State *L, const Array *a) {
  Element element;
  const char *bad = NULL;
  if (dtype_is_scalar(L, 3))
    bad = dtype_read_element(L, 3, a->dtype, &element);
  else if (!lua_istable(L, 3) && array_test_any(L, 3) == NULL)
    bad = lua_pushfstring(L, "number, boolean, table or array expected, got %s",
                          type_push_name(L, 3));
  else
    return;
  if (bad != NULL)
    argerror_raise(L, 3, "%s",
                   lua_type(L, 3) != LUA_TUSERDATA
                     ? bad
                     : lua_pushfstring(L, "%s, got %s", bad,
                                       type_push_name(L, 3)));
}

/* Calls the method with the array, the key, 'n' values and, if the key has
** indices and is no mask, the first axis. */
static void call_method (lua_State *L, const Array *a, const char *name,
                         const char *what, int n, int nresults) {
  const Array *key = array_test(L, 2);
  bool indices = (key->dtype != DTYPE_BOOL);
  if (indices && a->ndim == 0)
    refuse_axes(L);
  class_push_method(L, 1, name);
  for (int i = 1; i <= 2 + n; i++)
    lua_pushvalue(L, i);
  if (indices)
    lua_pushinteger(L, 1);
  entry_call(L, what, 2 + n + indices, nresults);
}

/* a[mask]: a:mask(mask); a[indices]: a:take(indices, 1). */
static int index_array (lua_State *L, const Array *a) {
  bool mask = (array_test(L, 2)->dtype == DTYPE_BOOL);
  call_method(L, a, mask ? "mask" : "take", "cannot index", 0, 1);
  return 1;
}

/* a[mask] = x: a:put(mask, x); a[indices] = x: a:put(indices, x, 1). */
static int assign_array (lua_State *L, const Array *a) {
  check_value(L, a);
  call_method(L, a, "put", "cannot assign", 1, 0);
  return 0;
}

/* a[key]: a number (waits) if the key drops all axes, else a view; for a key
** that is an array, a new array. */
int array_index (lua_State *L) {
  IndexPart p;
  Array *a = array_check(L, 1);
  if (array_test(L, 2) != NULL)
    return index_array(L, a);
  if (index_is_past(L, a, 2))
    return lua_pushnil(L), 1;
  index_read_key(L, a, 2, &p);
  Array *v = index_push_part(L, a, &p);
  if (v->ndim > 0)
    return 1;
  Array *h = array_fetch(L, v, "array index");
  dtype_push_element(L, (void *)(uintptr_t)array_pointer(h), h->dtype);
  array_release(h);
  array_release(v); /* otherwise it would hold the memory as garbage */
  return 1;
}

/* a[key] = x: a number, a table or an array, broadcast to the view. */
static int array__newindex (lua_State *L) {
  IndexPart p;
  Array *a = array_check(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING)
    return error_raise(L, "field '%s' of tide.Array cannot be set",
                       lua_tostring(L, 2));
  if (array_test(L, 2) != NULL)
    return assign_array(L, a);
  index_read_key(L, a, 2, &p);
  check_value(L, a);
  Array *part = index_push_part(L, a, &p);
  array_assign(L, part, 3);
  array_release(part);
  return 0;
}

/* ==} */

/* {== pairs =========================================================== */

/* (array or table, i) -> i + 1 and the element there, or nil. */
static int next_part (lua_State *L) {
  lua_Integer i = arg_check_integer(L, 2);
  i = (lua_Integer)((lua_Unsigned)i + 1);
  lua_pushinteger(L, i);
  return (lua_geti(L, 1, i) == LUA_TNIL) ? 1 : 2;
}

/* pairs(a): the numbers of a 1-d array, all fetched at once; otherwise its rows
** as views. */
int array_pairs (lua_State *L) {
  Array *a = array_check_any(L, 1);
  array_check_open(L, 1, a);
  if (a->ndim == 0)
    return refuse_axes(L);
  class_push_function(L, next_part);
  if (a->ndim == 1)
    array_push_nested(L, a, "pairs");
  else
    lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/* ==} */

/* {== along one axis ================================================== */

static Array *check_indexable (lua_State *L) {
  Array *a = array_check(L, 1);
  if (a->ndim == 0)
    refuse_axes(L);
  return a;
}

/* Begins a part of 'a' with all axes before 'axis'. */
static void begin (IndexPart *p, const Array *a, int axis) {
  p->at = 0;
  p->ndim = 0;
  for (int i = 0; i < axis; i++)
    take_axis(p, a->shape[i], array_stride(a)[i]);
}

/* Returns the axis at 'arg', or that of the options at 'options'; by default
** the first. */
static int read_axis (lua_State *L, const Array *a, int arg, int options) {
  static const char *const names[] = {"axis", NULL};
  bool given = (arg < options && !lua_isnoneornil(L, arg));
  int axis = given ? axes_check_one(L, arg, a->ndim) : 0, option = -1;
  entry_check_end(L, options + 1);
  if (option_check(L, options, names))
    option = axes_option_one(L, options, given, a->ndim);
  return (option < 0) ? axis : option;
}

/* a:slice(first [, last [, step [, axis]]] [, { axis= }]) -> view of elements
** 'first' to 'last' of an axis; by default to the end, and of the first
** axis. */
static int array_slice (lua_State *L) {
  IndexPart p;
  int options = 3;
  Array *a = array_check(L, 1);
  while (options < 6 && !lua_istable(L, options))
    options++;
  lua_Integer bound[3] = {arg_check_integer(L, 2), 0, 1};
  if (options > 4)
    bound[2] = arg_opt_integer(L, 4, 1);
  bound[1] = (bound[2] < 0) ? 1 : -1;
  if (options > 3)
    bound[1] = arg_opt_integer(L, 3, bound[1]);
  check_indexable(L);
  int axis = read_axis(L, a, 5, options);
  begin(&p, a, axis);
  take_range(L, &p, a, axis, bound);
  take_rest(&p, a, axis + 1);
  index_push_part(L, a, &p);
  return 1;
}

/* a:select([axis,] i [, { axis= }]) -> view without that axis, by default the
** first. */
static int array_select (lua_State *L) {
  IndexPart p;
  Array *a = array_check(L, 1);
  int key = (lua_isnoneornil(L, 3) || lua_istable(L, 3)) ? 2 : 3;
  lua_Integer i = arg_check_integer(L, key);
  check_indexable(L);
  int axis = read_axis(L, a, key == 2 ? 5 : 2, key + 1);
  int64_t place = axes_resolve(i, a->shape[axis]);
  if (place < 0)
    error_raise(L, "index %I is out of range for an axis of %I elements%s",
                (LUAI_UACINT)i, (LUAI_UACINT)a->shape[axis], from_one(i));
  begin(&p, a, axis);
  take_index(&p, a, axis, place);
  take_rest(&p, a, axis + 1);
  index_push_part(L, a, &p);
  return 1;
}

/* ==} */

static const Function methods[] = {
  {"select", array_select, 4},
  {"slice", array_slice, 6},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__newindex", array__newindex, 3},
  {NULL, NULL, 0},
};

void open_index (lua_State *L) {
  class_add_methods(L, &array_class, methods);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &array_class);
  class_set_funcs(L, metamethods);
  lua_pop(L, 1);
}
