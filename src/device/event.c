/*
** event.c - the Event type, and get_elapsed_time.
*/
#include "event.h"

#include "await.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/option.h"
#include "base/state.h"
#include "current.h"
#include "device.h"
#include "drain.h"
#include "gc.h"
#include "host_error.h"
#include "hostfunc.h"
#include "index_error.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/wait/deferral.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/timeline.h"
#include "rt/wait/wait.h"
#include "service.h"
#include "stream.h"
#include "submit.h"

static bool is_stale (const Event *e) { return life_is_stale(&e->re->life); }

Event *event_check (lua_State *L, int arg) {
  Event *e = class_check(L, arg, &event_class);
  argerror_check(L, e->re != NULL, arg, "event is closed");
  argerror_check(L, !is_stale(e), arg, "device was reset");
  return e;
}

/* Makes an event. Interprocess events have descriptors, and dropped ones keep
** them until the device has finished with them. 'fd' is of an event to import,
** or -1. */
static Status get_event (lua_State *L, RtDevice *dev, unsigned flags, int fd,
                         RtEvent **re) {
  Status st = event_pool_new(dev, flags, fd, re);
  if (drain_make_room(L, st))
    st = event_pool_new(dev, flags, fd, re);
  while (st == RT_LIMIT && drain_for_memory(L, dev, false, 0, true) == 0)
    st = event_pool_new(dev, flags, fd, re);
  return st;
}

Event *event_create (lua_State *L, RtDevice *dev, unsigned flags) {
  State *owner = state_of_rt(dev->rt);
  Event *e = class_new_object_in(L, owner, sizeof *e, &event_class, 0);
  gc_relieve_handles(L);
  if (drain_is_due(owner))
    drain_dropped(L);
  error_check(L, get_event(L, dev, flags, -1, &e->re));
  return e;
}

Status event_import (lua_State *L, RtDevice *dev, int fd) {
  Event *e = class_new_object(L, sizeof *e, &event_class, 0);
  drain_dropped(L);
  return get_event(L, dev, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING, fd,
                   &e->re);
}

void event_queue_record (lua_State *L, Event *e, RtStream *rs) {
  if (e->re->dev != rs->dev) {
    char a[DEVICE_NAME], b[DEVICE_NAME];
    error_raise(L, "the event belongs to device %s, the stream to device %s",
                device_write_name(e->re->dev, a),
                device_write_name(rs->dev, b));
  }
  Op op;
  op_start(&op, OP_RECORD, "event:record");
  op.u.event = e->re;
  submit_work(L, rs, &op);
}

/* Pushes the error for waits for the stream if the recorder ends first. */
static void push_broken (lua_State *L, const char *what, const RtEvent *re,
                         uint64_t at) {
  error_push_caller(L);
  lua_pushfstring(L,
                  "%s: %s: CUDA_ERROR_CONTEXT_IS_DESTROYED (%d): process %I, "
                  "whose work is waited for, ended before that was done",
                  lua_tostring(L, -1), what, CUDA_ERROR_CONTEXT_IS_DESTROYED,
                  (LUAI_UACINT)timeline_recorder(re->timeline, at));
  lua_remove(L, -2);
}

void event_queue_wait (lua_State *L, RtStream *rs, Event *e, uint64_t at,
                       Op *op) {
  bool remote = (at != 0 || event_pool_is_remote(e->re)) && rs->capture == NULL;
  op->u.wait.event = e->re;
  op->u.wait.at = 0;
  if (!remote) {
    submit_work(L, rs, op);
    return;
  }
  op->u.wait.at = (at != 0) ? at : timeline_latest(e->re->timeline);
  push_broken(L, op->name, e->re, op->u.wait.at);
  op->u.wait.broken = index_error_push(L, rs, NULL)->word;
  submit_checked(L, rs, op, lua_gettop(L));
  lua_pop(L, 1);
}

/* Event{ block=, disable_timing=, interprocess= } of the current device. */
static int core_Event (lua_State *L) {
  static const char *const names[] = {/* in the order of CU_EVENT_* */
                                      "block", "disable_timing", "interprocess",
                                      NULL};
  state_rt(L);
  unsigned flags = option_flags(L, 1, names);
  argerror_check(L,
                 !(flags & CU_EVENT_INTERPROCESS) ||
                   (flags & CU_EVENT_DISABLE_TIMING),
                 1, "option 'interprocess' needs 'disable_timing'");
  event_create(L, current_get_device(L), flags);
  return 1;
}

/* {== life ============================================================ */

/* Drops the event. Idempotent; calls no driver. */
static void drop (Event *e) {
  RtEvent *re = e->re;
  e->re = NULL;
  if (re != NULL && e->object.state->rt != NULL)
    event_pool_drop(re);
}

/* Shared by __gc and __close: silent. */
static int event__gc (lua_State *L) {
  drop(class_check_gc(L, &event_class, NULL));
  return 0;
}

/* e:close(): waits already queued keep what they saw. */
static int event_close (lua_State *L) {
  Event *e = class_check(L, 1, &event_class);
  argerror_check(L, e->re != NULL, 1, "event is closed");
  drop(e);
  drain_dropped(L);
  return 0;
}

