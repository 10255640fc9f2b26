/*
** group.c - calls, groups of them, and the jobs that they become.
**
** All calls of a group are queued at its end, and none of them if one of them
** is wrong. A collective is a job; sends and receives of one communicator and
** stream are one job together, at the place of the first.
*/
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "rt/driver/grow.h"

typedef struct GroupCall {
  ncclComm_t comm;
  CUstream s;
  RankWork *work; /* NULL: it is part of an earlier call's work */
  WorkPart part;
} GroupCall;

typedef struct CallGroup {
  int depth;
  ncclResult_t error; /* of the first wrong call */
  int n, cap;
  GroupCall *call;
} CallGroup;

static _Thread_local CallGroup group;

/* {== calls =========================================================== */

/* Describes a call in the program's words, or in NCCL's. */
static void describe (ncclComm_t c, CallDesc *t) {
  host_lock();
  c->calls++;
  if (c->announced) {
    CallDesc desc = c->next;
    desc.kind = t->kind;
    desc.t = t->t;
    desc.redop = t->redop;
    desc.at = t->at;
    desc.count = t->count;
    *t = desc;
    if (t->kind >= SEND && t->root < 0 &&
        (strcmp(t->what, "send") == 0 || strcmp(t->what, "recv") == 0 ||
         strcmp(t->what, "group") == 0))
      t->root = t->at;
  } else {
    rank_use_nccl_names(t);
    t->number = c->calls;
  }
  if (group.depth == 0)
    c->announced = false;
  host_unlock();
}

static bool is_call (const CallDesc *t, ncclComm_t c) {
  size_t bytes;
  return c != NULL && t->t >= 0 && t->t <= ncclBfloat16 && t->redop >= 0 &&
         t->redop <= ncclAvg && t->at >= 0 &&
         !__builtin_mul_overflow((size_t)t->count,
                                 MAX_RANKS *
                                   rank_type_size((ncclDataType_t)t->t),
                                 &bytes);
}

/* The ranks of a communicator that is being split off are not known yet. */
static ncclResult_t check (const WorkPart *p, ncclComm_t c) {
  const CallDesc *t = &p->desc;
  if (!is_call(t, c))
    return ncclInvalidArgument;
  host_lock();
  int rank = c->rank, size = c->size;
  host_unlock();
  if (size > 0 && t->at >= size)
    return ncclInvalidArgument;
  bool reads = t->kind != RECV, writes = t->kind != SEND;
  if (t->kind == REDUCE)
    writes = t->at == rank;
  if (t->kind == BROADCAST)
    reads = t->at == rank;
  bool lacks = (reads && p->from == NULL) || (writes && p->to == NULL);
  return (size > 0 && t->count > 0 && lacks) ? ncclInvalidArgument
                                             : ncclSuccess;
}

/* ==} */

/* {== jobs ============================================================ */

static bool is_message (const GroupCall *call) {
  return call->part.desc.kind >= SEND;
}

static bool are_joined (const GroupCall *a, const GroupCall *b) {
  return is_message(a) && is_message(b) && a->comm == b->comm && a->s == b->s;
}

static RankWork *new_work (ncclComm_t c, int n) {
  RankWork *w = malloc(sizeof *w + (size_t)n * sizeof *w->part);
  if (w == NULL)
    return NULL;
  w->away = (Away){1, rank_begin_work, rank_abort_work, rank_drop_work};
  w->comm = c;
  w->counted = w->captured = false;
  w->n = 0;
  host_lock();
  c->refs++;
  host_unlock();
  return w;
}

/* Makes the job of call i, with the other calls that belong to it. */
static bool make_work (CallGroup *g, int i) {
  GroupCall *first = &g->call[i];
  for (int k = 0; k < i; k++)
    if (are_joined(&g->call[k], first))
      return true;
  int n = 1;
  for (int k = i + 1; k < g->n; k++)
    n += are_joined(first, &g->call[k]);
  if ((first->work = new_work(first->comm, n)) == NULL)
    return false;
  for (int k = i; k < g->n; k++)
    if (k == i || are_joined(first, &g->call[k]))
      first->work->part[first->work->n++] = g->call[k].part;
  return true;
}

/* With the lock held: returns the call's stream, or NULL. */
static CUstream stream_of (const GroupCall *call) {
  CUstream s = host_stream(call->comm->ctx, call->s);
  return (s != NULL && s->ctx == call->comm->ctx) ? s : NULL;
}

/* Does all checks that are possible before queueing; with the lock held, which
** waiting drops. */
static ncclResult_t check_streams (CallGroup *g) {
  for (int i = 0; i < g->n; i++) {
    CUcontext ctx = g->call[i].comm->ctx;
    if (ctx->retains == 0 || ctx->fault != CUDA_SUCCESS)
      return ncclUnhandledCudaError;
    CUstream s = stream_of(&g->call[i]);
    if (s == NULL)
      return ncclInvalidArgument;
    if (s->capture == NULL)
      host_wait_room(s, TASK_AWAY);
  }
  return ncclSuccess;
}

