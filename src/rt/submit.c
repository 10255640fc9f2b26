/*
** submit.c - the doorway: all work of users is queued here. What else is queued
** belongs to that: waits between streams (stream_order.c), marks of tails
** (progress.c), waits at gates (gate.c), memory from the pool and back to it
** (block.c), edges and gates of graphs (branches.c, capture_submit.c).
**
** An operation goes through five steps: enter the device; hazards: collect the
** points its accesses must wait for; reserve all memory that remembering it
** takes; wait events and the driver call; note. Whatever can fail comes before
** the driver call, and nothing is noted unless that succeeded. Nothing here
** waits, and nothing runs Lua: what cannot be queued now is RT_BLOCKED, and
** rt->want says for what.
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
#include "rt/wait/endings.h"
#include "rt/wait/gate.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"
#include "rt/wait/wait.h"

/* {== before: waits =================================================== */

/*
** What the thread's default stream holds can be marked from its own thread
** only, and an external stream may be gone when we look again: both are marked
** at once. So is the legacy stream while gates are shut: later its mark would
** follow those that blocking streams have met meanwhile.
*/
static inline Status mark_at_once (RtStream *s) {
  bool held = (s->kind == STREAM_NULL && s->unheld == 0 &&
               s->dev->rt->shut > 0);
  if (s->kind != STREAM_PTDS && s->kind != STREAM_EXTERNAL && !held)
    return 0;
  return rt_marktail(s);
}

/*
** Host functions ask whether others have done with page-locked memory, and who
** comes after a blocking stream by the driver's own order leaves no event that
** would tell: so there is one right behind its use. And behind what ranks do
** together: who waits for that may do so while the stream captures.
*/
static Status mark_use (RtStream *s, const Op *op) {
  bool any = false;
  if (op->kind == OP_COLLECTIVE ||
      (op->kind == OP_GRAPH && op->u.graph->body->ncomms > 0))
    return rt_marktail(s);
  bool may = (op->kind == OP_COPY || op->kind == OP_GRAPH ||
              op->kind == OP_FILE);
  if (s->nonblocking || !may)
    return 0;
  for (int i = 0; i < op->naccess && !any; i++)
    any = op->access[i].block->pinned && !op->access[i].block->own;
  return (any && s->unheld == 0) ? rt_marktail(s) : 0;
}

/* A capture that nobody ends takes no part in what comes now. */
static Status enter (RtStream *s) {
  if (s->dev->rt->ncaptures > 0)
    rt_endabandoned(s->dev->rt);
  return rt_enter(s->dev);
}

/* What an event of the null stream, and the wait for it, come after. */
static Status order_gates (RtStream *s, RtStream *t, const char *what) {
  Status st = (t->kind == STREAM_NULL) ? rt_orderlegacy(t) : 0;
  if (st == 0)
    st = rt_orderlegacy(s);
  return (st == 0) ? rt_holdgates(s, what) : st;
}

/* The wait counts as an operation: who waits for 's' next waits for 't'. Where
** it is the device's it is for the work of others on 't', too, as an event is:
** that of blocking streams, if 't' is the null stream. */
Status rt_waitstream (RtStream *s, RtStream *t, const char *what) {
  Status st = enter(s);
  if (st != 0 || s == t)
    return st;
  if (s->capture != NULL || t->capture != NULL)
    return rt_capturejoin(s, t, what);
  if (s->dev->rt->shut > 0)
    st = order_gates(s, t, what);
  if (st == 0)
    st = rt_waitacross(s, t, t->dev->D == s->dev->D ? rt_lastof(t) : t->seq,
                       what);
  if (st != 0)
    return st;
  s->seq = ++s->dev->rt->stamp;
  return mark_at_once(s);
}

/* ==} */


static Status note (RtStream *s, const Op *op) {
  uint64_t seq = ++s->dev->rt->stamp;
  s->seq = seq;
  rt_saw(s, op);
  for (int i = 0; i < op->naccess; i++)
    rt_note(&op->access[i].block->marks, &op->access[i], s, seq);
  if (rt_owes(s->dev->rt))
    rt_noteowed(s->dev->rt, op, seq);
  if (op->code != NULL)
    rt_noteuse(op->code, s, seq);
  if (rt_istraced(op->kind))
    rt_trace(s, op);
  Status st = mark_use(s, op);
  return (st == 0) ? mark_at_once(s) : st;
}

/* CUDA copies from host memory to host memory while the host waits, for all
** that was queued on the stream before as well: no gate may be shut then. */
static Status before_host_copy (RtStream *s, const Op *op) {
  if (op->kind != OP_COPY)
    return 0;
  for (int i = 0; i < op->naccess; i++)
    if (!op->access[i].block->pinned)
      return 0;
  return (rt_isopen(s->dev, op->name) == 0) ? 0 :
         rt_block(s->dev, WANT_OPEN, NULL, 0, op->name);
}

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

/* While some are shut, or if it brings one. */
static Status pass_gates (RtStream *s, const Op *op) {
  Status st = before_host_copy(s, op);
  if (st == 0 && s->dev->rt->shut > 0)
    st = rt_orderlegacy(s);
  if (st == 0 && rt_functionsof(op) > 0)
    st = rt_meetnull(s);
  return (st != 0) ? st : rt_passgates(s, op);
}

Status rt_submit (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  if (rt->resets > 0 && is_stale(s, op))
    return rt_fail(rt, RT_RESET, NULL);
  Status st = enter(s);
  if (st != 0)
    return st;
  if (rt->ncaptures > 0) {
    bool captured = false;
    st = rt_capturesubmit(s, op, &captured);
    if (st != 0 || captured)
      return st;
  }
  if (op->kind == OP_WAIT && op->u.event->capture != 0)
    return rt_fail(rt, CUDA_ERROR_CAPTURED_EVENT, op->name);
  if (rt_hascomms(rt) && !op->must)
    st = rt_keepnear(s, op);
  bool bars = (st == 0 && rt_functionsof(op) > 0);
  if (bars && (st = rt_barends(s->dev, op->name)) != 0)
    return st;
  if (st == 0 && (rt->shut > 0 || bars))
    st = pass_gates(s, op);
  if (st == 0 && op->naccess > 0)
    st = rt_order(s, op);
  if (st == 0 && op->code != NULL)
    st = rt_reserveuse(op->code);
  if (st == 0)
    st = rt_enqueue(s, op);
  if (bars)
    rt_letend();  /* a gate that is shut bars them itself */
  if (st == 0)
    st = note(s, op);
  else if (s->standing)
    rt_settle(s->dev);
  return st;
}
