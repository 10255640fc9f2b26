/*
** comm.c - communicators from birth to death.
**
** DESIGN. A communicator of NCCL, or of the host device's counterpart, is an
** RtComm for each rank of this process. Its operations are operations of
** streams (collective.c). All operations of a rank write a block that belongs
** to it, so that hazards keep them in the order of the program on any streams,
** as NCCL requires.
**
** Nothing here waits: the library is asked not to block, and is asked again
** (comm_has_met, comm_drain). An unused rank stays in the list until its work
** under way is done. Then the library is asked to end, and once it has, the
** rank goes. A failed rank is aborted at once, so that its kernels end and
** streams go on.
*/
#include "comm.h"
#include "poison.h"
#include "subcomm.h"

#include <stdio.h>
#include <stdlib.h>

#include "rt/driver/context.h"
#include "rt/driver/extension.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"
#include "rt/testing/probe.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/wait.h"

enum {
  BARRIER_BYTES = 512,
  GIVE_UP = 6, /* times COMM_END_NS */
  NAP_NS = 50000
};

/* {== making ========================================================== */

const Nccl *comm_nccl (RtDevice *dev) {
  const char *why = NULL;
  bool cuda = !context_is_host(dev);
  const Nccl *N = probe_nccl(cuda ? nccl_cuda(&why) : nccl_host(), !cuda);
  if (N == NULL)
    status_explain(dev->rt, RT_MISUSE, NULL, "%s", why);
  return N;
}

uint64_t comm_new_family (void) {
  static uint64_t latest;
  return __atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED);
}

Status comm_new (RtDevice *dev, int rank, int size, int64_t timeout,
                 uint64_t family, RtComm **out) {
  Runtime *rt = dev->rt;
  const Nccl *N = comm_nccl(dev);
  if (N == NULL)
    return RT_MISUSE;
  RtComm *c = calloc(1, sizeof *c);
  RtPoison *poison = poison_new();
  Status st = (c == NULL || poison == NULL)
                ? status_fail(rt, RT_NOMEM, NULL)
                : block_new(dev, BARRIER_BYTES, false, dev->mem, &c->order);
  if (st != 0) {
    free(poison);
    free(c);
    return st;
  }
  c->poison = poison;
  c->N = N;
  c->rank = rank;
  c->size = size;
  c->timeout = timeout;
  c->family = family;
  c->listed = true;
  life_begin(&c->life, LIFE_COMM, dev);
  rt->active |= EXTENSION_RANKS;
  *out = c;
  return 0;
}

static Status refuse (RtComm *c, const char *call, ncclResult_t r) {
  return status_explain(c->dev->rt, RT_MISUSE, NULL, "%s: %s", call,
                        c->N->ncclGetErrorString(r));
}

static Status begin (RtComm *c, const ncclUniqueId *id) {
  ncclConfig_t how = subcomm_config(false, false);
  Status st = context_enter(c->dev);
  if (st != 0)
    return st;
  ncclResult_t r = c->N->ncclCommInitRankConfig(&c->handle, c->size, *id,
                                                c->rank, &how);
  return subcomm_is_error(r) ? refuse(c, "ncclCommInitRank", r) : 0;
}

/* Begins all ranks in one group, because ranks of one process must begin
** together. */
Status comm_meet (RtComm *const *comms, int n, const ncclUniqueId *id) {
  const Nccl *N = comms[0]->N;
  Status st = 0;
  N->ncclGroupStart();
  for (int i = 0; i < n && st == 0; i++)
    st = begin(comms[i], id);
  ncclResult_t r = N->ncclGroupEnd();
  if (st == 0 && subcomm_is_error(r))
    st = refuse(comms[0], "ncclCommInitRank", r);
  return st;
}

/* Announces the split, because other ranks may be in an operation instead. */
static void announce_split (RtComm *c) {
  const Runtime *rt = c->dev->rt;
  char place[COMM_PLACE];
  if (c->N->announce == NULL)
    return;
  comm_write_place(rt->source, rt->line, place);
  c->N->announce(c->handle, &(NcclCall){.what = "split",
                                        .place = place,
                                        .number = c->number + 1,
                                        .root = -1});
}

