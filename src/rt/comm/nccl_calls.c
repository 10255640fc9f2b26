/*
** nccl_calls.c - the calls of the library for one operation.
**
** The first call of a kind makes connections, for which the other ranks must
** come. So it is made on a thread, and given up if they do not. Later calls of
** this kind are made at once. See subcomm.c.
*/
#include "nccl_calls.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "rt/os/clock.h"
#include "rt/os/nap.h"
#include "rt/os/thread.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/wait.h"
#include "subcomm.h"

enum { SPIN_NS = 200000, NAP_NS = 20000 };

static ncclResult_t call (const Nccl *N, ncclComm_t comm, CUstream s,
                          const RtCollective *x) {
  const void *from = (const void *)(uintptr_t)x->from;
  void *to = (void *)(uintptr_t)x->to;
  switch (x->kind) {
    case COLLECTIVE_ALL_REDUCE:
      return N->ncclAllReduce(from, to, x->n, x->type, x->op, comm, s);
    case COLLECTIVE_REDUCE:
      return N->ncclReduce(from, to, x->n, x->type, x->op, x->peer, comm, s);
    case COLLECTIVE_BROADCAST:
      return N->ncclBroadcast(from, to, x->n, x->type, x->peer, comm, s);
    case COLLECTIVE_ALL_GATHER:
      return N->ncclAllGather(from, to, x->n, x->type, comm, s);
    case COLLECTIVE_REDUCE_SCATTER:
      return N->ncclReduceScatter(from, to, x->n, x->type, x->op, comm, s);
    case COLLECTIVE_SEND:
      return N->ncclSend(from, x->n, x->type, x->peer, comm, s);
    case COLLECTIVE_RECV:
      return N->ncclRecv(to, x->n, x->type, x->peer, comm, s);
  }
  return ncclInvalidArgument;
}

/* {== at once ========================================================= */

/* Announces the size of a send or a receive; the rest has been announced for
** all. */
static void announce (const RtTogether *t, const RtCollective *x) {
  const RtComm *c = t->comms[x->at];
  NcclCall says = t->says[x->at];
  if (c->N->announce == NULL || x->dtype == NULL)
    return;
  says.n = x->elements;
  says.type = x->dtype;
  c->N->announce(c->handle, &says);
}

static bool captures (const RtTogether *t) {
  return t->streams[0]->capture != NULL;
}

static ncclResult_t call_next (const RtTogether *t, const RtCollective *x) {
  const RtComm *c = t->comms[x->at];
  announce(t, x);
  return call(c->N, subcomm_pick(c, captures(t)), t->streams[x->at]->handle, x);
}

/* Makes all calls in a group, whose end reports their errors. A single call is
** a group of its own. */
static ncclResult_t call_all (const RtTogether *t) {
  const Nccl *N = t->comms[0]->N;
  if (t->ncalls == 1)
    return call_next(t, t->calls);
  ncclResult_t r = N->ncclGroupStart();
  if (r != ncclSuccess)
    return r;
  for (int i = 0; i < t->ncalls && !subcomm_is_error(r); i++)
    r = call_next(t, &t->calls[i]);
  ncclResult_t end = N->ncclGroupEnd();
  return subcomm_is_error(r) ? r : end;
}

static bool are_ready (const void *ud) {
  const RtTogether *t = ud;
  for (int i = 0; i < t->ncomms; i++)
    if (subcomm_state(t->comms[i]) == ncclInProgress)
      return false;
  return true;
}

/* ==} */

/* {== on a thread ===================================================== */

typedef struct AsyncCall {
  ncclComm_t comm;
  CUstream s;
  RtCollective x;
} AsyncCall;

/* Has two owners, the caller and the thread; the last one frees it. */
typedef struct Apart {
  const Nccl *N;
  ncclResult_t result;
  atomic_bool done;
  atomic_int owners;
  int nsubcomms, n;
  RtSubcomms **subcomms; /* subcommunicators that are busy with it */
  AsyncCall part[];
} Apart;

static void disown (Apart *a) {
  if (atomic_fetch_sub(&a->owners, 1) > 1)
    return;
  free(a->subcomms);
  free(a);
}

/* The result is stored: releases the subcommunicators and the thread's
** ownership. */
static void let_go (Apart *a) {
  atomic_store(&a->done, true);
  for (int i = 0; i < a->nsubcomms; i++)
    subcomm_count_busy(a->subcomms[i], -1);
  disown(a);
}

static void *call_apart (void *ud) {
  Apart *a = ud;
  ncclResult_t r = a->N->ncclGroupStart();
  for (int i = 0; i < a->n && !subcomm_is_error(r); i++)
    r = call(a->N, a->part[i].comm, a->part[i].s, &a->part[i].x);
  ncclResult_t end = a->N->ncclGroupEnd();
  a->result = subcomm_is_error(r) ? r : end;
  let_go(a);
  return NULL;
}

static Apart *new_apart (const RtTogether *t) {
  size_t n = (size_t)t->ncalls, nsubcomms = (size_t)t->ncomms;
  Apart *a = calloc(1, sizeof *a + n * sizeof a->part[0]);
  if (a == NULL ||
      (a->subcomms = calloc(nsubcomms, sizeof a->subcomms[0])) == NULL) {
    free(a);
    return NULL;
  }
  a->N = t->comms[0]->N;
  a->owners = 2;
  a->n = t->ncalls;
  a->nsubcomms = t->ncomms;
  for (int i = 0; i < t->ncalls; i++) {
    const RtCollective *x = &t->calls[i];
    a->part[i] = (AsyncCall){subcomm_pick(t->comms[x->at], false),
                             t->streams[x->at]->handle, *x};
  }
  for (int i = 0; i < t->ncomms; i++) {
    a->subcomms[i] = t->comms[i]->subcomms;
    subcomm_count_busy(a->subcomms[i], 1);
  }
  return a;
}

static bool is_done (const void *ud) {
  const Apart *a = ud;
  return atomic_load(&a->done);
}

/* ==} */

/* Waits some microseconds, or milliseconds if the call has to connect. Returns
** false if the other ranks do not come within the timeout. */
static bool wait_for (bool (*ready)(const void *ud), const void *ud,
                      int64_t timeout) {
  int64_t start = clock_now(), now = start;
  while (!ready(ud)) {
    if (now - start > timeout)
      return false;
    if (now - start > SPIN_NS)
      nap_for(NAP_NS);
    now = clock_now();
  }
  return true;
}

static ncclResult_t make_at_once (const RtTogether *t) {
  ncclResult_t r = call_all(t);
  if (r == ncclInProgress && wait_for(are_ready, t, t->comms[0]->timeout))
    r = subcomm_state(t->comms[0]);
  return r;
}

static ncclResult_t make_apart (const RtTogether *t) {
  ncclResult_t r = ncclInProgress;
  Apart *a = new_apart(t);
  if (a == NULL)
    return ncclSystemError;
  if (!thread_start_detached(call_apart, a)) {
    a->result = ncclSystemError;
    let_go(a);
  }
  if (wait_for(is_done, a, t->comms[0]->timeout))
    r = a->result;
  disown(a);
  return r;
}

ncclResult_t nccl_calls_make (const RtTogether *t) {
  return (captures(t) || subcomm_knows(t)) ? make_at_once(t) : make_apart(t);
}
