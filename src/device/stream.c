/*
** stream.c - the Stream type, and the module's Stream and ExternalStream. Owns
** a reference to one RtStream per object. It never queues work: rt/submit.c
** does. Its methods that capture are in graph.c, its scopes in stream_scope.c.
*/
#include "base/slip.h"
#include "base/unknown.h"
#include "stream.h"

#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/state.h"
#include "current.h"
#include "device.h"
#include "event.h"
#include "gc_pressure.h"
#include "host_function.h"
#include "openers.h"
#include "rt/queue/kept.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/graph/branches.h"
#include "rt/graph/capture.h"
#include "rt/queue/stream_pool.h"
#include "rt/runtime.h"
#include "rt/submit.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/behind.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "service.h"
#include "submit.h"
#include "ticket.h"

/* {== check, push ===================================================== */

static bool is_stale (const Stream *s) {
  return s->rs != NULL && rt_isstale(s->rs->dev, s->rs->generation);
}

Stream *tide_checkstream (lua_State *L, int arg) {
  Stream *s = tide_checkobject(L, arg, &tide_streamclass);
  tide_argcheck(L, !s->closed, arg, "stream is closed");
  tide_argcheck(L, !is_stale(s), arg, "device was reset");
  return s;
}

void tide_expose (lua_State *L, RtStream *s, const char *what) {
  tide_check(L, rt_checksent(s, what));
  if (s->capture != NULL)
    tide_check(L, rt_mixbranch(s->capture, s));
  s->exposed = true;
}

RtStream *tide_singleton (lua_State *L, StreamKind kind, RtDevice *dev) {
  RtStream *rs = (kind == STREAM_NULL) ? dev->null : NULL;
  if (rs != NULL)
    return rs;
  tide_check(L, rt_enter(dev));
  tide_check(L, rt_defaultstream(dev, kind, &rs));
  return rs;
}

RtStream *tide_rtstream (lua_State *L, Stream *s) {
  if (s->rs != NULL)
    return s->rs;
  return tide_singleton(L, s->kind, tide_currentdevice(L));
}

RtStream *tide_optstream (lua_State *L, int arg, RtDevice *dev) {
  if (!lua_isnoneornil(L, arg))
    return tide_rtstream(L, tide_checkstream(L, arg));
  return tide_currentstream(L, dev != NULL ? dev : tide_currentdevice(L));
}

