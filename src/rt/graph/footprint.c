/*
** footprint.c - the blocks that a capture uses. It keeps them alive,
** notes how they are used, and hands them to the graph as its accesses.
**
** A block is spare if it was made in the capture, was used by nothing else, and
** was released in it. Later operations of the capture may use a spare block
** again, because each launch overwrites it in the same order. Memory that eager
** work has used is never spare, because the graph may read what is there.
**
** An operation that gets a spare block follows the nodes that used the block.
** This costs nothing where each of the latest operations of the stream needs
** the result of the one before, nor where one operation on a block fills a
** device. These get the block that was released last. Other operations could
** run at the same time. They get the block that was released first, once
** SPARE_BYTES of a size are spare, or as many blocks as there are chains.
*/
#include "footprint.h"

#include <stdlib.h>

#include "branch.h"
#include "graph_types.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/hazard.h"
#include "rt/memory/import.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"

enum { EXACT_USES = 32, LINKED = 3, SPARE_BYTES = 2 << 20 };

static size_t slot_of (const Footprint *f, const RtBlock *b) {
  size_t mask = (size_t)f->size - 1;
  size_t i = (((uintptr_t)b >> 4) * 0x9E3779B97F4A7C15u >> 20) & mask;
  while (f->table[i] != NULL && f->table[i]->block != b)
    i = (i + 1) & mask;
  return i;
}

Captured *footprint_find (const Footprint *f, const RtBlock *b) {
  return (f->size > 0) ? f->table[slot_of(f, b)] : NULL;
}

static Status rehash (Runtime *rt, Footprint *f) {
  int size = f->size > 0 ? 2 * f->size : 32, old = f->size;
  Captured **table = calloc((size_t)size, sizeof *table), **from = f->table;
  if (table == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  f->table = table;
  f->size = size;
  for (int i = 0; i < old; i++)
    if (from[i] != NULL)
      table[slot_of(f, from[i]->block)] = from[i];
  free(from);
  return 0;
}

Status footprint_get (Runtime *rt, Footprint *f, RtBlock *b, Captured **out) {
  Status st = (2 * f->nblocks >= f->size) ? rehash(rt, f) : 0;
  if (st != 0)
    return st;
  size_t i = slot_of(f, b);
  if (f->table[i] == NULL) {
    Captured *cb = calloc(1, sizeof *cb);
    if (cb == NULL)
      return status_fail(rt, RT_NOMEM, NULL);
    cb->block = b;
    cb->marks.exact = true;
    import_graph_hold(b);
    b->ncaptures++;
    f->table[i] = cb;
    f->nblocks++;
  }
  *out = f->table[i];
  return 0;
}

/* {== memory had again ================================================ */

/* Returns how many spare blocks of a size are left unused. */
static int most_spare (const RtBranch *b, size_t bytes) {
  size_t n = SPARE_BYTES / bytes;
  if (b->links >= LINKED || bytes >= SPARE_BYTES / 2)
    return 0;
  return n > CHAINS ? CHAINS : (int)n;
}

/* Removes the block from the list of spare ones. */
static RtBlock *take (RtBlock **at) {
  RtBlock *b = *at;
  *at = b->next;
  b->next = NULL;
  block_retain(b);
  return b;
}

RtBlock *footprint_take_spare (const RtStream *s, const RtDevice *dev,
                               size_t bytes, bool any) {
  RtCapture *c = s->capture;
  RtBlock **newest = NULL, **oldest = NULL;
  int n = 0, bin = block_bin(bytes);
  for (RtBlock **at = &c->spare, *b; (b = *at) != NULL; at = &b->next) {
    if (b->dev != dev || b->size < bytes || (!any && block_bin(b->size) != bin))
      continue;
    if (newest == NULL)
      newest = at;
    oldest = at;
    n++;
  }
  int most = most_spare(s->branch, bytes);
  if (n == 0 || (n < most && !any))
    return NULL;
  return take(most == 0 ? newest : oldest);
}

/* ==} */

/* Tells whether each use of the block becomes an access of the graph: for
** page-locked memory, unless there are too many to note for each launch. */
static bool is_exact (const RtBody *body, const RtBlock *b) {
  return b->pinned && body->nuses <= EXACT_USES;
}

Status footprint_reserve (RtBody *body, const Footprint *f) {
  size_t n = (size_t)(2 * f->nblocks + 1 + body->nuses);
  body->access = malloc(n * sizeof *body->access);
  return (body->access != NULL) ? 0
                                : status_fail(body->dev->rt, RT_NOMEM, NULL);
}

static void add_access (RtBody *body, const Captured *cb, size_t lo, size_t hi,
                        bool write) {
  if (hi == 0)
    return;
  import_graph_hold(cb->block); /* one reference for each access */
  body->access[body->naccess++] = (Access){
    cb->block, lo, hi - lo, write, !cb->seen && (cb->written || !write)};
}

/* Adds the span of all reads, or of all writes, of the block as an access. */
static void add_span (RtBody *body, const Captured *cb, bool write) {
  size_t lo = SIZE_MAX, hi = 0;
  for (int i = 0; i < cb->marks.n; i++) {
    const Mark *k = &cb->marks.at[i];
    if (k->write == write) {
      lo = (k->lo < lo) ? k->lo : lo;
      hi = (k->hi > hi) ? k->hi : hi;
    }
  }
  add_access(body, cb, lo, hi, write);
}

static void add_uses (RtBody *body, const Captured *cb) {
  for (int i = 0; i < body->nuses; i++) {
    const Access *use = &body->uses[i];
    if (use->block == cb->block)
      add_access(body, cb, use->off, use->off + use->len, use->write);
  }
}

void footprint_list (RtBody *body, const Footprint *f) {
  for (int i = 0; i < f->size; i++) {
    const Captured *cb = f->table[i];
    if (cb == NULL)
      continue;
    if (is_exact(body, cb->block)) {
      add_uses(body, cb);
      continue;
    }
    add_span(body, cb, false);
    add_span(body, cb, true);
  }
}

void footprint_free (Footprint *f) {
  for (int i = 0; i < f->size; i++) {
    Captured *cb = f->table[i];
    if (cb == NULL)
      continue;
    cb->block->ncaptures--;
    import_graph_leave(cb->block);
    hazard_free(&cb->marks);
    free(cb);
  }
  free(f->table);
}
