/*
** transfer.c - copies elements between device, page-locked memory and Lua.
*/
#include <string.h>

#include "across.h"
#include "array.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/slip.h"
#include "base/state.h"
#include "copy.h"
#include "device/current.h"
#include "device/device.h"
#include "device/host_error.h"
#include "device/service.h"
#include "device/submit.h"
#include "device/ticket.h"
#include "dtype.h"
#include "geometry.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/graph/host_access.h"
#include "rt/kernels/dtypes.h"
#include "rt/submit.h"
#include "rt/wait/behind.h"
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

/* Queues a copy. The driver copies runs between arrays of as many elements; a
** kernel does the rest, which reaches page-locked memory as well. */
static void copy_apart (lua_State *L, RtStream *s, Array *to, Array *from) {
  if (to->dense && from->dense && to->size == from->size)
    enqueue(L, s, to, from);
  else
    tide_stridedcopy(L, s, to, from, NULL);
}

/*
** Queues a copy between views, which may overlap. A copy to the same place does
** nothing; any other goes through memory of its own, since it must read before
** it writes.
*/
void tide_copy (lua_State *L, RtStream *s, Array *to, Array *from) {
  if (to->size == 0 || tide_issameview(to, from))
    return;
  if (!tide_overlaps(to, from)) {
    copy_apart(L, s, to, from);
    return;
  }
  Array *t = tide_newarray(L, from->dev, from->dtype, from->ndim, from->shape,
                           s);
  copy_apart(L, s, t, from);
  copy_apart(L, s, to, t);
  tide_closearray(t);
  lua_pop(L, 1);
}

void tide_checkreadable (lua_State *L, RtStream *s, const Array *a,
                         const char *what) {
  if (s->capture != NULL || (a->block != NULL && a->block->ncaptures > 0))
    tide_fail(L,
              rt_fail(a->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what));
  tide_checkmaywait(L, a->dev, what);
}

typedef struct HostWait {
  const Array *h;
  size_t lo, hi;
  bool write;
  const char *what;
  WaitBound bound;
} HostWait;

/* Tells whether the HostArray may be used. A host function may have closed it
** meanwhile: then there is nothing to wait for. Work that host functions queue
** is waited for as well, but not without end. */
static Status host_ready (void *ud) {
  HostWait *w = ud;
  Runtime *rt = w->h->dev->rt;
  if (w->h->closed)
    return 0;
  if (tide_isstale(w->h))
    return rt_fail(rt, RT_RESET, NULL);
  return tide_bound(rt, &w->bound,
                    rt_hostready(w->h->block, w->lo, w->hi - w->lo, w->write,
                                 w->what),
                    w->what);
}

/* Raises the errors of host functions of all streams that were waited for. */
static void raise_errors (lua_State *L, const HostWait *w) {
  const RtBlock *b = w->h->block;
  const State *st = tide_owner(w->h->dev->rt);
  if (!tide_haserrors(st) || st->rt->running != NULL)
    return;
  for (int i = 0; i < b->marks.n; i++)
    tide_raiseerrors(L, NULL, b->marks.at[i].s, b->marks.at[i].seq);
  tide_raiselost(L, NULL, 0);
}

static void await (lua_State *L, HostWait *w) {
  tide_await(L, w->h->dev, host_ready, w, w->what);
  if (w->h->closed)
    tide_again(L, tide_state(L));
  raise_errors(L, w);
  if (!w->write)
    tide_checkbytes(L, w->h->block, w->lo, w->hi);
}

void tide_waithost (lua_State *L, const Array *h, size_t lo, size_t hi,
                    bool write, const char *what) {
  HostWait w = {h, lo, hi, write, what, tide_startbound(h->dev->rt)};
  if (h->size == 0)
    return;
  if (write && h->readonly)
    tide_raise(L, "the HostArray is read-only, as its owner has it");
  if (hi == 0)
    tide_span(h, &w.lo, &w.hi);
  await(L, &w);
}

void tide_waitidle (lua_State *L, const Array *a, const char *what) {
  HostWait w = {a, 0, 0, true, what, tide_startbound(a->dev->rt)};
  tide_checkreadable(L, tide_currentstream(L, a->dev), a, what);
  tide_span(a, &w.lo, &w.hi);
  await(L, &w);
}

