/*
** array.c - the Array type: creation, checks, fields, closing. Views are in
** view.c, a[i] in index.c; operations on arrays are in create.c,
** array_transfer.c, elementwise.c and reduce.c.
*/
#include "array.h"

#include <string.h>

#include "alloc.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/listing.h"
#include "base/state.h"
#include "base/type.h"
#include "device/device.h"
#include "device/drain.h"
#include "device/gc.h"
#include "device/hostfunc.h"
#include "dtype.h"
#include "layout.h"
#include "npz.h"
#include "openers.h"
#include "osfile.h"
#include "rt/driver/context.h"
#include "rt/kernels/dtypes.h"
#include "rt/memory/address.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/memory/import.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "shape.h"

#define TOO_MANY "the shape has more than 2^46 elements"

/* {== memory ========================================================== */

bool array_measure (int ndim, const int64_t *shape, int64_t *strides,
                    size_t *size) {
  bool empty = false;
  *size = 1;
  for (int i = ndim - 1; i >= 0; i--) {
    strides[i] = (int64_t)*size;
    if (shape[i] == 0)
      empty = true; /* its strides are computed as if the length were 1 */
    else if (__builtin_mul_overflow(*size, (size_t)shape[i], size) ||
             *size > (size_t)1 << 46)
      return false;
  }
  if (empty)
    *size = 0;
  return true;
}

typedef enum Holds {
  NOTHING_YET,
  IMPORTED,
  OWN
} Holds; /* the kind of memory */

static Array *push_array (lua_State *L, const Class *class, RtDevice *dev,
                          DType t, int ndim, const int64_t *shape,
                          Holds holds) {
  int64_t strides[MAX_DIMS];
  size_t size;
  bool imported = (holds == IMPORTED), pinned = (class == &array_host_class);
  if (!array_measure(ndim, shape, strides, &size))
    error_raise(L, TOO_MANY);
  if (holds == OWN && size > 0)
    alloc_prepare(L, dev, size * dtype_size(t), pinned);
  State *st = state_of_rt(dev->rt);
  gc_count_object(L, st);
  Array *a = class_new_object_in(L, st,
                                 sizeof *a + (2 * (size_t)ndim + imported) *
                                               sizeof *shape,
                                 class, 0);
  a->dev = dev;
  a->imported = imported;
  a->dtype = (uint8_t)t;
  a->ndim = (uint8_t)ndim;
  a->size = size;
  a->dense = true;
  if (ndim > 0) {
    memcpy(a->shape, shape, (size_t)ndim * sizeof *shape);
    memcpy(a->shape + ndim, strides, (size_t)ndim * sizeof *strides);
  }
  if (st->nscopes > 0)
    array_enter_scope(L);
  return a;
}

Array *array_push (lua_State *L, const Class *class, RtDevice *dev, DType t,
                   int ndim, const int64_t *shape) {
  return push_array(L, class, dev, t, ndim, shape, NOTHING_YET);
}

Array *array_push_import (lua_State *L, const Class *class, RtDevice *dev,
                          DType t, int ndim, const int64_t *shape) {
  return push_array(L, class, dev, t, ndim, shape, IMPORTED);
}

static void get_block (lua_State *L, Array *a, RtStream *s, bool unused) {
  bool pinned = (a->object.class == &array_host_class);
  if (a->size > 0)
    alloc_block(L, a->dev, array_bytes(a), pinned, s, unused, &a->block);
}

static Array *new_array (lua_State *L, RtDevice *dev, DType t, int ndim,
                         const int64_t *shape, RtStream *s, bool unused) {
  if (drain_is_due(state_of_rt(dev->rt)))
    drain_dropped(L);
  Array *a = push_array(L, &array_class, dev, t, ndim, shape, OWN);
  get_block(L, a, s, unused);
  return a;
}

Array *array_new (lua_State *L, RtDevice *dev, DType t, int ndim,
                  const int64_t *shape, RtStream *s) {
  return new_array(L, dev, t, ndim, shape, s, false);
}

Array *array_new_empty (lua_State *L, RtDevice *dev, DType t, int ndim,
                        const int64_t *shape, RtStream *s) {
  return new_array(L, dev, t, ndim, shape, s, true);
}

Array *array_new_host (lua_State *L, RtDevice *dev, DType t, int ndim,
                       const int64_t *shape) {
  drain_dropped(L);
  Array *a = push_array(L, &array_host_class, dev, t, ndim, shape, OWN);
  get_block(L, a, NULL, false);
  return a;
}

size_t array_bytes (const Array *a) { return a->size * dtype_size(a->dtype); }

CUdeviceptr array_pointer (const Array *a) {
  return (a->block != NULL) ? a->block->ptr + a->off : 0;
}

