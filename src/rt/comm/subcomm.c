/*
** subcomm.c - two more communicators of NCCL beside each that has other ranks.
**
** DESIGN. A non-blocking communicator launches each operation on a thread that
** NCCL makes for it, which takes 50 us; a blocking one takes 6 (two H100s, NCCL
** 2.28). But a blocking call can wait for ranks that do not come, and only a
** call on another communicator can end it. That one must share its connections
** and its end, as a communicator does that was split from it, with
** 'splitShare'. So there are two. 'blocking' takes the operations of streams.
** It is split from 'nonblocking', which ends it, and which takes captured
** operations; it stays busy while there are graphs with them. Communicators
** that share are aborted together, so the communicator itself shares nothing,
** and only meets and splits.
**
** A thread ends the subcommunicators and the communicator, because the calls
** that end them wait: for the device (see rt/wait/comm_end.c), and for the
** other ranks of this machine. A communicator without other ranks has no
** subcommunicators, but it has a thread for its end as well.
*/
#include "subcomm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "rt/driver/context.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"
#include "rt/os/thread.h"
#include "rt/wait/comm_end.h"
#include "rt/wait/wait.h"

enum {
  KINDS = 256, /* remembered kinds of calls */
  NAP_NS = 50000,
  PATIENCE_NS = 250000000
};

/* The properties of a call that its connections depend on. */
typedef struct CallKind {
  bool known;
  CollectiveKind kind;
  ncclDataType_t type;
  ncclRedOp_t op;
  int peer;
  size_t n;
} CallKind;

struct RtSubcomms {
  ncclComm_t nonblocking, blocking;
  CallKind known[KINDS];
  const Nccl *N;
  ncclComm_t whole; /* their communicator, which ends with them */
  bool met;         /* all subcommunicators have been made */
  int64_t timeout;  /* for its end */
  RtEnding ending;
  bool ends;       /* a thread ends them, and has them until it is
                               over */
  atomic_int busy; /* threads that make calls of 'blocking', or end it */
  atomic_bool aborts, over;
  atomic_bool taken; /* a thread is ending 'nonblocking' */
};

/* {== life ============================================================ */

ncclConfig_t subcomm_config (bool blocks, bool shares) {
  return (ncclConfig_t){
    sizeof(ncclConfig_t), NCCL_MAGIC,     NCCL_LAYOUT, blocks, NCCL_UNDEFINED,
    NCCL_UNDEFINED,       NCCL_UNDEFINED, NULL,        shares};
}

/* Tells whether it needs subcommunicators: a single rank has no connections. */
static bool needs_subcomms (RtComm *c) {
  comm_ask_size(c);
  return c->size > 1;
}

static ncclResult_t split (RtComm *c, ncclComm_t from, bool blocks,
                           ncclComm_t *to) {
  ncclConfig_t how = subcomm_config(blocks, !blocks);
  if (context_enter(c->dev) != 0)
    return ncclUnhandledCudaError;
  return c->N->ncclCommSplit(from, 0, c->rank, to, &how);
}

/* Adds the struct; its subcommunicators are opened one by one. */
static bool add_subcomms (RtComm *c) {
  if (c->subcomms != NULL || !c->N->subcomms)
    return true;
  c->subcomms = calloc(1, sizeof *c->subcomms);
  if (c->subcomms == NULL)
    return false;
  c->subcomms->N = c->N;
  c->subcomms->timeout = c->timeout;
  return true;
}

/* Opens the next subcommunicator. *done: none is left. */
static ncclResult_t open_next (RtComm *c, bool *done) {
  *done = false;
  if (!add_subcomms(c))
    return ncclSystemError;
  RtSubcomms *subs = c->subcomms;
  if (subs != NULL && subs->nonblocking == NULL && needs_subcomms(c))
    return split(c, c->handle, false, &subs->nonblocking);
  if (subs != NULL && subs->nonblocking != NULL && subs->blocking == NULL)
    return split(c, subs->nonblocking, true, &subs->blocking);
  *done = true;
  return ncclSuccess;
}

ncclResult_t subcomm_open_next (RtComm *c, bool *done) {
  *done = true;
  return (c->phase == COMM_MEETING && c->handle != NULL) ? open_next(c, done)
                                                         : ncclSuccess;
}

