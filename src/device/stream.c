/*
** stream.c - the Stream type, and the module's Stream and ExternalStream. Owns
** a reference to one RtStream per object. It never queues work: op.c does. Its
** methods that capture are in graph.c, its scopes in stream_scope.c.
*/
#include "base/field.h"
#include "base/option.h"
#include "base/type.h"
#include "drain.h"
#include "stream.h"

#include "await.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/state.h"
#include "current.h"
#include "device.h"
#include "event.h"
#include "gc.h"
#include "hostfunc.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/graph/branch.h"
#include "rt/graph/capture.h"
#include "rt/queue/kept.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_pool.h"
#include "rt/runtime.h"
#include "rt/submit/op.h"
#include "rt/wait/deferral.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "service.h"
#include "submit.h"

/* {== check, push ===================================================== */

static bool is_stale (const Stream *s) {
  return s->rs != NULL && life_is_stale(&s->rs->life);
}

static Stream *check_usable (lua_State *L, int arg, Stream *s) {
  argerror_check(L, !s->closed, arg, "stream is closed");
  argerror_check(L, !is_stale(s), arg, "device was reset");
  return s;
}

Stream *stream_check (lua_State *L, int arg) {
  return check_usable(L, arg, class_check(L, arg, &stream_class));
}

Stream *stream_check_again (lua_State *L, int arg) {
  return check_usable(L, arg, lua_touserdata(L, arg));
}

void stream_expose (lua_State *L, RtStream *s, const char *what) {
  error_check(L, deferral_check_sent(s, what));
  if (s->capture != NULL)
    error_check(L, branch_set_mixed(s->capture, s));
  s->exposed = true;
}

RtStream *stream_default (lua_State *L, StreamKind kind, RtDevice *dev) {
  RtStream *rs = (kind == STREAM_NULL) ? dev->null : NULL;
  if (rs != NULL)
    return rs;
  error_check(L, context_enter(dev));
  error_check(L, stream_pool_default(dev, kind, &rs));
  return rs;
}

RtStream *stream_resolve (lua_State *L, Stream *s) {
  if (s->rs != NULL)
    return s->rs;
  return stream_default(L, s->kind, current_get_device(L));
}

RtStream *stream_opt (lua_State *L, int arg, RtDevice *dev) {
  if (!lua_isnoneornil(L, arg))
    return stream_resolve(L, stream_check(L, arg));
  return current_get_stream(L, dev != NULL ? dev : current_get_device(L));
}

/* Pushes a Stream that is closed until its 'rs' is set. */
static Stream *push_closed (lua_State *L) {
  Stream *s = class_new_object(L, sizeof *s, &stream_class, 1);
  s->kind = STREAM_OWNED;
  s->closed = true;
  return s;
}

static Stream *opened (Stream *s, RtStream *rs) {
  s->rs = rs;
  s->kind = rs->kind;
  s->closed = false;
  return s;
}

void stream_push (lua_State *L, RtStream *rs) { opened(push_closed(L), rs); }

static Status new_stream (RtDevice *dev, unsigned flags, int priority,
                          RtStream **out) {
  Status st = runtime_check_streams(dev);
  return (st != 0) ? st : stream_pool_new(dev, flags, priority, out);
}

Stream *stream_create (lua_State *L, RtDevice *dev, unsigned flags,
                       int priority) {
  RtStream *rs;
  Stream *s = push_closed(L);
  gc_relieve_handles(L);
  drain_dropped(L);
  Status st = new_stream(dev, flags, priority, &rs);
  if (drain_make_room(L, st))
    st = new_stream(dev, flags, priority, &rs);
  error_check(L, st);
  return opened(s, rs);
}

static void push_singleton (lua_State *L, StreamKind kind) {
  Stream *s = push_closed(L);
  s->kind = kind;
  s->closed = false;
}

/* ==} */

/* {== making streams ================================================== */

