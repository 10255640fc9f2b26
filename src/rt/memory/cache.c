/*
** cache.c - free blocks, kept for their next use.
**
** DESIGN. Each size class has a bin, and each bin a shelf for every stream. A
** block lies on the shelf of the stream that used it last, or on the common
** shelf if its work has passed or there was none. So
**   - a stream finds its own dropped blocks at once, the latest first, however
**     many busy blocks others have dropped meanwhile;
**   - on another stream's shelf only the oldest block is looked at, because it
**     passes first; a few shelves at a time, in turn, so that no long busy
**     shelf hides those behind it.
** Page-locked memory, which the host is to use next, comes the oldest first. A
** shelf is made for the first block on it and stays as long as its stream's
** record. If there is no memory for a shelf, the block goes onto the common
** one.
*/
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "block_types.h"
#include "hazard.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/progress.h"

enum { LOOK = 8 }; /* blocks, or shelves, looked at */

/* {== shelves ========================================================= */

static Shelf **chain (RtStream *s, int bin) {
  return &s->shelves[bin % STREAM_SHELVES];
}

/* The stream's shelf of a bin, or NULL. */
static Shelf *find (const Cache *c, int bin, RtStream *s) {
  Shelf *shelf = *chain(s, bin);
  while (shelf != NULL && (shelf->cache != c || shelf->bin != bin))
    shelf = shelf->sibling;
  return shelf;
}

static Shelf *new_shelf (Cache *c, int bin, RtStream *s) {
  Shelf *shelf = calloc(1, sizeof *shelf);
  if (shelf == NULL)
    return &c->common[bin];
  *shelf = (Shelf){.cache = c, .bin = bin, .sibling = *chain(s, bin)};
  *chain(s, bin) = shelf;
  return shelf;
}

/* Returns the stream that used the block last, if that use is not known to have
** passed; else NULL. */
static RtStream *last_user (const RtBlock *b) {
  const Mark *last = NULL;
  for (int i = 0; i < b->marks.n; i++) {
    const Mark *k = &b->marks.at[i];
    if (k->seq > k->s->done && k->s != b->dev->mem &&
        (last == NULL || k->seq > last->seq))
      last = k;
  }
  return (last != NULL) ? last->s : NULL;
}

static Shelf *shelf_for (Cache *c, int bin, const RtBlock *b) {
  RtStream *s = last_user(b);
  if (s == NULL)
    return &c->common[bin];
  Shelf *shelf = find(c, bin, s);
  return (shelf != NULL) ? shelf : new_shelf(c, bin, s);
}

/* Adds a shelf to the end of the ring of shelves that have blocks. */
static void link_shelf (Cache *c, Shelf *shelf) {
  Shelf *first = c->ring[shelf->bin];
  if (shelf == &c->common[shelf->bin])
    return;
  if (first == NULL) {
    c->ring[shelf->bin] = shelf->next = shelf->prev = shelf;
    return;
  }
  shelf->next = first;
  shelf->prev = first->prev;
  first->prev->next = shelf;
  first->prev = shelf;
}

static void unlink_shelf (Cache *c, Shelf *shelf) {
  Shelf **first = &c->ring[shelf->bin];
  if (shelf == &c->common[shelf->bin])
    return;
  if (*first == shelf)
    *first = (shelf->next != shelf) ? shelf->next : NULL;
  shelf->next->prev = shelf->prev;
  shelf->prev->next = shelf->next;
}

/* ==} */

void cache_put (Cache *c, int bin, RtBlock *b) {
  Shelf *shelf = shelf_for(c, bin, b);
  shelf->bin = bin; /* not yet set in common shelves */
  b->shelf = shelf;
  b->next = NULL;
  b->prev = shelf->newest;
  if (shelf->newest != NULL) {
    shelf->newest->next = b;
  } else {
    shelf->oldest = b;
    link_shelf(c, shelf);
  }
  shelf->newest = b;
  c->bytes += b->size;
}

