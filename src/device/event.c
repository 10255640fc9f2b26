/*
** event.c - the Event type, and get_elapsed_time.
*/
#include "event.h"

#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/may_wait.h"
#include "base/state.h"
#include "current.h"
#include "device.h"
#include "gc_pressure.h"
#include "host_error.h"
#include "host_function.h"
#include "index_error.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/submit.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/timeline.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "service.h"
#include "stream.h"
#include "submit.h"
#include "ticket.h"

static bool is_stale (const Event *e) {
  return rt_isstale(e->re->dev, e->re->generation);
}

Event *tide_checkevent (lua_State *L, int arg) {
  Event *e = tide_checkobject(L, arg, &tide_eventclass);
  tide_argcheck(L, e->re != NULL, arg, "event is closed");
  tide_argcheck(L, !is_stale(e), arg, "device was reset");
  return e;
}

/* Makes an event. Interprocess events have descriptors, and dropped ones keep
** them until the device has finished with them. 'fd' is of an event to import,
** or -1. */
static Status get_event (lua_State *L, RtDevice *dev, unsigned flags, int fd,
                         RtEvent **re) {
  Status st = rt_newevent(dev, flags, fd, re);
  if (tide_makeroom(L, st))
    st = rt_newevent(dev, flags, fd, re);
  while (st == RT_LIMIT && tide_awaitmemory(L, dev, false, 0, true) == 0)
    st = rt_newevent(dev, flags, fd, re);
  return st;
}

Event *tide_newevent (lua_State *L, RtDevice *dev, unsigned flags) {
  State *owner = tide_owner(dev->rt);
  Event *e = tide_newobjectof(L, owner, sizeof *e, &tide_eventclass, 0);
  tide_relievehandles(L);
  if (tide_hasdropped(owner))
    tide_drain(L);
  tide_check(L, get_event(L, dev, flags, -1, &e->re));
  return e;
}

Status tide_importevent (lua_State *L, RtDevice *dev, int fd) {
  Event *e = tide_newobject(L, sizeof *e, &tide_eventclass, 0);
  tide_drain(L);
  return get_event(L, dev, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING, fd,
                   &e->re);
}

void tide_recordevent (lua_State *L, Event *e, RtStream *rs) {
  if (e->re->dev != rs->dev) {
    char a[DEVICE_NAME], b[DEVICE_NAME];
    tide_raise(L, "the event belongs to device %s, the stream to device %s",
               tide_devicename(e->re->dev, a), tide_devicename(rs->dev, b));
  }
  Op op;
  rt_startop(&op, OP_RECORD, "event:record");
  op.u.event = e->re;
  tide_submit(L, rs, &op);
}

/* Pushes the error for waits for the stream if the recorder ends first. */
static void push_broken (lua_State *L, const char *what, const RtEvent *re,
                         uint64_t at) {
  tide_pushcaller(L);
  lua_pushfstring(L,
                  "%s: %s: CUDA_ERROR_CONTEXT_IS_DESTROYED (%d): process "
                  "%I, whose work is waited for, ended before that was done",
                  lua_tostring(L, -1), what, CUDA_ERROR_CONTEXT_IS_DESTROYED,
                  (LUAI_UACINT)rt_recorder(re->timeline, at));
  lua_remove(L, -2);
}

void tide_waitforevent (lua_State *L, RtStream *rs, Event *e, uint64_t at,
                        Op *op) {
  bool remote = (at != 0 || rt_isremote(e->re)) && rs->capture == NULL;
  op->u.wait.event = e->re;
  op->u.wait.at = 0;
  if (!remote) {
    tide_submit(L, rs, op);
    return;
  }
  op->u.wait.at = (at != 0) ? at : rt_latest(e->re->timeline);
  push_broken(L, op->name, e->re, op->u.wait.at);
  op->u.wait.broken = tide_pushcheck(L, rs, NULL)->word;
  tide_submitchecked(L, rs, op, lua_gettop(L));
  lua_pop(L, 1);
}

/* Event{ block=, disable_timing=, interprocess= } of the current device. */
static int core_Event (lua_State *L) {
  static const char *const names[] = {/* in the order of CU_EVENT_* */
                                      "block", "disable_timing", "interprocess",
                                      NULL};
  tide_rt(L);
  unsigned flags = tide_checkflags(L, 1, names);
  tide_argcheck(L,
                !(flags & CU_EVENT_INTERPROCESS) ||
                  (flags & CU_EVENT_DISABLE_TIMING),
                1, "option 'interprocess' needs 'disable_timing'");
  tide_newevent(L, tide_currentdevice(L), flags);
  return 1;
}

/* {== life ============================================================ */

/* Drops the event. Idempotent; calls no driver. */
static void drop (Event *e) {
  RtEvent *re = e->re;
  e->re = NULL;
  if (re != NULL && e->object.state->rt != NULL)
    rt_dropevent(re);
}

/* Shared by __gc and __close: silent. */
static int event__gc (lua_State *L) {
  drop(tide_endobject(L, &tide_eventclass, NULL));
  return 0;
}

/* e:close(): waits already queued keep what they saw. */
static int event_close (lua_State *L) {
  Event *e = tide_checkobject(L, 1, &tide_eventclass);
  tide_argcheck(L, e->re != NULL, 1, "event is closed");
  drop(e);
  tide_drain(L);
  return 0;
}

