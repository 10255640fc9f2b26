/*
** op.c - the one place where work of users is queued. Other queued work serves
** it: waits between streams (stream_order.c), marks of tails (progress.c),
** memory from the pool and back to it (block.c), edges of graphs (branch.c).
**
** An operation is recorded by a capture (capture_op.c), kept behind a host
** function that has not run (kept.c), or sent. Sending takes these steps: enter
** the device; collect the points that it must come after; reserve all memory
** that remembering it takes; queue the waits and make the driver call; note the
** operation. All that can fail comes before the driver call, and nothing is
** noted unless that succeeded. Nothing here waits or runs Lua. An operation
** that cannot be queued now gives RT_BLOCKED, and the reason is in
** rt->wait_reason.
*/
#include "op.h"

#include <stdlib.h>

#include "rt/code/code_types.h"
#include "rt/code/codes.h"
#include "rt/driver/context.h"
#include "rt/driver/extension.h"
#include "rt/driver/fault.h"
#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/graph/branch.h"
#include "rt/graph/capture.h"
#include "rt/graph/capture_op.h"
#include "rt/graph/graph_types.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/queue/dispatch.h"
#include "rt/queue/kept.h"
#include "rt/queue/stream_order.h"
#include "rt/queue/stream_pool.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/error_order.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

/* Ends captures that the program has lost, so that they do not take part. */
static Status enter (RtStream *s) {
  if (s->dev->rt->ncaptures > 0)
    capture_end_abandoned(s->dev->rt);
  return context_enter(s->dev);
}

/* {== what an operation comes after =================================== */

static bool is_kept (Point last) {
  return last.s != NULL && deferral_keeps(last.s, last.seq);
}

static void add_launch (RtStream *s, Point last, int *n) {
  if (last.s != NULL && last.s != s)
    hazard_add_point(s->dev->rt->points, n, last.s, last.seq);
}

/*
** Adds the points that an operation comes after besides its accesses. Launches
** of a body with host functions must not overlap. The driver orders launches of
** one executable, but a launch with host functions is several operations, and
** an update may have given the graph another body. If graphs share a body, its
** latest launch stands for the launches of all. A launch that has not been sent
** keeps its executable busy until it is. Launches with operations of ranks
** begin in the order of calls, because ranks may belong to several
** communicators.
*/
static void add_points (RtStream *s, const Op *op, int *n) {
  if (op->kind == OP_WAIT) {
    const RtEvent *e = op->u.wait.event;
    if (e->s != NULL && e->s != s && op->u.wait.at == 0)
      hazard_add_point(s->dev->rt->points, n, e->s, e->seq);
  } else if (op->kind == OP_GRAPH) {
    const RtGraph *g = op->u.graph;
    bool ordered = (g->body->nfunctions > 0);
    if (ordered || g->body->refs > 1 || is_kept(g->body->last))
      add_launch(s, g->body->last, n);
    if (ordered || is_kept(g->last))
      add_launch(s, g->last, n);
    if (g->body->ranks != NULL && is_kept(s->dev->ranks))
      add_launch(s, s->dev->ranks, n);
  }
}

static Status wait_all (RtStream *s, const Op *op, int n) {
  const Point *p = s->dev->rt->points;
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    st = stream_order_wait(s, p[i].s, p[i].seq, op->name);
  return st;
}

/* Waits for the points that are of other drivers. */
static Status wait_across (RtStream *s, const Op *op, int n) {
  const Point *p = s->dev->rt->points;
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    if (p[i].s->dev->D != s->dev->D)
      st = stream_order_wait(s, p[i].s, p[i].seq, op->name);
  return st;
}

/* ==} */

/* {== noting ========================================================== */

static void note_extensions (const Runtime *rt, const Op *op, uint64_t seq) {
  for (const Extension *const *e = rt->extensions; *e != NULL; e++)
    if ((rt->active & (*e)->bit) != 0 && (*e)->note != NULL)
      (*e)->note(rt, op, seq);
}

/* Remembers operation 'seq'. */
static void note (RtStream *s, const Op *op, uint64_t seq) {
  for (int i = 0; i < op->naccess; i++)
    hazard_note(&op->access[i].block->marks, &op->access[i], s, seq);
  if (s->dev->rt->active != 0)
    note_extensions(s->dev->rt, op, seq);
  if (op->code != NULL)
    code_note_use(op->code, s, seq);
  if (op->kind == OP_RECORD) {
    op->u.event->s = s;
    op->u.event->seq = seq;
    op->u.event->capture = 0;
  } else if (op->kind == OP_GRAPH) {
    op->u.graph->last = op->u.graph->body->last = (Point){s, seq};
    if (op->u.graph->body->ranks != NULL)
      s->dev->ranks = (Point){s, seq};
  }
  if (fault_is_traced(op->kind))
    fault_record(s, op);
}

/* ==} */

/* Tells whether a finalizer has reset the device since the caller looked at the
** objects of 'op'. */
static bool is_stale (const RtStream *s, const Op *op) {
  unsigned now = s->dev->generation;
  bool stale = (s->generation != now);
  for (int i = 0; i < op->naccess; i++) {
    const RtBlock *b = op->access[i].block;
    stale = stale || life_is_stale(&b->life);
  }
  if (op->code != NULL)
    return stale || op->code->generation != now;
  if (op_kind_is_in(op->kind, OPS_OF_GRAPHS))
    return stale || op->u.graph->generation != now;
  if (op_kind_is_in(op->kind, OPS_OF_EVENTS))
    return stale || life_is_stale(&op->u.event->life);
  return stale;
}

/* {== queueing ======================================================== */

