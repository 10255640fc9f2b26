/*
** subcomm.c - two more communicators of NCCL beside each that has other ranks.
**
** DESIGN. A non-blocking communicator launches each operation on a thread that
** NCCL makes for it, which takes 50 us; a blocking one takes 6 (two H100s, NCCL
** 2.28). But a blocking call can wait for ranks that do not come, and only a
** call on another communicator can end it. That one must share its connections
** and its end, as a communicator does that was split from it, with
** 'splitShare'. So there are two. 'prompt', which blocks, takes the operations
** of streams. 'patient', which does not block and which prompt is split from,
** ends it. Patient also takes captured operations; it stays busy while there
** are graphs with them. Communicators that share are aborted together, so the
** communicator itself shares nothing, and only meets and splits.
**
** A thread ends the lanes and the communicator, because the calls that end them
** wait: for the device (see rt/wait/comm_end.c), and for the other ranks of
** this machine. A communicator without other ranks has no lanes, but it has a
** thread for its end as well.
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

struct RtLanes {
  ncclComm_t patient, prompt;
  CallKind known[KINDS];
  const Nccl *N;
  ncclComm_t whole; /* their communicator, which ends with them */
  bool met;         /* all lanes have been made */
  int64_t timeout;  /* for its end */
  RtEnding ending;
  bool ends;       /* a thread ends them, and has them until it is
                               over */
  atomic_int busy; /* threads that make calls of prompt, or end it */
  atomic_bool aborts, over;
  atomic_bool taken; /* a thread is ending patient */
};

/* {== life ============================================================ */

ncclConfig_t subcomm_config (bool blocks, bool shares) {
  return (ncclConfig_t){
    sizeof(ncclConfig_t), NCCL_MAGIC,     NCCL_LAYOUT, blocks, NCCL_UNDEFINED,
    NCCL_UNDEFINED,       NCCL_UNDEFINED, NULL,        shares};
}

/* Tells whether it needs lanes: a single rank has no connections. */
static bool wants_lanes (RtComm *c) {
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

/* Adds the struct; its lanes are opened one by one. */
static bool add_lanes (RtComm *c) {
  if (c->lanes != NULL || !c->N->lanes)
    return true;
  c->lanes = calloc(1, sizeof *c->lanes);
  if (c->lanes == NULL)
    return false;
  c->lanes->N = c->N;
  c->lanes->timeout = c->timeout;
  return true;
}

/* Opens the next lane. *done: none is left. */
static ncclResult_t open_next (RtComm *c, bool *done) {
  *done = false;
  if (!add_lanes(c))
    return ncclSystemError;
  RtLanes *lanes = c->lanes;
  if (lanes != NULL && lanes->patient == NULL && wants_lanes(c))
    return split(c, c->handle, false, &lanes->patient);
  if (lanes != NULL && lanes->patient != NULL && lanes->prompt == NULL)
    return split(c, lanes->patient, true, &lanes->prompt);
  *done = true;
  return ncclSuccess;
}

ncclResult_t subcomm_open_next (RtComm *c, bool *done) {
  *done = true;
  return (c->phase == COMM_MEETING && c->handle != NULL) ? open_next(c, done)
                                                         : ncclSuccess;
}

void subcomm_note_met (RtComm *c) {
  if (c->lanes != NULL)
    c->lanes->met = true;
}

static ncclResult_t state_of (const RtComm *c, ncclComm_t part) {
  ncclResult_t state = ncclSuccess;
  return c->N->ncclCommGetAsyncError(part, &state) == ncclSuccess
           ? state
           : ncclInternalError;
}

/* Asks parents before their children, which do not exist earlier. */
ncclResult_t subcomm_state (const RtComm *c) {
  const RtLanes *lanes = c->lanes;
  ncclResult_t state = state_of(c, c->handle);
  if (lanes == NULL || lanes->ends)
    return state;
  if (state == ncclSuccess && lanes->patient != NULL)
    state = state_of(c, lanes->patient);
  if (state == ncclSuccess && lanes->prompt != NULL)
    state = state_of(c, lanes->prompt);
  return state;
}

/* ==} */

/* {== end ============================================================= */

static bool are_aborted (RtLanes *lanes) { return atomic_load(&lanes->aborts); }

/* Begins the end. An aborted communicator blocks a device, so it waits for
** others only a short time. */
static void begin (RtLanes *lanes) {
  int64_t since = clock_now();
  while (!comm_end_try(&lanes->ending, lanes->timeout) &&
         !(are_aborted(lanes) && clock_now() - since > PATIENCE_NS))
    nap_for(NAP_NS);
}

/* Tells whether a part has failed, and then marks all for abort. Only an abort
** ends it: NCCL's other calls leave it as it is, and the thread inside a
** group. */
static bool has_failed (RtLanes *lanes, ncclComm_t part) {
  ncclResult_t state = ncclSuccess;
  lanes->N->ncclCommGetAsyncError(part, &state);
  if (subcomm_is_error(state))
    atomic_store(&lanes->aborts, true);
  return are_aborted(lanes);
}

/* Flushes a part. Captured graphs keep it busy, so others do not wait for the
** end meanwhile. */
static void flush (RtLanes *lanes, ncclComm_t part) {
  ncclResult_t state = ncclInProgress;
  comm_end_done(&lanes->ending);
  lanes->N->ncclCommFinalize(part);
  while (lanes->N->ncclCommGetAsyncError(part, &state),
         state == ncclInProgress && !are_aborted(lanes))
    nap_for(NAP_NS);
  begin(lanes);
}

static void destroy (RtLanes *lanes, ncclComm_t part) {
  if (has_failed(lanes, part))
    lanes->N->ncclCommAbort(part);
  else
    lanes->N->ncclCommDestroy(part);
}

static void end_prompt (RtLanes *lanes) {
  if (lanes->prompt == NULL || has_failed(lanes, lanes->prompt))
    return;
  lanes->N->ncclCommDestroy(lanes->prompt);
  lanes->prompt = NULL;
}

static void end_patient (RtLanes *lanes) {
  if (lanes->patient == NULL || atomic_exchange(&lanes->taken, true))
    return;
  if (lanes->prompt == NULL && !has_failed(lanes, lanes->patient))
    flush(lanes, lanes->patient);
  destroy(lanes, lanes->patient);
}

static void end_whole (RtLanes *lanes) {
  if (!has_failed(lanes, lanes->whole))
    flush(lanes, lanes->whole);
  destroy(lanes, lanes->whole);
}

/*
** Aborts communicators that are still being made. NCCL (2.28) requires two
** things here. A split that fails leaves in its parent a pointer to the child's
** abort flag, which an abort writes to: so the parent is aborted first. And
** ranks of one process are made on one thread, which only the first abort waits
** for: so the others wait for that abort.
*/
static void abort_unmet (RtLanes *lanes) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  lanes->N->ncclCommAbort(lanes->whole);
  lanes->whole = NULL;
  if (lanes->patient != NULL)
    lanes->N->ncclCommAbort(lanes->patient);
  if (lanes->prompt != NULL)
    lanes->N->ncclCommAbort(lanes->prompt);
  lanes->patient = lanes->prompt = NULL;
  pthread_mutex_unlock(&one);
}

