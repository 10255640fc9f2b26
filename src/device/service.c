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

#include "base/error.h"
#include "base/may_wait.h"
#include "base/state.h"
#include "base/stop.h"
#include "hooks.h"
#include "host_error.h"
#include "host_function.h"
#include "rt/comm/comm.h"
#include "rt/driver/fault_trace.h"
#include "rt/driver/status.h"
#include "rt/graph/graph_exec.h"
#include "rt/rt.h"
#include "rt/runtime.h"
#include "rt/queue/kept.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "tick.h"

/* {== sync_debug ====================================================== */

/* Writes "file:line: " of the innermost Lua function inside the call. */
static void where (lua_State *L, char *text, size_t size) {
  lua_Debug ar;
  text[0] = '\0';
  if (tide_findcaller(L, &ar))
    snprintf(text, size, "%s:%d: ", ar.short_src, ar.currentline);
}

Status tide_announce (lua_State *L, Runtime *rt, const char *what) {
  State *st = tide_owner(rt);
  char at[LUA_IDSIZE + 32], text[LUA_IDSIZE + 128];
  st->waits++;
  if (st->sync_debug == SYNC_OFF)
    return 0;
  if (st->sync_debug == SYNC_ERROR)
    return rt_explain(rt, RT_MISUSE, what, "sync_debug: %s blocks", what);
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
  if (tide_isstopped(st))
    return tide_takestop(st);
  if (!tide_arehooksdue(L, st, h, ran))
    return 0;
  if (!serves) {
    st->hooked = tide_arehooksnew(L, st, h);
    return st->hooked ? RT_INTERRUPTED : 0;
  }
  rt_endwaiter(w);
  Status status = tide_callhooks(L, st, h);
  rt_resumewaiter(w);
  return status;
}

static Status wait_for (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                        bool serves) {
  State *st = tide_owner(dev->rt);
  Hooks hooks;
  tide_starthooks(L, st, &hooks);
  RtWaiter w;
  rt_startwaiter(&w, dev);
  Status status;
  while ((status = ready(ud)) == CUDA_ERROR_NOT_READY) {
    if (rt_watchcomms(dev->rt))
      rt_losegraphs(dev->rt);
    RtKept *k = serves ? rt_nextfunction(dev->rt, UINT64_MAX) : NULL;
    bool due = (k != NULL);
    bool tick = serves && !due && w.tired && tide_isticking(st);
    if (due || tick) /* Lua may make other contexts current */
      rt_endwaiter(&w);
    if (tick)
      tide_tick(L, st);
    status = due ? tide_runfunction(L, st, k) : tick ? 0 : rt_rest(&w);
    if (due || tick)
      rt_refresh(&w);
    if (status == 0 && (due || w.tired))
      status = look_for_stop(L, st, &hooks, &w, due, serves);
    if (status != 0)
      break;
  }
  rt_endwaiter(&w);
  return (status == RT_INTERRUPTED) ? rt_interrupt(dev->rt) : status;
}

Status tide_awaitquietly (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                          bool serves, const char *what) {
  Status status = (what != NULL) ? tide_announce(L, dev->rt, what) : 0;
  return (status != 0) ? status : wait_for(L, dev, ready, ud, serves);
}

static Status await (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                     const char *what) {
  Runtime *rt = dev->rt;
  Status status = ready(ud);
  if (status != CUDA_ERROR_NOT_READY)
    return status;
  bool serves = tide_mayserve(L, tide_owner(rt));
  if (!serves && rt->nkept > 0)
    return tide_refusewait(rt, what);
  return tide_awaitquietly(L, dev, ready, ud, serves, what);
}

void tide_await (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                 const char *what) {
  tide_check(L, await(L, dev, ready, ud, what));
}

enum { NEWER_MOST = 10000 };

WaitBound tide_startbound (const Runtime *rt) {
  return (WaitBound){rt->stamp, tide_owner(rt)->served, 0};
}

/* rt->at is the function that ran last. */
Status tide_bound (Runtime *rt, WaitBound *bound, Status st, const char *what) {
  uint64_t served = tide_owner(rt)->served;
  if (served != bound->served && rt->at.seq > bound->stamp)
    bound->newer++;
  bound->served = served;
  return (st == CUDA_ERROR_NOT_READY && bound->newer > NEWER_MOST)
           ? tide_toooften(rt, what)
           : st;
}

typedef struct WantWait {
  RtWant w;
  WaitBound bound;
} WantWait;

static Status want_ready (void *ud) {
  WantWait *x = ud;
  return tide_bound(x->w.dev->rt, &x->bound, rt_isready(&x->w), x->w.what);
}

void tide_awaitwant (lua_State *L, const RtWant *want) {
  WantWait x = {*want, tide_startbound(want->dev->rt)};
  tide_await(L, x.w.dev, want_ready, &x, x.w.what);
}

/* ==} */

/* {== for points ====================================================== */

static Status point_ready (void *ud) {
  const Point *p = ud;
  return rt_passed(p->s, p->seq);
}

static Status await_point (lua_State *L, RtStream *s, uint64_t seq,
                           const char *what) {
  Point p = {s, seq};
  Status st = rt_checkwait(s, what);
  return (st != 0) ? st : await(L, s->dev, point_ready, &p, what);
}

void tide_waitstream (lua_State *L, RtStream *s, const char *what) {
  tide_checkmaywait(L, s->dev, what);
  tide_check(L, rt_checkwait(s, what));
  uint64_t seq = rt_lastof(s);
  if (seq <= s->done)
    tide_check(L, rt_checkdevice(s->dev));
  tide_check(L, await_point(L, s, seq, what));
  tide_raiseerrors(L, s->dev, s, seq);
}

/* Host functions may add streams and work meanwhile. */
Status tide_finishdevice (lua_State *L, RtDevice *dev, const char *what) {
  const Runtime *rt = dev->rt;
  Status st = tide_maywait(dev, what);
  if (st == 0)
    st = rt_checkcaptures(dev, what);
  if (st != 0 || dev->ctx == NULL)
    return st;
  uint64_t at = rt_lastof(dev->null), last = rt->stamp;
  st = await_point(L, dev->null, at, what);
  for (int i = 0; i < rt->nstreams && st == 0; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev == dev && s->seq > s->done)
      st = await_point(L, s, s->seq < last ? s->seq : last, what);
  }
  return st;
}

void tide_waitdevice (lua_State *L, RtDevice *dev, const char *what) {
  tide_check(L, tide_finishdevice(L, dev, what));
  tide_raiseerrors(L, dev, NULL, 0);
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
void tide_waitoperation (lua_State *L, RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  Point p = {s, s->seq};
  bool serves = tide_mayserve(L, tide_owner(rt));
  if (op->kind == OP_HOLD || s->capture != NULL ||
      (!serves && rt_iskept(s, s->seq)))
    return;
  const char *entry = entry_of(op);
  Status st = wait_for(L, s->dev, point_ready, &p, serves);
  tide_check(L, rt_isfatal(st) ? rt_fail(rt, st, entry) : st);
  tide_raiseerrors(L, s->dev, s, p.seq);
}

/* ==} */
