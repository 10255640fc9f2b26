/*
** submit.c - the doorway: all work of users is queued here. What else is queued
** belongs to that: waits between streams (stream_order.c), marks of tails
** (progress.c), memory from the pool and back to it (block.c), edges of graphs
** (branches.c).
**
** An operation is recorded by a capture (capture_submit.c), kept behind a host
** function that has not run (kept.c), or sent. Sending takes these steps: enter
** the device; collect the points that it must come after; reserve all memory
** that remembering it takes; wait events and the driver call; note. Whatever
** can fail comes before the driver call, and nothing is noted unless that
** succeeded. Nothing here waits, and nothing runs Lua: what cannot be queued
** now is RT_BLOCKED, and rt->want says for what.
*/
#include "submit.h"

#include <stdlib.h>

#include "rt/code/codes.h"
#include "rt/comm/comm.h"
#include "rt/comm/losses.h"
#include "rt/driver/context.h"
#include "rt/driver/fault_trace.h"
#include "rt/driver/status.h"
#include "rt/driver/witness.h"
#include "rt/graph/branches.h"
#include "rt/graph/capture.h"
#include "rt/graph/capture_submit.h"
#include "rt/memory/hazard.h"
#include "rt/queue/enqueue.h"
#include "rt/queue/stream_order.h"
#include "rt/queue/kept.h"
#include "rt/wait/behind.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/wait.h"

/* A capture that nobody ends takes no part in what comes now. */
static Status enter (RtStream *s) {
  if (s->dev->rt->ncaptures > 0)
    rt_endabandoned(s->dev->rt);
  return rt_enter(s->dev);
}

/* {== what it comes after ============================================= */

static bool is_kept (Point last) {
  return last.s != NULL && rt_iskept(last.s, last.seq);
}

static void add_launch (RtStream *s, Point last, int *n) {
  if (last.s != NULL && last.s != s)
    rt_addpoint(s->dev->rt->points, n, last.s, last.seq);
}

/*
** Launches of a body with host functions must not overlap. Those of one
** executable do not, by the driver's own order, but such a launch is several
** operations, and after an update they may have been of another body. Of a body
** that graphs share the latest launch stands for those of all. And a launch
** that has not been sent keeps its executable, as the latest one.
*/
static void add_points (RtStream *s, const Op *op, int *n) {
  if (op->kind == OP_WAIT) {
    const RtEvent *e = op->u.wait.event;
    if (e->s != NULL && e->s != s && op->u.wait.at == 0 && !rt_isremote(e))
      rt_addpoint(s->dev->rt->points, n, e->s, e->seq);
  } else if (op->kind == OP_GRAPH) {
    const RtGraph *g = op->u.graph;
    bool ordered = (g->body->nfunctions > 0);
    if (ordered || g->body->refs > 1 || is_kept(g->body->last))
      add_launch(s, g->body->last, n);
    if (ordered || is_kept(g->last))
      add_launch(s, g->last, n);
  }
}

/* Drivers share no events, so the host waits for those of another one. */
static Status wait_across (RtStream *s, const Op *op, int n) {
  const Runtime *rt = s->dev->rt;
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    if (rt->points[i].s->dev->D != s->dev->D)
      st = rt_waitacross(s, rt->points[i].s, rt->points[i].seq, op->name);
  return st;
}

static Status wait_all (RtStream *s, int n) {
  const Runtime *rt = s->dev->rt;
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    st = rt_waitpoint(s, rt->points[i].s, rt->points[i].seq);
  return st;
}

/* ==} */

/* {== noting ========================================================== */

/* Remembers operation 'seq'. */
static void note (RtStream *s, const Op *op, uint64_t seq) {
  for (int i = 0; i < op->naccess; i++)
    rt_note(&op->access[i].block->marks, &op->access[i], s, seq);
  if (rt_owes(s->dev->rt))
    rt_noteowed(s->dev->rt, op, seq);
  if (op->code != NULL)
    rt_noteuse(op->code, s, seq);
  if (op->kind == OP_RECORD) {
    op->u.event->s = s;
    op->u.event->seq = seq;
    op->u.event->capture = 0;
  } else if (op->kind == OP_GRAPH) {
    op->u.graph->last = op->u.graph->body->last = (Point){s, seq};
  }
  if (rt_istraced(op->kind))
    rt_trace(s, op);
}

/* ==} */

