/*
** service.c - service points: the one way to block. Host functions run here,
** Ctrl-C is noticed, and sync_debug sees the block.
**
** DESIGN. A wait asks again and again whether its goal is reached, and in
** between runs the host functions that are due. The waiting call has nothing
** half done and holds nothing that such a function could take away. It holds
** only objects on the Lua stack, which know whether they are closed, and
** streams, whose structs stay.
**
** A host function never waits, because CUDA allows it no call of the driver.
** That holds even if there is nothing to wait for, so that no program depends
** on the timing. A finalizer waits, but not for host functions, because it may
** run in the middle of an operation.
*/
#include "service.h"

#include <stdio.h>

#include "base/blocking.h"
#include "base/error.h"
#include "base/state.h"
#include "base/stop.h"
#include "display.h"
#include "host_error.h"
#include "hostfunc.h"
#include "luahooks.h"
#include "rt/comm/comm.h"
#include "rt/driver/fault.h"
#include "rt/driver/status.h"
#include "rt/queue/kept.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/rt.h"
#include "rt/runtime.h"
#include "rt/wait/deferral.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

/* {== sync_debug ====================================================== */

/* Writes "file:line: " of the innermost Lua function inside the call. */
static void where (lua_State *L, char *text, size_t size) {
  lua_Debug ar;
  text[0] = '\0';
  if (error_find_caller(L, &ar))
    snprintf(text, size, "%s:%d: ", ar.short_src, ar.currentline);
}

Status service_announce (lua_State *L, Runtime *rt, const char *what) {
  State *st = state_of_rt(rt);
  char at[LUA_IDSIZE + 32], text[LUA_IDSIZE + 128];
  st->waits++;
  if (st->sync_debug == SYNC_OFF)
    return 0;
  what = error_called(L, what);
  if (st->sync_debug == SYNC_ERROR)
    return status_explain(rt, RT_MISUSE, what, "sync_debug: %s blocks", what);
  where(L, at, sizeof at);
  snprintf(text, sizeof text, "%ssync_debug: %s blocks", at, what);
  lua_warning(L, text, 0);
  return 0;
}

/* ==} */

/* {== waiting ========================================================= */

/* Returns not 0 if the host or a hook wants this wait to end. 'serves': Lua may
** run. */
static Status look_for_stop (lua_State *L, State *st, Hooks *h, RtWaiter *w,
                             bool ran, bool serves) {
  if (stop_is_due(st))
    return stop_take(st);
  if (!luahook_is_due(L, st, h, ran))
    return 0;
  if (!serves) {
    st->hooked = luahook_is_new(L, st, h);
    return st->hooked ? RT_INTERRUPTED : 0;
  }
  wait_end(w);
  Status status = luahook_call(L, st, h);
  wait_resume(w);
  return status;
}

Status service_look_for_stop (lua_State *L, Hooks *h) {
  State *st = state_get(L);
  Status status = look_for_stop(L, st, h, NULL, false, false);
  return (status != 0) ? status_fail(st->rt, status, NULL) : 0;
}

static Status wait_for (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                        bool serves) {
  State *st = state_of_rt(dev->rt);
  Hooks hooks;
  luahook_start(L, st, &hooks);
  RtWaiter w;
  wait_start(&w, dev);
  Status status;
  while ((status = ready(ud)) == CUDA_ERROR_NOT_READY) {
    if (comm_watch(dev->rt))
      comm_lose_graphs(dev->rt);
    RtKept *k = serves ? kept_next_function(dev->rt, UINT64_MAX) : NULL;
    bool due = (k != NULL);
    bool tick = serves && !due && w.tired && display_is_due(st);
    if (due || tick) /* Lua may make other contexts current */
      wait_end(&w);
    if (tick)
      display_call(L, st);
    status = due ? hostfunc_run(L, st, k) : tick ? 0 : wait_rest(&w);
    if (due || tick)
      wait_respin(&w);
    if (status == 0 && (due || w.tired))
      status = look_for_stop(L, st, &hooks, &w, due, serves);
    if (status != 0)
      break;
  }
  wait_end(&w);
  return (status == RT_INTERRUPTED) ? wait_interrupt(dev->rt) : status;
}

Status service_wait_quiet (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                           bool serves, const char *what) {
  Status status = (what != NULL) ? service_announce(L, dev->rt, what) : 0;
  return (status != 0) ? status : wait_for(L, dev, ready, ud, serves);
}

