/*
** array_transfer.c - copies elements between device, page-locked memory and
** Lua.
*/
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "copy.h"
#include "device/await.h"
#include "device/current.h"
#include "device/device.h"
#include "device/host_error.h"
#include "device/service.h"
#include "device/submit.h"
#include "dtype.h"
#include "layout.h"
#include "openers.h"
#include "peercopy.h"
#include "rt/driver/status.h"
#include "rt/graph/host_access.h"
#include "rt/kernels/dtypes.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/wait/deferral.h"
#include "upload.h"

static void enqueue (lua_State *L, RtStream *s, Array *to, Array *from) {
  Op op;
  op_start(&op, OP_COPY, "copy");
  op.u.copy.dst = array_pointer(to);
  op.u.copy.src = array_pointer(from);
  op.u.copy.bytes = array_bytes(to);
  array_access(&op, from, false);
  array_access(&op, to, true);
  submit_work(L, s, &op);
}

/* Queues a copy. The driver copies runs between arrays of as many elements; a
** kernel does the rest, which reaches page-locked memory as well. */
static void copy_apart (lua_State *L, RtStream *s, Array *to, Array *from) {
  if (to->dense && from->dense && to->size == from->size)
    enqueue(L, s, to, from);
  else
    copy_strided(L, s, to, from, NULL);
}

/*
** Queues a copy between views, which may overlap. A copy to the same place does
** nothing; any other goes through memory of its own, since it must read before
** it writes.
*/
void array_copyto (lua_State *L, RtStream *s, Array *to, Array *from) {
  if (to->size == 0 || layout_same_view(to, from))
    return;
  if (!layout_overlaps(to, from)) {
    copy_apart(L, s, to, from);
    return;
  }
  Array *t = array_new(L, from->dev, from->dtype, from->ndim, from->shape, s);
  copy_apart(L, s, t, from);
  copy_apart(L, s, to, t);
  array_release(t);
  lua_pop(L, 1);
}

void array_check_readable (lua_State *L, RtStream *s, const Array *a,
                           const char *what) {
  if (s->capture != NULL || (a->block != NULL && a->block->ncaptures > 0))
    error_fail(L, status_fail(a->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                              what));
  blocking_check(L, a->dev, what);
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
  if (array_is_stale(w->h))
    return status_fail(rt, RT_RESET, NULL);
  return service_check_bound(rt, &w->bound,
                             host_access_ready(w->h->block, w->lo,
                                               w->hi - w->lo, w->write,
                                               w->what),
                             w->what);
}

/* Raises the errors of host functions of all streams that were waited for,
** except by the memory's last owner. */
static void raise_errors (lua_State *L, const HostWait *w) {
  const State *st = state_of_rt(w->h->dev->rt);
  if (!host_error_exists(st) || st->rt->running != NULL)
    return;
  FoundError f = host_error_update(L, NULL);
  const RtBlock *b = w->h->block;
  for (int i = 0; b != NULL && i < b->marks.n; i++) {
    const Mark *k = &b->marks.at[i];
    if (k->seq > b->marks.since)
      host_error_find(L, &f, k->s, k->seq);
  }
  host_error_raise_found(L, &f);
  host_error_raise_comm(L, NULL, 0);
}

static void await (lua_State *L, HostWait *w) {
  service_wait(L, w->h->dev, host_ready, w, w->what);
  if (w->h->closed)
    entry_retry(L, state_get(L));
  raise_errors(L, w);
  if (!w->write)
    submit_check_bytes(L, w->h->block, w->lo, w->hi);
}

void array_wait_host (lua_State *L, const Array *h, size_t lo, size_t hi,
                      bool write, const char *what) {
  HostWait w = {h, lo, hi, write, what, service_start_bound(h->dev->rt)};
  if (h->size == 0)
    return;
  if (write && h->readonly)
    error_raise(L, "the HostArray is read-only, as its owner has it");
  if (hi == 0)
    layout_span(h, &w.lo, &w.hi);
  if (h->dev->rt->running != NULL && error_own_name(L) != NULL)
    blocking_check(L, h->dev, what);
  await(L, &w);
}

