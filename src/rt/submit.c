/*
** submit.c - the doorway: the only caller of the driver's enqueue entries
** (progress.c marks tails, block.c feeds the pool, branches.c and capturing.c
** add edges and gates to a graph; nobody else).
**
** An operation goes through five steps: enter the device; hazards: collect the
** points its accesses must wait for; reserve all memory that remembering it
** takes; wait events and the driver call; note. Whatever can fail comes before
** the driver call, and nothing is noted unless that succeeded.
*/
#include "submit.h"

#include "branches.h"
#include "capturing.h"
#include "codes.h"
#include "events.h"
#include "gate.h"
#include "gemm.h"
#include "graphs.h"
#include "hazard.h"
#include "inbox.h"
#include "order.h"
#include "places.h"
#include "progress.h"
#include "runtime.h"
#include "shared.h"
#include "reset.h"
#include "trace.h"
#include "wait.h"

/* {== before: waits =================================================== */

/*
** What the thread's default stream holds can be marked from its own thread
** only, and an external stream may be gone when we look again: both are marked
** at once.
*/
static Status mark_at_once (RtStream *s) {
  Tail at;
  if (s->kind != STREAM_PTDS && s->kind != STREAM_EXTERNAL)
    return 0;
  return rt_tail(s, s->seq, &at);
}

/* RT_CROWDED: the host waits instead, and what it waited for is asked again. */
static bool may_try_again (Runtime *rt, Status *st, const char *what) {
  if (*st != RT_CROWDED)
    return false;
  *st = rt_wait(rt->crowd.s, rt->crowd.seq, what);
  return *st == 0;
}

/* The wait counts as an operation: who waits for 's' next waits for 't'. */
Status rt_waitstream (RtStream *s, RtStream *t, const char *what) {
  Status st = rt_enter(s->dev);
  if (st != 0 || s == t)
    return st;
  if (s->capture != NULL || t->capture != NULL)
    return rt_capturejoin(s, t, what);
  do {
    st = rt_waitacross(s, t, t->seq, what);
  } while (may_try_again(s->dev->rt, &st, what));
  if (st != 0)
    return st;
  s->seq = ++s->dev->rt->stamp;
  return mark_at_once(s);
}

/* ==} */

/* {== the driver call ================================================= */

/* How much of a stream's queue an operation takes besides its gates. */
static int weight (const Op *op) {
  return (op->kind == OP_GRAPH) ? 1 + op->u.graph->body->nnodes : 1;
}

