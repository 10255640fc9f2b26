/*
** rank_split.c - communicators made of a part of another one's ranks.
**
** DESIGN. Each rank that splits off starts the proxy of its new communicator at
** once, so nothing waits in the proxies of the old one. (A rank without a color
** starts a proxy that ends here.) It writes its color and key into the old
** segment, and old rank 0 writes a name. When all have done so, each rank knows
** its new rank, and the id, which is the name and the color. From there on it
** is like any communicator. The place of split number k is used again for k +
** 2, which no rank writes before all have ended k.
**
** A rank calls a split when all its earlier work is done. So a rank that has
** begun one more split than we have will not come to our current operation:
** agree.c and mailbox.c compare the two. But not if either operation belongs to
** a graph, because host functions may launch graphs while a split is waited
** for.
*/
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "ranks.h"
#include "rt/os/nap.h"

enum { LOOK_NS = 500000 };

static Member *member (ncclComm_t c, int rank) {
  return &c->old->segment->member[rank];
}

/* {== waiting at the old segment ====================================== */

/* Fails if a rank of the old communicator is gone without which the split
** cannot succeed. */
static bool fail_if_gone (ncclComm_t c, int rank) {
  uint32_t presence = rank_read32(&member(c, rank)->presence);
  if (presence < LEFT || rank_read64(&member(c, rank)->splits) >= c->generation)
    return false;
  rank_fail(c, ncclRemoteError,
            presence == LEFT
              ? "rank %d has closed the communicator that is split"
              : "rank %d has died before the split",
            rank);
  return true;
}

/* A failure or an end does not count if 'done', because that may have been
** before it. The failure is read after 'ending', because the old communicator
** is ended once it has failed: the failure is the reason then. */
static bool is_lost (ncclComm_t c, bool (*done)(ncclComm_t c)) {
  bool ending = rank_is_ending(c) ||
                __atomic_load_n(&c->parent->ending, __ATOMIC_ACQUIRE);
  uint32_t failed = rank_read32(&c->old->segment->failed);
  if (done(c))
    return false;
  if (failed > 1) {
    rank_fail(c, (ncclResult_t)(failed - 2), "%.*s", NCCL_WHY - 1,
              c->old->segment->why);
    return true;
  }
  for (int i = 0; !ending && i < c->old->size; i++)
    ending = fail_if_gone(c, i);
  return ending;
}

static bool all_there (ncclComm_t c) {
  for (int i = 0; i < c->old->size; i++)
    if (rank_read64(&member(c, i)->splits) < c->generation)
      return false;
  return rank_read64(&c->old->segment->named) >= c->generation;
}

static bool mine_before_ended (ncclComm_t c) {
  return rank_read64(&member(c, c->parent->rank)->split_ends) + 1 >=
         c->generation;
}

static bool wait_until (ncclComm_t c, bool (*done)(ncclComm_t c)) {
  while (!done(c)) {
    if (is_lost(c, done))
      return false;
    nap_for(LOOK_NS);
  }
  return true;
}

/* ==} */

/* {== new ranks ======================================================= */

static bool give_name (ncclComm_t c) {
  Segment *g = c->old->segment;
  uint64_t random[2];
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
    rank_fail(c, ncclSystemError, "getrandom: %s", strerror(errno));
    return false;
  }
  snprintf(g->name[c->generation % 2], ID_TEXT, "%016llx%016llx",
           (unsigned long long)random[0], (unsigned long long)random[1]);
  rank_write64(&g->named, c->generation);
  return true;
}

static void find_place (ncclComm_t c) {
  int rank = 0, size = 0;
  for (int i = 0; i < c->old->size; i++) {
    int color = member(c, i)->split[c->generation % 2].color;
    int key = member(c, i)->split[c->generation % 2].key;
    if (color != c->color)
      continue;
    size++;
    rank += key < c->key || (key == c->key && i < c->parent->rank);
  }
  host_lock();
  c->rank = rank;
  c->size = size;
  host_unlock();
  memset(&c->id, 0, sizeof c->id);
  snprintf(c->id.internal, sizeof c->id.internal, "%.*s-%d", ID_TEXT - 1,
           c->old->segment->name[c->generation % 2], c->color);
}