void tide_waitown (lua_State *L, const Array *h, const char *what) {
  HostWait w = {h, 0, tide_nbytes(h), false, what, tide_startbound(h->dev->rt)};
  if (rt_findkept(&h->block->marks) != NULL) {
    tide_waithost(L, h, 0, 0, false, what);
    return;
  }
  Status st = host_ready(&w);
  if (st == CUDA_ERROR_NOT_READY)
    st = tide_awaitquietly(L, h->dev, host_ready, &w, false, what);
  tide_check(L, st);
  if (h->closed)
    tide_again(L, tide_state(L));
  raise_errors(L, &w);
  tide_checkbytes(L, h->block, w.lo, w.hi);
}

Array *tide_fetch (lua_State *L, Array *a, const char *what) {
  RtStream *s = tide_currentstream(L, a->dev);
  tide_checkreadable(L, s, a, what);
  Array *h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, a->shape);
  tide_copy(L, s, h, a);
  tide_waithost(L, h, 0, 0, false, what);
  return h;
}

/* {== to Lua ========================================================== */

static const char *host_bytes (const Array *h) {
  return (const char *)(uintptr_t)tide_pointer(h);
}

/*
** Pushes memory with the elements of 'a', row-major and private, because making
** Lua values of them may run finalizers. That is page-locked memory,
** '*fetched', or for a HostArray memory of Lua's, since its elements are taken
** at one moment.
*/
static const char *push_elements (lua_State *L, Array *a, Array **fetched,
                                  const char *what) {
  *fetched = NULL;
  if (a->object.class == &tide_arrayclass) {
    *fetched = tide_fetch(L, a, what);
    return host_bytes(*fetched);
  }
  char *to = tide_newmemory(L, tide_nbytes(a));
  tide_waithost(L, a, 0, 0, false, what);
  tide_hostgather(a, to);
  return to;
}

/* Frees the fetched memory for the next call. */
static void drop_elements (Array *fetched) {
  if (fetched != NULL)
    tide_closearray(fetched);
}

/* Returns the Array or HostArray at 'arg'; 'expected' names other choices. */
static Array *check_source (lua_State *L, int arg, const char *expected) {
  Array *a = tide_testany(L, arg);
  if (a == NULL)
    tide_typeerror(L, arg, expected);
  tide_checkopen(L, arg, a);
  return a;
}

static void refuse_item (lua_State *L, const Array *a) {
  tide_pushdims(L, a->ndim, a->shape);
  tide_raise(L,
             "item needs an array with exactly one element, not one of "
             "shape %s",
             lua_tostring(L, -1));
}

/* a:item() -> the one element of an array of size 1. Waits. */
static int array_item (lua_State *L) {
  Array *fetched;
  Array *a = check_source(L, 1, "tide.Array");
  if (a->size != 1)
    refuse_item(L, a);
  const char *at = push_elements(L, a, &fetched, "array:item");
  tide_pushelement(L, at, a->dtype);
  drop_elements(fetched);
  return 1;
}

/* Sets elements 1 to n of the table on the top. */
static void set_elements (lua_State *L, const char *at, int64_t n, DType t) {
  const size_t size = rt_dtype_size(t);
#define SET(T, push) \
  for (int64_t i = 0; i < n; i++) { \
    T x; \
    memcpy(&x, at + (size_t)i * sizeof x, sizeof x); \
    push(L, x); \
    lua_rawseti(L, -2, i + 1); \
  }
  if (t == DTYPE_FLOAT64)
    SET(double, lua_pushnumber)
  else if (t == DTYPE_FLOAT32)
    SET(float, lua_pushnumber)
  else if (t == DTYPE_INT64)
    SET(int64_t, lua_pushinteger)
  else
    for (int64_t i = 0; i < n; i++) {
      tide_pushelement(L, at + (size_t)i * size, t);
      lua_rawseti(L, -2, i + 1);
    }
#undef SET
}

/* Pushes the nested table for the elements from '*at' on, along 'axis'. */
static void push_nested (lua_State *L, const Array *a, int axis,
                         const char **at) {
  luaL_checkstack(L, LUA_MINSTACK, "nested table");
  if (a->ndim == 0) {
    tide_pushelement(L, *at, a->dtype);
    return;
  }
  int64_t n = a->shape[axis];
  lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
  if (axis + 1 == a->ndim && n > 0) {
    set_elements(L, *at, n, a->dtype);
    *at += (size_t)n * rt_dtype_size(a->dtype);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    push_nested(L, a, axis + 1, at);
    lua_rawseti(L, -2, i + 1);
  }
}

