/*
** blocking.c - where no wait is allowed, and the errors of calls that would
** have to wait there.
*/
#include "blocking.h"

#include "error.h"
#include "rt/driver/status.h"
#include "rt/queue/stream_types.h"
#include "rt/rt.h"
#include "state.h"

bool blocking_serves (lua_State *L, const State *st) {
  return rt_may_serve(st->rt) && lua_gc(L, LUA_GCISRUNNING) >= 0;
}

static const char in_function[] =
  "a host function must not wait: queue what comes next, it comes after what "
  "was queued before";
static const char in_finalizer[] =
  "a finalizer must not wait while host functions have not run";

static Status explain (Runtime *rt, const char *what, const char *why) {
  return status_explain(rt, CUDA_ERROR_NOT_PERMITTED, what, "%s",
                        rt->running != NULL ? why : in_finalizer);
}

Status blocking_refuse (lua_State *L, Runtime *rt, const char *what) {
  return explain(rt, error_called(L, what), in_function);
}

Status blocking_status (lua_State *L, const RtDevice *dev, const char *what) {
  return (dev->rt->running == NULL) ? 0 : blocking_refuse(L, dev->rt, what);
}

void blocking_check (lua_State *L, RtDevice *dev, const char *what) {
  error_check(L, blocking_status(L, dev, what));
}

void blocking_check_capture (lua_State *L, const RtStream *s, const char *what,
                             const char *why) {
  if (s->capture != NULL)
    error_fail(L,
               status_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                              error_called(L, what),
                              "a capture cannot wait for %s", why));
}

/* Returns why a call cannot go on: see WaitReason. */
static const char *reason_text (const WaitReason *reason) {
  switch (reason->kind) {
    case WAIT_ROOM:
      return "a host function must not wait, and no more operations can be "
             "kept behind functions that have not run";
    case WAIT_SENT:
      return "a host function must not wait, and this comes after another one "
             "that has not run";
    case WAIT_OPEN:
      return "a host function must not wait, and here the driver would wait "
             "for ranks that wait for others";
    case WAIT_ENDED:
      return "a host function or a finalizer must not wait, and a communicator "
             "has not ended yet";
    default: return in_function;
  }
}

int blocking_raise (lua_State *L, const WaitReason *reason) {
  return error_fail(L, explain(reason->dev->rt, error_called(L, reason->what),
                               reason_text(reason)));
}

Status blocking_endless (Runtime *rt, const char *what) {
  return status_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                        "this does not end, because host functions or "
                        "finalizers keep queueing work");
}