/*
** Stream{ null=, ptds=, non_blocking=, priority= } -> a new stream of the
** current device, or one of the singletons.
*/
static int core_Stream (lua_State *L) {
  static const char *const names[] = {"null", "ptds", "non_blocking",
                                      "priority", NULL};
  enum { LEGACY = 1, PTDS = 2, NON_BLOCKING = 4, PRIORITY = 8 };
  state_rt(L);
  for (int i = 3; i <= lua_gettop(L); i++)
    argerror_check(L, lua_isnil(L, i), i - 1, "no value expected");
  lua_settop(L, 2);
  lua_rotate(L, 1, -1); /* the callable table, argument 1: to the end */
  unsigned given = option_check(L, 1, names);
  bool null = (given & LEGACY) && option_flag(L, 1, "null", false);
  bool ptds = (given & PTDS) && option_flag(L, 1, "ptds", false);
  bool non_blocking = (given & NON_BLOCKING) &&
                      option_flag(L, 1, "non_blocking", false);
  lua_Integer priority = (given & PRIORITY)
                           ? option_integer(L, 1, "priority", 0)
                           : 0;
  if ((null || ptds) && ((null && ptds) || non_blocking || priority != 0))
    argerror_raise(L, 1, "'null' and 'ptds' go with no other option");
  lua_rotate(L, 1, 1);
  if (null || ptds)
    return state_push_uv(L, null ? UV_NULL : UV_PTDS), 1;
  if (priority > 1000)
    priority = 1000; /* clamped further by the device */
  if (priority < -1000)
    priority = -1000;
  stream_create(L, current_get_device(L),
                non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT,
                (int)priority);
  return 1;
}

static uintptr_t check_pointer (lua_State *L, int arg) {
  if (lua_islightuserdata(L, arg))
    return (uintptr_t)lua_touserdata(L, arg);
  if (lua_isinteger(L, arg))
    return (uintptr_t)lua_tointeger(L, arg);
  type_error(L, arg, "integer or light userdata");
  return 0;
}

/* Wraps a foreign stream of 'dev'. The value at 'keep' (0: none) lives as long.
** Returns NULL if the handle is a default stream. */
static RtStream *wrap (lua_State *L, CUstream handle, RtDevice *dev, int keep) {
  RtStream *rs;
  if (handle == NULL || handle == CU_STREAM_LEGACY)
    return state_push_uv(L, UV_NULL), NULL;
  if (handle == CU_STREAM_PER_THREAD)
    return state_push_uv(L, UV_PTDS), NULL;
  Stream *s = push_closed(L);
  if (keep != 0) {
    lua_pushvalue(L, keep);
    lua_setiuservalue(L, -2, 1);
  }
  error_check(L, stream_pool_wrap(dev, handle, &rs));
  opened(s, rs);
  return rs;
}

RtStream *stream_push_external (lua_State *L, RtDevice *dev, CUstream handle) {
  return wrap(L, handle, dev, 0);
}

/*
** Stream.from_external(ptr [, keep]): wraps a CUstream of the current device
** that others have made, and will destroy.
*/
static int stream_from_external (lua_State *L) {
  state_rt(L);
  CUstream handle = (CUstream)check_pointer(L, 1);
  wrap(L, handle, current_get_device(L), lua_isnoneornil(L, 2) ? 0 : 2);
  return 1;
}

/* ExternalStream(ptr [, device_id]): from_external on a device by its
** number. */
static int core_ExternalStream (lua_State *L) {
  state_rt(L);
  CUstream handle = (CUstream)check_pointer(L, 1);
  RtDevice *dev = lua_isnoneornil(L, 2) ? current_get_device(L)
                                        : device_check(L, 2);
  wrap(L, handle, dev, 0);
  return 1;
}

/* ==} */

/* {== life ============================================================ */

/* Silent, idempotent, calls no driver. The singletons stay open. */
static int stream__gc (lua_State *L) {
  State *st = state_get(L);
  Stream *s = class_check_gc(L, &stream_class, NULL);
  RtStream *rs = s->rs;
  if (rs == NULL)
    return 0;
  s->rs = NULL;
  s->closed = true;
  if (st->rt != NULL)
    stream_pool_drop(rs);
  return 0;
}

