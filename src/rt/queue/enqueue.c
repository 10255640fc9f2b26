/*
** enqueue.c - the driver call of each kind of operation, and the gates of those
** that bring some. Waits for others have been queued before.
*/
#include "enqueue.h"

#include <stdlib.h>
#include <string.h>

#include "rt/code/cublas.h"
#include "rt/comm/comm.h"
#include "rt/driver/image.h"
#include "rt/driver/status.h"
#include "rt/kernels/kernels.h"
#include "rt/wait/endings.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/flags.h"
#include "rt/wait/gate.h"
#include "rt/wait/inbox.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"
#include "rt/wait/timeline.h"
#include "rt/wait/watcher.h"
#include "stream_order.h"

#if defined(TIDE_TESTING)
enum { PAUSE_EVERY = 256 };  /* operations, of a GPU that is late */
#endif

Status rt_queuerecord (RtStream *s, Op *op) {
  RtEvent *e = op->u.event;
  Status st = 0;
  if (e->timeline != NULL)
    st = rt_publish(s, e->timeline, &e->published);
  if (st != 0)
    return st;
  rt_unwatchevent(e);
  st = s->dev->D->cuEventRecord(e->handle, s->handle);
  if (st != CUDA_SUCCESS)
    return rt_fail(s->dev->rt, st, "cuEventRecord");
  e->s = s;
  e->seq = s->dev->rt->stamp + 1;
  e->capture = 0;
  return 0;
}

static Status post (RtStream *s, RtHostNode *node) {
  Status st = s->dev->D->cuLaunchHostFunc(s->handle, rt_post, node);
  return st ? rt_fail(s->dev->rt, st, "cuLaunchHostFunc") : 0;
}