static Status split (RtComm *c, int color, int key, RtComm *made) {
  ncclConfig_t how = subcomm_config(false, false);
  Status st = context_enter(c->dev);
  if (st != 0)
    return st;
  made->from = c;
  c->refs++;
  announce_split(c);
  ncclResult_t r = c->N->ncclCommSplit(c->handle, color, key, &made->handle,
                                       &how);
  return subcomm_is_error(r) ? refuse(c, "ncclCommSplit", r) : 0;
}

/* Tells whether the library has done the split or given it up. In the latter
** case its parent has been aborted by then, which has to come first (see
** subcomm.c). */
static bool is_split (const RtComm *from) {
  ncclResult_t state = ncclSuccess;
  if (from->handle == NULL)
    return subcomm_are_over(from);
  from->N->ncclCommGetAsyncError(from->handle, &state);
  return state == ncclSuccess;
}

/* Returns true once the library does not write to the rank's handle any more.
** Aborts the handle if the rank is no longer wanted. */
static bool settle (RtComm *c) {
  RtComm *from = c->from;
  if (from == NULL)
    return true;
  if (!is_split(from))
    return false;
  c->from = NULL;
  comm_drop(from);
  if (c->phase == COMM_MEETING || c->handle == NULL)
    return true;
  if (!life_is_stale(&c->life) && context_reenter(c->dev) == 0)
    c->N->ncclCommAbort(c->handle);
  c->handle = NULL;
  return true;
}

Status comm_split_all (RtComm *const *comms, int n, const int *color,
                       const int *key, RtComm *const *made) {
  const Nccl *N = comms[0]->N;
  Status st = 0;
  N->ncclGroupStart();
  for (int i = 0; i < n && st == 0; i++)
    st = split(comms[i], color[i], key[i], made[i]);
  ncclResult_t r = N->ncclGroupEnd();
  if (st == 0 && subcomm_is_error(r))
    st = refuse(comms[0], "ncclCommSplit", r);
  return st;
}

void comm_ask_size (RtComm *c) {
  if (c->handle == NULL)
    return;
  c->N->ncclCommUserRank(c->handle, &c->rank);
  c->N->ncclCommCount(c->handle, &c->size);
}

static void explain_state (const RtComm *c, ncclResult_t state,
                           char text[COMM_WHY]) {
  char why[NCCL_WHY] = "";
  if (c->N->why != NULL && c->handle != NULL)
    c->N->why(c->handle, why);
  snprintf(text, COMM_WHY, "%s",
           why[0] != '\0' ? why : c->N->ncclGetErrorString(state));
}

static void explain_unmet (const RtComm *c, ncclResult_t state, int64_t since,
                           char why[COMM_WHY]) {
  if (subcomm_is_error(state))
    explain_state(c, state, why);
  else if (state == ncclInProgress && clock_now() - since > c->timeout)
    comm_explain_late(c, "not all ranks have come", why);
}

/* Tells whether it has been split off. *why: the error of one of them, or
** empty. */
static bool is_there (RtComm *c, int64_t since, char why[COMM_WHY]) {
  ncclResult_t state = ncclInProgress;
  if (settle(c))
    return true;
  if (c->from->handle != NULL)
    c->N->ncclCommGetAsyncError(c->from->handle, &state);
  explain_unmet(c, state == ncclSuccess ? ncclInProgress : state, since, why);
  return false;
}

static bool is_met (RtComm *c, int64_t since, char why[COMM_WHY]) {
  if (c->handle == NULL)
    return true;
  ncclResult_t state = subcomm_state(c);
  explain_unmet(c, state, since, why);
  return state == ncclSuccess;
}

/* Opens the next subcommunicator of each rank, once all ranks are there.
** Returns true if no subcommunicator is left. */
static bool open_subcomms (RtComm *const *comms, int n, char why[COMM_WHY]) {
  const Nccl *N = comms[0]->N;
  ncclResult_t r = ncclSuccess;
  bool all = true, done;
  if (!N->subcomms)
    return true;
  N->ncclGroupStart();
  for (int i = 0; i < n && !subcomm_is_error(r); i++) {
    r = subcomm_open_next(comms[i], &done);
    all = all && done;
  }
  ncclResult_t end = N->ncclGroupEnd();
  r = subcomm_is_error(r) ? r : end;
  if (subcomm_is_error(r))
    snprintf(why, COMM_WHY, "ncclCommSplit: %s", N->ncclGetErrorString(r));
  return all;
}