void subcomm_note_met (RtComm *c) {
  if (c->subcomms != NULL)
    c->subcomms->met = true;
}

static ncclResult_t state_of (const RtComm *c, ncclComm_t part) {
  ncclResult_t state = ncclSuccess;
  return c->N->ncclCommGetAsyncError(part, &state) == ncclSuccess
           ? state
           : ncclInternalError;
}

/* Asks parents before their children, which do not exist earlier. */
ncclResult_t subcomm_state (const RtComm *c) {
  const RtSubcomms *subs = c->subcomms;
  ncclResult_t state = state_of(c, c->handle);
  if (subs == NULL || subs->ends)
    return state;
  if (state == ncclSuccess && subs->nonblocking != NULL)
    state = state_of(c, subs->nonblocking);
  if (state == ncclSuccess && subs->blocking != NULL)
    state = state_of(c, subs->blocking);
  return state;
}

/* ==} */

/* {== end ============================================================= */

static bool are_aborted (RtSubcomms *subs) {
  return atomic_load(&subs->aborts);
}

/* Begins the end. An aborted communicator blocks a device, so it waits for
** others only a short time. */
static void begin (RtSubcomms *subs) {
  int64_t since = clock_now();
  while (!comm_end_try(&subs->ending, subs->timeout) &&
         !(are_aborted(subs) && clock_now() - since > PATIENCE_NS))
    nap_for(NAP_NS);
}

/* Tells whether a part has failed, and then marks all for abort. Only an abort
** ends it: NCCL's other calls leave it as it is, and the thread inside a
** group. */
static bool has_failed (RtSubcomms *subs, ncclComm_t part) {
  ncclResult_t state = ncclSuccess;
  subs->N->ncclCommGetAsyncError(part, &state);
  if (subcomm_is_error(state))
    atomic_store(&subs->aborts, true);
  return are_aborted(subs);
}

/* Flushes a part. Captured graphs keep it busy, so others do not wait for the
** end meanwhile. */
static void flush (RtSubcomms *subs, ncclComm_t part) {
  ncclResult_t state = ncclInProgress;
  comm_end_done(&subs->ending);
  subs->N->ncclCommFinalize(part);
  while (subs->N->ncclCommGetAsyncError(part, &state),
         state == ncclInProgress && !are_aborted(subs))
    nap_for(NAP_NS);
  begin(subs);
}

static void destroy (RtSubcomms *subs, ncclComm_t part) {
  if (has_failed(subs, part))
    subs->N->ncclCommAbort(part);
  else
    subs->N->ncclCommDestroy(part);
}

static void end_blocking (RtSubcomms *subs) {
  if (subs->blocking == NULL || has_failed(subs, subs->blocking))
    return;
  subs->N->ncclCommDestroy(subs->blocking);
  subs->blocking = NULL;
}

static void end_nonblocking (RtSubcomms *subs) {
  if (subs->nonblocking == NULL || atomic_exchange(&subs->taken, true))
    return;
  if (subs->blocking == NULL && !has_failed(subs, subs->nonblocking))
    flush(subs, subs->nonblocking);
  destroy(subs, subs->nonblocking);
}

static void end_whole (RtSubcomms *subs) {
  if (!has_failed(subs, subs->whole))
    flush(subs, subs->whole);
  destroy(subs, subs->whole);
}

/*
** Aborts communicators that are still being made. NCCL (2.28) requires two
** things here. A split that fails leaves in its parent a pointer to the child's
** abort flag, which an abort writes to: so the parent is aborted first. And
** ranks of one process are made on one thread, which only the first abort waits
** for: so the others wait for that abort.
*/
static void abort_unmet (RtSubcomms *subs) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  subs->N->ncclCommAbort(subs->whole);
  subs->whole = NULL;
  if (subs->nonblocking != NULL)
    subs->N->ncclCommAbort(subs->nonblocking);
  if (subs->blocking != NULL)
    subs->N->ncclCommAbort(subs->blocking);
  subs->nonblocking = subs->blocking = NULL;
  pthread_mutex_unlock(&one);
}

