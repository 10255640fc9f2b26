/*
** transfer.c - elements between device, page-locked memory and Lua.
*/
#include <string.h>

#include "array.h"
#include "callback.h"
#include "current.h"
#include "device.h"
#include "dtype.h"
#include "error.h"
#include "geometry.h"
#include "rt/block.h"
#include "rt/runtime.h"
#include "rt/submit.h"
#include "strided.h"
#include "upload.h"

static void enqueue (lua_State *L, RtStream *s, Array *to, Array *from) {
  Op op;
  rt_startop(&op, OP_COPY, "copy");
  op.u.copy.dst = tide_pointer(to);
  op.u.copy.src = tide_pointer(from);
  op.u.copy.bytes = tide_nbytes(to);
  tide_access(&op, from, false);
  tide_access(&op, to, true);
  tide_submit(L, s, &op);
}

/* The driver copies runs between arrays of as many elements; the rest is for a
** kernel, which reaches page-locked memory as well. */
static void copy_apart (lua_State *L, RtStream *s, Array *to, Array *from) {
  if (to->dense && from->dense && to->size == from->size)
    enqueue(L, s, to, from);
  else
    tide_stridedcopy(L, s, to, from, NULL);
}

/*
** Views of one array may overlap. A copy to the same place is none; any other
** goes through memory of its own, since it must read before it writes.
*/
void tide_copy (lua_State *L, RtStream *s, Array *to, Array *from) {
  if (to->size == 0 || tide_issameview(to, from))
    return;
  if (!tide_overlaps(to, from)) {
    copy_apart(L, s, to, from);
    return;
  }
  Array *t = tide_newarray(L, from->dev, from->dtype, from->ndim,
                           from->shape, s);
  copy_apart(L, s, t, from);
  copy_apart(L, s, to, t);
  tide_closearray(t);
  lua_pop(L, 1);
}

void tide_checkreadable (lua_State *L, RtStream *s, const Array *a,
                         const char *what) {
  if (s->capture != NULL || (a->block != NULL && a->block->ncaptures > 0))
    tide_fail(L, rt_fail(a->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                         what));
}

static void wait_for (lua_State *L, Array *h, const char *what) {
  size_t lo, hi;
  tide_span(h, &lo, &hi);
  if (h->size > 0)
    tide_check(L, rt_hostaccess(h->block, lo, hi - lo, false, what));
  if (h->closed)
    luaL_error(L, "array was closed by a host function");
  tide_checkfresh(L, h);
}

Array *tide_fetch (lua_State *L, Array *a, const char *what) {
  RtStream *s = tide_currentstream(L, a->dev);
  tide_checkreadable(L, s, a, what);
  Array *h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, a->shape);
  tide_copy(L, s, h, a);
  wait_for(L, h, what);
  return h;
}

/* {== to Lua ========================================================== */

static const char *host_bytes (const Array *h) {
  return (const char *)(uintptr_t)tide_pointer(h);
}

/* The array at 1 as page-locked memory that is ready: fetched, or itself. */
static Array *ready (lua_State *L, const char *what) {
  tide_rt(L);
  Array *h = tide_testobject(L, 1, &tide_hostarrayclass);
  if (h == NULL)
    return tide_fetch(L, tide_checkarray(L, 1), what);
  tide_checkopen(L, 1, h);
  wait_for(L, h, what);
  lua_pushvalue(L, 1);
  return h;
}

/* Memory that 'ready' fetched is free for the next one. */
static void done (lua_State *L, Array *h) {
  if (h != lua_touserdata(L, 1))
    tide_closearray(h);
}

/* An Array or a HostArray at 'arg'; 'expected' says what else could be. */
static Array *check_source (lua_State *L, int arg, const char *expected) {
  Array *a = tide_testobject(L, arg, &tide_hostarrayclass);
  if (a == NULL)
    a = tide_testarray(L, arg);
  if (a == NULL)
    luaL_typeerror(L, arg, expected);
  tide_checkopen(L, arg, a);
  return a;
}

