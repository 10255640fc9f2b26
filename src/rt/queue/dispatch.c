/*
** dispatch.c - the driver call of each kind of operation, and the marks behind
** it. The waits for other streams have been queued before.
*/
#include "dispatch.h"

#include <stdlib.h>

#include "op_types.h"
#include "rt/code/cublas.h"
#include "rt/code/cufft.h"
#include "rt/code/cusolver.h"
#include "rt/driver/context.h"
#include "rt/driver/extension.h"
#include "rt/driver/image.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/kernels/kernels.h"
#include "rt/memory/block_types.h"
#include "rt/wait/comm_end.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/timeline.h"
#include "rt/wait/wait.h"
#include "rt/wait/watcher.h"
#include "stream_order.h"
#include "stream_types.h"

#if defined(TIDE_TESTING)
enum { PAUSE_EVERY = 256 }; /* operations, on a delayed GPU */
#endif

Status dispatch_record (RtStream *s, Op *op) {
  RtEvent *e = op->u.event;
  Status st = 0;
  if (e->timeline != NULL)
    st = timeline_publish(s, e->timeline, &e->published);
  if (st != 0)
    return st;
  watcher_remove_event(e);
  st = s->dev->D->cuEventRecord(e->handle, s->handle);
  return st ? status_fail(s->dev->rt, st, "cuEventRecord") : 0;
}

/* Fails: a host function is always kept, and leaves its list once it has run
** (kept.c). */
Status dispatch_hostfn (RtStream *s, Op *op) {
  return status_fail(s->dev->rt, CUDA_ERROR_NOT_SUPPORTED, op->name);
}

static Status launch (const RtStream *s, const Op *op) {
  const unsigned *grid = op->u.launch.grid, *block = op->u.launch.block;
  return s->dev->D->cuLaunchKernel(op->u.launch.fn, grid[0], grid[1], grid[2],
                                   block[0], block[1], block[2],
                                   op->u.launch.shared, s->handle,
                                   op->u.launch.params, NULL);
}

/* The kernel begins with a wait for what comes before it, so the driver may
** start it while the one before it is ending. See kernels/common.cuh. */
static Status launch_early (const RtStream *s, const Op *op) {
  const unsigned *grid = op->u.launch.grid, *block = op->u.launch.block;
  CUlaunchAttribute early = {
    .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
    .value.programmaticStreamSerializationAllowed = 1};
  const CUlaunchConfig config = {grid[0],
                                 grid[1],
                                 grid[2],
                                 block[0],
                                 block[1],
                                 block[2],
                                 op->u.launch.shared,
                                 s->handle,
                                 &early,
                                 1};
  return s->dev->D->cuLaunchKernelEx(&config, op->u.launch.fn,
                                     op->u.launch.params, NULL);
}

/* Launches the kernel, unless cuBLAS or cuSOLVER computes the result
** instead. */
Status dispatch_launch (RtStream *s, Op *op) {
  if (op->solver != NULL)
    return cusolver_run(s, op->solver);
  if (op->gemm != NULL && cublas_gemm(s, op->gemm))
    return 0;
  bool early = (op->early && shared_starts_early(s->dev));
  Status st = early ? launch_early(s, op) : launch(s, op);
  return st ? status_fail(s->dev->rt, st, "cuLaunchKernel") : 0;
}

Status dispatch_check_ranks (const RtBody *body, const char *what) {
  return (body->ranks != NULL) ? body->ranks->check(body, what) : 0;
}

Status dispatch_upload (RtStream *s, Op *op) {
  const RtGraph *g = op->u.graph;
  Status st = dispatch_check_ranks(g->body, op->name);
  for (int i = 0; i < g->body->nparts && st == 0; i++) {
    if (g->execs[i] == NULL)
      continue;
    st = s->dev->D->cuGraphUpload(g->execs[i], s->handle);
    if (st != CUDA_SUCCESS)
      status_fail(s->dev->rt, st, "cuGraphUpload");
  }
  return st;
}

static Status launch_part (RtStream *s, const Op *op) {
  Status st = s->dev->D->cuGraphLaunch(op->u.graph->execs[op->part], s->handle);
  return st ? status_fail(s->dev->rt, st, "cuGraphLaunch") : 0;
}

/* Launches a graph with operations of ranks. */
static Status launch_with_ranks (RtStream *s, const Op *op) {
  const RtBody *body = op->u.graph->body;
  Status st = dispatch_check_ranks(body, op->name);
  if (st == 0)
    st = device_lock_prepare(s->dev);
  if (st == 0)
    st = progress_mark_tail(s);
  if (st == 0)
    st = launch_part(s, op);
  if (st == 0)
    body->ranks->note(s, op);
  return st;
}

/* Launches one part; a graph without nodes has none. */
Status dispatch_graph (RtStream *s, Op *op) {
  const RtBody *body = op->u.graph->body;
  if (body->nparts == 0)
    return 0;
  return (body->ranks != NULL) ? launch_with_ranks(s, op) : launch_part(s, op);
}

static Status start_hold (RtStream *s, const Op *op) {
  Status st = comm_end_bar(s->dev, op->name);
  if (st != 0)
    return st;
  st = device_lock_hold(s->dev, 1);
  comm_end_allow(); /* the hold itself bars them */
  return st;
}

