/*
** unique.c - the different elements of an array, in order: unique, and the
** functions of the Array API standard for it. For each sorted element it counts
** the different ones up to there, and then searches where each of these numbers
** begins. Slices across an axis are first replaced by their ranks (ranks.c).
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "composed.h"
#include "device/current.h"
#include "mask.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "sort.h"
#include "unique.h"

/* A call. */
typedef struct Unique {
  bool index, inverse, counts; /* results besides the values */
  bool equal_nan;              /* all NaNs are one element */
  int64_t size;                /* number of results; -1: as needed */
  int fill;                    /* index of the filler, or 0 */
} Unique;

/* Indices of arrays made on the way. */
typedef struct Sorted {
  int order; /* 0: not needed */
  int values;
  int places; /* the number of different elements up to each */
  int64_t n;
} Sorted;

/* {== steps =========================================================== */

static int push_run (lua_State *L, int x, int64_t first, int64_t last) {
  lua_pushinteger(L, first);
  lua_pushinteger(L, last);
  return composed_call(L, "slice", x, 2);
}

/* Pushes the integers from 1 to n. */
static int push_numbers (lua_State *L, RtStream *s, const Array *like,
                         int64_t n) {
  Array *z = array_new(L, like->dev, DTYPE_INT64, 1, &n, s);
  launch_arange(L, s, z, (Element){.bits = 1}, (Element){.bits = 1});
  return lua_gettop(L);
}

/* Pushes the elements of the array at 1, sorted. */
static Sorted push_sorted (lua_State *L, const Unique *k) {
  Sorted z = {.n = (int64_t)array_check(L, 1)->size};
  int x = composed_unary(L, "ravel", 1);
  if (k->index || k->inverse) {
    z.order = composed_unary(L, "argsort", x);
    z.values = composed_take(L, x, z.order);
  } else {
    z.values = composed_unary(L, "sort", x);
  }
  return z;
}

int unique_push_changes (lua_State *L, int x, int64_t n, bool equal_nan) {
  int before = push_run(L, x, 1, n - 1);
  int changes = composed_binary(L, "ne", push_run(L, x, 2, n), before);
  if (equal_nan && dtype_kind(array_check(L, x)->dtype) == KIND_FLOAT)
    changes = composed_binary(L, "band", changes,
                              composed_binary(L, "eq", before, before));
  return changes;
}

static void push_places (lua_State *L, RtStream *s, Sorted *z,
                         const Unique *k) {
  z->places = push_numbers(L, s, array_check(L, 1), z->n < 1 ? 0 : 1);
  if (z->n > 1)
    z->places =
      composed_binary(L, "append", z->places,
                      composed_astype(L,
                                      unique_push_changes(L, z->values, z->n,
                                                          k->equal_nan),
                                      DTYPE_INT64));
  z->places = composed_unary(L, "cumsum", z->places);
}

/* Returns the number of different elements. Waits. */
static int64_t count (lua_State *L, const Sorted *z) {
  int64_t n = 1;
  if (z->n == 0)
    return 0;
  Array *a = array_check(L, z->places);
  Array *last = array_push_view(L, a, 1, &n, NULL,
                                a->off + (size_t)(z->n - 1) * sizeof(int64_t));
  Array *h = array_fetch(L, last, "unique");
  n = *(const int64_t *)(uintptr_t)array_pointer(h);
  array_release(h);
  return n;
}

/* ==} */

/* {== results ========================================================= */

/* Pushes z, with the value at 'fill', or 0, where there is no element. */
static int push_filled (lua_State *L, int z, int inside, int fill) {
  if (inside == 0)
    return z;
  lua_pushvalue(L, z);
  if (fill != 0)
    lua_pushvalue(L, fill);
  else
    lua_pushboolean(L, false);
  return composed_call(L, "where", inside, 2);
}

/* Pushes which results exist: those up to the number of different elements. */
static int push_inside (lua_State *L, const Sorted *z, int numbers) {
  if (z->n == 0)
    return composed_scalar(L, "lt", numbers, 0);
  return composed_binary(L, "le", numbers, push_run(L, z->places, -1, -1));
}