/* a:item() -> the one element of an array of size 1. Waits. */
static int array_item (lua_State *L) {
  Array *a = check_source(L, 1, "tide.Array");
  luaL_argcheck(L, a->size == 1, 1,
                "item needs an array with exactly one element");
  Array *h = ready(L, "array:item");
  tide_pushelement(L, host_bytes(h), h->dtype);
  done(L, h);
  return 1;
}

/* Whatever Lua makes meanwhile may collect: raises if a finalizer took the
** memory away. */
static void check_kept (lua_State *L, const Array *h) {
  if (h->closed)
    luaL_error(L, "array was closed by a finalizer");
  tide_checkfresh(L, h);
}

/* Pushes the nested table for the elements from 'at', along 'axis'. */
static void push_nested (lua_State *L, const Array *h, int axis,
                         const char *at) {
  luaL_checkstack(L, 4, "nested table");
  if (axis == h->ndim) {
    check_kept(L, h);
    tide_pushelement(L, at, h->dtype);
    return;
  }
  int64_t n = h->shape[axis];
  int64_t step = (h->size == 0) ? 0 :  /* nowhere is a place to go on from */
                 tide_strides(h)[axis] * (int64_t)rt_dtype_size(h->dtype);
  lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
  for (int64_t i = 0; i < n; i++) {
    push_nested(L, h, axis + 1, at + i * step);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Pushes the elements of 'h', row-major. */
static void push_bytes (lua_State *L, const Array *h) {
  luaL_Buffer b;
  if (h->dense) {
    lua_pushlstring(L, h->size > 0 ? host_bytes(h) : "", tide_nbytes(h));
    return;
  }
  char *to = luaL_buffinitsize(L, &b, tide_nbytes(h));
  check_kept(L, h);
  tide_hostgather(h, to);
  luaL_pushresultsize(&b, tide_nbytes(h));
}

/* a:totable() -> nested tables; of a 0-d array, the element. Waits. */
static int array_totable (lua_State *L) {
  Array *h = ready(L, "array:totable");
  push_nested(L, h, 0, h->size > 0 ? host_bytes(h) : "");
  done(L, h);
  return 1;
}

/* a:tobytes() -> the elements as a string, row-major, native order. Waits. */
static int array_tobytes (lua_State *L) {
  Array *h = ready(L, "array:tobytes");
  push_bytes(L, h);
  done(L, h);
  return 1;
}

/* ==} */

static void check_alike (lua_State *L, int arg, const Array *a,
                         const Array *b) {
  luaL_argcheck(L, a->dtype == b->dtype, arg, lua_pushfstring(L,
      "dtype %s expected, got %s", tide_dtypename(a->dtype),
      tide_dtypename(b->dtype)));
  if (tide_sameshape(a, b))
    return;
  tide_pushshape(L, a);
  tide_pushshape(L, b);
  luaL_argerror(L, arg, lua_pushfstring(L, "shape %s expected, got %s",
                                        lua_tostring(L, -2),
                                        lua_tostring(L, -1)));
}

/*
** a:tohost{ out=, blocking= } -> HostArray: a new one, or 'out' (same shape
** and dtype). blocking=false returns at once; reading it waits.
*/
static int array_tohost (lua_State *L) {
  static const char *const names[] = {"out", "blocking", NULL};
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  lua_settop(L, 2);
  tide_checkoptions(L, 2, names);
  bool blocking = tide_optflag(L, 2, "blocking", true);
  RtStream *s = tide_currentstream(L, a->dev);
  if (blocking)
    tide_checkreadable(L, s, a, "array:tohost");
  if (lua_istable(L, 2))
    lua_getfield(L, 2, "out");
  else
    lua_pushnil(L);
  Array *h = lua_isnil(L, 3) ? NULL :
             tide_testobject(L, 3, &tide_hostarrayclass);
  luaL_argcheck(L, lua_isnil(L, 3) || (h != NULL && !h->closed), 2,
                "option 'out' must be an open tide.HostArray");
  if (h == NULL) {
    h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, a->shape);
  } else {
    tide_checkopen(L, 2, h);
    tide_checkdevices(L, a, h);
    check_alike(L, 2, a, h);
    tide_checkwritable(L, 2, h);
  }
  tide_copy(L, s, h, a);
  if (blocking)
    wait_for(L, h, "array:tohost");
  return 1;
}

/* a:copy_from(x) -> a: all elements of an Array or HostArray of the same shape
** and dtype, of a table of that shape, or a string with all bytes; queued on
** the current stream. Of a HostArray likewise. */
static int array_copy_from (lua_State *L) {
  static const char expected[] = "tide.Array or tide.HostArray";
  tide_rt(L);
  Array *a = check_source(L, 1, expected);
  if (tide_copyvalue(L, a)) {
    lua_settop(L, 1);
    return 1;
  }
  Array *from = check_source(L, 2, "tide.Array, tide.HostArray, table or "
                             "string");
  tide_checkdevices(L, a, from);
  check_alike(L, 2, a, from);
  tide_checkwritable(L, 1, a);
  tide_copy(L, tide_currentstream(L, a->dev), a, from);
  lua_settop(L, 1);
  return 1;
}

/* copy(a) -> a new Array with the same elements. */
static int array_copy (lua_State *L) {
  tide_rt(L);
  Array *a = tide_checkarray(L, 1);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *b = tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
  tide_copy(L, s, b, a);
  return 1;
}

/* Pushes page-locked memory with the elements of 'a', which nobody else has. */
static Array *push_own (lua_State *L, Array *a, const char *what) {
  if (a->object.class == &tide_arrayclass)
    return tide_fetch(L, a, what);
  Array *h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, a->shape);
  wait_for(L, a, what);
  tide_hostgather(a, (char *)(uintptr_t)tide_pointer(h));
  return h;
}