/*
** A host function: the driver's callback posts the node. What comes after waits
** at its gate until Lua has run it: see gate.c.
*/
Status rt_queuehostfn (RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  Status st = (s->flag == NULL) ? rt_lendflag(s->dev, &s->flag) : 0;
  if (st != 0)
    return st;
  RtHostNode *node = calloc(1, sizeof *node);
  if (node == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  node->rt = rt;
  node->ref = op->u.hostfn.ref;
  node->flag = s->flag;
  node->value = s->asked + 1;
  st = post(s, node);
  if (st != 0) {
    free(node);
    return st;
  }
  s->asked++;
  rt_addgate(s, &node->gate, NULL);
  if (s->unheld == 0)
    s->unheld = node->gate.seq;
  if (!s->exposed || (st = rt_holdgates(s, op->name)) == 0)
    return 0;
  node->ref = 0;  /* it will be posted all the same: then do nothing */
  s->seq = ++rt->stamp;
  return st;
}

/* cuBLAS may do what the kernel would. */
Status rt_queuelaunch (RtStream *s, Op *op) {
  const unsigned *grid = op->u.launch.grid, *block = op->u.launch.block;
  if (op->gemm != NULL && rt_gemm(s, op->gemm))
    return 0;
  Status st = s->dev->D->cuLaunchKernel(op->u.launch.fn, grid[0], grid[1],
                                        grid[2], block[0], block[1], block[2],
                                        op->u.launch.shared, s->handle,
                                        op->u.launch.params, NULL);
  return st ? rt_fail(s->dev->rt, st, "cuLaunchKernel") : 0;
}

static Status follow_launch (RtStream *s, Point last) {
  return (last.s != NULL && last.s != s) ? rt_waitpoint(s, last.s, last.seq)
                                         : 0;
}

/* Gates are shared by all launches of a body: they must not overlap. Those of
** one executable do not, by the driver's own order; after an update they may
** have been of another body. */
static Status before_gates (RtStream *s, const RtGraph *g, RtGate **gate) {
  *gate = malloc(sizeof **gate);
  if (*gate == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  Status st = follow_launch(s, g->body->last);
  return (st == 0) ? follow_launch(s, g->last) : st;
}

Status rt_queueupload (RtStream *s, Op *op) {
  const RtGraph *g = op->u.graph;
  Status st = rt_checkgraphcomms(g->body, op->name);
  if (st != 0)
    return st;
  st = s->dev->D->cuGraphUpload(g->exec, s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuGraphUpload") : 0;
}

Status rt_queuegraph (RtStream *s, Op *op) {
  RtGraph *g = op->u.graph;
  RtBody *body = g->body;
  RtGate *gate = NULL;
  Status st = rt_checkgraphcomms(body, op->name);
  if (st != 0)
    return st;
  if (body->nhosts > 0)
    st = before_gates(s, g, &gate);
  else if (body->refs > 1)  /* the latest launch stands for those of all */
    st = follow_launch(s, body->last);
  if (st == 0 && body->ncomms > 0)
    st = rt_prepare(s->dev);
  if (st == 0 && body->ncomms > 0)
    st = rt_marktail(s);
  uint64_t before = s->seq;
  if (st == 0) {
    st = s->dev->D->cuGraphLaunch(g->exec, s->handle);
    if (st != CUDA_SUCCESS)
      rt_fail(s->dev->rt, st, "cuGraphLaunch");
  }
  if (st != 0)
    free(gate);
  else
    rt_notelaunch(g, s, gate);
  if (st == 0 && body->ncomms > 0)
    rt_notegraphcomms(s, body, before);
  return st;
}

static Status start_hold (RtStream *s, const Op *op) {
  Status st = rt_barends(s->dev, op->name);
  if (st != 0)
    return st;
  st = rt_holdstream(s->dev, 1);
  rt_letend();  /* the hold bars them itself */
  return st;
}

Status rt_queuehold (RtStream *s, Op *op) {
  Status st = start_hold(s, op);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamWaitValue32(s->handle,
                                      (CUdeviceptr)(uintptr_t)op->u.hold, 1,
                                      CU_STREAM_WAIT_VALUE_GEQ);
  if (st == CUDA_SUCCESS)
    return 0;
  rt_holdstream(s->dev, -1);
  return rt_fail(s->dev->rt, st, "cuStreamWaitValue32");
}

Status rt_queuecopy (RtStream *s, Op *op) {
  Status st = s->dev->D->cuMemcpyAsync(op->u.copy.dst, op->u.copy.src,
                                       op->u.copy.bytes, s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuMemcpyAsync") : 0;
}

Status rt_queuezero (RtStream *s, Op *op) {
  Status st = s->dev->D->cuMemsetD8Async(op->u.zero.dst, 0, op->u.zero.bytes,
                                         s->handle);
  return st ? rt_fail(s->dev->rt, st, "cuMemsetD8Async") : 0;
}

/* Who else records an event may have done so since: the driver knows. */
static Status wait_foreign (RtStream *s, const RtEvent *e) {
  Status st = (e->dev->D == s->dev->D) ?
              s->dev->D->cuStreamWaitEvent(s->handle, e->handle, 0) :
              CUDA_ERROR_INVALID_HANDLE;
  return st ? rt_fail(s->dev->rt, st, "cuStreamWaitEvent") : 0;
}

/* Of an interprocess event, another process's recording. */
static Status wait_remote (RtStream *s, Op *op) {
  const RtEvent *e = op->u.wait.event;
  uint64_t at = op->u.wait.at;
  if (e->dev->D != s->dev->D)
    return rt_fail(s->dev->rt, CUDA_ERROR_INVALID_HANDLE, op->name);
  return rt_awaitrecording(s, e->timeline,
                           at != 0 ? at : rt_latest(e->timeline),
                           op->u.wait.broken, op->name);
}

Status rt_queuewait (RtStream *s, Op *op) {
  const RtEvent *e = op->u.wait.event;
  if (rt_isremote(e) || op->u.wait.at != 0)
    return wait_remote(s, op);
  if (e->foreign && e->s == NULL)
    return wait_foreign(s, e);
  Status st = rt_waitacross(s, e->s, e->seq, op->name);
  return (st == 0 && e->foreign) ? wait_foreign(s, e) : st;
}

/* Whatever it says, it may have queued something. */
Status rt_queuecall (RtStream *s, Op *op) {
  struct OpCall *call = &op->u.call;
  call->result = (call->fn != NULL) ? call->fn(s->handle, call->ud) : 0;
  return 0;
}

static OpQueue *const queues[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  rt_queue##queue,
#include "rt/driver/op_kinds.def"
#undef OP
};

#if defined(TIDE_TESTING)

/* By the generator of D. Knuth's MMIX. */
static unsigned random_upto (Runtime *rt, unsigned most) {
  rt->late_seed = rt->late_seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((rt->late_seed >> 33) % ((uint64_t)most + 1));
}

/* T.delays: a GPU comes late to each operation, and at times later still. The
** host device has delays of its own. */
static void be_late (RtStream *s) {
  Runtime *rt = s->dev->rt;
  CUfunction fn;
  if (rt->late_us + rt->pause_us == 0 || s->capture != NULL ||
      strcmp(s->dev->D->kind, "host") == 0 ||
      rt_function(s->dev, rt_kernel_named("spin_i64"), &fn) != 0)
    return;
  unsigned pause = (random_upto(rt, PAUSE_EVERY) == 0) ? rt->pause_us : 0;
  int64_t ns = 1000 * (int64_t)random_upto(rt, rt->late_us + pause);
  void *params[] = {&ns};
  s->dev->D->cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, s->handle, params, NULL);
}

#endif

/* Most are launches: these need no table. */
Status rt_enqueue (RtStream *s, Op *op) {
#if defined(TIDE_TESTING)
  be_late(s);
#endif
  if (op->kind == OP_LAUNCH)
    return rt_queuelaunch(s, op);
  return queues[op->kind](s, op);
}