void array_access (Op *op, const Array *a, bool write) {
  size_t lo = a->off, hi = a->off + array_bytes(a);
  if (!a->dense)
    layout_span(a, &lo, &hi);
  op_access(op, a->block, lo, hi - lo, write);
  op->own[op->naccess - 1].blind = write && a->dense;
}

/* ==} */

/* {== checks ========================================================== */

Array *array_test (lua_State *L, int arg) {
  return class_test(L, arg, &array_class);
}

const char *array_push_got (lua_State *L, int idx) {
  const Array *a = array_test_any(L, idx);
  return (a != NULL && a->closed) ? lua_pushliteral(L, "a closed one")
                                  : type_push_name(L, idx);
}

Array *array_test_any (lua_State *L, int arg) {
  Array *a = array_test(L, arg);
  return (a != NULL) ? a : class_test(L, arg, &array_host_class);
}

Array *array_check_any (lua_State *L, int arg) {
  Array *a = array_test_any(L, arg);
  if (a == NULL)
    type_refuse(L, arg, &array_class);
  return a;
}

/* Raises: 'arg' is another value, or an array of a State that has ended. */
static void refuse (lua_State *L, int arg) {
  if (class_test(L, arg, &array_host_class) != NULL)
    argerror_raise(L, arg,
                   "tide.Array expected, got tide.HostArray; tide.asarray(x) "
                   "is one");
  if (lua_istable(L, arg))
    type_error(L, arg, "tide.Array, such as tide.array(list),");
  class_refuse(L, arg, &array_class);
}

Array *array_check (lua_State *L, int arg) {
  Array *a = class_as_object(L, arg, &array_class);
  if (a == NULL || a->object.state->closed)
    refuse(L, arg);
  array_check_open(L, arg, a);
  return a;
}

bool array_is_stale (const Array *a) {
  return a->block != NULL && life_is_stale(&a->block->life);
}

void array_check_fresh (lua_State *L, const Array *a) {
  if (array_is_stale(a))
    error_raise(L, "device was reset");
}

void array_check_open (lua_State *L, int arg, const Array *a) {
  if (a->closed)
    argerror_raise(L, arg, "array is closed");
  if (array_is_stale(a))
    argerror_raise(L, arg, "device was reset");
}

bool array_same_shape (const Array *a, const Array *b) {
  return a->ndim == b->ndim &&
         (a->ndim == 0 ||
          memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0);
}

void array_push_dims (lua_State *L, int ndim, const int64_t *shape) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < ndim; i++) {
    lua_pushfstring(L, i > 0 ? "x%I" : "%I", (LUAI_UACINT)shape[i]);
    luaL_addvalue(&b);
  }
  if (ndim == 0)
    luaL_addstring(&b, "()");
  luaL_pushresult(&b);
}

void array_push_lengths (lua_State *L, int ndim, const int64_t *lengths) {
  lua_createtable(L, ndim, 0);
  for (int i = 0; i < ndim; i++) {
    lua_pushinteger(L, lengths[i]);
    lua_rawseti(L, -2, i + 1);
  }
  listing_set(L);
}

void array_push_shape (lua_State *L, const Array *a) {
  array_push_dims(L, a->ndim, a->shape);
}

void array_check_devices (lua_State *L, const Array *a, const Array *b) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  if (a->dev != b->dev)
    error_raise(L, "arrays are on different devices (%s and %s)",
                device_write_name(a->dev, x), device_write_name(b->dev, y));
}

void array_refuse_shape (lua_State *L, int arg, int idx, const char *order) {
  bool number = (lua_type(L, idx) == LUA_TNUMBER);
  argerror_raise(L, arg,
                 "shape must be an integer or a table of integers, got %s%s%s",
                 number ? type_push_number(L, idx) : type_push_got(L, idx),
                 order != NULL ? "; the arguments are " : "",
                 order != NULL ? order : "");
}

static int64_t check_dimension (lua_State *L, int arg, int idx) {
  int isint;
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    array_refuse_shape(L, arg, idx, NULL);
  if (n < 0)
    argerror_raise(L, arg, "shape must not be negative");
  return n;
}

const char array_shape_list[] = "a shape, which is lengths alone, {2, 3}; what "
                                "else there is are arguments of their own";

int array_read_shape (lua_State *L, int arg, int64_t shape[MAX_DIMS]) {
  if (!lua_istable(L, arg)) {
    shape[0] = check_dimension(L, arg, arg);
    return 1;
  }
  lua_Unsigned n = lua_rawlen(L, arg);
  argerror_check(L, n <= MAX_DIMS, arg, "shape has more than 32 dimensions");
  list_check(L, arg, n, array_shape_list);
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, arg, i + 1);
    shape[i] = check_dimension(L, arg, -1);
    lua_pop(L, 1);
  }
  return (int)n;
}