static Status record (RtStream *s, RtEvent *e) {
  Status st = s->dev->D->cuEventRecord(e->handle, s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuEventRecord") : 0;
}

/*
** A host function: the driver's callback posts the node, then the stream
** stands at its gate until Lua has run the function.
*/
static Status hostfn (RtStream *s, const Op *op) {
  RtDevice *dev = s->dev;
  RtHostNode *node;
  Status st = rt_marktails(s);
  if (st == 0 && s->gate == NULL)
    st = rt_lendgate(dev, &s->gate);
  if (st == 0)
    st = rt_lendnode(dev->rt, &node);
  if (st != 0)
    return st;
  node->s = s;
  node->seq = dev->rt->stamp + 1;
  node->ref = op->u.hostfn.ref;
  node->gate = s->gate;
  node->open = s->gates + 1;
  st = rt_shutgates(dev, 1);
  if (st == 0) {
    st = dev->D->cuLaunchHostFunc(s->handle, rt_post, node);
    if (st != CUDA_SUCCESS) {
      rt_openedgates(dev, 1);
      rt_fail(dev->rt, st, "cuLaunchHostFunc");
    }
  }
  if (st != 0) {
    rt_returnnode(dev->rt, node);
    return st;
  }
  s->gates++;
  s->gated = node->seq;
  rt_noteshut(s, node->seq, weight(op), 1);
  st = dev->D->cuStreamWaitValue32(s->handle, (CUdeviceptr)(uintptr_t)s->gate,
                                   s->gates, CU_STREAM_WAIT_VALUE_GEQ);
  if (st == CUDA_SUCCESS)
    return 0;
  node->ref = 0;  /* it will be posted all the same: then do nothing */
  s->seq = ++dev->rt->stamp;  /* which 'gated' says can be waited for */
  return rt_fail(dev->rt, st, "cuStreamWaitValue32");
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
static Status before_gates (RtStream *s, RtBody *body) {
  Point *last = &body->last;
  Status st = rt_reservelaunch(body);
  if (st == 0)
    st = rt_marktails(s);
  if (st == 0 && last->s != NULL && last->s != s)
    st = rt_waitpoint(s, last->s, last->seq);
  return st;
}

static Status graph (RtStream *s, Op *op) {
  const Driver *D = s->dev->D;
  RtGraph *g = op->u.graph;
  Status st;
  if (op->kind == OP_UPLOAD) {
    st = D->cuGraphUpload(g->exec, s->handle);
    return st ? rt_fail(s->dev->rt, st, "cuGraphUpload") : 0;
  }
  int gates = g->body->nhosts;
  st = (gates > 0) ? before_gates(s, g->body) : 0;
  if (st == 0 && gates > 0)
    st = rt_shutgates(s->dev, gates);
  if (st != 0)
    return st;
  st = D->cuGraphLaunch(g->exec, s->handle);
  if (st != CUDA_SUCCESS && gates > 0)
    rt_openedgates(s->dev, gates);
  return st ? rt_fail(s->dev->rt, st, "cuGraphLaunch") : 0;
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
    case OP_GRAPH: case OP_UPLOAD: return graph(s, op);
    case OP_HOLD: return hold(s, op->u.hold);
  }
  return rt_fail(s->dev->rt, CUDA_ERROR_INVALID_VALUE, op->name);
}

/* ==} */

/* {== after: notes ==================================================== */

/*
** An operation queued inside a host function that touches what later
** operations (queued before the function ran) touch too: they wait for the
** gate, so the gate waits for it.
*/
static Status hold_gate (RtStream *s, uint64_t seq) {
  RtRunning *r = &s->dev->rt->running;
  Tail at;
  Status st = 0;
  if (r->pending.s != NULL && r->pending.s != s)
    st = rt_waitpoint(s, r->pending.s, r->pending.seq);
  may_try_again(s->dev->rt, &st, NULL);
  if (st == 0)
    st = rt_tail(s, seq, &at);  /* it may be capturing when we ask */
  r->pending.s = s;
  r->pending.seq = seq;
  return st;
}

static Status note (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  uint64_t seq = ++rt->stamp;
  s->seq = seq;
  for (int i = 0; i < op->naccess; i++)
    rt_note(&op->access[i].block->marks, &op->access[i], s, seq, op->skipped);
  if (op->code != NULL)
    rt_noteuse(op->code, s, seq);
  if (op->kind == OP_RECORD) {
    RtEvent *e = op->u.event;
    e->s = s;
    e->seq = seq;
    e->capture = 0;
  } else if (op->kind == OP_GRAPH) {
    rt_notelaunch(op->u.graph->body, s, seq);
    if (op->u.graph->body->nhosts > 0)
      rt_noteshut(s, seq, weight(op), op->u.graph->body->nhosts);
  }
  rt_trace(s, op);
  return op->skipped ? hold_gate(s, seq) : 0;
}

/* ==} */

static Status make_room (RtStream *s, const Op *op) {
  int gates = (op->kind == OP_HOSTFN);
  if (op->kind == OP_GRAPH)
    gates = op->u.graph->body->nhosts;
  Status st = rt_makeroom(s, weight(op), gates, op->name);
  return (st != 0) ? st : rt_enter(s->dev);
}

/* CUDA copies from host memory to host memory while the host waits, for all
** that was queued on the stream before as well: no gate may be shut then. */
static Status before_host_copy (RtStream *s, const Op *op) {
  if (op->kind != OP_COPY)
    return 0;
  for (int i = 0; i < op->naccess; i++)
    if (!op->access[i].block->pinned)
      return 0;
  Status st = rt_waitgates(s->dev, op->name);
  return (st != 0) ? st : rt_enter(s->dev);
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

static Status submit (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  if (is_stale(s, op))
    return rt_fail(rt, RT_RESET, NULL);
  Status st = rt_enter(s->dev);
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
  if (st == 0 && (rt->shut > 0 || brings_gates(op)))
    st = make_room(s, op);
  if (st == 0 && op->naccess > 0)
    st = rt_order(s, op);
  if (st == 0 && op->code != NULL)
    st = rt_reserveuse(op->code);
  if (st == 0)
    st = rt_enqueue(s, op);
  if (st == 0)
    st = note(s, op);
  else if (rt->shut == 0)
    rt_returnplace(s);
  if (st == 0)
    st = mark_at_once(s);
  return (st == 0 && rt->debug_sync) ? rt_waitoperation(s, op) : st;
}

Status rt_submit (RtStream *s, Op *op) {
  Status st;
  do {
    st = submit(s, op);
  } while (may_try_again(s->dev->rt, &st, op->name));
  return st;
}