/* __close is __gc that also abandons an open capture begun on the stream. */
static int stream__close (lua_State *L) {
  const Stream *s = class_check_gc(L, &stream_class, NULL);
  if (s->rs != NULL && state_get(L)->rt != NULL)
    capture_abandon(s->rs);
  return stream__gc(L);
}

/* s:close(): pending work completes. Not while capturing. */
static int stream_close (lua_State *L) {
  Stream *s = class_check(L, 1, &stream_class);
  argerror_check(L, !s->closed, 1, "stream is closed");
  argerror_check(L, s->rs != NULL, 1, "a default stream cannot be closed");
  if (s->rs->capture != NULL)
    return error_fail(L, status_fail(s->rs->dev->rt,
                                     CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                     "stream:close"));
  stream__gc(L);
  drain_dropped(L);
  return 0;
}

static int stream__tostring (lua_State *L) {
  Stream *s = class_check(L, 1, &stream_class);
  char name[DEVICE_NAME];
  if (s->closed)
    return lua_pushliteral(L, "tide.Stream (closed)"), 1;
  if (s->rs == NULL)
    return lua_pushfstring(L, "tide.Stream %s (device -1)",
                           s->kind == STREAM_NULL ? "null" : "ptds"),
           1;
  if (is_stale(s))
    return lua_pushliteral(L, "tide.Stream (device was reset)"), 1;
  const char *blocks = s->rs->nonblocking ? ", non-blocking" : "";
  const char *how = s->rs->capture != NULL ? ", capturing" : "";
  int priority = s->rs->priority;
  device_write_name(s->rs->dev, name);
  const char *address = limits_push_address(L, (void *)s->rs->handle);
  lua_pushfstring(L, "tide.Stream %s(%s%s, priority %d%s)", address, name,
                  blocks, priority, how);
  return 1;
}

