/*
** view.c - views of arrays: by index, by range, by shape. A view shares the
** block, so whoever uses either is ordered after whoever uses the other.
*/
#include <string.h>

#include "array.h"
#include "current.h"
#include "dtype.h"
#include "rt/block.h"

/* Axes of one element may have any stride. */
static bool is_dense (const Array *a) {
  int64_t stride = 1;
  for (int i = a->ndim - 1; i >= 0 && a->size > 0; i--) {
    if (a->shape[i] > 1 && tide_strides(a)[i] != stride)
      return false;
    stride *= a->shape[i];
  }
  return true;
}

Array *tide_pushview (lua_State *L, Array *a, int ndim, const int64_t *shape,
                      const int64_t *strides, size_t off) {
  Array *v = tide_pusharray(L, a->object.class, a->dev, a->dtype, ndim,
                            shape);
  if (strides != NULL && ndim > 0) {
    memcpy(v->shape + ndim, strides, (size_t)ndim * sizeof *strides);
    v->dense = is_dense(v);
  }
  if (a->closed)
    luaL_error(L, "array was closed by a finalizer");
  tide_checkfresh(L, a);
  if (v->size > 0) {
    rt_retainblock(a->block);
    v->block = a->block;
    v->off = off;
  }
  return v;
}

Array *tide_pushdense (lua_State *L, int arg) {
  Array *a = tide_checkarray(L, arg);
  if (a->dense) {
    lua_pushvalue(L, arg);
    return a;
  }
  RtStream *s = tide_currentstream(L, a->dev);
  Array *b = tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
  tide_copy(L, s, b, a);
  return b;
}

/* Bytes from the start of the block to that row. */
static size_t row_offset (const Array *a, int64_t row) {
  return a->off + (size_t)(row * tide_strides(a)[0] *
                           (int64_t)rt_dtype_size(a->dtype));
}

Array *tide_pushrows (lua_State *L, Array *a, int64_t first, int64_t last) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[0] = last - first + 1;
  return tide_pushview(L, a, a->ndim, shape, tide_strides(a),
                       row_offset(a, first));
}

Array *tide_pushrow (lua_State *L, Array *a, int64_t row) {
  return tide_pushview(L, a, a->ndim - 1, a->shape + 1, tide_strides(a) + 1,
                       row_offset(a, row));
}

/* From 1, or from the end if negative; -1 if out of range. */
static int64_t resolve (lua_Integer i, int64_t n) {
  if (i < 0)
    i += n + 1;
  return (i >= 1 && i <= n) ? i - 1 : -1;
}

static void check_indexable (lua_State *L, const Array *a) {
  if (a->ndim == 0)
    luaL_error(L, "a 0-d array has no elements to index; use :item()");
}

int64_t tide_checkrow (lua_State *L, int arg, const Array *a) {
  int isint;
  lua_Integer i = lua_tointegerx(L, arg, &isint);
  check_indexable(L, a);
  if (!isint)
    luaL_error(L, "array index must be an integer or a table, got %s",
               luaL_typename(L, arg));
  int64_t row = resolve(i, a->shape[0]);
  if (row < 0)
    luaL_error(L, "index %I is out of range for an axis of %I elements",
               (LUAI_UACINT)i, (LUAI_UACINT)a->shape[0]);
  return row;
}

/* The range at the top of the stack: {}, {first} or {first, last}. */
static void read_range (lua_State *L, int t, const Array *a, int64_t *first,
                        int64_t *last) {
  lua_Integer bound[2] = {1, -1};
  if (lua_rawlen(L, t) > 2)
    luaL_error(L, "a range is {first, last}; got %I values",
               (LUAI_UACINT)lua_rawlen(L, t));
  for (int i = 0; i < 2; i++) {
    int isint = lua_rawgeti(L, t, i + 1) == LUA_TNUMBER;
    if (isint)
      bound[i] = lua_tointegerx(L, -1, &isint);
    if (!isint && !lua_isnil(L, -1))
      luaL_error(L, "the bounds of a range must be integers");
    lua_pop(L, 1);
  }
  int64_t n = a->shape[0];
  lua_Integer i = bound[0] < 0 ? bound[0] + n + 1 : bound[0];
  lua_Integer j = bound[1] < 0 ? bound[1] + n + 1 : bound[1];
  if (i < 1 || j > n || j < i - 1)
    luaL_error(L, "range {%I, %I} is out of range for an axis of %I elements",
               (LUAI_UACINT)bound[0], (LUAI_UACINT)bound[1],
               (LUAI_UACINT)n);
  *first = i - 1;
  *last = j - 1;
}