static int event__tostring (lua_State *L) {
  Event *e = class_check(L, 1, &event_class);
  char name[DEVICE_NAME];
  if (e->re == NULL)
    return lua_pushliteral(L, "tide.Event (closed)"), 1;
  if (is_stale(e))
    return lua_pushliteral(L, "tide.Event (device was reset)"), 1;
  Status st = event_pool_query(e->re, "tostring");
  const char *how = !event_pool_is_recorded(e->re) ? "never recorded"
                    : e->re->capture != 0          ? "captured"
                    : st == 0                      ? "done"
                                                   : "pending";
  device_write_name(e->re->dev, name);
  const char *address = limits_push_address(L, (void *)e->re->handle);
  lua_pushfstring(L, "tide.Event %s(%s, %s)", address, name, how);
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

/* If the recording comes after a host function, it is sent first. */
void *event_handle (lua_State *L, const Event *e, const char *what) {
  const RtEvent *re = e->re;
  if (re->s != NULL && deferral_keeps(re->s, re->seq))
    error_check(L, wait_block(re->dev, WAIT_SENT, re->s, re->seq, what));
  return re->handle;
}

static int event_ptr (lua_State *L) {
  void *handle = event_handle(L, event_check(L, 1), "event.ptr");
  lua_pushinteger(L, (lua_Integer)(uintptr_t)handle);
  return 1;
}

/* e.done: whether all it recorded has finished; true if nothing was
** recorded. */
static int event_done (lua_State *L) {
  Status st = event_pool_query(event_check(L, 1)->re, "event.done");
  if (st != CUDA_ERROR_NOT_READY)
    error_check(L, st);
  entry_uncount(state_get(L));
  lua_pushboolean(L, st == 0);
  return 1;
}

static int event_device (lua_State *L) {
  device_push(L, event_check(L, 1)->re->dev);
  return 1;
}

/* ==} */

/* e:record([stream]) -> e: on the current stream of its device by default. */
static int event_record (lua_State *L) {
  Event *e = event_check(L, 1);
  event_queue_record(L, e, stream_opt(L, 2, e->re->dev));
  lua_pushvalue(L, 1);
  return 1;
}

Recording event_recording (const Event *e) {
  const RtEvent *re = e->re;
  if (event_pool_is_remote(re))
    return (Recording){e, NULL, 0, timeline_latest(re->timeline)};
  return (Recording){e, re->s, re->seq, 0};
}

Status event_query (const Recording *r, const char *what) {
  RtEvent *re = r->e->re;
  if (r->at != 0)
    return (re != NULL && re->timeline != NULL)
             ? timeline_check(re->dev, re->timeline, r->at, what)
             : 0;
  if (re != NULL && re->s == r->s && re->seq == r->seq)
    return event_pool_query(re, what);
  return (r->s != NULL) ? progress_passed(r->s, r->seq) : 0;
}

static Status event_ready (void *ud) {
  return event_query(ud, "event:synchronize");
}

/* e:synchronize(): waits for the latest recording. */
static int event_synchronize (lua_State *L) {
  Event *e = event_check(L, 1);
  blocking_check(L, e->re->dev, "event:synchronize");
  argerror_check(L, event_pool_is_recorded(e->re), 1,
                 "event was never recorded");
  Recording r = event_recording(e);
  service_wait(L, e->re->dev, event_ready, &r, "event:synchronize");
  if (r.s != NULL)
    host_error_raise(L, NULL, r.s, r.seq);
  host_error_raise_comm(L, NULL, 0);
  return 0;
}

/* e:await([seconds]) -> true, once the latest recording has passed; or nil and
** "timeout". */
static int event_await (lua_State *L) {
  Event *e = event_check(L, 1);
  argerror_check(L, event_pool_is_recorded(e->re), 1,
                 "event was never recorded");
  Recording r = event_recording(e);
  Awaited w = {.dev = e->re->dev,
               .what = "event:await",
               .r = &r,
               .odd = (r.s == NULL || e->re->foreign)};
  return await_all(L, &w);
}

static RtEvent *check_timed (lua_State *L, int arg) {
  RtEvent *e = event_check(L, arg)->re;
  argerror_check(L, !(e->flags & CU_EVENT_DISABLE_TIMING), arg,
                 "event was made with disable_timing");
  argerror_check(L, event_pool_is_recorded(e), arg, "event was never recorded");
  Status st = event_pool_query(e, "get_elapsed_time");
  argerror_check(L, st != CUDA_ERROR_NOT_READY, arg,
                 "event has not finished yet: synchronize first");
  error_check(L, st);
  return e;
}

/* get_elapsed_time(e1, e2) -> milliseconds from e1 to e2. */
static int core_get_elapsed_time (lua_State *L) {
  float ms;
  RtEvent *from = check_timed(L, 1), *to = check_timed(L, 2);
  argerror_check(L, from->dev == to->dev, 2, "event belongs to another device");
  error_check(L, event_pool_elapsed(from, to, &ms));
  lua_pushnumber(L, (lua_Number)ms);
  return 1;
}

static const Function functions[] = {
  {"Event", core_Event, 1},
  {"get_elapsed_time", core_get_elapsed_time, 2},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"close", event_close, 1}, {"record", event_record, 2},
  {"await", event_await, 2}, {"synchronize", event_synchronize, 1},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"device", event_device, 1},
  {"done", event_done, 1},
  {GROUP_POINTERS "ptr", event_ptr, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", event__gc, 1},
  {"__close", event__gc, 2},
  {"__tostring", event__tostring, 1},
  {NULL, NULL, 0},
};

const Class event_class = {
  .name = "tide.Event",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

void open_event (lua_State *L) {
  class_define(L, &event_class);
  class_set_funcs(L, functions);
}
