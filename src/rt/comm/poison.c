/*
** poison.c - memory whose contents failed operations of ranks did not write.
**
** DESIGN. When a communicator fails, its operations under way leave in memory
** whatever was there before. Results computed from it meanwhile are wrong as
** well, and must not pass for right ones. So while there are communicators,
** each block remembers the operations of ranks that its contents come from: its
** taint, also by way of other blocks. Operations of one communicator are done
** in order, so of several the latest counts. With several communicators all
** operations under way from the earliest to the latest count. If one of them
** fails, the block is poisoned: marked with the reason. From then on nothing
** can read it (device/submit.c, array/array_transfer.c), until all of the
** marked range is overwritten. Memory that goes back to the cache is not
** tainted.
**
** A block has one such range: the span of all its tainted ranges. A reason
** lives while a block refers to it; unused ones are collected when the next one
** is added. In a program without communicators nothing is noted.
*/
#include "poison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt/driver/context.h"
#include "rt/graph/graph_types.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"

/* {== tainted contents ================================================ */

/* Tells whether a kept launch of a graph with operations of ranks may be
** operation 'seq' or an earlier one. It is under way once it is sent. */
static bool may_be_kept (const Runtime *rt, uint64_t seq) {
  bool some = false;
  for (int i = 0; i < rt->ndevices && rt->nkept > 0 && !some; i++) {
    const Point *p = &rt->devices[i].ranks;
    some = (p->s != NULL && deferral_keeps(p->s, p->seq));
  }
  const RtStream *s = some ? rt->keepers : NULL;
  while (s != NULL && s->kept->seq > seq)
    s = s->next_keeper;
  return s != NULL;
}

static bool may_be_pending (const Runtime *rt, uint64_t seq) {
  if (may_be_kept(rt, seq))
    return true;
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM]) {
    const RtPending *p = comm_oldest(c);
    if (p != NULL && p->at.seq <= seq)
      return true;
  }
  return false;
}

static bool is_tainted (const Runtime *rt, const Taint *o) {
  return o->poison != NULL || (o->seq != 0 && may_be_pending(rt, o->seq));
}

static bool meets (const Taint *o, size_t lo, size_t hi) {
  return o->seq != 0 && o->lo < hi && lo < o->hi;
}

/* Returns the oldest operation under way; 0: none. */
static uint64_t oldest_pending (const Runtime *rt) {
  uint64_t oldest = 0;
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM]) {
    const RtPending *p = comm_oldest(c);
    if (p != NULL && (oldest == 0 || p->at.seq < oldest))
      oldest = p->at.seq;
  }
  return oldest;
}

/* Returns the first operation of the range that is under way, or NULL. */
static const RtPending *find_pending (const RtComm *c, const Taint *o) {
  const RtPending *p = comm_find(c, o->since);
  return (p != NULL && p->at.seq <= o->seq) ? p : NULL;
}

static bool family_has (const Runtime *rt, uint64_t family, uint64_t seq) {
  const Taint only = {.since = seq, .seq = seq};
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM])
    if (c->family == family && find_pending(c, &only) != NULL)
      return true;
  return false;
}

/* Tells whether all operations of 'o' under way are done when 'seq' is, and
** none of them is later. */
static bool is_followed (const Runtime *rt, const Taint *o, uint64_t seq) {
  if (may_be_kept(rt, o->seq))
    return false;
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM])
    if (find_pending(c, o) != NULL &&
        (seq < o->seq || !family_has(rt, c->family, seq)))
      return false;
  return true;
}

static void take (Taint *o, const Taint *other) {
  o->since = other->since;
  o->seq = other->seq;
  o->poison = other->poison;
}

/* Adds to 'o' the operations of the other one. */
static void join (const Runtime *rt, Taint *o, const Taint *other) {
  bool same = (other->poison == NULL && o->since == other->since &&
               o->seq == other->seq);
  if (o->poison != NULL || same)
    return;
  if (o->seq == 0 || other->poison != NULL || is_followed(rt, o, other->seq)) {
    take(o, other);
    return;
  }
  if (is_followed(rt, other, o->seq))
    return;
  uint64_t since = (o->since < other->since) ? o->since : other->since;
  uint64_t oldest = may_be_kept(rt, o->seq) || may_be_kept(rt, other->seq)
                      ? 0
                      : oldest_pending(rt);
  o->since = (since > oldest) ? since : oldest;
  o->seq = (o->seq > other->seq) ? o->seq : other->seq;
}

/* Tells whether 'op' makes calls of ranks. An operation that only orders one of
** several ranks makes none. */
static bool is_call_of_ranks (const Op *op) {
  if (op->kind == OP_GRAPH)
    return op->u.graph->body->ranks != NULL;
  return op->kind == OP_COLLECTIVE &&
         (op->u.collective.together != NULL || op->u.collective.comm != NULL);
}

/* Joins the taints of what it reads. A rank's call also depends on what the
** other ranks of this process read. */
static Taint taint_of_reads (const Runtime *rt, const Op *op) {
  bool ranks = (op->kind == OP_COLLECTIVE);
  const Access *all = ranks ? op->u.collective.all : op->access;
  int n = ranks ? op->u.collective.nall : op->naccess;
  Taint from = {0};
  for (int i = 0; i < n; i++) {
    const Access *a = &all[i];
    const Taint *o = &a->block->taint;
    if (o->seq != 0 && hazard_depends(op, a) &&
        meets(o, a->off, a->off + a->len) && is_tainted(rt, o))
      join(rt, &from, o);
  }
  return from;
}