/* Since the caller looked at them a finaliser may have reset the device. */
static bool is_stale (const RtStream *s, const Op *op) {
  unsigned now = s->dev->generation;
  bool stale = (s->generation != now);
  for (int i = 0; i < op->naccess; i++) {
    const RtBlock *b = op->access[i].block;
    stale = stale || rt_isstale(b->dev, b->generation);
  }
  if (op->code != NULL)
    return stale || op->code->generation != now;
  if (rt_isamong(op->kind, OPS_OF_GRAPHS))
    return stale || op->u.graph->generation != now;
  if (rt_isamong(op->kind, OPS_OF_EVENTS))
    return stale || rt_isstale(op->u.event->dev, op->u.event->generation);
  return stale;
}

/* {== queueing ======================================================== */

/* CUDA copies from host memory to host memory while the host waits, for all
** that was queued on the stream before as well: no rank may wait for others
** then. */
static Status before_host_copy (RtStream *s, const Op *op) {
  if (op->kind != OP_COPY || s->dev->pending == 0)
    return 0;
  for (int i = 0; i < op->naccess; i++)
    if (!op->access[i].block->pinned)
      return 0;
  return (rt_isopen(s->dev) == 0) ? 0 :
         rt_block(s->dev, WANT_OPEN, NULL, 0, op->name);
}

static Status keep (RtStream *s, Op *op, int n) {
  Runtime *rt = s->dev->rt;
  Status st = rt_keep(s, op, rt->points, n);
  if (st != 0)
    return st;
  note(s, op, s->seq);
  return 0;
}

static Status send (RtStream *s, Op *op, int n) {
  Status st = wait_all(s, n);
  if (st == 0)
    st = rt_enqueue(s, op);
  if (st != 0)
    return st;
  s->seq = s->sent = ++s->dev->rt->stamp;
  note(s, op, s->seq);
  rt_saw(s, op);
  return rt_marksent(s, op);
}

/* After the 'n' points of rt->points. */
static Status queue (RtStream *s, Op *op, int n) {
  const Runtime *rt = s->dev->rt;
  Status st = wait_across(s, op, n);
  if (st != 0)
    return st;
  bool looks = (rt->nkept > 0 || rt_functionsof(op) > 0);
  if (!looks || !rt_isbehind(s, op, rt->points, n))
    return send(s, op, n);
  return (op->kind == OP_UPLOAD) ? rt_enqueue(s, op) : keep(s, op, n);
}

/* The wait counts as an operation: who waits for 's' next waits for 't'. Where
** it is the device's it is for the work of others on 't', too, as an event is:
** that of blocking streams, if 't' is the null stream. */
Status rt_waitstream (RtStream *s, RtStream *t, const char *what) {
  Runtime *rt = s->dev->rt;
  Status st = enter(s);
  if (st != 0 || s == t)
    return st;
  if (s->capture != NULL || t->capture != NULL)
    return rt_capturejoin(s, t, what);
  Op op;
  rt_startop(&op, OP_WAIT, what);
  op.u.wait.event = NULL;
  rt->points[0] = (Point){t, t->dev->D == s->dev->D ? rt_lastof(t) : t->seq};
  return queue(s, &op, 1);
}

/*
** A host function comes after what others have queued on its stream. One of a
** blocking stream comes after what the null stream has by an event, too. So
** that is known to be done when it runs, and with it what the null stream came
** after (rt_nullpassed); and where the null stream has events alone the driver
** would not wait for them. Not while blocking streams capture, when events on
** the null stream are errors.
*/
static Status before_function (RtStream *s, const Op *op) {
  RtStream *null = s->dev->null;
  bool meets = (!s->nonblocking && s->kind != STREAM_NULL &&
                null->seq > null->done && rt_islegacyfree(s->dev));
  Status st = meets ? rt_waitstream(s, null, op->name) : 0;
  if (st == 0 && s->exposed) {
    rt_lastof(s);
    st = rt_marksent(s, op);
  }
  return st;
}

Status rt_submit (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  bool captured = false;
  int n = 0;
  if (rt->resets > 0 && is_stale(s, op))
    return rt_fail(rt, RT_RESET, NULL);
  Status st = enter(s);
  if (st == 0 && rt->ncaptures > 0)
    st = rt_capturesubmit(s, op, &captured);
  if (st != 0 || captured)
    return st;
  if (op->kind == OP_WAIT && op->u.event->capture != 0)
    return rt_fail(rt, CUDA_ERROR_CAPTURED_EVENT, op->name);
  if (rt_hascomms(rt) && !op->must)
    st = rt_keepnear(s, op);
  if (st == 0)
    st = before_host_copy(s, op);
  if (st == 0 && rt_functionsof(op) > 0)
    st = before_function(s, op);
  if (st == 0 && op->naccess > 0)
    st = rt_collect(s, op, &n);
  if (st == 0 && op->code != NULL)
    st = rt_reserveuse(op->code);
  if (st != 0)
    return st;
  add_points(s, op, &n);
  return queue(s, op, n);
}

/* ==} */