void array_wait_idle (lua_State *L, const Array *a, const char *what) {
  HostWait w = {a, 0, 0, true, what, service_start_bound(a->dev->rt)};
  array_check_readable(L, current_get_stream(L, a->dev), a, what);
  layout_span(a, &w.lo, &w.hi);
  await(L, &w);
}

void array_wait_own (lua_State *L, const Array *h, const char *what) {
  HostWait w = {h,     0,    array_bytes(h),
                false, what, service_start_bound(h->dev->rt)};
  if (deferral_find_use(&h->block->marks) != NULL) {
    array_wait_host(L, h, 0, 0, false, what);
    return;
  }
  Status st = host_ready(&w);
  if (st == CUDA_ERROR_NOT_READY)
    st = service_wait_quiet(L, h->dev, host_ready, &w, false, what);
  error_check(L, st);
  if (h->closed)
    entry_retry(L, state_get(L));
  raise_errors(L, &w);
  submit_check_bytes(L, h->block, w.lo, w.hi);
}

Array *array_fetch (lua_State *L, Array *a, const char *what) {
  RtStream *s = current_get_stream(L, a->dev);
  array_check_readable(L, s, a, what);
  Array *h = array_new_host(L, a->dev, a->dtype, a->ndim, a->shape);
  array_copyto(L, s, h, a);
  array_wait_host(L, h, 0, 0, false, what);
  return h;
}

/* {== to Lua ========================================================== */

/* Returns the name of a method of both classes; 'what' is the HostArray's. */
static const char *method_of (const Array *a, const char *what) {
  return (a->object.class == &array_host_class) ? what : what + strlen("host");
}

static const char *host_bytes (const Array *h) {
  return (const char *)(uintptr_t)array_pointer(h);
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
  if (a->object.class == &array_class) {
    *fetched = array_fetch(L, a, what);
    return host_bytes(*fetched);
  }
  char *to = class_new_memory(L, array_bytes(a));
  array_wait_host(L, a, 0, 0, false, what);
  layout_gather(a, to);
  return to;
}

/* Frees the fetched memory for the next call. */
static void drop_elements (Array *fetched) {
  if (fetched != NULL)
    array_release(fetched);
}

/* Returns the Array or HostArray at 'arg'; 'expected' names other choices. */
static Array *check_source (lua_State *L, int arg, const char *expected) {
  Array *a = array_test_any(L, arg);
  if (a == NULL)
    type_error(L, arg, expected);
  array_check_open(L, arg, a);
  return a;
}

static void refuse_item (lua_State *L, const Array *a) {
  array_push_dims(L, a->ndim, a->shape);
  error_raise(L,
              "item needs an array with exactly one element, not one of shape "
              "%s",
              lua_tostring(L, -1));
}

/* a:item() -> the one element of an array of size 1. Waits. */
static int array_item (lua_State *L) {
  Array *fetched;
  Array *a = check_source(L, 1, "tide.Array");
  if (a->size != 1)
    refuse_item(L, a);
  const char *at = push_elements(L, a, &fetched,
                                 method_of(a, "hostarray:item"));
  dtype_push_element(L, at, a->dtype);
  drop_elements(fetched);
  return 1;
}

/* Sets elements 1 to n of the table on the top. */
static void set_elements (lua_State *L, const char *at, int64_t n, DType t) {
  const size_t size = dtype_size(t);
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
      dtype_push_element(L, at + (size_t)i * size, t);
      lua_rawseti(L, -2, i + 1);
    }
#undef SET
}

/* Pushes the nested table for the elements from '*at' on, along 'axis'. */
static void push_nested (lua_State *L, const Array *a, int axis,
                         const char **at) {
  luaL_checkstack(L, LUA_MINSTACK, "nested table");
  if (a->ndim == 0) {
    dtype_push_element(L, *at, a->dtype);
    return;
  }
  int64_t n = a->shape[axis];
  lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
  if (axis + 1 == a->ndim && n > 0) {
    set_elements(L, *at, n, a->dtype);
    *at += (size_t)n * dtype_size(a->dtype);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    push_nested(L, a, axis + 1, at);
    lua_rawseti(L, -2, i + 1);
  }
}

void array_push_nested (lua_State *L, Array *a, const char *what) {
  Array *fetched;
  const char *at = push_elements(L, a, &fetched, what);
  push_nested(L, a, 0, &at);
  drop_elements(fetched);
  lua_remove(L, -2);
}

