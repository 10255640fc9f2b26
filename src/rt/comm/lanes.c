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
#include "rt/wait/endings.h"
#include "rt/wait/wait.h"

enum {
  KINDS = 256,  /* of calls that are remembered */
  NAP_NS = 50000,
  PATIENCE_NS = 250000000
};

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
  ncclComm_t whole;         /* which they are of, and end with */
  int64_t timeout;          /* of that */
  bool ends;                /* by a thread, which has it until it is over */
  atomic_int busy;          /* threads that make calls of prompt */
  atomic_bool aborts, over;
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
    lanes->timeout = c->timeout;
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

static void nap (void) { nanosleep(&(struct timespec){0, NAP_NS}, NULL); }

/* See endings.c. What is aborted holds a device up: for that no gate may be
** waited for that long. */
static bool begin (RtLanes *lanes) {
  int64_t since = rt_nanoseconds();
  while (!rt_tryend(lanes->timeout)) {
    if (atomic_load(&lanes->aborts) && rt_nanoseconds() - since > PATIENCE_NS)
      return false;
    nap();
  }
  return true;
}

/* Graphs that were captured keep patient busy. */
static void flush (const RtLanes *lanes, ncclComm_t part) {
  ncclResult_t state = ncclInProgress;
  lanes->N->ncclCommFinalize(part);
  while (lanes->N->ncclCommGetAsyncError(part, &state),
         state == ncclInProgress && !atomic_load(&lanes->aborts))
    nap();
}

static void destroy (const RtLanes *lanes, ncclComm_t part) {
  if (part != NULL && atomic_load(&lanes->aborts))
    lanes->N->ncclCommAbort(part);
  else if (part != NULL)
    lanes->N->ncclCommDestroy(part);
}

static void end_prompt (RtLanes *lanes) {
  lanes->N->ncclCommDestroy(lanes->prompt);
  lanes->prompt = NULL;
}

/* Patient is busy as long as there are graphs, for which nobody waits. */
static void end_well (RtLanes *lanes) {
  if (lanes->prompt == NULL || atomic_load(&lanes->aborts) || !begin(lanes))
    return;
  if (!atomic_load(&lanes->aborts))
    end_prompt(lanes);
  rt_ended();
  if (lanes->prompt == NULL)
    flush(lanes, lanes->patient);
}

/* A call that ends any of them may wait for the device. To abort patient ends
** what prompt does, and what makes it; so that comes first. */
static void *end (void *ud) {
  RtLanes *lanes = ud;
  end_well(lanes);
  bool began = begin(lanes);
  destroy(lanes, lanes->patient);
  while (atomic_load(&lanes->busy) > 0)
    nap();
  if (lanes->prompt != NULL)
    lanes->N->ncclCommAbort(lanes->prompt);
  if (!atomic_load(&lanes->aborts))
    flush(lanes, lanes->whole);
  destroy(lanes, lanes->whole);
  if (began)
    rt_ended();
  atomic_store(&lanes->over, true);
  return NULL;
}

void rt_endlanes (RtComm *c) {
  RtLanes *lanes = c->lanes;
  if (lanes->ends)
    return;
  lanes->ends = true;
  lanes->whole = c->handle;
  rt_apart(end, lanes);
}


void rt_abortlanes (RtComm *c) {
  if (c->lanes == NULL) {
    c->N->ncclCommAbort(c->handle);
    return;
  }
  atomic_store(&c->lanes->aborts, true);
  rt_endlanes(c);
}

bool rt_lanesareover (const RtComm *c) {
  return c->lanes == NULL || atomic_load(&c->lanes->over);
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
