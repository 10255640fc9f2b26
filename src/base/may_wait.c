/*
** may_wait.c - where no wait is allowed, and the errors of calls that would
** have to wait there.
*/
#include "may_wait.h"

#include "error.h"
#include "rt/driver/status.h"
#include "rt/rt.h"
#include "state.h"

bool tide_mayserve (lua_State *L, const State *st) {
  return rt_mayserve(st->rt) && lua_gc(L, LUA_GCISRUNNING) >= 0;
}

static const char in_function[] =
  "a host function must not wait: queue what "
  "comes next, it comes after what was queued before";
static const char in_finalizer[] = "a finalizer must not wait while host "
                                   "functions have not run";

static Status explain (Runtime *rt, const char *what, const char *why) {
  return rt_explain(rt, CUDA_ERROR_NOT_PERMITTED, what, "%s",
                    rt->running != NULL ? why : in_finalizer);
}

Status tide_refusewait (Runtime *rt, const char *what) {
  return explain(rt, what, in_function);
}

Status tide_maywait (const RtDevice *dev, const char *what) {
  return (dev->rt->running == NULL) ? 0 : tide_refusewait(dev->rt, what);
}

void tide_checkmaywait (lua_State *L, RtDevice *dev, const char *what) {
  tide_check(L, tide_maywait(dev, what));
}

void tide_checkuncaptured (lua_State *L, const RtStream *s, const char *what,
                           const char *why) {
  if (s->capture != NULL)
    tide_fail(L, rt_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                            what, "a capture cannot wait for %s", why));
}

/* Returns why a call cannot go on: see RtWant. */
static const char *reason (const RtWant *want) {
  switch (want->kind) {
    case WANT_ROOM:
      return "a host function must not wait, and no more operations can be "
             "kept behind functions that have not run";
    case WANT_SENT:
      return "a host function must not wait, and this comes after another one "
             "that has not run";
    case WANT_OPEN:
      return "a host function must not wait, and here the driver would wait "
             "for ranks that wait for others";
    case WANT_ENDED:
      return "a host function or a finalizer must not wait, and a communicator "
             "has not ended yet";
    default: return in_function;
  }
}

int tide_refusewant (lua_State *L, const RtWant *want) {
  return tide_fail(L, explain(want->dev->rt, want->what, reason(want)));
}

Status tide_toooften (Runtime *rt, const char *what) {
  return rt_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                    "this does not end, "
                    "because host functions or finalizers keep queueing work");
}