/* Removes a range. If the rest would be two ranges, all of it stays. */
void poison_clear (RtBlock *b, size_t lo, size_t hi) {
  Taint *o = &b->taint;
  if (!meets(o, lo, hi))
    return;
  if (lo <= o->lo && o->hi <= hi)
    *o = (Taint){0};
  else if (lo <= o->lo)
    o->lo = hi;
  else if (o->hi <= hi)
    o->hi = lo;
}

/* Adds 'from' to the taint of a block; what was 'seen' is in 'from' already. */
static void add_taint (const Runtime *rt, const Access *a, const Taint *from,
                       bool seen) {
  Taint *o = &a->block->taint;
  size_t lo = a->off, hi = a->off + a->len;
  if (!is_tainted(rt, o)) {
    *o = (Taint){from->since, from->seq, from->poison, lo, hi};
    return;
  }
  if (seen && meets(o, lo, hi))
    take(o, from);
  else
    join(rt, o, from);
  o->lo = (lo < o->lo) ? lo : o->lo;
  o->hi = (hi > o->hi) ? hi : o->hi;
}

void poison_note (const Runtime *rt, const Op *op, uint64_t seq) {
  bool calls = is_call_of_ranks(op);
  if (op->kind == OP_COLLECTIVE && !calls)
    return;
  Taint from = taint_of_reads(rt, op);
  if (calls)
    join(rt, &from, &(Taint){.since = seq, .seq = seq});
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    if (hazard_replaces(op, a))
      poison_clear(a->block, a->off, a->off + a->len);
    if (a->write && from.seq != 0)
      add_taint(rt, a, &from, hazard_depends(op, a));
  }
}

/* ==} */

/* {== poisoned contents =============================================== */

const RtPoison *poison_in (const RtBlock *b, size_t lo, size_t hi) {
  bool poisoned = (b->taint.poison != NULL && meets(&b->taint, lo, hi) &&
                   !life_is_stale(&b->life));
  return poisoned ? b->taint.poison : NULL;
}

const RtPoison *poison_find (const Op *op) {
  const RtPoison *poison = NULL;
  for (int i = 0; i < op->naccess && poison == NULL; i++) {
    const Access *a = &op->access[i];
    if (a->block->taint.poison != NULL && hazard_depends(op, a))
      poison = poison_in(a->block, a->off, a->off + a->len);
  }
  return poison;
}

RtPoison *poison_new (void) { return calloc(1, sizeof(RtPoison)); }

/* Makes a poison. NULL: the communicator's reserved one is used, and memory is
** short. */
static RtPoison *new_poison (RtComm *c, const RtPending *p) {
  Runtime *rt = c->dev->rt;
  RtPoison *l = (c->poison != NULL) ? c->poison : poison_new();
  char place[COMM_PLACE];
  if (l == NULL)
    return NULL;
  c->poison = NULL;
  l->seq = p->at.seq;
  l->family = c->family;
  comm_write_place(p->source, p->line, place);
  snprintf(l->text, sizeof l->text,
           "what %s (%s) was to write is not there: %s", p->what, place,
           c->why);
  l->next = rt->poisons;
  rt->poisons = l;
  return l;
}

/* Returns the poison of the operation, or else another poison of its
** communicator. */
static RtPoison *find_poison (RtComm *c, const RtPending *p) {
  RtPoison *other = NULL, *made;
  for (RtPoison *l = c->dev->rt->poisons; l != NULL; l = l->next) {
    if (l->family != c->family)
      continue;
    if (l->seq == p->at.seq)
      return l;
    other = l;
  }
  made = new_poison(c, p);
  return (made != NULL) ? made : other;
}

static void lose (RtComm *c, RtBlock *b) {
  Taint *o = &b->taint;
  const RtPending *p = find_pending(c, o);
  if (p != NULL && o->poison == NULL)
    o->poison = find_poison(c, p);
}

typedef void EachBlock (RtComm *c, RtBlock *b);

static void for_each_block (RtComm *c, EachBlock *fn) {
  Runtime *rt = c->dev->rt;
  for (int i = 0; i < rt->ndevices; i++) {
    LIST_EACH (RtBlock, b, &rt->devices[i].blocks)
      fn(c, b);
    LIST_EACH (RtBlock, b, &rt->devices[i].foreign)
      fn(c, b);
  }
}

static void note_used (RtComm *c, RtBlock *b) {
  (void)c;
  if (b->taint.poison != NULL)
    b->taint.poison->used = true;
}

/* Drops all poisons, or those that no block refers to. */
static void drop_poisons (Runtime *rt, bool all) {
  for (RtPoison **at = &rt->poisons; *at != NULL;) {
    RtPoison *l = *at;
    if (l->used && !all) {
      l->used = false;
      at = &l->next;
      continue;
    }
    *at = l->next;
    free(l);
  }
}

void poison_mark (RtComm *c) {
  for_each_block(c, note_used);
  drop_poisons(c->dev->rt, false);
  if (comm_oldest(c) != NULL)
    for_each_block(c, lose);
}

void poison_free_all (Runtime *rt) { drop_poisons(rt, true); }

/* ==} */