/* a:totable() -> nested tables; of a 0-d array, the element. Waits. */
static int array_totable (lua_State *L) {
  Array *a = check_source(L, 1, "tide.Array");
  array_push_nested(L, a, method_of(a, "hostarray:totable"));
  return 1;
}

/* Pushes the bytes of a HostArray that is ready. A run is copied directly; for
** a view with gaps the string's buffer is made first. Nothing runs in
** between. */
static void push_host_bytes (lua_State *L, const Array *h, const char *what) {
  luaL_Buffer b;
  if (h->dense && h->size > 0) {
    array_wait_host(L, h, 0, 0, false, what);
    lua_pushlstring(L, host_bytes(h), array_bytes(h));
    return;
  }
  char *to = luaL_buffinitsize(L, &b, array_bytes(h));
  array_wait_host(L, h, 0, 0, false, what);
  layout_gather(h, to);
  luaL_pushresultsize(&b, array_bytes(h));
}

/* a:tobytes() -> the elements as a string, row-major, native order. Waits. */
static int array_tobytes (lua_State *L) {
  Array *a = check_source(L, 1, "tide.Array");
  if (a->object.class == &array_host_class) {
    push_host_bytes(L, a, "hostarray:tobytes");
    return 1;
  }
  Array *h = array_fetch(L, a, "array:tobytes");
  lua_pushlstring(L, h->size > 0 ? host_bytes(h) : "", array_bytes(h));
  array_release(h);
  return 1;
}

/* ==} */

static void check_alike (lua_State *L, int arg, const Array *a,
                         const Array *b) {
  if (a->dtype != b->dtype)
    argerror_raise(L, arg, "dtype %s expected, got %s", dtype_name(a->dtype),
                   dtype_name(b->dtype));
  if (array_same_shape(a, b))
    return;
  array_push_shape(L, a);
  array_push_shape(L, b);
  argerror_raise(L, arg, "shape %s expected, got %s", lua_tostring(L, -2),
                 lua_tostring(L, -1));
}

/* Raises unless the elements of 'from' can be copied into 'a' unchanged. */
static void check_assigned (lua_State *L, int arg, const Array *a,
                            const Array *from) {
  if (from->dtype != a->dtype)
    check_alike(L, arg, a, from);
  if (layout_is_broadcast(from, a))
    return;
  array_push_shape(L, from);
  array_push_shape(L, a);
  argerror_raise(L, arg, "shape %s cannot be broadcast to %s",
                 lua_tostring(L, -2), lua_tostring(L, -1));
}

/*
** a:tohost{ out=, blocking= } -> HostArray: a new one, or 'out' (same shape
** and dtype). blocking=false returns at once; reading the result waits.
*/
static int array_tohost (lua_State *L) {
  static const char *const names[] = {"out", "blocking", NULL};
  Array *a = array_check(L, 1);
  lua_settop(L, 2);
  option_check(L, 2, names);
  bool blocking = option_flag(L, 2, "blocking", true);
  RtStream *s = current_get_stream(L, a->dev);
  if (blocking)
    array_check_readable(L, s, a, "array:tohost");
  if (lua_istable(L, 2))
    option_get(L, 2, "out");
  else
    lua_pushnil(L);
  Array *h = lua_isnil(L, 3) ? NULL : class_test(L, 3, &array_host_class);
  if (!lua_isnil(L, 3) && (h == NULL || h->closed))
    argerror_raise(L, 2, "option 'out' must be an open tide.HostArray, got %s",
                   array_push_got(L, 3));
  if (h == NULL) {
    h = array_new_host(L, a->dev, a->dtype, a->ndim, a->shape);
  } else {
    array_check_open(L, 2, h);
    if (a->dev->D != h->dev->D)
      array_check_devices(L, a, h);
    check_alike(L, 2, a, h);
    layout_check_writable(L, 2, h);
  }
  if (h->dev == a->dev)
    array_copyto(L, s, h, a);
  else
    peercopy_any(L, h, a, "array:tohost");
  if (blocking)
    array_wait_host(L, h, 0, 0, false, "array:tohost");
  return 1;
}