void tide_pushnested (lua_State *L, Array *a, const char *what) {
  Array *fetched;
  const char *at = push_elements(L, a, &fetched, what);
  push_nested(L, a, 0, &at);
  drop_elements(fetched);
  lua_remove(L, -2);
}

/* a:totable() -> nested tables; of a 0-d array, the element. Waits. */
static int array_totable (lua_State *L) {
  tide_pushnested(L, check_source(L, 1, "tide.Array"), "array:totable");
  return 1;
}

/* Pushes the bytes of a HostArray that is ready. A run is copied directly; for
** a view with gaps the string's buffer is made first. Nothing runs in
** between. */
static void push_host_bytes (lua_State *L, const Array *h, const char *what) {
  luaL_Buffer b;
  if (h->dense && h->size > 0) {
    tide_waithost(L, h, 0, 0, false, what);
    lua_pushlstring(L, host_bytes(h), tide_nbytes(h));
    return;
  }
  char *to = luaL_buffinitsize(L, &b, tide_nbytes(h));
  tide_waithost(L, h, 0, 0, false, what);
  tide_hostgather(h, to);
  luaL_pushresultsize(&b, tide_nbytes(h));
}

/* a:tobytes() -> the elements as a string, row-major, native order. Waits. */
static int array_tobytes (lua_State *L) {
  Array *a = check_source(L, 1, "tide.Array");
  if (a->object.class == &tide_hostarrayclass) {
    push_host_bytes(L, a, "array:tobytes");
    return 1;
  }
  Array *h = tide_fetch(L, a, "array:tobytes");
  lua_pushlstring(L, h->size > 0 ? host_bytes(h) : "", tide_nbytes(h));
  tide_closearray(h);
  return 1;
}

/* ==} */

static void check_alike (lua_State *L, int arg, const Array *a,
                         const Array *b) {
  if (a->dtype != b->dtype)
    tide_argerror(L, arg, "dtype %s expected, got %s", tide_dtypename(a->dtype),
                  tide_dtypename(b->dtype));
  if (tide_sameshape(a, b))
    return;
  tide_pushshape(L, a);
  tide_pushshape(L, b);
  tide_argerror(L, arg, "shape %s expected, got %s", lua_tostring(L, -2),
                lua_tostring(L, -1));
}

/* Raises unless the elements of 'from' can be copied into 'a' unchanged. */
static void check_assigned (lua_State *L, int arg, const Array *a,
                            const Array *from) {
  if (from->dtype != a->dtype)
    check_alike(L, arg, a, from);
  if (tide_isbroadcast(from, a))
    return;
  tide_pushshape(L, from);
  tide_pushshape(L, a);
  tide_argerror(L, arg, "shape %s cannot be broadcast to %s",
                lua_tostring(L, -2), lua_tostring(L, -1));
}

/*
** a:tohost{ out=, blocking= } -> HostArray: a new one, or 'out' (same shape
** and dtype). blocking=false returns at once; reading the result waits.
*/
static int array_tohost (lua_State *L) {
  static const char *const names[] = {"out", "blocking", NULL};
  Array *a = tide_checkarray(L, 1);
  lua_settop(L, 2);
  tide_checkoptions(L, 2, names);
  bool blocking = tide_optflag(L, 2, "blocking", true);
  RtStream *s = tide_currentstream(L, a->dev);
  if (blocking)
    tide_checkreadable(L, s, a, "array:tohost");
  if (lua_istable(L, 2))
    tide_getoption(L, 2, "out");
  else
    lua_pushnil(L);
  Array *h = lua_isnil(L, 3) ? NULL
                             : tide_testobject(L, 3, &tide_hostarrayclass);
  tide_argcheck(L, lua_isnil(L, 3) || (h != NULL && !h->closed), 2,
                "option 'out' must be an open tide.HostArray");
  if (h == NULL) {
    h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, a->shape);
  } else {
    tide_checkopen(L, 2, h);
    if (a->dev->D != h->dev->D)
      tide_checkdevices(L, a, h);
    check_alike(L, 2, a, h);
    tide_checkwritable(L, 2, h);
  }
  if (h->dev == a->dev)
    tide_copy(L, s, h, a);
  else
    tide_copyany(L, h, a, "array:tohost");
  if (blocking)
    tide_waithost(L, h, 0, 0, false, "array:tohost");
  return 1;
}