static Status keep (RtStream *s, Op *op, int n) {
  Status st = wait_across(s, op, n);
  return (st == 0) ? kept_add(s, op, s->dev->rt->points, n) : st;
}

static Status send (RtStream *s, Op *op, int n) {
  Status st = wait_all(s, op, n);
  if (st == 0)
    st = dispatch_op(s, op);
  if (st == 0)
    s->seq = s->sent = ++s->dev->rt->stamp;
  return st;
}

/* Keeps a wait for a foreign event, which may be recorded again, or gone, when
** its turn comes. So a stream of its own waits for the event at once. */
static Status keep_foreign_wait (RtStream *s, Op *op, int n) {
  Runtime *rt = s->dev->rt;
  RtStream *t;
  Status st = stream_pool_new(s->dev, CU_STREAM_NON_BLOCKING, 0, &t);
  if (st != 0)
    return st;
  st = send(t, op, n);
  rt->points[0] = (Point){t, t->seq};
  if (st == 0) {
    note(t, op, t->seq);
    observer_note(t, op);
    st = keep(s, op, 1);
  }
  stream_pool_drop(t);
  return st;
}

static bool waits_for_foreign (const Op *op) {
  return op->kind == OP_WAIT && op->u.wait.event != NULL &&
         op->u.wait.event->foreign;
}

/* Notes the points that are not of memory: see stream_order_collect. */
static Status note_errors (RtStream *s, const Op *op, int n) {
  const Point *p = s->dev->rt->points;
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    if (op->naccess == 0 || op->kind == OP_GRAPH)
      st = error_order_note(s, s->dev->rt->stamp + 1, p[i]);
  return st;
}

/* Queues 'op' after the first 'n' points of rt->points. */
static Status queue (RtStream *s, Op *op, int n) {
  const Runtime *rt = s->dev->rt;
  if (rt->errors > 0 && note_errors(s, op, n) != 0)
    return RT_NOMEM;
  bool kept = ((rt->nkept > 0 || deferral_count_functions(op) > 0) &&
               deferral_is_needed(s, op, rt->points, n));
  if (kept && op->kind == OP_UPLOAD)
    return dispatch_op(s, op);
  Status st = !kept                   ? send(s, op, n)
              : waits_for_foreign(op) ? keep_foreign_wait(s, op, n)
                                      : keep(s, op, n);
  if (st != 0)
    return st;
  note(s, op, s->seq);
  if (kept)
    return 0;
  observer_note(s, op);
  return dispatch_mark_tail(s, op);
}

/* Counts as an operation, so that a stream that waits for 's' next waits for
** 't' as well. On the device it waits for the work of others on 't', too, as
** for an event. If 't' is the null stream, this includes that of blocking
** streams. */
Status op_wait_stream (RtStream *s, RtStream *t, const char *what) {
  Runtime *rt = s->dev->rt;
  Status st = enter(s);
  if (st != 0 || s == t)
    return st;
  if (s->capture != NULL || t->capture != NULL)
    return branch_wait_stream(s, t, what);
  Op op;
  op_start(&op, OP_WAIT, what);
  op.u.wait.event = NULL;
  op.u.wait.at = 0;
  rt->points[0] = (Point){t, t->dev->D == s->dev->D ? kept_last(t) : t->seq};
  if (t->exposed && !is_kept(rt->points[0]))
    st = progress_mark_tail(t); /* its present work, also if 's' keeps this */
  return (st == 0) ? queue(s, &op, 1) : st;
}

/*
** Prepares the stream for a host function, which comes after work that others
** have queued there. On a blocking stream it also comes, by an event, after the
** work of the null stream. So that work is known to be done when it runs, and
** with it all that the null stream came after (progress_null_passed). The
** driver itself would not wait for a null stream that has only events. While
** blocking streams capture this is left out, because events on the null stream
** are errors then.
*/
static Status before_function (RtStream *s, const Op *op) {
  RtStream *null = s->dev->null;
  bool meets = (!s->nonblocking && s->kind != STREAM_NULL &&
                null->seq > null->done && progress_legacy_is_free(s->dev));
  Status st = meets ? op_wait_stream(s, null, op->name) : 0;
  if (st == 0 && s->exposed) {
    kept_last(s);
    st = dispatch_mark_tail(s, op);
  }
  return st;
}

/* Only events of one driver can be waited for on the device. */
static Status check_wait (const RtStream *s, const Op *op) {
  const RtEvent *e = op->u.wait.event;
  bool by_event = (e->foreign || op->u.wait.at != 0);
  if (e->capture != 0)
    return status_fail(s->dev->rt, CUDA_ERROR_CAPTURED_EVENT, op->name);
  return (by_event && e->dev->D != s->dev->D)
           ? status_fail(s->dev->rt, CUDA_ERROR_INVALID_HANDLE, op->name)
           : 0;
}

Status op_submit (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  bool captured = false;
  int n = 0;
  if (rt->resets > 0 && is_stale(s, op))
    return status_fail(rt, RT_RESET, NULL);
  Status st = enter(s);
  if (st == 0 && rt->ncaptures > 0)
    st = capture_op_submit(s, op, &captured);
  if (st != 0 || captured)
    return st;
  if (op->kind == OP_WAIT)
    st = check_wait(s, op);
  if (st != 0)
    return st;
  st = dispatch_check(s, op);
  if (st == 0 && deferral_count_functions(op) > 0)
    st = before_function(s, op);
  if (st == 0 && op->naccess > 0)
    st = stream_order_collect(s, op, &n);
  if (st == 0 && op->code != NULL)
    st = code_reserve_use(op->code);
  if (st != 0)
    return st;
  add_points(s, op, &n);
  return queue(s, op, n);
}

/* ==} */