static bool take_part (ncclComm_t c) {
  Member *me = member(c, c->parent->rank);
  if (!wait_until(c, mine_before_ended))
    return false;
  me->split[c->generation % 2].color = c->color;
  me->split[c->generation % 2].key = c->key;
  me->parting = c->parting;
  rank_write64(&me->splits, c->generation);
  rank_wake_all(c->old);
  if (c->parent->rank == 0 && !give_name(c))
    return false;
  if (!wait_until(c, all_there))
    return false;
  find_place(c);
  rank_write64(&me->split_ends, c->generation);
  return c->color >= 0;
}

const CallDesc *rank_other_split (ncclComm_t c, int i) {
  const Member *m = c->map->segment->member;
  uint64_t splits = rank_read64(&m[i].splits);
  if (c->now->captured || splits <= rank_read64(&m[c->rank].splits))
    return NULL;
  host_lock();
  bool ahead = splits > c->splits; /* the segment may not show ours yet */
  host_unlock();
  return (ahead && m[i].parting.what[0] != '\0') ? &m[i].parting : NULL;
}

/* Detaches it from the old communicator, which it needs no more. */
static void leave_parent (ncclComm_t c) {
  host_lock();
  Mapping *old = c->old;
  c->old = NULL;
  c->parent->splitting--;
  rank_unmap_segment(old);
  rank_release_comm(c->parent);
  c->parent = NULL;
  host_unlock();
}

bool rank_join_split (ncclComm_t c) {
  bool ok = take_part(c);
  if (!ok && c->color >= 0)
    rank_fail(c, ncclRemoteError,
              "the communicator that is split has been closed");
  leave_parent(c);
  return ok;
}

void rank_list_unsplit (const Mapping *old, uint64_t generation,
                        char text[NCCL_WHY]) {
  bool missing[MAX_RANKS] = {false};
  int n = 0;
  for (int i = 0; i < old->size; i++)
    n += missing[i] = rank_read64(&old->segment->member[i].splits) < generation;
  if (n == 0)
    return;
  rank_list(text, NCCL_WHY, missing, old->size);
  rank_append(text, NCCL_WHY, " of %d %s not come to comm:split", old->size,
              n == 1 ? "has" : "have");
}

/* ==} */

/* With the lock held. False: the old communicator cannot be split. */
static bool split_off (ncclComm_t c, ncclComm_t parent) {
  rank_read_failure(parent);
  if (!parent->ready || parent->over || parent->error != ncclSuccess)
    return false;
  c->parent = parent;
  c->old = parent->map;
  c->generation = ++parent->splits;
  if (parent->captured > 0)
    c->parting = (CallDesc){.what = ""};
  else if (parent->announced)
    c->parting = parent->next;
  else
    c->parting = (CallDesc){.what = "ncclCommSplit", .root = -1};
  parent->announced = false;
  parent->map->refs++;
  parent->refs++;
  parent->splitting++;
  return true;
}

ncclResult_t host_ncclCommSplit (ncclComm_t comm, int color, int key,
                                 ncclComm_t *out, ncclConfig_t *config) {
  (void)config;
  if (host_usable() != CUDA_SUCCESS)
    return ncclInvalidUsage;
  if (comm == NULL || out == NULL || (color < 0 && color != -1))
    return ncclInvalidArgument;
  *out = NULL;
  ncclComm_t c = rank_new_comm(comm->ctx, 0, 0);
  if (c == NULL)
    return ncclSystemError;
  c->color = color;
  c->key = key;
  host_lock();
  bool ok = split_off(c, comm);
  if (!ok)
    rank_release_comm(c);
  host_unlock();
  if (!ok)
    return ncclInvalidUsage;
  ncclResult_t r = rank_open_comm(c);
  if (r == ncclInProgress && color >= 0)
    *out = c;
  return r;
}
