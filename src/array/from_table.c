/*
** from_table.c - converts nested tables to page-locked memory: finds their
** shape and a dtype for all elements. An element may be an array without axes.
*/
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/error.h"
#include "base/list.h"
#include "complex.h"
#include "dtype.h"
#include "rt/kernels/dtypes.h"

/* Finds the shape of the nested table at 'arg' from its first elements. */
static int table_shape (lua_State *L, int arg, int64_t shape[MAX_DIMS]) {
  int ndim = 0, top = lua_gettop(L);
  lua_pushvalue(L, arg);
  while (lua_istable(L, -1) && !complex_test(L, -1)) {
    argerror_check(L, ndim < MAX_DIMS, arg, "more than 32 dimensions");
    luaL_checkstack(L, LUA_MINSTACK, "nested table");
    shape[ndim++] = (int64_t)lua_rawlen(L, -1);
    lua_rawgeti(L, -1, 1);
    if (shape[ndim - 1] == 0)
      break;
  }
  lua_settop(L, top);
  return ndim;
}

/* Returns a leaf that is an array without axes; NULL for another value. */
static Array *leaf_array (lua_State *L, int arg) {
  Array *a = lua_isuserdata(L, -1) ? array_test(L, -1) : NULL;
  if (a != NULL && a->closed)
    argerror_raise(L, arg, "array is closed");
  if (a != NULL && a->ndim > 0)
    error_raise(L,
                "an element of a table must be a number or an array of no "
                "axes, not one of %d; tide.stack joins arrays",
                a->ndim);
  return a;
}

static int join_dtypes (lua_State *L, int arg, int t, DType floats) {
  const Array *a = leaf_array(L, arg);
  if (a != NULL)
    return (t < 0) ? a->dtype : (int)dtype_promote((DType)t, a->dtype);
  int own = (int)dtype_infer_as(L, -1, floats);
  return (t < 0 || dtype_kind((DType)own) > dtype_kind((DType)t)) ? own : t;
}

/* Finds the dtype for all leaves below the table on the top. */
static void leaf_dtype (lua_State *L, int arg, int depth, DType floats,
                        int *t) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
  luaL_checkstack(L, LUA_MINSTACK, "nested table");
  for (lua_Integer i = 1; i <= n; i++) {
    int type = lua_rawgeti(L, -1, i);
    if (type == LUA_TTABLE && depth > 1)
      leaf_dtype(L, arg, depth - 1, floats, t);
    else if (type != LUA_TNUMBER ||
             (lua_isinteger(L, -1) ? (int)DTYPE_INT64 : (int)floats) != *t)
      *t = join_dtypes(L, arg, *t, floats);
    lua_pop(L, 1);
  }
}

/* State of a fill of page-locked memory from a table. */
typedef struct Fill {
  int arg;    /* index of the table among the call's arguments */
  int values; /* a table of the values of array leaves; or 0 */
  DType t;
  int ndim;
  const int64_t *shape;
  char *at;
} Fill;

/* Pushes a leaf. Lua's integers are signed, so a larger uint64 beside floats is
** pushed as a float. */
static void push_leaf (lua_State *L, const Fill *f, const void *p, DType t) {
  int64_t x = (t == DTYPE_UINT64) ? dtype_integer_at(p, t) : 0;
  if (x < 0 && dtype_kind(f->t) >= KIND_FLOAT)
    lua_pushnumber(L, (lua_Number)(uint64_t)x);
  else
    dtype_push_element(L, p, t);
}

/* Fetches the element of the array on the top (popped). The array is put into
** the table meanwhile, because it may belong to a host function. If the call
** begins again, it closes arrays on its stack that were made since it began. */
static void fetch_leaf (lua_State *L, const Fill *f, Array *a) {
  lua_rawseti(L, f->values, 1);
  Array *h = array_fetch(L, a, "tide.array");
  lua_rawgeti(L, f->values, 1);
  push_leaf(L, f, (void *)(uintptr_t)array_pointer(h), h->dtype);
  array_release(h);
  lua_rawset(L, f->values);
  lua_pop(L, 1);
}