Status dispatch_hold (RtStream *s, Op *op) {
  Status st = start_hold(s, op);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamWaitValue32(s->handle,
                                      (CUdeviceptr)(uintptr_t)op->u.hold, 1,
                                      CU_STREAM_WAIT_VALUE_GEQ);
  if (st == CUDA_SUCCESS)
    return 0;
  device_lock_hold(s->dev, -1);
  return status_fail(s->dev->rt, st, "cuStreamWaitValue32");
}

Status dispatch_copy (RtStream *s, Op *op) {
  Status st = s->dev->D->cuMemcpyAsync(op->u.copy.dst, op->u.copy.src,
                                       op->u.copy.bytes, s->handle);
  return st ? status_fail(s->dev->rt, st, "cuMemcpyAsync") : 0;
}

Status dispatch_zero (RtStream *s, Op *op) {
  Status st = s->dev->D->cuMemsetD8Async(op->u.zero.dst, 0, op->u.zero.bytes,
                                         s->handle);
  return st ? status_fail(s->dev->rt, st, "cuMemsetD8Async") : 0;
}

/* For our own recordings op_submit has queued the waits before. Waits for
** foreign events by the event itself, because others may have recorded it
** since. */
Status dispatch_wait (RtStream *s, Op *op) {
  const RtEvent *e = op->u.wait.event;
  if (e != NULL && op->u.wait.at != 0)
    return timeline_wait(s, op);
  Status st = (e != NULL && e->foreign)
                ? s->dev->D->cuStreamWaitEvent(s->handle, e->handle, 0)
                : 0;
  return st ? status_fail(s->dev->rt, st, "cuStreamWaitEvent") : 0;
}

/* Succeeds even if the call fails, because the call may have queued
** something. */
Status dispatch_call (RtStream *s, Op *op) {
  struct OpCall *call = &op->u.call;
  call->result = (call->fn != NULL) ? call->fn(s->handle, call->ud) : 0;
  return 0;
}

Status dispatch_fft (RtStream *s, Op *op) { return cufft_run(s, &op->u.fft); }

static OpQueue *const queues[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) dispatch_##queue,
#include "rt/driver/op_kinds.def"
#undef OP
};

#if defined(TIDE_TESTING)

/* Draws from the generator of D. Knuth's MMIX. */
static unsigned random_upto (Runtime *rt, unsigned most) {
  rt->late_seed = rt->late_seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((rt->late_seed >> 33) % ((uint64_t)most + 1));
}

/* T.delays: delays each operation on a GPU, and some of them longer. The host
** device has delays of its own. */
static void be_late (RtStream *s) {
  Runtime *rt = s->dev->rt;
  CUfunction fn;
  if (rt->late_us + rt->pause_us == 0 || s->capture != NULL ||
      context_is_host(s->dev) ||
      image_function(s->dev, kernel_named("spin_i64"), &fn) != 0)
    return;
  unsigned pause = (random_upto(rt, PAUSE_EVERY) == 0) ? rt->pause_us : 0;
  int64_t ns = 1000 * (int64_t)random_upto(rt, rt->late_us + pause);
  void *params[] = {&ns};
  s->dev->D->cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, s->handle, params, NULL);
}

#endif

/* {== marks behind it ================================================= */

/*
** Tells whether 'op' needs an event right behind it. A thread's default stream
** can be marked from its own thread only, and an external stream may be gone
** later. Host functions ask whether others have done with page-locked memory.
** Operations that come after a blocking stream by the driver's own order leave
** no event that would tell. Operations of ranks are marked because a wait for
** them may come while the stream captures.
*/
static bool is_marked (const RtStream *s, const Op *op) {
  bool any = s->kind > STREAM_NULL || op->kind == OP_COLLECTIVE ||
             (op->kind == OP_GRAPH && op->u.graph->body->ranks != NULL);
  for (int i = 0; i < op->naccess && !s->nonblocking && !any; i++)
    any = op->access[i].block->pinned && !op->access[i].block->own;
  return any;
}

Status dispatch_mark_last (RtStream *s, const Op *op) {
  return is_marked(s, op) ? progress_mark_tail(s) : 0;
}

/* ==} */

/* {== before it ======================================================= */

static Status ask_extensions (RtStream *s, const Op *op) {
  const Runtime *rt = s->dev->rt;
  Status st = 0;
  for (const Extension *const *e = rt->extensions; *e != NULL && st == 0; e++)
    if ((rt->active & (*e)->bit) != 0 && (*e)->before_submit != NULL)
      st = (*e)->before_submit(s, op);
  return st;
}

/* CUDA copies from host memory to host memory while the host waits, also for
** all earlier work on the stream. So no rank may wait for others then. */
static Status before_host_copy (RtStream *s, const Op *op) {
  if (op->kind != OP_COPY || s->dev->pending == 0)
    return 0;
  for (int i = 0; i < op->naccess; i++)
    if (!op->access[i].block->pinned)
      return 0;
  return (device_lock_is_open(s->dev) == 0)
           ? 0
           : wait_block(s->dev, WAIT_OPEN, NULL, 0, op->name);
}

Status dispatch_check (RtStream *s, const Op *op) {
  bool asks = (s->dev->rt->active != 0 && !op->must);
  Status st = asks ? ask_extensions(s, op) : 0;
  return (st == 0) ? before_host_copy(s, op) : st;
}

/* ==} */

/* Most operations are launches, which need no table. */
Status dispatch_op (RtStream *s, Op *op) {
#if defined(TIDE_TESTING)
  be_late(s);
#endif
  if (op->kind == OP_LAUNCH)
    return dispatch_launch(s, op);
  return queues[op->kind](s, op);
}
