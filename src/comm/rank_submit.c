/*
** rank_submit.c - one operation of all ranks of this process.
**
** DESIGN. The calls of all ranks are one operation, on the first rank's stream.
** Before it each other stream gets an operation that makes no call but has that
** rank's accesses, so it waits for their earlier uses. Behind it each gets
** another one, for which later uses wait. Nothing else is queued in between.
**
** NCCL makes some of its calls on threads of its own, and so do we (subcomm.c).
** The default stream of a thread, Stream.ptds, is another stream there. So
** calls for it are made on a stream of the communicator's, and ptds gets the
** same operations without calls before and after.
*/
#include "base/entry.h"
#include "base/error.h"
#include "device/current.h"
#include "device/submit.h"
#include "dist.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_pool.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/wait/deferral.h"
#include "rt/wait/wait.h"

static Status refuse_in_function (RtDevice *dev, const char *what) {
  return (dev->rt->running == NULL)
           ? 0
           : status_explain(dev->rt, CUDA_ERROR_NOT_PERMITTED, what,
                            "an operation of ranks cannot be queued inside a "
                            "host function: queue it behind that");
}

/*
** Checks that all that the operation comes after has been sent, before any part
** of it is queued. It is not kept, because ranks must begin the operations of
** several communicators in one order, whenever their host functions run.
*/
static Status check_sent (const Joint *j) {
  Status st = 0;
  for (int i = 0; i < j->comm->n && st == 0; i++) {
    st = deferral_check_sent(j->own[i], j->name);
    if (st == 0)
      st = deferral_check_sent(j->streams[i], j->name);
    Point ranks = j->own[i]->dev->ranks;
    if (st == 0 && deferral_find_unsent(&ranks, ranks.s != NULL) != NULL)
      st = wait_block(ranks.s->dev, WAIT_SENT, ranks.s, ranks.seq, j->name);
  }
  for (int i = 0; i < j->total && st == 0; i++) {
    const RtBlock *b = j->accesses[i].block;
    const Mark *use = deferral_find_use(&b->marks);
    if (use != NULL)
      st = wait_block(b->dev, WAIT_SENT, use->s, use->seq, j->name);
  }
  return st;
}

/* Adds an access. Each rank also writes a block that orders its operations. */
static void add_access (Joint *j, int i, const Access *a) {
  j->accesses[j->total++] = *a;
  j->naccesses[i]++;
}

static void begin_rank (Joint *j, int i) {
  RtBlock *order = j->comm->at[i]->order;
  j->naccesses[i] = 0;
  add_access(j, i, &(Access){order, 0, order->size, true, true});
}

static void refuse_capture (lua_State *L, RtStream *s, const char *name,
                            const char *why) {
  error_check(L,
              status_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                             name, "%s", why));
}

/* Returns the stream for the calls of a rank, whose own stream is 's'. */
static RtStream *stream_for (lua_State *L, RtComm *rank, RtStream *s,
                             const char *name) {
  if (s->kind != STREAM_PTDS)
    return s;
  if (s->capture != NULL)
    refuse_capture(L, s, name,
                   "on Stream.ptds operations of a communicator cannot be "
                   "captured");
  if (rank->side == NULL)
    error_check(L, stream_pool_new(s->dev, CU_STREAM_NON_BLOCKING, 0,
                                   &rank->side));
  return rank->side;
}

void dist_drop_stream (RtComm *rank) {
  if (rank->side != NULL)
    stream_pool_drop(rank->side);
  rank->side = NULL;
}

void dist_start_joint (lua_State *L, Joint *j, Comm *c, const char *name) {
  j->name = name;
  j->comm = c;
  j->ncalls = j->total = j->at = j->behind = 0;
  for (int i = 0; i < c->n; i++)
    j->own[i] = current_get_stream(L, c->at[i]->dev);
  dist_recheck(L, c);
  for (int i = 0; i < c->n; i++) {
    RtStream *s = j->own[i];
    if (s->capture == NULL)
      error_check(L, refuse_in_function(s->dev, name));
    else if (c->n > 1)
      refuse_capture(L, s, name,
                     "several ranks of one process cannot be captured");
  }
  for (int i = 0; i < c->n; i++)
    j->streams[i] = stream_for(L, c->at[i], j->own[i], name);
  begin_rank(j, 0);
}