static int event__tostring (lua_State *L) {
  Event *e = tide_checkobject(L, 1, &tide_eventclass);
  char name[DEVICE_NAME];
  if (e->re == NULL)
    return lua_pushliteral(L, "tide.Event (closed)"), 1;
  if (is_stale(e))
    return lua_pushliteral(L, "tide.Event (device was reset)"), 1;
  Status st = rt_queryevent(e->re, "tostring");
  const char *how = !rt_isrecorded(e->re) ? "never recorded"
                    : e->re->capture != 0 ? "captured"
                    : st == 0             ? "done"
                                          : "pending";
  tide_devicename(e->re->dev, name);
  const char *address = tide_pushaddress(L, (void *)e->re->handle);
  lua_pushfstring(L, "tide.Event %s(%s, %s)", address, name, how);
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

/* If the recording comes after a host function, it is sent first. */
void *tide_eventhandle (lua_State *L, const Event *e, const char *what) {
  const RtEvent *re = e->re;
  if (re->s != NULL && rt_iskept(re->s, re->seq))
    tide_check(L, rt_block(re->dev, WANT_SENT, re->s, re->seq, what));
  return re->handle;
}

static int event_ptr (lua_State *L) {
  void *handle = tide_eventhandle(L, tide_checkevent(L, 1), "event.ptr");
  lua_pushinteger(L, (lua_Integer)(uintptr_t)handle);
  return 1;
}

/* e.done: whether all it recorded has finished; true if nothing was
** recorded. */
static int event_done (lua_State *L) {
  Status st = rt_queryevent(tide_checkevent(L, 1)->re, "event.done");
  if (st != CUDA_ERROR_NOT_READY)
    tide_check(L, st);
  tide_uncount(tide_state(L));
  lua_pushboolean(L, st == 0);
  return 1;
}

static int event_device (lua_State *L) {
  tide_pushdevice(L, tide_checkevent(L, 1)->re->dev);
  return 1;
}

/* ==} */

/* e:record([stream]) -> e: on the current stream of its device by default. */
static int event_record (lua_State *L) {
  Event *e = tide_checkevent(L, 1);
  tide_recordevent(L, e, tide_optstream(L, 2, e->re->dev));
  lua_pushvalue(L, 1);
  return 1;
}

Recording tide_recording (const Event *e) {
  const RtEvent *re = e->re;
  if (rt_isremote(re))
    return (Recording){e, NULL, 0, rt_latest(re->timeline)};
  return (Recording){e, re->s, re->seq, 0};
}

Status tide_recordingpassed (const Recording *r, const char *what) {
  RtEvent *re = r->e->re;
  if (r->at != 0)
    return (re != NULL && re->timeline != NULL)
             ? rt_checkrecording(re->dev, re->timeline, r->at, what)
             : 0;
  if (re != NULL && re->s == r->s && re->seq == r->seq)
    return rt_queryevent(re, what);
  return (r->s != NULL) ? rt_passed(r->s, r->seq) : 0;
}

static Status event_ready (void *ud) {
  return tide_recordingpassed(ud, "event:synchronize");
}

/* e:synchronize(): waits for the latest recording. */
static int event_synchronize (lua_State *L) {
  Event *e = tide_checkevent(L, 1);
  tide_checkmaywait(L, e->re->dev, "event:synchronize");
  tide_argcheck(L, rt_isrecorded(e->re), 1, "event was never recorded");
  Recording r = tide_recording(e);
  tide_await(L, e->re->dev, event_ready, &r, "event:synchronize");
  if (r.s != NULL)
    tide_raiseerrors(L, NULL, r.s, r.seq);
  tide_raiselost(L, NULL, 0);
  return 0;
}

/* e:await([seconds]) -> true, once the latest recording has passed; or nil and
** "timeout". */
static int event_await (lua_State *L) {
  Event *e = tide_checkevent(L, 1);
  tide_argcheck(L, rt_isrecorded(e->re), 1, "event was never recorded");
  Recording r = tide_recording(e);
  Awaited w = {.dev = e->re->dev,
               .what = "event:await",
               .r = &r,
               .odd = (r.s == NULL || e->re->foreign)};
  return tide_awaitall(L, &w);
}

static RtEvent *check_timed (lua_State *L, int arg) {
  RtEvent *e = tide_checkevent(L, arg)->re;
  tide_argcheck(L, !(e->flags & CU_EVENT_DISABLE_TIMING), arg,
                "event was made with disable_timing");
  tide_argcheck(L, rt_isrecorded(e), arg, "event was never recorded");
  Status st = rt_queryevent(e, "get_elapsed_time");
  tide_argcheck(L, st != CUDA_ERROR_NOT_READY, arg,
                "event has not finished yet: synchronize first");
  tide_check(L, st);
  return e;
}

/* get_elapsed_time(e1, e2) -> milliseconds from e1 to e2. */
static int core_get_elapsed_time (lua_State *L) {
  float ms;
  RtEvent *from = check_timed(L, 1), *to = check_timed(L, 2);
  tide_argcheck(L, from->dev == to->dev, 2, "event belongs to another device");
  tide_check(L, rt_elapsed(from, to, &ms));
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

const Class tide_eventclass = {
  .name = "tide.Event",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

void tide_openevent (lua_State *L) {
  tide_newclass(L, &tide_eventclass);
  tide_setfuncs(L, functions);
}
