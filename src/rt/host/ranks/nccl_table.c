/*
** nccl_table.c - the table of collectives among host devices, and its functions
** beyond NCCL. Exports nccl_host().
*/
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"

enum { SYSTEM_WHY = 120 }; /* one for each thread, so no longer than needed */

/* Valid until a call of this thread fails next. */
static const char *system_error (void) {
  static _Thread_local char text[SYSTEM_WHY];
  snprintf(text, sizeof text, "a call of the system failed%s%s",
           rank_errno != 0 ? ": " : "",
           rank_errno == EAGAIN ? "the thread of the rank cannot be started, "
                                  "the system has no more threads"
           : rank_errno != 0    ? strerror(rank_errno)
                                : "");
  rank_errno = 0;
  return text;
}

static const char *error_string (ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "a call of the driver failed";
    case ncclSystemError: return system_error();
    case ncclInternalError: return "internal error";
    case ncclInvalidArgument: return "invalid argument";
    case ncclInvalidUsage: return "invalid usage";
    case ncclRemoteError: return "another rank has failed or is gone";
    case ncclInProgress: return "in progress";
  }
  return "unknown result";
}

/* {== announcements =================================================== */

static void copy_text (char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from != NULL ? from : "");
}

static void announce (ncclComm_t c, const NcclCall *call) {
  CallDesc t = {.number = call->number,
                .n = call->n,
                .root = call->root,
                .joint = call->joint};
  copy_text(t.what, sizeof t.what, call->what);
  copy_text(t.place, sizeof t.place, call->place);
  copy_text(t.type, sizeof t.type, call->type);
  copy_text(t.op, sizeof t.op, call->op);
  if (host_usable() != CUDA_SUCCESS)
    return;
  host_lock();
  c->next = t;
  c->announced = true;
  host_unlock();
}

/* ==} */

/* {== reasons, with the lock held ===================================== */

/* Tells whether the other end of a pair has not described a message that this
** end has promised. */
static bool is_late (ncclComm_t c, int peer) {
  const RankPair *out = rank_pair(c->map, c->rank, peer);
  const RankPair *in = rank_pair(c->map, peer, c->rank);
  return rank_read64(&out->to.posted) < rank_read64(&out->from.promised) ||
         rank_read64(&in->from.posted) < rank_read64(&in->to.promised);
}

static bool is_awaited (ncclComm_t c, int rank) {
  const Member *me = &c->map->segment->member[c->rank];
  const Member *m = &c->map->segment->member[rank];
  const CallDesc *t = &c->now->part[0].desc;
  if (t->kind >= SEND) /* ranks begin joint messages together */
    return is_late(c, rank) ||
           (t->joint && rank_read64(&m->begun) < rank_read64(&me->begun));
  return rank_read64(&m->begun) < rank_read64(&me->begun) ||
         rank_read64(&m->posted) < rank_read64(&me->posted);
}

/* Tells whether the other end of a send or receive has not described it. The
** last promised message of its kind with that rank is the last one of this
** work. */
static bool is_alone (ncclComm_t c, const RankWork *w, int i) {
  const CallDesc *t = &w->part[i].desc;
  bool sends = (t->kind == SEND);
  const RankPair *pair = sends ? rank_pair(c->map, c->rank, t->at)
                               : rank_pair(c->map, t->at, c->rank);
  const PairSide *mine = sends ? &pair->from : &pair->to;
  const PairSide *its = sends ? &pair->to : &pair->from;
  uint64_t later = 0;
  for (int k = i + 1; k < w->n; k++)
    later += (w->part[k].desc.kind == t->kind && w->part[k].desc.at == t->at);
  return rank_read64(&its->posted) + later < rank_read64(&mine->promised);
}

/* Returns the first send or receive without its other end; for other work, the
** whole. */
static const CallDesc *find_awaited (ncclComm_t c) {
  const RankWork *w = c->now;
  const CallDesc *first = &w->part[0].desc;
  if (first->kind >= SEND && !first->joint)
    for (int i = 0; i < w->n; i++)
      if (is_alone(c, w, i))
        return &w->part[i].desc;
  return first;
}

static void describe_wait (ncclComm_t c, char text[NCCL_WHY]) {
  bool missing[MAX_RANKS] = {false};
  int n = 0;
  for (int i = 0; i < c->size; i++)
    n += missing[i] = is_awaited(c, i);
  if (n == 0)
    return;
  rank_append(text, NCCL_WHY, "waits for ");
  rank_list(text, NCCL_WHY, missing, c->size);
  rank_append(text, NCCL_WHY, " in ");
  rank_describe_at(text, NCCL_WHY, find_awaited(c));
}

static uint64_t done (ncclComm_t c, bool graphs) {
  return __atomic_load_n(graphs ? &c->replayed : &c->done, __ATOMIC_ACQUIRE);
}

static void why (ncclComm_t c, char text[NCCL_WHY]) {
  text[0] = '\0';
  if (host_usable() != CUDA_SUCCESS)
    return;
  host_lock();
  rank_read_failure(c);
  if (c->error != ncclSuccess)
    memcpy(text, c->why, NCCL_WHY);
  else if (c->old != NULL)
    rank_list_unsplit(c->old, c->generation, text);
  else if (!c->ready)
    rank_list_absent(c, text);
  else if (c->now != NULL)
    describe_wait(c, text);
  else if (c->splitting > 0)
    rank_list_unsplit(c->map, c->splits, text);
  host_unlock();
}

/* ==} */

const Nccl *nccl_host (void) {
  static const Nccl table = {.name = "host",
                             .most = MAX_RANKS,
#define X(kind, name, params, args) .name = host_##name,
#include "rt/driver/nccl.def"
#undef X
                             .ncclGetErrorString = error_string,
                             .announce = announce,
                             .done = done,
                             .why = why};
  return &table;
}