/* With the lock held. */
static ncclResult_t post (const GroupCall *call) {
  RankWork *w = call->work;
  CUstream s = stream_of(call);
  Task task = {TASK_AWAY, {.away = {&w->away}}};
  if (s != NULL && s->capture == NULL) {
    w->counted = true;
    w->comm->pending++;
  } else if (s != NULL) {
    w->captured = true;
    w->comm->captured++;
  }
  CUresult r = host_queue(s, &task, NULL);
  return (r == CUDA_SUCCESS) ? ncclSuccess : ncclUnhandledCudaError;
}

static ncclResult_t post_all (CallGroup *g) {
  ncclResult_t r = ncclSuccess;
  if (host_usable() != CUDA_SUCCESS || host_worker > 0)
    return ncclInvalidUsage;
  for (int i = 0; r == ncclSuccess && i < g->n; i++)
    if (!make_work(g, i))
      r = ncclSystemError;
  host_lock();
  if (r == ncclSuccess)
    r = check_streams(g);
  for (int i = 0; i < g->n; i++) {
    if (g->call[i].work == NULL)
      continue;
    if (r == ncclSuccess)
      r = post(&g->call[i]);
    host_drop_task(&(Task){TASK_AWAY, {.away = {&g->call[i].work->away}}});
  }
  host_unlock();
  return r;
}

/* ==} */

/* {== groups ========================================================== */

static ncclResult_t end (CallGroup *g) {
  ncclResult_t r = g->error;
  if (r == ncclSuccess && g->n > 0)
    r = post_all(g);
  if (g->n > 0 && host_usable() == CUDA_SUCCESS) {
    host_lock();
    for (int i = 0; i < g->n; i++)
      g->call[i].comm->announced = false;
    host_unlock();
  }
  free(g->call);
  *g = (CallGroup){0};
  return r;
}

ncclResult_t host_ncclGroupStart (void) {
  group.depth++;
  return ncclSuccess;
}

ncclResult_t host_ncclGroupEnd (void) {
  if (group.depth == 0)
    return ncclInvalidUsage;
  return (--group.depth == 0) ? end(&group) : ncclSuccess;
}

static bool add (CallGroup *g, const GroupCall *call) {
  if (!grow_list(&g->call, &g->cap, g->n + 1, sizeof *g->call, 8))
    return false;
  g->call[g->n++] = *call;
  return true;
}

static ncclResult_t submit (GroupCall *call) {
  if (host_usable() != CUDA_SUCCESS)
    return ncclInvalidUsage;
  ncclResult_t r = check(&call->part, call->comm);
  if (r == ncclSuccess) {
    describe(call->comm, &call->part.desc);
    if (!add(&group, call))
      r = ncclSystemError;
  }
  if (group.error == ncclSuccess)
    group.error = r;
  if (group.depth == 0)
    return end(&group);
  return r;
}

/* ==} */

/* {== entries ========================================================= */

static ncclResult_t collective (RankCallKind kind, const void *from, void *to,
                                size_t n, ncclDataType_t t, ncclRedOp_t op,
                                int root, ncclComm_t comm, CUstream s) {
  GroupCall call = {comm, s, NULL, {.from = from, .to = to}};
  call.part.desc = (CallDesc){
    .kind = kind, .t = (int)t, .redop = (int)op, .at = root, .count = n};
  return submit(&call);
}

ncclResult_t host_ncclAllReduce (const void *from, void *to, size_t n,
                                 ncclDataType_t t, ncclRedOp_t op,
                                 ncclComm_t comm, CUstream s) {
  return collective(ALL_REDUCE, from, to, n, t, op, 0, comm, s);
}

ncclResult_t host_ncclReduce (const void *from, void *to, size_t n,
                              ncclDataType_t t, ncclRedOp_t op, int root,
                              ncclComm_t comm, CUstream s) {
  return collective(REDUCE, from, to, n, t, op, root, comm, s);
}

ncclResult_t host_ncclBroadcast (const void *from, void *to, size_t n,
                                 ncclDataType_t t, int root, ncclComm_t comm,
                                 CUstream s) {
  return collective(BROADCAST, from, to, n, t, ncclSum, root, comm, s);
}

ncclResult_t host_ncclAllGather (const void *from, void *to, size_t n,
                                 ncclDataType_t t, ncclComm_t comm,
                                 CUstream s) {
  return collective(ALL_GATHER, from, to, n, t, ncclSum, 0, comm, s);
}

ncclResult_t host_ncclReduceScatter (const void *from, void *to, size_t n,
                                     ncclDataType_t t, ncclRedOp_t op,
                                     ncclComm_t comm, CUstream s) {
  return collective(REDUCE_SCATTER, from, to, n, t, op, 0, comm, s);
}

ncclResult_t host_ncclSend (const void *from, size_t n, ncclDataType_t t,
                            int peer, ncclComm_t comm, CUstream s) {
  return collective(SEND, from, NULL, n, t, ncclSum, peer, comm, s);
}

ncclResult_t host_ncclRecv (void *to, size_t n, ncclDataType_t t, int peer,
                            ncclComm_t comm, CUstream s) {
  return collective(RECV, NULL, to, n, t, ncclSum, peer, comm, s);
}

/* ==} */