/* Pushes how often each occurs; 'starts' has the places where they begin. */
static int push_counts (lua_State *L, int starts, const Sorted *z) {
  lua_createtable(L, 0, 1);
  lua_pushinteger(L, z->n + 1);
  lua_setfield(L, -2, "append");
  return composed_call(L, "diff", starts, 1);
}

/* Pushes for each element of the array at 1 the number of its value. */
static int push_inverse (lua_State *L, const Sorted *z) {
  int at = composed_take(L, z->places, composed_unary(L, "argsort", z->order));
  class_push_field(L, 1, "shape");
  return composed_call(L, "reshape", at, 1);
}

/* Pushes the elements of x at the places, some of which may be out of range. */
static int take (lua_State *L, RtStream *s, int x, int places) {
  Array *a = array_check(L, x), *p = array_check(L, places);
  if (a->size > 0)
    return composed_take(L, x, places);
  array_zero(L, s, array_new(L, a->dev, a->dtype, p->ndim, p->shape, s));
  return lua_gettop(L);
}

/* Raises if the array at 1 has complex numbers, or if its different elements
** have to be counted and cannot. */
static void check (lua_State *L, RtStream *s, const char *name,
                   const Unique *k) {
  Array *a = array_check(L, 1);
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    error_raise(L, "'%s' is not defined for %s arrays", name,
                dtype_name(a->dtype));
  if (k->size >= 0)
    return;
  mask_check_count(L, s, a, name);
  blocking_check(L, a->dev, name);
}

/* Leaves the results of 'name' above the first n values. Returns their
** number. */
static int unique (lua_State *L, const char *name, int n, const Unique *k) {
  Array *a = array_check(L, 1);
  RtStream *s = current_get_stream(L, a->dev);
  int results = 0, at[4], inside = 0;
  check(L, s, name, k);
  luaL_checkstack(L, 80, NULL);
  Sorted z = push_sorted(L, k);
  push_places(L, s, &z, k);
  int64_t size = (k->size < 0) ? count(L, &z) : k->size;
  int numbers = push_numbers(L, s, a, size);
  int starts = sort_push_places(L, s, z.places, numbers, (Search){.base = 1});
  if (k->size >= 0)
    inside = push_inside(L, &z, numbers);
  at[results++] = push_filled(L, take(L, s, z.values, starts), inside, k->fill);
  if (k->index)
    at[results++] = push_filled(L, take(L, s, z.order, starts), inside, 0);
  if (k->inverse)
    at[results++] = push_inverse(L, &z);
  if (k->counts)
    at[results++] = push_counts(L, starts, &z);
  for (int i = 0; i < results; i++)
    lua_pushvalue(L, at[i]);
  lua_rotate(L, n + 1, results);
  array_drop(L, n + results);
  return results;
}

/* ==} */

/* {== slices ========================================================== */

/* Pushes the results of unique for the ranks of slices: the ranks that exist,
** the first place of each, and those that the call asks for. Returns the index
** of the places. */
static int push_unique_ranks (lua_State *L, int ranks, const Unique *k) {
  lua_createtable(L, 0, 4);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "return_index");
  lua_pushboolean(L, k->inverse);
  lua_setfield(L, -2, "return_inverse");
  lua_pushboolean(L, k->counts);
  lua_setfield(L, -2, "return_counts");
  if (k->size >= 0) {
    lua_pushinteger(L, k->size);
    lua_setfield(L, -2, "size");
  }
  int top = lua_gettop(L);
  class_push_method(L, ranks, "unique");
  lua_insert(L, top);
  lua_pushvalue(L, ranks);
  lua_insert(L, top + 1);
  entry_call(L, "unique", 2, 2 + k->inverse + k->counts);
  return top + 1;
}

/* Pushes the slices of the array at 1 at the places; of no slices, zeros. */
static int take_slices (lua_State *L, RtStream *s, int places, int axis) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, 1);
  if (a->shape[axis] == 0) {
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[axis] = array_check(L, places)->shape[0];
    array_zero(L, s, array_new(L, a->dev, a->dtype, a->ndim, shape, s));
    return lua_gettop(L);
  }
  lua_pushvalue(L, places);
  lua_pushinteger(L, axis + 1);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "clip");
  lua_setfield(L, -2, "mode");
  return composed_call(L, "take", 1, 3);
}