/* Pushes a Stream that is closed until its 'rs' is set. */
static Stream *push_closed (lua_State *L) {
  Stream *s = tide_newobject(L, sizeof *s, &tide_streamclass, 1);
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

void tide_pushstream (lua_State *L, RtStream *rs) {
  opened(push_closed(L), rs);
}

static Status new_stream (RtDevice *dev, unsigned flags, int priority,
                          RtStream **out) {
  Status st = rt_checkstreams(dev);
  return (st != 0) ? st : rt_newstream(dev, flags, priority, out);
}

Stream *tide_newstream (lua_State *L, RtDevice *dev, unsigned flags,
                        int priority) {
  RtStream *rs;
  Stream *s = push_closed(L);
  tide_relievehandles(L);
  tide_drain(L);
  Status st = new_stream(dev, flags, priority, &rs);
  if (tide_makeroom(L, st))
    st = new_stream(dev, flags, priority, &rs);
  tide_check(L, st);
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
  tide_rt(L);
  for (int i = 3; i <= lua_gettop(L); i++)
    tide_argcheck(L, lua_isnil(L, i), i - 1, "no value expected");
  lua_settop(L, 2);
  lua_rotate(L, 1, -1); /* the callable table, argument 1: to the end */
  unsigned given = tide_checkoptions(L, 1, names);
  bool null = (given & LEGACY) && tide_optflag(L, 1, "null", false);
  bool ptds = (given & PTDS) && tide_optflag(L, 1, "ptds", false);
  bool non_blocking = (given & NON_BLOCKING) &&
                      tide_optflag(L, 1, "non_blocking", false);
  lua_Integer priority = (given & PRIORITY) ? tide_optint(L, 1, "priority", 0)
                                            : 0;
  if ((null || ptds) && ((null && ptds) || non_blocking || priority != 0))
    tide_argerror(L, 1, "'null' and 'ptds' go with no other option");
  lua_rotate(L, 1, 1);
  if (null || ptds)
    return tide_pushuv(L, null ? UV_NULL : UV_PTDS), 1;
  if (priority > 1000)
    priority = 1000; /* clamped further by the device */
  if (priority < -1000)
    priority = -1000;
  tide_newstream(L, tide_currentdevice(L),
                 non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT,
                 (int)priority);
  return 1;
}

static uintptr_t check_pointer (lua_State *L, int arg) {
  if (lua_islightuserdata(L, arg))
    return (uintptr_t)lua_touserdata(L, arg);
  if (lua_isinteger(L, arg))
    return (uintptr_t)lua_tointeger(L, arg);
  tide_typeerror(L, arg, "integer or light userdata");
  return 0;
}

/* Wraps a foreign stream of 'dev'. The value at 'keep' (0: none) lives as long.
** Returns NULL if the handle is a default stream. */
static RtStream *wrap (lua_State *L, CUstream handle, RtDevice *dev, int keep) {
  RtStream *rs;
  if (handle == NULL || handle == CU_STREAM_LEGACY)
    return tide_pushuv(L, UV_NULL), NULL;
  if (handle == CU_STREAM_PER_THREAD)
    return tide_pushuv(L, UV_PTDS), NULL;
  Stream *s = push_closed(L);
  if (keep != 0) {
    lua_pushvalue(L, keep);
    lua_setiuservalue(L, -2, 1);
  }
  tide_check(L, rt_externalstream(dev, handle, &rs));
  opened(s, rs);
  return rs;
}

RtStream *tide_pushexternal (lua_State *L, RtDevice *dev, CUstream handle) {
  return wrap(L, handle, dev, 0);
}

/*
** Stream.from_external(ptr [, keep]): wraps a CUstream of the current device
** that others have made, and will destroy.
*/
static int stream_from_external (lua_State *L) {
  tide_rt(L);
  CUstream handle = (CUstream)check_pointer(L, 1);
  wrap(L, handle, tide_currentdevice(L), lua_isnoneornil(L, 2) ? 0 : 2);
  return 1;
}

/* ExternalStream(ptr [, device_id]): from_external on a device by its
** number. */
static int core_ExternalStream (lua_State *L) {
  tide_rt(L);
  CUstream handle = (CUstream)check_pointer(L, 1);
  RtDevice *dev = lua_isnoneornil(L, 2) ? tide_currentdevice(L)
                                        : tide_checkdevice(L, 2);
  wrap(L, handle, dev, 0);
  return 1;
}

/* ==} */

/* {== life ============================================================ */

/* Silent, idempotent, calls no driver. The singletons stay open. */
static int stream__gc (lua_State *L) {
  State *st = tide_state(L);
  Stream *s = tide_endobject(L, &tide_streamclass, NULL);
  RtStream *rs = s->rs;
  if (rs == NULL)
    return 0;
  s->rs = NULL;
  s->closed = true;
  if (st->rt != NULL)
    rt_dropstream(rs);
  return 0;
}

/* __close is __gc that also abandons an open capture begun on the stream. */
static int stream__close (lua_State *L) {
  const Stream *s = tide_endobject(L, &tide_streamclass, NULL);
  if (s->rs != NULL && tide_state(L)->rt != NULL)
    rt_abandon(s->rs);
  return stream__gc(L);
}

/* s:close(): pending work completes. Not while capturing. */
static int stream_close (lua_State *L) {
  Stream *s = tide_checkobject(L, 1, &tide_streamclass);
  tide_argcheck(L, !s->closed, 1, "stream is closed");
  tide_argcheck(L, s->rs != NULL, 1, "a default stream cannot be closed");
  if (s->rs->capture != NULL)
    return tide_fail(L, rt_fail(s->rs->dev->rt,
                                CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                "stream:close"));
  stream__gc(L);
  tide_drain(L);
  return 0;
}

static int stream__tostring (lua_State *L) {
  Stream *s = tide_checkobject(L, 1, &tide_streamclass);
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
  tide_devicename(s->rs->dev, name);
  const char *address = tide_pushaddress(L, (void *)s->rs->handle);
  lua_pushfstring(L, "tide.Stream %s(%s%s, priority %d%s)", address, name,
                  blocks, priority, how);
  return 1;
}

/* Streams are equal if they are one handle on one device. */
static int stream__eq (lua_State *L) {
  Stream *a = tide_testobject(L, 1, &tide_streamclass);
  Stream *b = tide_testobject(L, 2, &tide_streamclass);
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
  Stream *s = tide_checkstream(L, 1);
  if (s->rs != NULL)
    tide_expose(L, s->rs, "stream.ptr");
  lua_pushinteger(L, s->rs != NULL ? (lua_Integer)(uintptr_t)s->rs->handle
                     : s->kind == STREAM_NULL ? 0
                                              : 2);
  return 1;
}

static int stream_device_id (lua_State *L) {
  Stream *s = tide_checkstream(L, 1);
  lua_pushinteger(L, s->rs != NULL ? s->rs->dev->ordinal : -1);
  return 1;
}

static int stream_device (lua_State *L) {
  Stream *s = tide_checkstream(L, 1);
  tide_pushdevice(L, s->rs != NULL ? s->rs->dev : tide_currentdevice(L));
  return 1;
}

/* s.done: whether all work on it has finished. Does not wait. */
static int stream_done (lua_State *L) {
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  Status st = rt_querystream(rs, "stream.done");
  if (st != CUDA_ERROR_NOT_READY)
    tide_check(L, st);
  lua_pushboolean(L, st == 0);
  return 1;
}

static int stream_is_non_blocking (lua_State *L) {
  Stream *s = tide_checkstream(L, 1);
  lua_pushboolean(L, s->rs != NULL && s->rs->nonblocking);
  return 1;
}

static int stream_priority (lua_State *L) {
  Stream *s = tide_checkstream(L, 1);
  lua_pushinteger(L, s->rs != NULL ? s->rs->priority : 0);
  return 1;
}

/* ==} */

/* {== verbs =========================================================== */

/* s:use() -> s, now current for this coroutine. */
static int stream_use (lua_State *L) {
  tide_usestream(L, 1);
  lua_settop(L, 1);
  return 1;
}

/* s:synchronize(): waits for all work queued on s, running host functions. */
static int stream_synchronize (lua_State *L) {
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  tide_drain(L);
  tide_waitstream(L, rs, "stream:synchronize");
  return 0;
}

/* s:await([seconds]) -> true, once all present work on it has passed; or nil
** and "timeout". */
static int stream_await (lua_State *L) {
  static const char what[] = "stream:await";
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  tide_check(L, rt_checkwait(rs, what));
  Awaited w = {.dev = rs->dev, .what = what, .point = {rs, rt_lastof(rs)}};
  return tide_awaitall(L, &w);
}

/* s:record([event]) -> event: a new one if none is given. */
static int stream_record (lua_State *L) {
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  lua_settop(L, 2);
  Event *e = lua_isnil(L, 2) ? tide_newevent(L, rs->dev, CU_EVENT_DEFAULT)
                             : tide_checkevent(L, 2);
  tide_recordevent(L, e, rs);
  return 1;
}

/* s:wait_event(e) -> s: later work on s comes after e. */
static int stream_wait_event (lua_State *L) {
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  Event *e = tide_checkevent(L, 2);
  tide_argcheck(L, rt_isrecorded(e->re), 2, "event was never recorded");
  Op op;
  rt_startop(&op, OP_WAIT, "stream:wait_event");
  tide_waitforevent(L, rs, e, 0, &op);
  lua_pushvalue(L, 1);
  return 1;
}

/* s:wait_stream(t) -> s: later work on s comes after all present work of t. */
static int stream_wait_stream (lua_State *L) {
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  RtStream *rt = tide_rtstream(L, tide_checkstream(L, 2));
  tide_checkcalm(L, tide_state(L));
  tide_check(L, rt_waitstream(rs, rt, "stream:wait_stream"));
  lua_settop(L, 1);
  return 1;
}

/* ==} */

static const Function methods[] = {
  {"add_callback", tide_addcallback, 3},
  {"close", stream_close, 1},
  {"launch_host_func", tide_launchhostfunc, 3},
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

const Class tide_streamclass = {
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
  tide_setfuncs(L, makers);
  tide_setcall(L, "tide.Stream", core_Stream);
}

void tide_openstream (lua_State *L) {
  tide_newclass(L, &tide_streamclass);
  push_module(L);
  tide_setstrict(L, "tide.Stream");
  lua_setfield(L, -2, "Stream");
  tide_setfuncs(L, functions);
}