static Status await (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                     const char *what) {
  Runtime *rt = dev->rt;
  Status status = ready(ud);
  if (status != CUDA_ERROR_NOT_READY)
    return status;
  bool serves = blocking_serves(L, state_of_rt(rt));
  if (!serves && rt->nkept > 0)
    return blocking_refuse(L, rt, what);
  return service_wait_quiet(L, dev, ready, ud, serves, what);
}

void service_wait (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                   const char *what) {
  error_check(L, await(L, dev, ready, ud, what));
}

enum { NEWER_MOST = 10000 };

WaitBound service_start_bound (const Runtime *rt) {
  return (WaitBound){rt->stamp, state_of_rt(rt)->served, 0};
}

/* rt->at is the function that ran last. */
Status service_check_bound (Runtime *rt, WaitBound *bound, Status st,
                            const char *what) {
  uint64_t served = state_of_rt(rt)->served;
  if (served != bound->served && rt->at.seq > bound->stamp)
    bound->newer++;
  bound->served = served;
  return (st == CUDA_ERROR_NOT_READY && bound->newer > NEWER_MOST)
           ? blocking_endless(rt, what)
           : st;
}

typedef struct ReasonWait {
  WaitReason w;
  WaitBound bound;
} ReasonWait;

static Status reason_is_over (void *ud) {
  ReasonWait *x = ud;
  return service_check_bound(x->w.dev->rt, &x->bound, wait_is_ready(&x->w),
                             x->w.what);
}

void service_wait_for (lua_State *L, const WaitReason *reason) {
  ReasonWait x = {*reason, service_start_bound(reason->dev->rt)};
  service_wait(L, x.w.dev, reason_is_over, &x, x.w.what);
}

/* ==} */

/* {== for points ====================================================== */

static Status point_ready (void *ud) {
  const Point *p = ud;
  return progress_passed(p->s, p->seq);
}

static Status await_point (lua_State *L, RtStream *s, uint64_t seq,
                           const char *what) {
  Point p = {s, seq};
  Status st = wait_check(s, what);
  return (st != 0) ? st : await(L, s->dev, point_ready, &p, what);
}

void service_wait_stream (lua_State *L, RtStream *s, const char *what) {
  blocking_check(L, s->dev, what);
  error_check(L, wait_check(s, what));
  uint64_t seq = kept_last(s);
  if (seq <= s->done)
    error_check(L, fault_check(s->dev));
  error_check(L, await_point(L, s, seq, what));
  host_error_raise(L, s->dev, s, seq);
}

/* Host functions may add streams and work meanwhile. */
Status service_finish_device (lua_State *L, RtDevice *dev, const char *what) {
  const Runtime *rt = dev->rt;
  Status st = blocking_status(L, dev, what);
  if (st == 0)
    st = runtime_check_captures(dev, what);
  if (st != 0 || dev->ctx == NULL)
    return st;
  uint64_t at = kept_last(dev->null), last = rt->stamp;
  st = await_point(L, dev->null, at, what);
  for (int i = 0; i < rt->nstreams && st == 0; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev == dev && s->seq > s->done)
      st = await_point(L, s, s->seq < last ? s->seq : last, what);
  }
  return st;
}

void service_wait_device (lua_State *L, RtDevice *dev, const char *what) {
  error_check(L, service_finish_device(L, dev, what));
  host_error_raise(L, dev, NULL, 0);
}

/* ==} */

/* {== after each operation ============================================ */

static const char *entry_of (const Op *op) {
  static const char *const entries[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) entry,
#include "rt/driver/op_kinds.def"
#undef OP
  };
  return (entries[op->kind] != NULL) ? entries[op->kind] : op->name;
}

/* A fault belongs to this operation, since all earlier ones were waited for. */
void service_wait_op (lua_State *L, RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  Point p = {s, s->seq};
  bool serves = blocking_serves(L, state_of_rt(rt));
  if (op->kind == OP_HOLD || s->capture != NULL ||
      (!serves && deferral_keeps(s, s->seq)))
    return;
  const char *entry = entry_of(op);
  Status st = wait_for(L, s->dev, point_ready, &p, serves);
  error_check(L, fault_is_fatal(st) ? status_fail(rt, st, entry) : st);
  host_error_raise(L, s->dev, s, p.seq);
}

/* ==} */