/* Ends prompt before patient, because aborting patient aborts the operations of
** prompt. Each call that ends one may wait for the device. */
static void *end (void *ud) {
  RtLanes *lanes = ud;
  begin(lanes);
  if (!lanes->met)
    abort_unmet(lanes);
  end_prompt(lanes);
  end_patient(lanes);
  while (atomic_load(&lanes->busy) > 0)
    nap_for(NAP_NS);
  if (lanes->prompt != NULL)
    lanes->N->ncclCommAbort(lanes->prompt);
  if (lanes->whole != NULL)
    end_whole(lanes);
  comm_end_done(&lanes->ending);
  atomic_store(&lanes->over, true);
  return NULL;
}

/* Starts the end on a thread. Without a thread a wait for other ranks could not
** be ended, so all is aborted then. */
static void start_end (RtComm *c) {
  RtLanes *lanes = c->lanes;
  lanes->ends = true;
  lanes->whole = c->handle;
  if (thread_start_detached(end, lanes))
    return;
  atomic_store(&lanes->aborts, true);
  end(lanes);
}

bool subcomm_end (RtComm *c) {
  if (!comm_end_try(&c->lanes->ending, c->timeout))
    return false;
  start_end(c);
  return true;
}

/* Aborts patient while the other thread waits for ranks to end prompt with
** it. */
static void *abort_patient (void *ud) {
  RtLanes *lanes = ud;
  if (lanes->patient != NULL && !atomic_exchange(&lanes->taken, true))
    lanes->N->ncclCommAbort(lanes->patient);
  subcomm_count_busy(lanes, -1);
  return NULL;
}

void subcomm_abort (RtComm *c) {
  RtLanes *lanes = c->lanes;
  if (lanes == NULL) {
    c->N->ncclCommAbort(c->handle);
    return;
  }
  atomic_store(&lanes->aborts, true);
  if (!lanes->ends) {
    start_end(c);
    return;
  }
  subcomm_count_busy(lanes, 1);
  if (!thread_start_detached(abort_patient, lanes))
    subcomm_count_busy(lanes, -1);
}

bool subcomm_are_over (const RtComm *c) {
  return c->lanes == NULL ||
         (atomic_load(&c->lanes->over) && atomic_load(&c->lanes->busy) == 0);
}

/* Frees the lanes. A thread that is not done with them keeps them, and waits
** for nothing more. */
void subcomm_free (RtComm *c) {
  if (subcomm_are_over(c))
    free(c->lanes);
  else
    atomic_store(&c->lanes->aborts, true);
  c->lanes = NULL;
}

/* ==} */

/* {== calls =========================================================== */

ncclComm_t subcomm_pick (const RtComm *c, bool captures) {
  if (c->lanes == NULL || c->lanes->prompt == NULL)
    return c->handle;
  return captures ? c->lanes->patient : c->lanes->prompt;
}

void subcomm_count_busy (RtLanes *lanes, int n) {
  atomic_fetch_add(&lanes->busy, n);
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

static CallKind *place_of (RtLanes *lanes, const CallKind *k) {
  size_t h = k->n * 31 + (size_t)k->peer;
  h = ((h * 31 + (size_t)k->kind) * 31 + (size_t)k->type) * 31 + (size_t)k->op;
  return &lanes->known[h % KINDS];
}

bool subcomm_knows (const RtTogether *t) {
  bool all = true;
  for (int i = 0; i < t->ncalls; i++) {
    RtLanes *lanes = t->comms[t->calls[i].at]->lanes;
    if (lanes == NULL || lanes->prompt == NULL)
      continue;
    CallKind k = kind_of(&t->calls[i]), *at = place_of(lanes, &k);
    all = all && is_same(at, &k);
    *at = k;
  }
  return all;
}

/* ==} */