/* Ends 'blocking' before 'nonblocking', because aborting the latter aborts the
** operations of the former. Each call that ends one may wait for the device. */
static void *end (void *ud) {
  RtSubcomms *subs = ud;
  begin(subs);
  if (!subs->met)
    abort_unmet(subs);
  end_blocking(subs);
  end_nonblocking(subs);
  while (atomic_load(&subs->busy) > 0)
    nap_for(NAP_NS);
  if (subs->blocking != NULL)
    subs->N->ncclCommAbort(subs->blocking);
  if (subs->whole != NULL)
    end_whole(subs);
  comm_end_done(&subs->ending);
  atomic_store(&subs->over, true);
  return NULL;
}

/* Starts the end on a thread. Without a thread a wait for other ranks could not
** be ended, so all is aborted then. */
static void start_end (RtComm *c) {
  RtSubcomms *subs = c->subcomms;
  subs->ends = true;
  subs->whole = c->handle;
  if (thread_start_detached(end, subs))
    return;
  atomic_store(&subs->aborts, true);
  end(subs);
}

bool subcomm_end (RtComm *c) {
  if (!comm_end_try(&c->subcomms->ending, c->timeout))
    return false;
  start_end(c);
  return true;
}

/* Aborts 'nonblocking' while the other thread waits for ranks to end 'blocking'
** with it. */
static void *abort_nonblocking (void *ud) {
  RtSubcomms *subs = ud;
  if (subs->nonblocking != NULL && !atomic_exchange(&subs->taken, true))
    subs->N->ncclCommAbort(subs->nonblocking);
  subcomm_count_busy(subs, -1);
  return NULL;
}

void subcomm_abort (RtComm *c) {
  RtSubcomms *subs = c->subcomms;
  if (subs == NULL) {
    c->N->ncclCommAbort(c->handle);
    return;
  }
  atomic_store(&subs->aborts, true);
  if (!subs->ends) {
    start_end(c);
    return;
  }
  subcomm_count_busy(subs, 1);
  if (!thread_start_detached(abort_nonblocking, subs))
    subcomm_count_busy(subs, -1);
}

bool subcomm_are_over (const RtComm *c) {
  return c->subcomms == NULL || (atomic_load(&c->subcomms->over) &&
                                 atomic_load(&c->subcomms->busy) == 0);
}

/* Frees the subcommunicators. A thread that is not done with them keeps them,
** and waits for nothing more. */
void subcomm_free (RtComm *c) {
  if (subcomm_are_over(c))
    free(c->subcomms);
  else
    atomic_store(&c->subcomms->aborts, true);
  c->subcomms = NULL;
}

/* ==} */

/* {== calls =========================================================== */

ncclComm_t subcomm_pick (const RtComm *c, bool captures) {
  if (c->subcomms == NULL || c->subcomms->blocking == NULL)
    return c->handle;
  return captures ? c->subcomms->nonblocking : c->subcomms->blocking;
}

void subcomm_count_busy (RtSubcomms *subs, int n) {
  atomic_fetch_add(&subs->busy, n);
}

/* Returns the kind of a call. For messages only the peer counts, not the
** size. */
static CallKind kind_of (const RtCollective *x) {
  bool message = (x->kind == COLLECTIVE_SEND || x->kind == COLLECTIVE_RECV);
  return message ? (CallKind){true, x->kind, ncclInt8, ncclSum, x->peer, 0}
                 : (CallKind){true, x->kind, x->type, x->op, x->peer, x->n};
}

static bool is_same (const CallKind *a, const CallKind *b) {
  return a->known == b->known && a->kind == b->kind && a->type == b->type &&
         a->op == b->op && a->peer == b->peer && a->n == b->n;
}

static CallKind *place_of (RtSubcomms *subs, const CallKind *k) {
  size_t h = k->n * 31 + (size_t)k->peer;
  h = ((h * 31 + (size_t)k->kind) * 31 + (size_t)k->type) * 31 + (size_t)k->op;
  return &subs->known[h % KINDS];
}

bool subcomm_knows (const RtTogether *t) {
  bool all = true;
  for (int i = 0; i < t->ncalls; i++) {
    RtSubcomms *subs = t->comms[t->calls[i].at]->subcomms;
    if (subs == NULL || subs->blocking == NULL)
      continue;
    CallKind k = kind_of(&t->calls[i]), *at = place_of(subs, &k);
    all = all && is_same(at, &k);
    *at = k;
  }
  return all;
}

/* ==} */
