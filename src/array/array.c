/*
** array.c - the Array type: creation, checks, fields, closing. Views are in
** view.c, a[i] in index.c; operations on arrays are in create.c, transfer.c,
** elementwise.c and reduce.c.
*/
#include "array.h"

#include <string.h>

#include "allocate.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/listing.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/device.h"
#include "device/gc_pressure.h"
#include "device/host_function.h"
#include "dtype.h"
#include "geometry.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/kernels/dtypes.h"
#include "rt/memory/address.h"
#include "rt/memory/block.h"
#include "rt/memory/foreign.h"
#include "rt/submit.h"
#include "shape.h"
#include "whole_file.h"

#define TOO_MANY "the shape has more than 2^46 elements"

/* {== memory ========================================================== */

bool tide_isshape (int ndim, const int64_t *shape, int64_t *strides,
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

typedef enum Holds { NOTHING_YET, LENT, OWN } Holds; /* the kind of memory */

static Array *push_array (lua_State *L, const Class *class, RtDevice *dev,
                          DType t, int ndim, const int64_t *shape,
                          Holds holds) {
  int64_t strides[MAX_DIMS];
  size_t size;
  bool lent = (holds == LENT), pinned = (class == &tide_hostarrayclass);
  if (!tide_isshape(ndim, shape, strides, &size))
    tide_raise(L, TOO_MANY);
  if (holds == OWN && size > 0)
    tide_makeway(L, dev, size * rt_dtype_size(t), pinned);
  State *st = tide_owner(dev->rt);
  tide_countobject(L, st);
  Array *a = tide_newobjectof(L, st,
                              sizeof *a +
                                (2 * (size_t)ndim + lent) * sizeof *shape,
                              class, 0);
  a->dev = dev;
  a->lent = lent;
  a->dtype = (uint8_t)t;
  a->ndim = (uint8_t)ndim;
  a->size = size;
  a->dense = true;
  if (ndim > 0) {
    memcpy(a->shape, shape, (size_t)ndim * sizeof *shape);
    memcpy(a->shape + ndim, strides, (size_t)ndim * sizeof *strides);
  }
  if (st->nscopes > 0)
    tide_enterscope(L);
  return a;
}

Array *tide_pusharray (lua_State *L, const Class *class, RtDevice *dev, DType t,
                       int ndim, const int64_t *shape) {
  return push_array(L, class, dev, t, ndim, shape, NOTHING_YET);
}

Array *tide_pushlent (lua_State *L, const Class *class, RtDevice *dev, DType t,
                      int ndim, const int64_t *shape) {
  return push_array(L, class, dev, t, ndim, shape, LENT);
}

static void get_block (lua_State *L, Array *a, RtStream *s, bool unused) {
  bool pinned = (a->object.class == &tide_hostarrayclass);
  if (a->size > 0)
    tide_getblock(L, a->dev, tide_nbytes(a), pinned, s, unused, &a->block);
}

static Array *new_array (lua_State *L, RtDevice *dev, DType t, int ndim,
                         const int64_t *shape, RtStream *s, bool unused) {
  if (tide_hasdropped(tide_owner(dev->rt)))
    tide_drain(L);
  Array *a = push_array(L, &tide_arrayclass, dev, t, ndim, shape, OWN);
  get_block(L, a, s, unused);
  return a;
}

Array *tide_newarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s) {
  return new_array(L, dev, t, ndim, shape, s, false);
}

Array *tide_newempty (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s) {
  return new_array(L, dev, t, ndim, shape, s, true);
}

Array *tide_newhostarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                          const int64_t *shape) {
  tide_drain(L);
  Array *a = push_array(L, &tide_hostarrayclass, dev, t, ndim, shape, OWN);
  get_block(L, a, NULL, false);
  return a;
}

size_t tide_nbytes (const Array *a) {
  return a->size * rt_dtype_size(a->dtype);
}

CUdeviceptr tide_pointer (const Array *a) {
  return (a->block != NULL) ? a->block->ptr + a->off : 0;
}

void tide_access (Op *op, const Array *a, bool write) {
  size_t lo = a->off, hi = a->off + tide_nbytes(a);
  if (!a->dense)
    tide_span(a, &lo, &hi);
  rt_access(op, a->block, lo, hi - lo, write);
  op->own[op->naccess - 1].blind = write && a->dense;
}

