/*
** submit.c - the doorway: the only caller of the driver's enqueue entries but
** for order.c (waits between streams), progress.c (events at tails), gate.c
** (waits at gates), block.c (the pool), branches.c and capturing.c (edges and
** gates of a graph).
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

#include "branches.h"
#include "capture.h"
#include "capturing.h"
#include "codes.h"
#include "events.h"
#include "flags.h"
#include "gate.h"
#include "gemm.h"
#include "graphs.h"
#include "hazard.h"
#include "inbox.h"
#include "order.h"
#include "progress.h"
#include "reset.h"
#include "runtime.h"
#include "standing.h"
#include "trace.h"
#include "wait.h"

/* {== before: waits =================================================== */

/*
** What the thread's default stream holds can be marked from its own thread
** only, and an external stream may be gone when we look again: both are marked
** at once. So is the legacy stream while gates are shut: later its mark would
** follow those that blocking streams have met meanwhile.
*/
static inline Status mark_at_once (RtStream *s) {
  Tail at;
  bool held = (s->kind == STREAM_NULL && s->unheld == 0 &&
               s->dev->rt->shut > 0);
  if (s->kind != STREAM_PTDS && s->kind != STREAM_EXTERNAL && !held)
    return 0;
  return rt_tail(s, s->seq, &at);
}

/* A capture that nobody ends takes no part in what comes now. */
static Status enter (RtStream *s) {
  if (s->dev->rt->ncaptures > 0)
    rt_endabandoned(s->dev->rt);
  return rt_enter(s->dev);
}

/* The wait counts as an operation: who waits for 's' next waits for 't'. */
Status rt_waitstream (RtStream *s, RtStream *t, const char *what) {
  Status st = enter(s);
  if (st != 0 || s == t)
    return st;
  if (s->capture != NULL || t->capture != NULL)
    return rt_capturejoin(s, t, what);
  if (s->dev->rt->shut > 0)
    st = rt_holdgates(s, what);
  if (st == 0)
    st = rt_waitacross(s, t, t->seq, what);
  if (st != 0)
    return st;
  s->seq = ++s->dev->rt->stamp;
  return mark_at_once(s);
}

/* ==} */

/* {== the driver call ================================================= */

