/*
** array.c - the Array type: memory, views, fields, indexing. What arrays do is
** in create.c, transfer.c, elementwise.c and reduce.c.
*/
#include "array.h"

#include <string.h>

#include "callback.h"
#include "current.h"
#include "device.h"
#include "dtype.h"
#include "error.h"
#include "rt/block.h"
#include "rt/runtime.h"
#include "rt/submit.h"

/* {== memory ========================================================== */

/*
** Lua's collector sees a few bytes where we hold megabytes. Once as much as a
** sixteenth of the device (64 MiB at least) was allocated since the last time,
** garbage is looked for.
*/
static void pay_debt (lua_State *L, const RtDevice *dev, size_t bytes) {
  State *st = tide_state(L);
  size_t limit = dev->total / 16;
  st->debt += bytes;
  if (limit < (size_t)64 << 20)
    limit = (size_t)64 << 20;
  if (st->debt < limit)
    return;
  st->debt = 0;
  lua_gc(L, LUA_GCCOLLECT);
  tide_drain(L);
}

/* No memory even after what was idle went back: garbage may hold some. */
static Status collect_and_retry (lua_State *L, Array *a, size_t bytes,
                                 RtStream *s) {
  RtDevice *dev = a->dev;
  bool pinned = (a->object.class == &tide_hostarrayclass);
  lua_gc(L, LUA_GCCOLLECT);
  lua_gc(L, LUA_GCCOLLECT);
  tide_drainall(L);
  Status st = rt_newblock(dev, bytes, pinned, s, &a->block);
  if (st != CUDA_ERROR_OUT_OF_MEMORY)
    return st;
  return rt_explain(dev->rt, st, dev->rt->call,
                    "asked %zu bytes, in use %zu, kept for reuse %zu, "
                    "the device has %zu", bytes,
                    pinned ? dev->pinned_live : dev->live,
                    pinned ? dev->pinned_cache.bytes : dev->cache.bytes,
                    dev->total);
}

static void get_block (lua_State *L, Array *a, RtStream *s) {
  size_t bytes = tide_nbytes(a);
  bool pinned = (a->object.class == &tide_hostarrayclass);
  if (bytes == 0)
    return;
  pay_debt(L, a->dev, bytes);
  Status st = rt_newblock(a->dev, bytes, pinned, s, &a->block);
  if (st == CUDA_ERROR_OUT_OF_MEMORY)
    st = collect_and_retry(L, a, bytes, s);
  tide_check(L, st);
}

/* Pushes an array without memory; checks that its size can be. */
static Array *push_array (lua_State *L, const Class *class, RtDevice *dev,
                          DType t, int ndim, const int64_t *shape) {
  size_t size = 1;
  bool empty = false;
  for (int i = 0; i < ndim; i++) {
    if (shape[i] == 0)
      empty = true;  /* strides are the products of the others */
    else if (__builtin_mul_overflow(size, (size_t)shape[i], &size) ||
             size > (size_t)1 << 46)
      luaL_error(L, "the shape has more than 2^46 elements");
  }
  Array *a = tide_newobject(L, sizeof *a + (size_t)ndim * sizeof *a->shape,
                            class, 0);
  a->dev = dev;
  a->dtype = t;
  a->ndim = ndim;
  a->size = empty ? 0 : size;
  if (ndim > 0)
    memcpy(a->shape, shape, (size_t)ndim * sizeof *shape);
  return a;
}

Array *tide_newarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s) {
  tide_drain(L);
  Array *a = push_array(L, &tide_arrayclass, dev, t, ndim, shape);
  get_block(L, a, s);
  return a;
}

Array *tide_newhostarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                          const int64_t *shape) {
  tide_drain(L);
  Array *a = push_array(L, &tide_hostarrayclass, dev, t, ndim, shape);
  get_block(L, a, NULL);
  return a;
}

size_t tide_nbytes (const Array *a) {
  return a->size * rt_dtype_size(a->dtype);
}

CUdeviceptr tide_pointer (const Array *a) {
  return (a->block != NULL) ? a->block->ptr + a->off : 0;
}

void tide_access (Op *op, const Array *a, bool write) {
  rt_access(op, a->block, a->off, tide_nbytes(a), write);
}

/* ==} */

/* {== checks ========================================================== */

Array *tide_testarray (lua_State *L, int arg) {
  return tide_testobject(L, arg, &tide_arrayclass);
}

Array *tide_checkarray (lua_State *L, int arg) {
  Array *a = tide_checkobject(L, arg, &tide_arrayclass);
  luaL_argcheck(L, !a->closed, arg, "array is closed");
  return a;
}

bool tide_sameshape (const Array *a, const Array *b) {
  return a->ndim == b->ndim &&
         (a->ndim == 0 || memcmp(a->shape, b->shape,
                          (size_t)a->ndim * sizeof *a->shape) == 0);
}

void tide_pushshape (lua_State *L, const Array *a) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < a->ndim; i++) {
    lua_pushfstring(L, i > 0 ? "x%I" : "%I", (LUAI_UACINT)a->shape[i]);
    luaL_addvalue(&b);
  }
  if (a->ndim == 0)
    luaL_addstring(&b, "()");
  luaL_pushresult(&b);
}

void tide_checkdevices (lua_State *L, const Array *a, const Array *b) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  if (a->dev != b->dev)
    luaL_error(L, "arrays are on different devices (%s and %s)",
               tide_devicename(a->dev, x), tide_devicename(b->dev, y));
}