static void add_array (Joint *j, int i, const Array *a, bool write,
                       bool blind) {
  if (a != NULL && a->size > 0)
    add_access(j, i, &(Access){a->block, a->off, array_bytes(a), write, blind});
}

/* Tells whether a call in place uses the previous contents of the array. */
static bool has_use (const Joint *j, int i, const RtCollective *call) {
  return call->kind != COLLECTIVE_RECV && (call->kind != COLLECTIVE_BROADCAST ||
                                           call->peer == j->comm->at[i]->rank);
}

/* Tells whether a call leaves its array unchanged: in place, at the root of a
** broadcast, and at other ranks of a reduce. */
static bool is_kept (const Joint *j, int i, const RtCollective *call,
                     bool in_place) {
  bool root = (call->peer == j->comm->at[i]->rank);
  return in_place && ((call->kind == COLLECTIVE_BROADCAST && root) ||
                      (call->kind == COLLECTIVE_REDUCE && !root));
}

void dist_add_call (Joint *j, int i, const RtCollective *call,
                    const Array *from, const Array *to) {
  while (j->at < i)
    begin_rank(j, ++j->at);
  j->calls[j->ncalls] = *call;
  j->calls[j->ncalls++].at = i;
  if (from != to)
    add_array(j, i, from, false, false);
  if (is_kept(j, i, call, from == to))
    add_array(j, i, to, false, false);
  else
    add_array(j, i, to, true, from != to || !has_use(j, i, call));
}

static void start (Op *op, const Joint *j, const Access *list, int n) {
  op_start(op, OP_COLLECTIVE, j->name);
  op->foreign = true;
  op->u.collective.together = NULL;
  op->u.collective.comm = NULL;
  op->u.collective.all = j->accesses;
  op->u.collective.nall = j->total;
  op->access = list;
  op->naccess = n;
}

/* Counts the ranks whose calls are on another stream than their own. */
static int count_sides (const Joint *j) {
  int n = 0;
  for (int i = 0; i < j->comm->n; i++)
    n += (j->streams[i] != j->own[i]);
  return n;
}

/* Queues the operations without calls, for all ranks but the first. */
static void order (lua_State *L, const Joint *j, bool before) {
  const Comm *c = j->comm;
  const Access *list = j->accesses + j->naccesses[0];
  for (int i = 1; i < c->n; i++) {
    Op op;
    start(&op, j, list, j->naccesses[i]);
    op.ahead = (c->n - 1 - i) + (before ? c->n : 0) + count_sides(j) +
               j->behind;
    op.u.collective.comm = before ? NULL : c->at[i];
    submit_work(L, j->streams[i], &op);
    list += j->naccesses[i];
  }
}

/* Queues such operations on the own streams of ranks with two streams. */
static void order_own (lua_State *L, const Joint *j, bool before) {
  const Comm *c = j->comm;
  const Access *list = j->accesses;
  int left = count_sides(j);
  int rest = j->behind + (before ? 2 * c->n - 1 + left : 0);
  for (int i = 0; i < c->n; list += j->naccesses[i++]) {
    Op op;
    if (j->streams[i] == j->own[i])
      continue;
    start(&op, j, list, j->naccesses[i]);
    op.ahead = --left + rest;
    submit_work(L, j->own[i], &op);
  }
}

void dist_submit_joint (lua_State *L, Joint *j) {
  Comm *c = j->comm;
  NcclCall says[COMM_LOCAL];
  Op op;
  while (j->at < c->n - 1)
    begin_rank(j, ++j->at);
  Access *list = j->accesses;
  for (int i = 0; i < c->n; list += j->naccesses[i++]) {
    says[i] = j->says;
    hazard_sort(list, j->naccesses[i]);
  }
  if (j->own[0]->capture == NULL)
    error_check(L, check_sent(j));
  start(&op, j, j->accesses, j->total);
  submit_check_reads(L, j->streams[0], &op);
  RtTogether all = {c->at, j->streams, says, c->n, j->calls, j->ncalls};
  int others = c->n - 1 + count_sides(j);
  if (others > 0) {
    order_own(L, j, true);
    order(L, j, true);
  }
  start(&op, j, j->accesses, j->naccesses[0]);
  op.ahead = others + j->behind;
  op.u.collective.together = &all;
  submit_work(L, j->streams[0], &op);
  if (others > 0) {
    order(L, j, false);
    order_own(L, j, false);
  }
}
