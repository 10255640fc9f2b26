/*
** lanes.c - two more communicators of NCCL for each that has other ranks.
**
** DESIGN. One that does not block launches on a thread that NCCL makes for each
** operation, which takes 50 us; one that blocks takes 6 (two H100s, NCCL 2.28).
** But a call that blocks can wait for ranks that do not come, and only another
** call can end it, of something that shares its connections and its end (what
** is split from it, with 'splitShare'). So 'prompt', which blocks, does what
** streams get, and 'patient', which it is split from and which does not block,
** ends it. Patient also does what is captured: it is busy as long as there are
** graphs with that. To share is to be aborted together, so the communicator
** itself shares nothing, and only meets and splits.
*/
#include "lanes.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "rt/driver/context.h"

enum {
  KINDS = 256,  /* of calls that are remembered */
  NAP_NS = 50000
};

/* What 'end' is told, and tells. */
enum { LANES_ALONE, LANES_WITH_WHOLE, LANES_OVER };

/* What decides on the connections that a call needs. */
typedef struct Kind {
  bool known;
  CollectiveKind kind;
  ncclDataType_t type;
  ncclRedOp_t op;
  int peer;
  size_t n;
} Kind;

struct RtLanes {
  ncclComm_t patient, prompt;
  Kind known[KINDS];
  const Nccl *N;
  ncclComm_t whole;         /* which they are of, to be aborted by 'end' */
  bool ends;                /* by a thread, which has it until it is over */
  atomic_int busy;          /* threads that make calls of prompt */
  atomic_int stage;
  atomic_bool aborts;
};

/* {== life ============================================================ */

ncclConfig_t rt_ncclconfig (bool blocks, bool shares) {
  return (ncclConfig_t){sizeof(ncclConfig_t), NCCL_MAGIC, NCCL_LAYOUT, blocks,
                        NCCL_UNDEFINED, NCCL_UNDEFINED, NCCL_UNDEFINED, NULL,
                        shares};
}

/* One alone has nobody to connect to. */
static bool wants_lanes (RtComm *c) {
  rt_asksize(c);
  return c->N->lanes && c->size > 1;
}

static ncclResult_t split (RtComm *c, ncclComm_t from, bool blocks,
                           ncclComm_t *to) {
  ncclConfig_t how = rt_ncclconfig(blocks, !blocks);
  if (rt_enter(c->dev) != 0)
    return ncclUnhandledCudaError;
  return c->N->ncclCommSplit(from, 0, c->rank, to, &how);
}

/* The next one; nothing is left: *done. */
static ncclResult_t open_next (RtComm *c, bool *done) {
  RtLanes *lanes = c->lanes;
  *done = false;
  if (lanes == NULL && wants_lanes(c)) {
    c->lanes = lanes = calloc(1, sizeof *lanes);
    if (lanes == NULL)
      return ncclSystemError;
    lanes->N = c->N;
    return split(c, c->handle, false, &lanes->patient);
  }
  if (lanes != NULL && lanes->prompt == NULL)
    return split(c, lanes->patient, true, &lanes->prompt);
  *done = true;
  return ncclSuccess;
}

ncclResult_t rt_openlanes (RtComm *c, bool *done) {
  *done = true;
  return (c->phase == COMM_MEETING && c->handle != NULL) ? open_next(c, done)
                                                         : ncclSuccess;
}

static ncclResult_t state_of (const RtComm *c, ncclComm_t part) {
  ncclResult_t state = ncclSuccess;
  return c->N->ncclCommGetAsyncError(part, &state) == ncclSuccess ?
         state : ncclInternalError;
}