/* ==} */

/* {== checks ========================================================== */

Array *tide_testarray (lua_State *L, int arg) {
  return tide_testobject(L, arg, &tide_arrayclass);
}

Array *tide_testany (lua_State *L, int arg) {
  Array *a = tide_testarray(L, arg);
  return (a != NULL) ? a : tide_testobject(L, arg, &tide_hostarrayclass);
}

Array *tide_checkany (lua_State *L, int arg) {
  Array *a = tide_testany(L, arg);
  if (a == NULL)
    tide_notobject(L, arg, &tide_arrayclass);
  return a;
}

/* Raises: 'arg' is another value, or an array of a State that has ended. */
static void refuse (lua_State *L, int arg) {
  if (tide_testobject(L, arg, &tide_hostarrayclass) != NULL)
    tide_argerror(L, arg,
                  "tide.Array expected, got tide.HostArray; "
                  "tide.asarray(x) is one");
  tide_wrongobject(L, arg, &tide_arrayclass);
}

Array *tide_checkarray (lua_State *L, int arg) {
  Array *a = tide_asobject(L, arg, &tide_arrayclass);
  if (a == NULL || a->object.state->closed)
    refuse(L, arg);
  tide_checkopen(L, arg, a);
  return a;
}

bool tide_isstale (const Array *a) {
  return a->block != NULL && rt_isstale(a->dev, a->block->generation);
}

void tide_checkfresh (lua_State *L, const Array *a) {
  if (tide_isstale(a))
    tide_raise(L, "device was reset");
}

void tide_checkopen (lua_State *L, int arg, const Array *a) {
  if (a->closed)
    tide_argerror(L, arg, "array is closed");
  if (tide_isstale(a))
    tide_argerror(L, arg, "device was reset");
}

bool tide_sameshape (const Array *a, const Array *b) {
  return a->ndim == b->ndim &&
         (a->ndim == 0 ||
          memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0);
}

void tide_pushdims (lua_State *L, int ndim, const int64_t *shape) {
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

void tide_pushshape (lua_State *L, const Array *a) {
  tide_pushdims(L, a->ndim, a->shape);
}

void tide_checkdevices (lua_State *L, const Array *a, const Array *b) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  if (a->dev != b->dev)
    tide_raise(L, "arrays are on different devices (%s and %s)",
               tide_devicename(a->dev, x), tide_devicename(b->dev, y));
}

void tide_wrongshape (lua_State *L, int arg, int idx, const char *order) {
  bool number = (lua_type(L, idx) == LUA_TNUMBER);
  tide_argerror(L, arg,
                "shape must be an integer or a table of integers, got %s%s%s",
                number ? tide_pushnumber(L, idx) : tide_pushgot(L, idx),
                order != NULL ? "; the arguments are " : "",
                order != NULL ? order : "");
}

static int64_t check_dimension (lua_State *L, int arg, int idx) {
  int isint;
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    tide_wrongshape(L, arg, idx, NULL);
  if (n < 0)
    tide_argerror(L, arg, "shape must not be negative");
  return n;
}

const char tide_shapelist[] =
  "a shape, which is lengths alone, {2, 3}; what else there is are arguments "
  "of their own";

int tide_readshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]) {
  if (!lua_istable(L, arg)) {
    shape[0] = check_dimension(L, arg, arg);
    return 1;
  }
  lua_Unsigned n = lua_rawlen(L, arg);
  tide_argcheck(L, n <= MAX_DIMS, arg, "shape has more than 32 dimensions");
  tide_checklist(L, arg, n, tide_shapelist);
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, arg, i + 1);
    shape[i] = check_dimension(L, arg, -1);
    lua_pop(L, 1);
  }
  return (int)n;
}

int tide_checkshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]) {
  int64_t strides[MAX_DIMS];
  size_t size;
  int ndim = tide_readshape(L, arg, shape);
  tide_argcheck(L, tide_isshape(ndim, shape, strides, &size), arg, "%s",
                TOO_MANY);
  return ndim;
}

/* ==} */

/* {== fields ========================================================== */

static Array *check_either (lua_State *L) {
  Array *a = tide_checkany(L, 1);
  tide_checkopen(L, 1, a);
  return a;
}