/* a:to(device) -> an Array on that device with the same elements: a itself, if
** it is one. From another device by way of the host, so it waits for them. */
static int array_to (lua_State *L) {
  tide_rt(L);
  Array *a = check_source(L, 1, "tide.Array or tide.HostArray");
  RtDevice *dev = tide_checkdevice(L, 2);
  lua_settop(L, 2);
  if (a->dev == dev && a->object.class == &tide_arrayclass) {
    lua_settop(L, 1);
    return 1;
  }
  Array *h = push_own(L, a, "array:to");
  RtStream *s = tide_currentstream(L, dev);
  Array *b = tide_newarray(L, dev, h->dtype, h->ndim, h->shape, s);
  check_kept(L, h);
  tide_uploadhost(L, s, b, h, "array:to");
  tide_closearray(h);
  return 1;
}

void tide_assign (lua_State *L, Array *a, int arg) {
  RtStream *s = tide_currentstream(L, a->dev);
  int type = lua_type(L, arg);
  bool pair = (type == LUA_TTABLE && a->ndim == 0 &&
               tide_kind(a->dtype) == KIND_COMPLEX);  /* {re, im} */
  if (pair || tide_isscalar(L, arg)) {
    tide_fillarray(L, s, a, arg);
    return;
  }
  Array *from;
  if (type == LUA_TTABLE) {
    from = tide_pushtable(L, arg, a->dev, (int)a->dtype);
  } else {
    from = check_source(L, arg, "number, boolean, table or array");
    lua_pushvalue(L, arg);
  }
  tide_checkdevices(L, a, from);
  if (from->object.class == &tide_arrayclass && from->dtype != a->dtype)
    from = tide_pushcast(L, lua_gettop(L), a->dtype);
  if (from->dtype != a->dtype || !tide_isbroadcast(from, a))
    check_alike(L, arg, a, from);
  tide_checkwritable(L, 1, a);
  tide_copy(L, s, a, from);
  if (type == LUA_TTABLE)
    tide_closearray(from);
}

const luaL_Reg tide_transfermethods[] = {
  {"copy_from", array_copy_from},
  {"item", array_item},
  {"to", array_to},
  {"tobytes", array_tobytes},
  {"totable", array_totable},
  {NULL, NULL}
};

static const luaL_Reg methods[] = {
  {"copy", array_copy},
  {"tohost", array_tohost},
  {NULL, NULL}
};

static const luaL_Reg functions[] = {
  {"copy", array_copy},
  {NULL, NULL}
};

void tide_opentransfer (lua_State *L) {
  tide_addmethods(L, &tide_arrayclass, tide_transfermethods);
  tide_addmethods(L, &tide_arrayclass, methods);
  tide_setfuncs(L, functions);
}