/* a:copy_from(x) -> a: copies all elements of an Array or HostArray of the same
** shape and dtype, of a table of that shape, or of a string with all bytes;
** queued on the current stream. The same for a HostArray. */
static int array_copy_from (lua_State *L) {
  static const char expected[] = "tide.Array or tide.HostArray";
  Array *a = check_source(L, 1, expected);
  if (upload_value(L, a)) {
    lua_settop(L, 1);
    return 1;
  }
  Array *from = check_source(L, 2,
                             "tide.Array, tide.HostArray, table or string");
  check_alike(L, 2, a, from);
  layout_check_writable(L, 1, a);
  peercopy_any(L, a, from, method_of(a, "hostarray:copy_from"));
  lua_settop(L, 1);
  return 1;
}

/* copy(a) -> a new Array with the same elements. */
static int array_copy (lua_State *L) {
  Array *a = array_check(L, 1);
  RtStream *s = current_get_stream(L, a->dev);
  Array *b = array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
  array_copyto(L, s, b, a);
  return 1;
}

/* a:to(device) -> an Array on that device with the same elements: a itself, if
** it is there. */
static int array_to (lua_State *L) {
  Array *a = check_source(L, 1, "tide.Array or tide.HostArray");
  const char *spec = (lua_type(L, 2) == LUA_TSTRING) ? lua_tostring(L, 2) : "";
  if (dtype_is_name(spec))
    argerror_raise(L, 2, "a device expected, got a dtype: a:astype \"%s\"",
                   spec);
  RtDevice *dev = device_check(L, 2);
  lua_settop(L, 2);
  if (a->dev == dev && a->object.class == &array_class)
    lua_settop(L, 1);
  else
    peercopy_push(L, dev, a, "array:to");
  return 1;
}

void array_assign (lua_State *L, Array *a, int arg) {
  RtStream *s = current_get_stream(L, a->dev);
  int type = lua_type(L, arg);
  bool pair = (type == LUA_TTABLE && a->ndim == 0 &&
               dtype_kind(a->dtype) == KIND_COMPLEX); /* {re, im} */
  if (pair || dtype_is_scalar(L, arg)) {
    array_fill_with(L, s, a, arg);
    return;
  }
  Array *from;
  if (type == LUA_TTABLE) {
    from = array_push_table(L, arg, a->dev, (int)a->dtype);
  } else {
    from = check_source(L, arg, "number, boolean, table or array");
    lua_pushvalue(L, arg);
  }
  if (from->object.class == &array_class && from->dtype != a->dtype)
    from = array_push_cast(L, lua_gettop(L), a->dtype);
  check_assigned(L, arg, a, from);
  layout_check_writable(L, 1, a);
  if (type == LUA_TTABLE && a->object.class == &array_host_class &&
      array_same_shape(a, from)) /* needs no work of the device */
    array_write_host(L, a, (const char *)(uintptr_t)array_pointer(from),
                     array_bytes(from), "hostarray:copy_from");
  else
    peercopy_any(L, a, from, "array index");
  if (type == LUA_TTABLE)
    array_release(from);
}

/* Checks the array at 1, which may have been closed meanwhile. */
static void check_there (lua_State *L) {
  size_t lo, hi;
  const Array *a = array_test_any(L, 1);
  if (a->closed || a->block == NULL)
    return;
  layout_span(a, &lo, &hi);
  submit_check_bytes(L, a->block, lo, hi);
}

/* a:await([seconds]) -> true, once all that was queued on its memory has
** passed; or nil and "timeout". */
static int array_await (lua_State *L) {
  Array *a = array_check_any(L, 1);
  Awaited w = {.dev = a->dev,
               .what = method_of(a, "hostarray:await"),
               .check = check_there};
  array_check_open(L, 1, a);
  if (a->size > 0)
    array_check_readable(L, current_get_stream(L, a->dev), a, w.what);
  if (a->block != NULL)
    w.marks = &a->block->marks;
  return await_all(L, &w);
}

const Function array_transfer_methods[] = {
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

void open_transfer (lua_State *L) {
  class_add_methods(L, &array_class, array_transfer_methods);
  class_add_methods(L, &array_class, methods);
  class_set_funcs(L, functions);
}