/* a:copy_from(x) -> a: copies all elements of an Array or HostArray of the same
** shape and dtype, of a table of that shape, or of a string with all bytes;
** queued on the current stream. The same for a HostArray. */
static int array_copy_from (lua_State *L) {
  static const char expected[] = "tide.Array or tide.HostArray";
  Array *a = check_source(L, 1, expected);
  if (tide_copyvalue(L, a)) {
    lua_settop(L, 1);
    return 1;
  }
  Array *from = check_source(L, 2,
                             "tide.Array, tide.HostArray, table or "
                             "string");
  check_alike(L, 2, a, from);
  tide_checkwritable(L, 1, a);
  tide_copyany(L, a, from, "array:copy_from");
  lua_settop(L, 1);
  return 1;
}

/* copy(a) -> a new Array with the same elements. */
static int array_copy (lua_State *L) {
  Array *a = tide_checkarray(L, 1);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *b = tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
  tide_copy(L, s, b, a);
  return 1;
}

/* a:to(device) -> an Array on that device with the same elements: a itself, if
** it is there. */
static int array_to (lua_State *L) {
  Array *a = check_source(L, 1, "tide.Array or tide.HostArray");
  RtDevice *dev = tide_checkdevice(L, 2);
  lua_settop(L, 2);
  if (a->dev == dev && a->object.class == &tide_arrayclass)
    lua_settop(L, 1);
  else
    tide_pushacross(L, dev, a, "array:to");
  return 1;
}

void tide_assign (lua_State *L, Array *a, int arg) {
  RtStream *s = tide_currentstream(L, a->dev);
  int type = lua_type(L, arg);
  bool pair = (type == LUA_TTABLE && a->ndim == 0 &&
               tide_kind(a->dtype) == KIND_COMPLEX); /* {re, im} */
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
  if (from->object.class == &tide_arrayclass && from->dtype != a->dtype)
    from = tide_pushcast(L, lua_gettop(L), a->dtype);
  check_assigned(L, arg, a, from);
  tide_checkwritable(L, 1, a);
  if (type == LUA_TTABLE && a->object.class == &tide_hostarrayclass &&
      tide_sameshape(a, from)) /* needs no work of the device */
    tide_sethost(L, a, (const char *)(uintptr_t)tide_pointer(from),
                 tide_nbytes(from), "hostarray:copy_from");
  else
    tide_copyany(L, a, from, "array index");
  if (type == LUA_TTABLE)
    tide_closearray(from);
}

/* Checks the array at 1, which may have been closed meanwhile. */
static void check_there (lua_State *L) {
  size_t lo, hi;
  const Array *a = tide_testany(L, 1);
  if (a->closed || a->block == NULL)
    return;
  tide_span(a, &lo, &hi);
  tide_checkbytes(L, a->block, lo, hi);
}

/* a:await([seconds]) -> true, once all that was queued on its memory has
** passed; or nil and "timeout". */
static int array_await (lua_State *L) {
  Array *a = tide_checkany(L, 1);
  Awaited w = {.dev = a->dev, .what = "array:await", .check = check_there};
  tide_checkopen(L, 1, a);
  if (a->size > 0)
    tide_checkreadable(L, tide_currentstream(L, a->dev), a, w.what);
  if (a->block != NULL)
    w.marks = &a->block->marks;
  return tide_awaitall(L, &w);
}

const Function tide_transfermethods[] = {
  {"await", array_await, 2},
  {"copy_from", array_copy_from, 2},
  {"item", array_item, 1},
  {"to", array_to, 2},
  {"tobytes", array_tobytes, 1},
  {"totable", array_totable, 1},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"copy", array_copy, 1},
  {"tohost", array_tohost, 2},
  {NULL, NULL, 0},
};

static const Function functions[] = {
  {"copy", array_copy, 1},
  {NULL, NULL, 0},
};

void tide_opentransfer (lua_State *L) {
  tide_addmethods(L, &tide_arrayclass, tide_transfermethods);
  tide_addmethods(L, &tide_arrayclass, methods);
  tide_setfuncs(L, functions);
}