/* Streams are equal if they are one handle on one device. */
static int stream__eq (lua_State *L) {
  Stream *a = class_test(L, 1, &stream_class);
  Stream *b = class_test(L, 2, &stream_class);
  bool same = (a != NULL && b != NULL && !a->closed && !b->closed);
  if (same && a->rs != NULL && b->rs != NULL)
    same = a->rs->handle == b->rs->handle && a->rs->dev == b->rs->dev;
  else if (same)
    same = a->rs == b->rs && a->kind == b->kind;
  lua_pushboolean(L, same);
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

/* s.ptr: the CUstream as an integer; 0 and 2 for the singletons, as in CUDA.
** From now on others may queue work on it, so kept operations are sent
** first. */
static int stream_ptr (lua_State *L) {
  Stream *s = stream_check(L, 1);
  if (s->rs != NULL)
    stream_expose(L, s->rs, "stream.ptr");
  lua_pushinteger(L, s->rs != NULL ? (lua_Integer)(uintptr_t)s->rs->handle
                     : s->kind == STREAM_NULL ? 0
                                              : 2);
  return 1;
}

static int stream_device_id (lua_State *L) {
  Stream *s = stream_check(L, 1);
  lua_pushinteger(L, s->rs != NULL ? s->rs->dev->ordinal : -1);
  return 1;
}

static int stream_device (lua_State *L) {
  Stream *s = stream_check(L, 1);
  device_push(L, s->rs != NULL ? s->rs->dev : current_get_device(L));
  return 1;
}

/* s.done: whether all work on it has finished. Does not wait. */
static int stream_done (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  Status st = progress_query(rs, "stream.done");
  if (st != CUDA_ERROR_NOT_READY)
    error_check(L, st);
  lua_pushboolean(L, st == 0);
  return 1;
}

static int stream_is_non_blocking (lua_State *L) {
  Stream *s = stream_check(L, 1);
  lua_pushboolean(L, s->rs != NULL && s->rs->nonblocking);
  return 1;
}

static int stream_priority (lua_State *L) {
  Stream *s = stream_check(L, 1);
  lua_pushinteger(L, s->rs != NULL ? s->rs->priority : 0);
  return 1;
}

/* ==} */

/* {== verbs =========================================================== */

/* s:use() -> s, now current for this coroutine. */
static int stream_use (lua_State *L) {
  current_use_stream(L, 1);
  lua_settop(L, 1);
  return 1;
}

/* s:synchronize(): waits for all work queued on s, running host functions. */
static int stream_synchronize (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  drain_dropped(L);
  service_wait_stream(L, rs, "stream:synchronize");
  return 0;
}

/* s:await([seconds]) -> true, once all present work on it has passed; or nil
** and "timeout". */
static int stream_await (lua_State *L) {
  static const char what[] = "stream:await";
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  error_check(L, wait_check(rs, what));
  Awaited w = {.dev = rs->dev, .what = what, .point = {rs, kept_last(rs)}};
  return await_all(L, &w);
}

/* s:record([event]) -> event: a new one if none is given. */
static int stream_record (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  lua_settop(L, 2);
  Event *e = lua_isnil(L, 2) ? event_create(L, rs->dev, CU_EVENT_DEFAULT)
                             : event_check(L, 2);
  event_queue_record(L, e, rs);
  return 1;
}

/* s:wait_event(e) -> s: later work on s comes after e. */
static int stream_wait_event (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  Event *e = event_check(L, 2);
  argerror_check(L, event_pool_is_recorded(e->re), 2,
                 "event was never recorded");
  Op op;
  op_start(&op, OP_WAIT, "stream:wait_event");
  event_queue_wait(L, rs, e, 0, &op);
  lua_pushvalue(L, 1);
  return 1;
}

/* s:wait_stream(t) -> s: later work on s comes after all present work of t. */
static int stream_wait_stream (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  RtStream *rt = stream_resolve(L, stream_check(L, 2));
  entry_check_calls(L, state_of_rt(rs->dev->rt));
  error_check(L, op_wait_stream(rs, rt, "stream:wait_stream"));
  lua_pushvalue(L, 1);
  return 1;
}

/* ==} */

static const Function methods[] = {
  {"add_callback", hostfunc_add_callback, 3},
  {"close", stream_close, 1},
  {"launch_host_func", hostfunc_launch, 3},
  {"record", stream_record, 2},
  {"await", stream_await, 2},
  {"synchronize", stream_synchronize, 1},
  {"use", stream_use, 1},
  {"wait_event", stream_wait_event, 2},
  {"wait_stream", stream_wait_stream, 2},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"device", stream_device, 1},
  {"device_id", stream_device_id, 1},
  {"done", stream_done, 1},
  {"is_non_blocking", stream_is_non_blocking, 1},
  {"priority", stream_priority, 1},
  {GROUP_POINTERS "ptr", stream_ptr, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", stream__gc, 1}, {"__close", stream__close, 2},
  {"__eq", stream__eq, 2}, {"__tostring", stream__tostring, 1},
  {NULL, NULL, 0},
};

const Class stream_class = {
  .name = "tide.Stream",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_POINTERS "ExternalStream", core_ExternalStream, 2},
  {NULL, NULL, 0},
};

static const Function makers[] = {
  {GROUP_POINTERS "from_external", stream_from_external, 2},
  {NULL, NULL, 0},
};

/* The module's Stream: a table that can be called. */
static void push_module (lua_State *L) {
  lua_newtable(L);
  push_singleton(L, STREAM_NULL);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_NULL);
  lua_setfield(L, -2, "null");
  push_singleton(L, STREAM_PTDS);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_PTDS);
  lua_setfield(L, -2, "ptds");
  class_set_funcs(L, makers);
  class_set_call(L, "tide.Stream", core_Stream);
}

void open_stream (lua_State *L) {
  class_define(L, &stream_class);
  push_module(L);
  field_set_strict(L, "tide.Stream");
  lua_setfield(L, -2, "Stream");
  class_set_funcs(L, functions);
}