/* Pushes the slices at the places, and the filler for a place of 0. */
static int push_slices (lua_State *L, RtStream *s, int places, int axis,
                        const Unique *k) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, 1);
  int z = take_slices(L, s, places, axis);
  if (k->size < 0)
    return z;
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (i == axis) ? k->size : 1;
  int inside = composed_scalar(L, "gt", places, 0);
  shape_push_reshaped(L, inside, a->ndim, shape);
  return push_filled(L, z, lua_gettop(L), k->fill);
}

/* Leaves the results for slices across an axis above the first n values.
** Returns their number. */
static int unique_slices (lua_State *L, int axis, int n, const Unique *k) {
  RtStream *s = current_get_stream(L, array_check(L, 1)->dev);
  check(L, s, "unique", k);
  luaL_checkstack(L, 80, NULL);
  int ranks = unique_push_ranks(L, s, axis, k->equal_nan);
  int places = push_unique_ranks(L, ranks, k);
  int more = k->inverse + k->counts, results = 1 + k->index + more;
  lua_pushvalue(L, push_slices(L, s, places, axis, k));
  for (int i = k->index ? 0 : 1; i < 1 + more; i++)
    lua_pushvalue(L, places + i);
  lua_rotate(L, n + 1, results);
  array_drop(L, n + results);
  return results;
}

/* ==} */

/* {== arguments ======================================================= */

/* Checks that the filler, at 3, fits into the array. */
static void check_fill (lua_State *L, const Array *a) {
  Element value;
  const char *bad = dtype_is_scalar(L, 3)
                      ? dtype_read_element(L, 3, a->dtype, &value)
                      : "must be a number";
  if (bad != NULL)
    argerror_raise(L, 2, "option 'fill' %s", bad);
}

/*
** unique(a [, { axis=, return_index=, return_inverse=, return_counts=,
** equal_nan=, size=, fill= }]) -> the different elements, or slices across an
** axis, in order; the first place of each, the number of each element's value,
** the counts.
*/
static int array_unique (lua_State *L) {
  static const char *const names[] = {
    "axis",         "equal_nan",      "fill", "return_counts",
    "return_index", "return_inverse", "size", NULL};
  lua_settop(L, 2);
  Array *a = array_check(L, 1);
  option_check(L, 2, names);
  Unique k = {.index = option_flag(L, 2, "return_index", false),
              .inverse = option_flag(L, 2, "return_inverse", false),
              .counts = option_flag(L, 2, "return_counts", false),
              .equal_nan = option_flag(L, 2, "equal_nan", true),
              .size = -1};
  if (lua_istable(L, 2))
    k.size = option_integer(L, 2, "size", -1);
  argerror_check(L, k.size >= -1 && k.size <= (int64_t)1 << 46, 2,
                 "option 'size' must be from 0 to 2^46");
  k.fill = composed_option(L, 2, "fill");
  if (lua_isnil(L, k.fill))
    k.fill = 0;
  else
    check_fill(L, a);
  int axis = lua_istable(L, 2) ? axes_option_one(L, 2, false, a->ndim) : -1;
  return axis < 0 ? unique(L, "unique", 3, &k) : unique_slices(L, axis, 3, &k);
}

/* The functions of the standard: NaNs differ from each other. */

static int array_unique_values (lua_State *L) {
  return unique(L, "unique_values", 1, &(Unique){.size = -1});
}

static int array_unique_counts (lua_State *L) {
  return unique(L, "unique_counts", 1, &(Unique){.counts = true, .size = -1});
}

static int array_unique_inverse (lua_State *L) {
  return unique(L, "unique_inverse", 1, &(Unique){.inverse = true, .size = -1});
}

static int array_unique_all (lua_State *L) {
  return unique(L, "unique_all", 1, &(Unique){true, true, true, .size = -1});
}

/* ==} */

static const Function functions[] = {
  {"unique", array_unique, 2},
  {"unique_all", array_unique_all, 1},
  {"unique_counts", array_unique_counts, 1},
  {"unique_inverse", array_unique_inverse, 1},
  {"unique_values", array_unique_values, 1},
  {NULL, NULL, 0},
};

void open_unique (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}