/* What makes another is asked first: before it has, there is none. */
ncclResult_t rt_commstate (const RtComm *c) {
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

void rt_apart (void *(*fn) (void *ud), void *ud) {
  pthread_t thread;
  sigset_t all, old;
  sigfillset(&all);  /* signals are for the threads of the program */
  pthread_sigmask(SIG_SETMASK, &all, &old);
  bool made = (pthread_create(&thread, NULL, fn, ud) == 0);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (made)
    pthread_detach(thread);
  else
    fn(ud);
}

/* {== end ============================================================= */

static bool is_flushed (const RtLanes *lanes) {
  ncclResult_t state = ncclSuccess;
  lanes->N->ncclCommGetAsyncError(lanes->patient, &state);
  return state != ncclInProgress;
}

/* Graphs that were captured keep it busy. */
static void flush_patient (RtLanes *lanes) {
  lanes->N->ncclCommFinalize(lanes->patient);
  while (!is_flushed(lanes) && !atomic_load(&lanes->aborts))
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
}

/* The communicator itself, if it came before all was over. */
static void abort_whole (RtLanes *lanes) {
  int stage = LANES_ALONE;
  if (atomic_compare_exchange_strong(&lanes->stage, &stage, LANES_OVER))
    return;
  lanes->N->ncclCommAbort(lanes->whole);
  atomic_store(&lanes->stage, LANES_OVER);
}

/* A call that ends any of them may wait for the device. To abort patient ends
** what prompt does, and what makes it; so that comes first. */
static void *end (void *ud) {
  RtLanes *lanes = ud;
  const Nccl *N = lanes->N;
  if (!atomic_load(&lanes->aborts) && lanes->prompt != NULL) {
    N->ncclCommDestroy(lanes->prompt);
    lanes->prompt = NULL;
    flush_patient(lanes);
  }
  if (lanes->patient != NULL && atomic_load(&lanes->aborts))
    N->ncclCommAbort(lanes->patient);
  else if (lanes->patient != NULL)
    N->ncclCommDestroy(lanes->patient);
  while (atomic_load(&lanes->busy) > 0)
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
  if (lanes->prompt != NULL)
    N->ncclCommAbort(lanes->prompt);
  abort_whole(lanes);
  return NULL;
}

void rt_endlanes (RtComm *c) {
  RtLanes *lanes = c->lanes;
  if (lanes == NULL || lanes->ends)
    return;
  lanes->ends = true;
  rt_apart(end, lanes);
}

void rt_abortlanes (RtComm *c) {
  RtLanes *lanes = c->lanes;
  int stage = LANES_ALONE;
  if (lanes != NULL) {
    lanes->whole = c->handle;
    if (atomic_compare_exchange_strong(&lanes->stage, &stage,
                                       LANES_WITH_WHOLE)) {
      atomic_store(&lanes->aborts, true);
      rt_endlanes(c);
      return;
    }
  }
  c->N->ncclCommAbort(c->handle);
}

bool rt_lanesareover (const RtComm *c) {
  return c->lanes == NULL || atomic_load(&c->lanes->stage) == LANES_OVER;
}

void rt_freelanes (RtComm *c) {
  if (rt_lanesareover(c))
    free(c->lanes);
  c->lanes = NULL;
}

/* ==} */

/* {== calls =========================================================== */

ncclComm_t rt_lane (const RtComm *c, bool captures) {
  if (c->lanes == NULL)
    return c->handle;
  return captures ? c->lanes->patient : c->lanes->prompt;
}

void rt_busylanes (RtLanes *lanes, int n) { atomic_fetch_add(&lanes->busy, n); }

/* To whom one sends is all that counts, not how much. */
static Kind kind_of (const RtCollective *x) {
  bool message = (x->kind == COLLECTIVE_SEND || x->kind == COLLECTIVE_RECV);
  return message ? (Kind){true, x->kind, ncclInt8, ncclSum, x->peer, 0}
                 : (Kind){true, x->kind, x->type, x->op, x->peer, x->n};
}

static bool is_same (const Kind *a, const Kind *b) {
  return a->known == b->known && a->kind == b->kind && a->type == b->type &&
         a->op == b->op && a->peer == b->peer && a->n == b->n;
}

static Kind *place_of (RtLanes *lanes, const Kind *k) {
  size_t h = k->n * 31 + (size_t)k->peer;
  h = ((h * 31 + (size_t)k->kind) * 31 + (size_t)k->type) * 31 + (size_t)k->op;
  return &lanes->known[h % KINDS];
}

bool rt_isfamiliar (const RtTogether *t) {
  bool all = true;
  for (int i = 0; i < t->ncalls; i++) {
    RtLanes *lanes = t->comms[t->calls[i].at]->lanes;
    if (lanes == NULL)
      continue;
    Kind k = kind_of(&t->calls[i]), *at = place_of(lanes, &k);
    all = all && is_same(at, &k);
    *at = k;
  }
  return all;
}

/* ==} */