static int64_t check_dimension (lua_State *L, int arg, int idx) {
  int isint;
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    luaL_argerror(L, arg, "shape must be an integer or a table of integers");
  if (n < 0)
    luaL_argerror(L, arg, "shape must not be negative");
  return n;
}

int tide_checkshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]) {
  if (!lua_istable(L, arg)) {
    shape[0] = check_dimension(L, arg, arg);
    return 1;
  }
  lua_Unsigned n = lua_rawlen(L, arg);
  luaL_argcheck(L, n <= MAX_DIMS, arg, "shape has more than 32 dimensions");
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, arg, i + 1);
    shape[i] = check_dimension(L, arg, -1);
    lua_pop(L, 1);
  }
  return (int)n;
}

/* ==} */

/* {== views =========================================================== */

static Array *push_view (lua_State *L, Array *a, int ndim,
                         const int64_t *shape, size_t off) {
  Array *v = push_array(L, a->object.class, a->dev, a->dtype, ndim, shape);
  if (v->size > 0) {
    rt_retainblock(a->block);
    v->block = a->block;
    v->off = off;
  }
  return v;
}

static size_t row_bytes (const Array *a) {
  size_t n = rt_dtype_size(a->dtype);
  for (int i = 1; i < a->ndim; i++)
    n *= (size_t)a->shape[i];
  return n;
}

Array *tide_pushrows (lua_State *L, Array *a, int64_t first, int64_t last) {
  int64_t shape[MAX_DIMS];
  memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
  shape[0] = last - first + 1;
  return push_view(L, a, a->ndim, shape,
                   a->off + (size_t)first * row_bytes(a));
}

Array *tide_pushrow (lua_State *L, Array *a, int64_t row) {
  return push_view(L, a, a->ndim - 1, a->shape + 1,
                   a->off + (size_t)row * row_bytes(a));
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
static int array_index (lua_State *L) {
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
  Array *v = push_view(L, a, ndim, shape, a->off);
  luaL_argcheck(L, v->size == a->size, 2,
                "shape has another number of elements");
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

static Array *check_either (lua_State *L) {
  Array *a = tide_testobject(L, 1, &tide_hostarrayclass);
  if (a == NULL)
    a = tide_checkobject(L, 1, &tide_arrayclass);
  luaL_argcheck(L, !a->closed, 1, "array is closed");
  return a;
}

static int array_shape (lua_State *L) {
  Array *a = check_either(L);
  lua_createtable(L, a->ndim, 0);
  for (int i = 0; i < a->ndim; i++) {
    lua_pushinteger(L, a->shape[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* In elements, as the shape. */
static int array_strides (lua_State *L) {
  Array *a = check_either(L);
  int64_t stride = 1;
  lua_createtable(L, a->ndim, 0);
  for (int i = a->ndim - 1; i >= 0; i--) {
    lua_pushinteger(L, stride);
    lua_rawseti(L, -2, i + 1);
    stride *= a->shape[i];
  }
  return 1;
}

static int array_ndim (lua_State *L) {
  lua_pushinteger(L, check_either(L)->ndim);
  return 1;
}

static int array_size (lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_either(L)->size);
  return 1;
}

static int array_dtype (lua_State *L) {
  lua_pushstring(L, tide_dtypename(check_either(L)->dtype));
  return 1;
}

static int array_nbytes (lua_State *L) {
  lua_pushinteger(L, (lua_Integer)tide_nbytes(check_either(L)));
  return 1;
}

static int array_device (lua_State *L) {
  tide_rt(L);
  tide_pushdevice(L, check_either(L)->dev);
  return 1;
}

static int array_ptr (lua_State *L) {
  lua_pushinteger(L, (lua_Integer)tide_pointer(check_either(L)));
  return 1;
}

const luaL_Reg tide_arrayfields[] = {
  {"device", array_device},
  {"dtype", array_dtype},
  {"nbytes", array_nbytes},
  {"ndim", array_ndim},
  {GROUP_POINTERS "ptr", array_ptr},
  {"shape", array_shape},
  {"size", array_size},
  {"strides", array_strides},
  {NULL, NULL}
};

/* ==} */

/* #a: the length of the first axis. */
int tide_array__len (lua_State *L) {
  Array *a = check_either(L);
  lua_pushinteger(L, a->ndim > 0 ? a->shape[0] : 0);
  return 1;
}

/* Shared by __gc and __close: silent, idempotent, calls no driver. */
int tide_array__gc (lua_State *L) {
  State *st = tide_state(L);
  Array *a = tide_testobject(L, 1, &tide_hostarrayclass);
  if (a == NULL)
    a = tide_checkobject(L, 1, &tide_arrayclass);
  RtBlock *block = a->block;
  a->block = NULL;
  a->closed = true;
  if (block != NULL && st->rt != NULL)
    rt_dropblock(block);
  return 0;
}

/* a:close(): its memory can be used again once its last uses have passed. */
static int array_close (lua_State *L) {
  tide_rt(L);
  tide_checkarray(L, 1);
  return tide_array__gc(L);
}

static const luaL_Reg methods[] = {
  {"close", array_close},
  {"reshape", array_reshape},
  {"select", array_select},
  {"slice", array_slice},
  {NULL, NULL}
};

static const luaL_Reg metamethods[] = {
  {"__gc", tide_array__gc},
  {"__close", tide_array__gc},
  {"__len", tide_array__len},
  {"__newindex", array__newindex},
  {"__tostring", tide_array__tostring},
  {NULL, NULL}
};

const Class tide_arrayclass = {
  "tide.Array", methods, tide_arrayfields, metamethods, array_index
};

void tide_openarray (lua_State *L) {
  tide_newclass(L, &tide_arrayclass);
}
