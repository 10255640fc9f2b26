/*
** rank_collective.c - collectives, by chunks.
**
** DESIGN. A collective is a sequence of steps. In a step each rank fills one of
** its two slots, posts it, and reads the slots of others once they are posted;
** then it counts the step as taken. A slot is filled again when all have taken
** the step that it was last used for, so one step is written while another is
** read. All ranks count alike, because they have agreed on the operation.
**
** In a reduction each rank reduces an equal share of the chunk for all, in the
** order of ranks. So all get the same bits.
*/
#include <string.h>

#include "ranks.h"

/* One chunk of one collective: elements 'at' to at + n. */
typedef struct CollectiveStep {
  ncclComm_t c;
  const WorkPart *p;
  size_t bytes; /* per element */
  size_t at, n;
} CollectiveStep;

/* {== slots =========================================================== */

static unsigned char *slot_of (const CollectiveStep *s, int rank) {
  return rank_slot(s->c->map, rank, s->c->steps);
}

static bool may_fill (ncclComm_t c) {
  return c->steps < 2 || rank_wait_taken(c, c->steps - 1);
}

/* Posts this rank's slot, and waits for the slots of the others. */
static bool meet_all (ncclComm_t c) {
  rank_write64(&c->map->segment->member[c->rank].posted, ++c->filled);
  rank_wake_all(c->map);
  return rank_wait_posted(c, c->filled);
}

static void count_taken (ncclComm_t c) {
  rank_write64(&c->map->segment->member[c->rank].taken, ++c->steps);
  rank_wake_all(c->map);
}

/* ==} */

/* {== steps =========================================================== */

static const unsigned char *source (const CollectiveStep *s, size_t element) {
  return (const unsigned char *)s->p->from + element * s->bytes;
}

static unsigned char *target (const CollectiveStep *s, size_t element) {
  return (unsigned char *)s->p->to + element * s->bytes;
}

static void fill (const CollectiveStep *s) {
  memcpy(slot_of(s, s->c->rank), source(s, s->at), s->n * s->bytes);
}

/* Reduces part of each rank's slot, from 'offset' on, into 'to'. */
static void reduce (const CollectiveStep *s, size_t offset, size_t n,
                    void *to) {
  const void *from[MAX_RANKS];
  for (int i = 0; i < s->c->size; i++)
    from[i] = slot_of(s, i) + offset * s->bytes;
  rank_reduce(to, from, s->c->size, n, (ncclDataType_t)s->p->desc.t,
              (ncclRedOp_t)s->p->desc.redop);
}

/* Returns where the share of a rank begins. */
static size_t share (const CollectiveStep *s, int rank) {
  return s->n * (size_t)rank / (size_t)s->c->size;
}

static void gather_shares (const CollectiveStep *s) {
  for (int i = 0; i < s->c->size; i++) {
    size_t lo = share(s, i), n = share(s, i + 1) - lo;
    memcpy(target(s, s->at + lo), slot_of(s, i) + lo * s->bytes, n * s->bytes);
  }
}

static bool reduce_step (const CollectiveStep *s) {
  int rank = s->c->rank;
  size_t lo = share(s, rank);
  fill(s);
  if (!meet_all(s->c))
    return false;
  reduce(s, lo, share(s, rank + 1) - lo, slot_of(s, rank) + lo * s->bytes);
  if (!meet_all(s->c))
    return false;
  if (s->p->desc.kind == ALL_REDUCE || s->p->desc.at == rank)
    gather_shares(s);
  return true;
}

static bool broadcast_step (const CollectiveStep *s) {
  int root = s->p->desc.at;
  if (root == s->c->rank)
    fill(s);
  if (!meet_all(s->c))
    return false;
  if (root != s->c->rank || s->p->from != s->p->to)
    memcpy(target(s, s->at), slot_of(s, root), s->n * s->bytes);
  return true;
}

static bool gather_step (const CollectiveStep *s) {
  fill(s);
  if (!meet_all(s->c))
    return false;
  for (int i = 0; i < s->c->size; i++)
    memcpy(target(s, (size_t)i * s->p->desc.count + s->at), slot_of(s, i),
           s->n * s->bytes);
  return true;
}

static bool scatter_step (const CollectiveStep *s) {
  for (int i = 0; i < s->c->size; i++)
    memcpy(slot_of(s, s->c->rank) + (size_t)i * s->n * s->bytes,
           source(s, (size_t)i * s->p->desc.count + s->at), s->n * s->bytes);
  if (!meet_all(s->c))
    return false;
  reduce(s, (size_t)s->c->rank * s->n, s->n, target(s, s->at));
  return true;
}

static bool run (const CollectiveStep *s) {
  if (!may_fill(s->c))
    return false;
  switch (s->p->desc.kind) {
    case ALL_REDUCE:
    case REDUCE: return reduce_step(s);
    case BROADCAST: return broadcast_step(s);
    case ALL_GATHER: return gather_step(s);
    case REDUCE_SCATTER: return scatter_step(s);
    case SEND:
    case RECV: break;
  }
  return false;
}

/* ==} */

bool rank_collective (ncclComm_t c, const WorkPart *p) {
  CollectiveStep s = {c, p, rank_type_size((ncclDataType_t)p->desc.t), 0, 0};
  size_t most = SLOT / s.bytes;
  if (p->desc.kind == REDUCE_SCATTER)
    most /= (size_t)c->size;
  if (!rank_agree(c, &p->desc))
    return false;
  for (; s.at < p->desc.count; s.at += s.n) {
    s.n = p->desc.count - s.at < most ? p->desc.count - s.at : most;
    if (!run(&s))
      return false;
    count_taken(c);
  }
  return true;
}