int array_check_shape (lua_State *L, int arg, int64_t shape[MAX_DIMS]) {
  int64_t strides[MAX_DIMS];
  size_t size;
  int ndim = array_read_shape(L, arg, shape);
  argerror_check(L, array_measure(ndim, shape, strides, &size), arg, "%s",
                 TOO_MANY);
  return ndim;
}

/* ==} */

/* {== fields ========================================================== */

static Array *check_either (lua_State *L) {
  Array *a = array_check_any(L, 1);
  array_check_open(L, 1, a);
  return a;
}

static int array_shape (lua_State *L) {
  Array *a = check_either(L);
  array_push_lengths(L, a->ndim, a->shape);
  return 1;
}

/* a.strides: in elements, like the shape. */
static int array_strides (lua_State *L) {
  Array *a = check_either(L);
  array_push_lengths(L, a->ndim, array_stride(a));
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
  lua_pushstring(L, dtype_name(check_either(L)->dtype));
  return 1;
}

static int array_nbytes (lua_State *L) {
  lua_pushinteger(L, (lua_Integer)array_bytes(check_either(L)));
  return 1;
}

static int array_device (lua_State *L) {
  device_push(L, check_either(L)->dev);
  return 1;
}

void array_expose (lua_State *L, const Array *a) {
  if (a->block != NULL && !a->block->placed)
    error_check(L, address_add(a->block));
}

static int array_ptr (lua_State *L) {
  const Array *a = check_either(L);
  array_expose(L, a);
  lua_pushinteger(L, (lua_Integer)array_pointer(a));
  return 1;
}

const Function array_fields[] = {
  {"T", shape_T, 1},
  {"device", array_device, 1},
  {"dtype", array_dtype, 1},
  {"mT", shape_mT, 1},
  {"nbytes", array_nbytes, 1},
  {"ndim", array_ndim, 1},
  {GROUP_POINTERS "ptr", array_ptr, 1},
  {"shape", array_shape, 1},
  {"size", array_size, 1},
  {"strides", array_strides, 1},
  {NULL, NULL, 0},
};

/* ==} */

/* #a: the length of the first axis. */
int array_len (lua_State *L) {
  Array *a = check_either(L);
  lua_pushinteger(L, a->ndim > 0 ? a->shape[0] : 0);
  return 1;
}

void array_release (Array *a) {
  RtBlock *block = a->block;
  RtImport *import = array_import(a);
  a->block = NULL;
  a->closed = true;
  a->scope = 0;
  if (block != NULL && a->object.state->rt != NULL) {
    import_drop(import);
    block_drop(block);
  }
}

void array_share_block (Array *a, RtBlock *block, RtImport *import) {
  block_retain(block);
  if (import != NULL)
    import_retain(import);
  a->block = block;
  array_set_import(a, import);
}

static bool stands_below (lua_State *L, int i, const Array *a) {
  while (--i > 0)
    if (lua_touserdata(L, i) == a)
      return true;
  return false;
}

void array_drop (lua_State *L, int top) {
  for (int i = lua_gettop(L); i > top; i--) {
    Array *a = array_test(L, i);
    if (a != NULL && !stands_below(L, i, a))
      array_release(a);
  }
  lua_settop(L, top);
}

int array_return (lua_State *L, int args) {
  if (lua_gettop(L) > args + 1) {
    lua_insert(L, args + 1);
    array_drop(L, args + 1);
  }
  return 1;
}

/* Shared by __gc and __close: silent, idempotent, calls no driver. */
int array_gc (lua_State *L) {
  state_get(L)->pressure.ended++;
  array_release(class_check_gc(L, &array_class, &array_host_class));
  return 0;
}

/* a:close(): its memory can be reused once its last uses have passed. */
static int array_close (lua_State *L) {
  Array *a = class_check(L, 1, &array_class);
  argerror_check(L, !a->closed, 1, "array is closed");
  return array_gc(L);
}

static const Function methods[] = {
  {"close", array_close, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", array_gc, 1},
  {"__close", array_gc, 2},
  {"__len", array_len, 2},
  {"__pairs", array_pairs, 1},
  {"__tostring", array_tostring, 1},
  {NULL, NULL, 0},
};

const Class array_class = {
  .name = "tide.Array",
  .methods = methods,
  .fields = array_fields,
  .metamethods = metamethods,
  .index = array_index,
};

/* Closes the arrays that a call has made since, when it begins again. */
static void close_made (lua_State *L, int index, uint64_t since) {
  if (osfile_close(L, index) || npz_close(L, index))
    return;
  Array *a = array_test_any(L, index);
  if (a != NULL && a->block != NULL && a->block->born >= since)
    array_release(a);
}

void open_array (lua_State *L) {
  state_get(L)->close_made = close_made;
  class_define(L, &array_class);
}