Status comm_has_met (RtComm *const *comms, int n, int64_t since) {
  char why[COMM_WHY] = "";
  bool there = true, met = true;
  for (int i = 0; i < n; i++)
    there = is_there(comms[i], since, why) && there;
  for (int i = 0; i < n && there && why[0] == '\0'; i++)
    met = is_met(comms[i], since, why) && met;
  met = met && there;
  if (met && why[0] == '\0')
    met = open_subcomms(comms, n, why);
  if (why[0] == '\0' && !met)
    return CUDA_ERROR_NOT_READY;
  for (int i = 0; i < n && why[0] == '\0'; i++)
    if (comms[i]->phase == COMM_MEETING && comms[i]->handle != NULL) {
      comms[i]->phase = COMM_OPEN;
      subcomm_note_met(comms[i]);
    }
  if (why[0] == '\0')
    return 0;
  for (int i = 0; i < n; i++)
    comm_abort(comms[i], why);
  return status_explain(comms[0]->dev->rt, RT_MISUSE, NULL, "%s", why);
}

/* ==} */

/* {== ending ========================================================== */

void comm_abort (RtComm *c, const char *why) {
  if (c->phase == COMM_FAILED || c->phase == COMM_GONE)
    return;
  c->phase = (c->phase >= COMM_LEAVING) ? COMM_GONE : COMM_FAILED;
  snprintf(c->why, sizeof c->why, "%s", why);
  const RtPending *p = comm_oldest(c);
  if (p != NULL)
    c->poisoned = p->at;
  poison_mark(c);
  if (c->from != NULL)
    return;
  if ((c->handle != NULL || c->subcomms != NULL) && !life_is_stale(&c->life) &&
      context_reenter(c->dev) == 0)
    subcomm_abort(c);
  else
    subcomm_free(c);
  c->handle = NULL;
}

static bool are_all_aborted (const RtDevice *dev) {
  bool over = true;
  LIST_EACH (RtComm, c, &dev->rt->held[LIFE_COMM]) {
    if (c->dev != dev)
      continue;
    (void)comm_is_idle(c); /* while it is not, graphs stay */
    over = over && subcomm_are_over(c);
  }
  return over;
}

static bool is_any_held (const Runtime *rt) {
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM])
    if (c->phase > COMM_OPEN && c->refs > 0)
      return true;
  return false;
}

void comm_lose_graphs (Runtime *rt) {
  if (is_any_held(rt))
    rt->lose_graphs(rt);
}

/* Ends the communicators before a reset, because a thread that still ends one
** must not meet the new context. */
static void end_all (RtDevice *dev) {
  int64_t until = clock_now() + COMM_END_NS;
  LIST_EACH (RtComm, c, &dev->rt->held[LIFE_COMM])
    if (c->dev == dev)
      comm_abort(c, "its device was reset");
  while (!are_all_aborted(dev) && clock_now() < until) {
    comm_lose_graphs(dev->rt);
    nap_for(NAP_NS);
  }
}

void comm_leave (RtComm *c) {
  if (!c->parts)
    c->dev->rt->nparting++;
  c->parts = true;
  if (c->phase == COMM_MEETING)
    comm_abort(c, "closed");
  bool has = (c->handle != NULL && c->from == NULL);
  c->phase = has ? COMM_LEAVING : COMM_GONE;
}

void comm_drop (RtComm *c) {
  if (--c->refs > 0)
    return;
  if (!c->listed)
    free(c);
  else if (!c->parts)
    comm_leave(c);
}

/* Asks the library to end a rank without subcommunicators. */
static void flush (RtComm *c) {
  if (context_reenter(c->dev) != 0)
    return;
  ncclResult_t r = c->N->ncclCommFinalize(c->handle);
  c->phase = COMM_FLUSHED;
  if (subcomm_is_error(r))
    comm_abort(c, "closed");
}

static void leave (RtComm *c) {
  if (c->subcomms == NULL) {
    flush(c);
  } else if (subcomm_end(c)) {
    c->handle = NULL;
    c->phase = COMM_PARTING;
  }
}

static void end_if_flushed (RtComm *c) {
  ncclResult_t state = ncclSuccess;
  c->N->ncclCommGetAsyncError(c->handle, &state);
  if (state == ncclInProgress || context_reenter(c->dev) != 0)
    return;
  if (state == ncclSuccess)
    c->N->ncclCommDestroy(c->handle);
  else
    c->N->ncclCommAbort(c->handle);
  c->handle = NULL;
  c->phase = COMM_GONE;
}