static int array_shape (lua_State *L) {
  Array *a = check_either(L);
  lua_createtable(L, a->ndim, 0);
  for (int i = 0; i < a->ndim; i++) {
    lua_pushinteger(L, a->shape[i]);
    lua_rawseti(L, -2, i + 1);
  }
  tide_setlisting(L);
  return 1;
}

/* a.strides: in elements, like the shape. */
static int array_strides (lua_State *L) {
  Array *a = check_either(L);
  lua_createtable(L, a->ndim, 0);
  for (int i = 0; i < a->ndim; i++) {
    lua_pushinteger(L, tide_strides(a)[i]);
    lua_rawseti(L, -2, i + 1);
  }
  tide_setlisting(L);
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
  tide_pushdevice(L, check_either(L)->dev);
  return 1;
}

void tide_exposearray (lua_State *L, const Array *a) {
  if (a->block != NULL && !a->block->placed)
    tide_check(L, rt_placeblock(a->block));
}

static int array_ptr (lua_State *L) {
  const Array *a = check_either(L);
  tide_exposearray(L, a);
  lua_pushinteger(L, (lua_Integer)tide_pointer(a));
  return 1;
}

const Function tide_arrayfields[] = {
  {"T", tide_array_T, 1},
  {"device", array_device, 1},
  {"dtype", array_dtype, 1},
  {"mT", tide_array_mT, 1},
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
int tide_array__len (lua_State *L) {
  Array *a = check_either(L);
  lua_pushinteger(L, a->ndim > 0 ? a->shape[0] : 0);
  return 1;
}

void tide_closearray (Array *a) {
  RtBlock *block = a->block;
  RtLoan *loan = tide_loan(a);
  a->block = NULL;
  a->closed = true;
  a->scope = 0;
  if (block != NULL && a->object.state->rt != NULL) {
    rt_droploan(loan);
    rt_dropblock(block);
  }
}

void tide_shareblock (Array *a, RtBlock *block, RtLoan *loan) {
  rt_retainblock(block);
  if (loan != NULL)
    rt_retainloan(loan);
  a->block = block;
  tide_setloan(a, loan);
}

static bool stands_below (lua_State *L, int i, const Array *a) {
  while (--i > 0)
    if (lua_touserdata(L, i) == a)
      return true;
  return false;
}

void tide_drop (lua_State *L, int top) {
  for (int i = lua_gettop(L); i > top; i--) {
    Array *a = tide_testarray(L, i);
    if (a != NULL && !stands_below(L, i, a))
      tide_closearray(a);
  }
  lua_settop(L, top);
}

int tide_return (lua_State *L, int args) {
  if (lua_gettop(L) > args + 1) {
    lua_insert(L, args + 1);
    tide_drop(L, args + 1);
  }
  return 1;
}

/* Shared by __gc and __close: silent, idempotent, calls no driver. */
int tide_array__gc (lua_State *L) {
  tide_state(L)->pressure.ended++;
  tide_closearray(tide_endobject(L, &tide_arrayclass, &tide_hostarrayclass));
  return 0;
}

/* a:close(): its memory can be reused once its last uses have passed. */
static int array_close (lua_State *L) {
  Array *a = tide_checkobject(L, 1, &tide_arrayclass);
  tide_argcheck(L, !a->closed, 1, "array is closed");
  return tide_array__gc(L);
}

static const Function methods[] = {
  {"close", array_close, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", tide_array__gc, 1},
  {"__close", tide_array__gc, 2},
  {"__len", tide_array__len, 2},
  {"__pairs", tide_array__pairs, 1},
  {"__tostring", tide_array__tostring, 1},
  {NULL, NULL, 0},
};

const Class tide_arrayclass = {
  .name = "tide.Array",
  .methods = methods,
  .fields = tide_arrayfields,
  .metamethods = metamethods,
  .index = tide_array_index,
};

/* Closes the arrays that a call has made since, when it begins again. */
static void close_made (lua_State *L, int index, uint64_t since) {
  if (tide_closewhole(L, index))
    return;
  Array *a = tide_testany(L, index);
  if (a != NULL && a->block != NULL && a->block->born >= since)
    tide_closearray(a);
}

void tide_openarray (lua_State *L) {
  tide_state(L)->close_made = close_made;
  tide_newclass(L, &tide_arrayclass);
}