/* Fetches the arrays below the table on the top: 'values' gets the element of
** each. */
static void fetch_leaves (lua_State *L, const Fill *f, int depth) {
  luaL_checkstack(L, LUA_MINSTACK, "nested table");
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
    Array *a = leaf_array(L, f->arg);
    if (a != NULL) {
      array_check_open(L, f->arg, a);
      fetch_leaf(L, f, a);
      continue;
    }
    if (lua_istable(L, -1) && depth > 1)
      fetch_leaves(L, f, depth - 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Replaces the array on the top by its element. Returns false if it was not
** fetched. */
static bool find_leaf (lua_State *L, const Fill *f) {
  return f->values != 0 && lua_rawget(L, f->values) != LUA_TNIL;
}

/* Raises for element i; it is on the top, or 'bad' is: see dtype_read_element.
*/
static void refuse (lua_State *L, const Fill *f, lua_Integer i, int depth,
                    const char *bad) {
  const char *why;
  if (lua_istable(L, -1) && !complex_test(L, -1))
    why = lua_pushfstring(L,
                          "ragged table: element %I at depth %d is a table, "
                          "and the first one is not",
                          (LUAI_UACINT)i, depth);
  else if (lua_type(L, -1) == LUA_TSTRING && lua_tostring(L, -1) == bad)
    why = lua_pushfstring(L, "element %I at depth %d: %s", (LUAI_UACINT)i,
                          depth, bad);
  else
    why = lua_pushfstring(L, "element %I at depth %d: %s (got %s)",
                          (LUAI_UACINT)i, depth, bad, luaL_typename(L, -1));
  argerror_raise(L, f->arg, "%s", why);
}

/*
** Writes elements i to n of the table on the top as long as they are numbers,
** which most are and which takes three calls each. Returns the first that is
** not.
*/
static lua_Integer fill_numbers (lua_State *L, Fill *f, lua_Integer i,
                                 lua_Integer n) {
#define FILL(T, number) \
  for (; i <= n; i++, f->at += sizeof(T)) { \
    int plain = (lua_rawgeti(L, -1, i) == LUA_TNUMBER); \
    const T x = plain ? (T)number(L, -1, &plain) : 0; \
    lua_pop(L, 1); \
    if (!plain) \
      break; \
    memcpy(f->at, &x, sizeof x); \
  }
  if (f->t == DTYPE_FLOAT64)
    FILL(double, lua_tonumberx)
  else if (f->t == DTYPE_FLOAT32)
    FILL(float, lua_tonumberx)
  else if (f->t == DTYPE_INT64)
    FILL(int64_t, lua_tointegerx)
#undef FILL
  return i;
}

/* Writes element i, which is on the top, or raises. Returns false for an array
** that was not fetched. */
static bool fill_leaf (lua_State *L, Fill *f, lua_Integer i, int depth) {
  const char *bad = dtype_read_element(L, -1, f->t, f->at);
  if (bad != NULL && leaf_array(L, f->arg) != NULL) {
    if (!find_leaf(L, f))
      return false;
    bad = dtype_read_element(L, -1, f->t, f->at);
  }
  if (bad != NULL)
    refuse(L, f, i, depth, bad);
  f->at += dtype_size(f->t);
  return true;
}

/* Writes the table on the top; 'axis' is its depth. Raises if it is ragged.
** Returns false if it has an array that was not fetched. */
static bool fill_from (lua_State *L, Fill *f, int axis) {
  lua_Integer n = f->shape[axis];
  if (!lua_istable(L, -1) || (lua_Integer)lua_rawlen(L, -1) != n)
    argerror_raise(L, f->arg,
                   "ragged table: expected %I elements at depth %d, got %s",
                   (LUAI_UACINT)n, axis + 1,
                   lua_istable(L, -1)
                     ? lua_pushfstring(L, "%d", (int)lua_rawlen(L, -1))
                     : luaL_typename(L, -1));
  const bool leaves = (axis + 1 == f->ndim);
  for (lua_Integer i = 1; i <= n; i++) {
    if (leaves && (i = fill_numbers(L, f, i, n)) > n)
      break;
    lua_rawgeti(L, -1, i);
    if (!(leaves ? fill_leaf(L, f, i, axis + 1) : fill_from(L, f, axis + 1)))
      return false;
    lua_pop(L, 1);
  }
  list_check_in(L, f->arg, lua_gettop(L), (lua_Unsigned)n,
                "a table of elements; dtype and options are arguments of their "
                "own");
  return true;
}

/* Pushes memory with the contents of the table at 'arg'. Returns NULL and
** pushes nothing if it has arrays that were not fetched. */
static Array *push_filled (lua_State *L, int arg, RtDevice *dev, Fill *f) {
  int top = lua_gettop(L);
  Array *h = array_new_host(L, dev, f->t, f->ndim, f->shape);
  f->at = (char *)(uintptr_t)array_pointer(h);
  lua_pushvalue(L, arg);
  if (fill_from(L, f, 0))
    return lua_settop(L, top + 1), h;
  array_release(h);
  return lua_settop(L, top), NULL;
}

/* Fetches arrays before there is memory to fill, because that waits and runs
** Lua. */
Array *array_push_table_as (lua_State *L, int arg, RtDevice *dev, int dtype,
                            DType floats) {
  int64_t shape[MAX_DIMS];
  int ndim = table_shape(L, arg, shape);
  if (dtype < 0) {
    lua_pushvalue(L, arg);
    leaf_dtype(L, arg, ndim, floats, &dtype);
    lua_pop(L, 1);
  }
  Fill f = {.arg = arg, .ndim = ndim, .shape = shape};
  f.t = (dtype < 0) ? floats : (DType)dtype;
  Array *h = push_filled(L, arg, dev, &f);
  if (h != NULL)
    return h;
  lua_newtable(L);
  f.values = lua_gettop(L);
  do {
    lua_pushvalue(L, arg);
    fetch_leaves(L, &f, ndim);
    lua_pop(L, 1);
  } while ((h = push_filled(L, arg, dev, &f)) == NULL);
  lua_remove(L, f.values);
  return h;
}

Array *array_push_table (lua_State *L, int arg, RtDevice *dev, int dtype) {
  return array_push_table_as(L, arg, dev, dtype, dtype_default(L));
}