static Status record (RtStream *s, RtEvent *e) {
  Status st = s->dev->D->cuEventRecord(e->handle, s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuEventRecord") : 0;
}

static Status post (RtStream *s, RtHostNode *node) {
  Status st = s->dev->D->cuLaunchHostFunc(s->handle, rt_post, node);
  return st ? rt_fail(s->dev->rt, st, "cuLaunchHostFunc") : 0;
}

/*
** A host function: the driver's callback posts the node. What comes after waits
** at its gate until Lua has run it: see gate.c.
*/
static Status hostfn (RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  RtHostNode *node;
  Status st = (s->flag == NULL) ? rt_lendflag(s->dev, &s->flag) : 0;
  if (st == 0)
    st = rt_lendnode(rt, &node);
  if (st != 0)
    return st;
  node->ref = op->u.hostfn.ref;
  node->flag = s->flag;
  node->value = s->asked + 1;
  st = post(s, node);
  if (st != 0) {
    rt_returnnode(rt, node);
    return st;
  }
  s->asked++;
  rt_addgate(s, rt->stamp + 1, &node->gate, NULL);
  if (s->unheld == 0)
    s->unheld = rt->stamp + 1;
  if (!s->exposed || (st = rt_holdgates(s, op->name)) == 0)
    return 0;
  node->ref = 0;  /* it will be posted all the same: then do nothing */
  s->seq = ++rt->stamp;
  return st;
}

static Status launch (RtStream *s, Op *op) {
  const unsigned *grid = op->u.launch.grid, *block = op->u.launch.block;
  Status st = s->dev->D->cuLaunchKernel(op->u.launch.fn, grid[0], grid[1],
                                        grid[2], block[0], block[1], block[2],
                                        op->u.launch.shared, s->handle,
                                        op->u.launch.params, NULL);
  return st ? rt_fail(s->dev->rt, st, "cuLaunchKernel") : 0;
}

/* Gates are shared by all launches of a body: they must not overlap. */
static Status before_gates (RtStream *s, RtBody *body, RtGate **gate) {
  const Point *last = &body->last;
  *gate = malloc(sizeof **gate);
  if (*gate == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  return (last->s != NULL && last->s != s) ?
         rt_waitpoint(s, last->s, last->seq) : 0;
}

static Status upload (RtStream *s, const RtGraph *g) {
  Status st = s->dev->D->cuGraphUpload(g->exec, s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuGraphUpload") : 0;
}

static Status graph (RtStream *s, const RtGraph *g) {
  RtBody *body = g->body;
  RtGate *gate = NULL;
  Status st = (body->nhosts > 0) ? before_gates(s, body, &gate) : 0;
  if (st == 0) {
    st = s->dev->D->cuGraphLaunch(g->exec, s->handle);
    if (st != CUDA_SUCCESS)
      rt_fail(s->dev->rt, st, "cuGraphLaunch");
  }
  if (st != 0)
    free(gate);
  else
    rt_notelaunch(body, s, s->dev->rt->stamp + 1, gate);
  return st;
}

static Status hold (RtStream *s, uint32_t *flag) {
  Status st = rt_holdstream(s->dev, 1);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamWaitValue32(s->handle, (CUdeviceptr)(uintptr_t)flag,
                                      1, CU_STREAM_WAIT_VALUE_GEQ);
  if (st == CUDA_SUCCESS)
    return 0;
  rt_holdstream(s->dev, -1);
  return rt_fail(s->dev->rt, st, "cuStreamWaitValue32");
}

static Status copy (RtStream *s, const Op *op) {
  Status st = s->dev->D->cuMemcpyAsync(op->u.copy.dst, op->u.copy.src,
                                       op->u.copy.bytes, s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuMemcpyAsync") : 0;
}

static Status zero (RtStream *s, const Op *op) {
  Status st = s->dev->D->cuMemsetD8Async(op->u.zero.dst, 0, op->u.zero.bytes,
                                         s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuMemsetD8Async") : 0;
}

Status rt_enqueue (RtStream *s, Op *op) {
  RtEvent *e = op->u.event;
  switch (op->kind) {
    case OP_LAUNCH:
      if (op->gemm != NULL && rt_gemm(s, op->gemm))
        return 0;
      return launch(s, op);
    case OP_COPY: return copy(s, op);
    case OP_ZERO: return zero(s, op);
    case OP_RECORD: return record(s, e);
    case OP_WAIT: return rt_waitacross(s, e->s, e->seq, op->name);
    case OP_HOSTFN: return hostfn(s, op);
    case OP_GRAPH: return graph(s, op->u.graph);
    case OP_UPLOAD: return upload(s, op->u.graph);
    case OP_HOLD: return hold(s, op->u.hold);
  }
  return rt_fail(s->dev->rt, CUDA_ERROR_INVALID_VALUE, op->name);
}

/* ==} */

static Status note (RtStream *s, const Op *op) {
  uint64_t seq = ++s->dev->rt->stamp;
  s->seq = seq;
  for (int i = 0; i < op->naccess; i++)
    rt_note(&op->access[i].block->marks, &op->access[i], s, seq);
  if (op->code != NULL)
    rt_noteuse(op->code, s, seq);
  if (op->kind == OP_RECORD) {
    RtEvent *e = op->u.event;
    e->s = s;
    e->seq = seq;
    e->capture = 0;
  }
  if (rt_istraced(op->kind))
    rt_trace(s, op);
  return mark_at_once(s);
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
  if (op->kind == OP_GRAPH || op->kind == OP_UPLOAD)
    return stale || op->u.graph->generation != now;
  if (op->kind == OP_RECORD || op->kind == OP_WAIT)
    return stale || rt_isstale(op->u.event->dev, op->u.event->generation);
  return stale;
}

static bool brings_gates (const Op *op) {
  return op->kind == OP_HOSTFN ||
         (op->kind == OP_GRAPH && op->u.graph->body->nhosts > 0);
}

Status rt_submit (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  if (is_stale(s, op))
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
  st = (rt->shut > 0) ? before_host_copy(s, op) : 0;
  if (st == 0 && rt->shut > 0)
    st = rt_orderlegacy(s);
  if (st == 0 && (rt->shut > 0 || brings_gates(op)))
    st = rt_passgates(s, op);
  if (st == 0 && op->naccess > 0)
    st = rt_order(s, op);
  if (st == 0 && op->code != NULL)
    st = rt_reserveuse(op->code);
  if (st == 0)
    st = rt_enqueue(s, op);
  if (st == 0)
    st = note(s, op);
  else if (s->standing)
    rt_settle(s->dev);
  return st;
}