/* Tells whether the rank is being split: the library would refuse to end it. */
static bool is_being_split (const RtComm *c) {
  LIST_EACH (const RtComm, made, &c->dev->rt->held[LIFE_COMM])
    if (made->from == c)
      return true;
  return false;
}

/* Does one step towards the end. Returns true if the rank is gone. */
static bool step (RtComm *c) {
  if (!settle(c))
    return false;
  bool leaves = (c->phase == COMM_LEAVING && comm_is_idle(c) &&
                 !is_being_split(c));
  if (leaves && c->phase == COMM_LEAVING) /* or it has failed just now */
    leave(c);
  if (c->phase == COMM_FLUSHED)
    end_if_flushed(c);
  if (c->phase == COMM_PARTING && subcomm_are_over(c))
    c->phase = COMM_GONE;
  return c->phase == COMM_GONE && subcomm_are_over(c) && comm_is_idle(c) &&
         !comm_is_unreported(c);
}

/* Unlists a rank that is gone; its holders still have the struct. */
static void unlist (RtComm *c) {
  life_leave(&c->life, LIFE_COMM);
  block_drop(c->order);
  c->order = NULL;
  while (comm_oldest(c) != NULL)
    comm_forget(c);
  free(c->pending);
  c->pending = NULL;
  c->room = 0;
  if (c->counted)
    device_lock_add_pending(c->dev, -1);
  c->dev->rt->nparting -= c->parts;
  subcomm_free(c);
  free(c->poison);
  c->poison = NULL;
  c->listed = false;
  if (c->refs == 0)
    free(c);
}

void comm_drain (Runtime *rt) {
  for (RtComm *c = LIST_FIRST(RtComm, &rt->held[LIFE_COMM]), *next; c != NULL;
       c = next) {
    const bool gone = step(c);
    next = LIST_NEXT(RtComm, c);
    if (gone)
      unlist(c);
  }
  if (!poison_any(rt))
    rt->active &= ~(unsigned)EXTENSION_RANKS;
}

/*
** Ends all ranks, because nothing else looks after them any more. Quiet ranks
** end well; a rank whose peers do not come within its timeout is aborted. A
** thread still inside the library when the process ends would crash, so it is
** waited for, up to a limit.
*/
static void finish_all (Runtime *rt) {
  int64_t until = INT64_MAX;
  LIST_EACH (RtComm, c, &rt->held[LIFE_COMM]) {
    c->reported = true;
    if (c->phase < COMM_LEAVING)
      comm_leave(c);
  }
  while (comm_drain(rt), rt->held[LIFE_COMM].n > 0) {
    bool quiet = true;
    device_lock_free_waiting(
      rt); /* graphs dropped while ranks waited for others */
    comm_watch(rt);
    LIST_EACH (RtComm, c, &rt->held[LIFE_COMM])
      quiet = comm_is_idle(c) && quiet;
    if (quiet && until == INT64_MAX)
      until = clock_now() + COMM_END_NS;
    LIST_EACH (RtComm, c, &rt->held[LIFE_COMM]) {
      if (clock_now() > until)
        comm_abort(c, "closed");
      if (clock_now() - GIVE_UP * COMM_END_NS > until)
        subcomm_free(c);
    }
    nap_for(NAP_NS);
  }
}

/* ==} */

/* {== as an extension ================================================= */

static bool has_ranks (const Runtime *rt) { return comm_any(rt); }

static bool has_parting (const Runtime *rt) { return rt->nparting > 0; }

static void drain (Runtime *rt, bool all) {
  (void)all;
  if (!comm_any(rt))
    return;
  comm_lose_graphs(rt);
  comm_drain(rt);
}

static void watch (Runtime *rt) { (void)comm_watch(rt); }

static void stop (Runtime *rt, bool gone) {
  if (gone)
    return;
  finish_all(rt);
  poison_free_all(rt);
}

const Extension comm_extension = {.bit = EXTENSION_RANKS,
                                  .before_submit = comm_throttle,
                                  .note = poison_note,
                                  .has_dropped = has_parting,
                                  .drain = drain,
                                  .watch = watch,
                                  .poll = comm_poll,
                                  .end = end_all,
                                  .has_work = has_ranks,
                                  .stop = stop};

/* ==} */