void cache_remove (Cache *c, RtBlock *b) {
  Shelf *shelf = b->shelf;
  *(b->prev != NULL ? &b->prev->next : &shelf->oldest) = b->next;
  *(b->next != NULL ? &b->next->prev : &shelf->newest) = b->prev;
  if (shelf->oldest == NULL)
    unlink_shelf(c, shelf);
  b->shelf = NULL;
  b->next = b->prev = NULL;
  c->bytes -= b->size;
}

RtBlock *cache_next (const Cache *c, int bin, const RtBlock *b) {
  const Shelf *shelf = (b != NULL) ? b->shelf : &c->common[bin];
  RtBlock *next = (b != NULL) ? b->next : shelf->oldest;
  const Shelf *first = c->ring[bin];
  if (next != NULL || first == NULL)
    return next;
  if (shelf == &c->common[bin])
    return first->oldest;
  return (shelf->next != first) ? shelf->next->oldest : NULL;
}

/* {== taking ========================================================== */

static bool is_ordered (const Mark *k, const RtStream *s) {
  if (k->seq <= k->s->done)
    return true;
  return s != NULL && (k->s == s || k->s == s->dev->mem);
}

static bool is_usable (RtBlock *b, const RtStream *s, bool ask) {
  for (int i = 0; i < b->marks.n; i++) {
    const Mark *k = &b->marks.at[i];
    if (!is_ordered(k, s) && (!ask || progress_passed(k->s, k->seq) != 0))
      return false;
  }
  if (b->marks.n > 1)
    hazard_prune(&b->marks);
  return true;
}

/* A search. */
typedef struct CacheRequest {
  Cache *c;
  int bin;
  size_t bytes;
  const RtStream *s;
  bool ask;
} CacheRequest;

static bool fits (const CacheRequest *w, RtBlock *b) {
  return b->size >= w->bytes && is_usable(b, w->s, w->ask);
}

static RtBlock *look_at (const CacheRequest *w, const Shelf *shelf) {
  RtBlock *b = w->s != NULL ? shelf->newest : shelf->oldest;
  for (int i = 0; b != NULL && i < LOOK; i++) {
    if (fits(w, b))
      return b;
    b = w->s != NULL ? b->prev : b->next;
  }
  return NULL;
}

static RtBlock *look_around (const CacheRequest *w) {
  Shelf **turn = &w->c->ring[w->bin], *first = *turn;
  for (int i = 0; *turn != NULL && i < LOOK; i++) {
    Shelf *shelf = *turn;
    if (fits(w, shelf->oldest))
      return shelf->oldest;
    *turn = shelf->next;
    if (*turn == first)
      break;
  }
  return NULL;
}

static RtBlock *look_at_all (const CacheRequest *w) {
  RtBlock *b = NULL;
  while ((b = cache_next(w->c, w->bin, b)) != NULL)
    if (fits(w, b))
      return b;
  return NULL;
}

RtBlock *cache_take (Cache *c, int bin, size_t bytes, RtStream *s, bool all) {
  CacheRequest w = {c, bin, bytes, s, all};
  RtBlock *b = NULL;
  if (all) {
    b = look_at_all(&w);
  } else {
    const Shelf *own = (s != NULL) ? find(c, bin, s) : NULL;
    if (own != NULL)
      b = look_at(&w, own);
    if (b == NULL)
      b = look_at(&w, &c->common[bin]);
    if (b == NULL)
      b = look_around(&w);
    w.ask = true;
    if (b == NULL)
      b = look_around(&w);
    if (b == NULL)
      b = look_at(&w, &c->common[bin]);
  }
  if (b != NULL)
    cache_remove(c, b);
  return b;
}

/* ==} */

void cache_clear (Cache *c) {
  for (int bin = 0; bin < CACHE_BINS; bin++) {
    RtBlock *b;
    while ((b = cache_next(c, bin, NULL)) != NULL)
      cache_remove(c, b);
  }
  memset(c->given, 0, sizeof c->given);
}

void cache_free_shelves (RtStream *s) {
  for (int i = 0; i < STREAM_SHELVES; i++) {
    for (Shelf *shelf = s->shelves[i], *next; shelf != NULL; shelf = next) {
      next = shelf->sibling;
      free(shelf);
    }
  }
}