void tide_checkrange (lua_State *L, int arg, const Array *a, int64_t *first,
                      int64_t *last) {
  check_indexable(L, a);
  if (lua_rawlen(L, arg) > 1)
    luaL_error(L, "ranges are taken along the first axis only, got %d",
               (int)lua_rawlen(L, arg));
  if (lua_rawgeti(L, arg, 1) != LUA_TTABLE)
    luaL_error(L, "a range is written a[{ {first, last} }]");
  read_range(L, lua_gettop(L), a, first, last);
  lua_pop(L, 1);
}

/* Pushes the view that the key at 2 means. */
static Array *push_key (lua_State *L, Array *a) {
  int64_t first, last;
  if (!lua_istable(L, 2))
    return tide_pushrow(L, a, tide_checkrow(L, 2, a));
  tide_checkrange(L, 2, a, &first, &last);
  return tide_pushrows(L, a, first, last);
}

/* a[i]: a number (waits) of a 1-d array, else a view; a[{ {i, j} }]: a view. */
int tide_array_index (lua_State *L) {
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  Array *v = push_key(L, a);
  if (v->ndim > 0)
    return 1;
  Array *h = tide_fetch(L, v, "array index");
  tide_pushelement(L, (void *)(uintptr_t)tide_pointer(h), h->dtype);
  return 1;
}

/* a[i] = x, a[{ {i, j} }] = x: a number, a table or an array. */
static int array__newindex (lua_State *L) {
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING)
    return luaL_error(L, "field '%s' of tide.Array cannot be set",
                      lua_tostring(L, 2));
  tide_assign(L, push_key(L, a), 3);
  return 0;
}

/* a:slice(first [, last]) -> view of those rows; a:select(i) -> view of one. */
static int array_slice (lua_State *L) {
  int64_t first, last;
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  lua_Integer i = luaL_checkinteger(L, 2), j = luaL_optinteger(L, 3, -1);
  check_indexable(L, a);
  lua_createtable(L, 2, 0);
  lua_pushinteger(L, i);
  lua_rawseti(L, -2, 1);
  lua_pushinteger(L, j);
  lua_rawseti(L, -2, 2);
  read_range(L, lua_gettop(L), a, &first, &last);
  tide_pushrows(L, a, first, last);
  return 1;
}

static int array_select (lua_State *L) {
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  luaL_checkinteger(L, 2);
  tide_pushrow(L, a, tide_checkrow(L, 2, a));
  return 1;
}

/* a:reshape(shape) -> view with as many elements. */
static int array_reshape (lua_State *L) {
  int64_t shape[MAX_DIMS];
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  int ndim = tide_checkshape(L, 2, shape);
  size_t size = 1;
  for (int i = 0; i < ndim; i++)
    size *= (size_t)shape[i];
  luaL_argcheck(L, size == a->size, 2,
                "shape has another number of elements");
  tide_pushview(L, a, ndim, shape, NULL, a->off);
  return 1;
}

static const luaL_Reg methods[] = {
  {"reshape", array_reshape},
  {"select", array_select},
  {"slice", array_slice},
  {NULL, NULL}
};

static const luaL_Reg metamethods[] = {
  {"__newindex", array__newindex},
  {NULL, NULL}
};

void tide_openview (lua_State *L) {
  tide_addmethods(L, &tide_arrayclass, methods);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tide_arrayclass);
  tide_setfuncs(L, metamethods);
  lua_pop(L, 1);
}
