/*
** hazard.c - per block, which operations may still be under way, and which of
** them an access has to wait for. Pure: calls no driver, touches no stream.
**
** DESIGN. A MarkSet holds marks (stream, seq, byte range, read or write).
** - A read waits for the writes it overlaps, a write for every use it
**    overlaps. Operations of one stream are ordered by the stream itself, so
**    marks of the accessing stream are never waited for: in a program with one
**    stream an access costs a compare or two.
** - After a write, the marks it covers are dropped: the write has waited for
**    them, so a wait for the write is a wait for them too. A read replaces
**    earlier reads by its own stream that it covers. Beyond MARKS_FEW marks it
**    is only added, and the covered ones go when room is needed. So a read
**    costs no more with a thousand streams than with ten.
** - Marks known to be done are dropped when room is needed. Past MARKS_MAX the
**    marks of one stream and mode are merged into the range that spans them:
**    that may order too much, never too little. In page-locked memory merging
**    begins past EXACT_MAX, because host functions are refused ranges that
**    others use.
** After tinygrad's tracker of (buffer, range) dependencies, with sequence
** numbers in place of a graph.
*/
#include "hazard.h"

#include <stdlib.h>
#include <string.h>

#include "rt/driver/grow.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/error_order.h"
#include "rt/wait/progress.h"

#if !defined(MARKS_MAX)
#define MARKS_MAX 24 /* marks kept exactly; beyond, ranges are merged */
#endif

enum { EXACT_MAX = 1024 };

void hazard_add_point (Point *list, int *n, RtStream *s, uint64_t seq) {
  for (int i = 0; i < *n; i++) {
    if (list[i].s == s) {
      if (list[i].seq < seq)
        list[i].seq = seq;
      return;
    }
  }
  list[*n].s = s;
  list[*n].seq = seq;
  (*n)++;
}

enum { SORTED_FEW = 8 }; /* by hand: a call takes longer */

static int by_block (const void *x, const void *y) {
  uintptr_t a = (uintptr_t)((const Access *)x)->block;
  uintptr_t b = (uintptr_t)((const Access *)y)->block;
  return (a > b) - (a < b);
}

void hazard_sort (Access *list, int n) {
  if (n > SORTED_FEW) {
    qsort(list, (size_t)n, sizeof *list, by_block);
    return;
  }
  for (int i = 1; i < n; i++) {
    Access a = list[i];
    int k = i;
    for (; k > 0 && by_block(&a, &list[k - 1]) < 0; k--)
      list[k] = list[k - 1];
    list[k] = a;
  }
}

bool hazard_conflicts (const Mark *k, const Access *a) {
  return (a->write || k->write) && k->lo < a->off + a->len && a->off < k->hi;
}

static bool covers (const Access *a, const Mark *k) {
  return a->off <= k->lo && k->hi <= a->off + a->len;
}

/* Tells whether a host function of another stream, queued after this use and
** not run yet, may still need the mark when it accesses the memory
** (host_access_ready). */
static bool is_wanted (const Mark *k) {
  const Runtime *rt = k->s->dev->rt;
  return rt->nkept > 0 && k->seq < rt->newest_function && k->seq > k->s->done;
}

void hazard_collect (const MarkSet *m, const Access *a, const RtStream *s,
                     Point *list, int *n) {
  for (int i = 0; i < m->n; i++) {
    const Mark *k = &m->at[i];
    if (k->s != s && hazard_conflicts(k, a) && k->seq > k->s->done &&
        !progress_has_waited(s, k->s, k->seq))
      hazard_add_point(list, n, k->s, k->seq);
  }
}

Status hazard_note_errors (const MarkSet *m, const Access *a, RtStream *s) {
  Status st = 0;
  for (int i = 0; i < m->n && st == 0; i++) {
    const Mark *k = &m->at[i];
    if (k->seq > m->since && hazard_conflicts(k, a))
      st = error_order_note(s, s->dev->rt->stamp + 1, (Point){k->s, k->seq});
  }
  return st;
}

void hazard_remove (MarkSet *m, int i) {
  m->writes -= m->at[i].write;
  m->at[i] = m->at[--m->n];
}

/* Tells whether the memory may still hand on an error of the operation, which
** need not have been found yet. */
static bool hands_on_errors (const MarkSet *m, const Mark *k) {
  return k->write && k->seq > m->since && k->s->dev->rt->errors > 0;
}

/* Drops uses that are done; if 'errors', none that may hand some on. */
static void prune (MarkSet *m, bool errors) {
  int j = 0;
  for (int i = 0; i < m->n; i++) {
    const Mark *k = &m->at[i];
    if (k->seq > k->s->done || (errors && hands_on_errors(m, k)))
      m->at[j++] = *k;
    else
      m->writes -= k->write;
  }
  m->n = j;
}

void hazard_prune (MarkSet *m) { prune(m, false); }

/* Returns the mark from at[lo] on that has k's stream and mode, or NULL. */
static Mark *slot_of (MarkSet *m, const Mark *k, int lo) {
  int i = k->s->slot[k->write];
  if (i < lo || i >= m->n || m->at[i].s != k->s || m->at[i].write != k->write)
    return NULL;
  return &m->at[i];
}

/* Tells whether a read is covered by a later mark of its stream. The list need
** not be in order: see hazard_remove. */
static bool is_covered (const Mark *k, const Mark *by) {
  return !k->write && by->seq >= k->seq && by->lo <= k->lo && k->hi <= by->hi &&
         !is_wanted(k);
}

/* Merges the marks of each stream and mode into one that spans them: 'all', or
** only reads that it covers already. */
static void merge (MarkSet *m, bool all) {
  int j = m->n;
  for (int i = m->n - 1; i >= 0; i--) {
    Mark k = m->at[i], *into = slot_of(m, &k, j);
    if (into == NULL || !(all || is_covered(&k, into))) {
      k.s->slot[k.write] = --j;
      m->at[j] = k;
      continue;
    }
    m->writes -= k.write;
    if (k.lo < into->lo)
      into->lo = k.lo;
    if (k.hi > into->hi)
      into->hi = k.hi;
    if (k.seq > into->seq)
      into->seq = k.seq;
  }
  m->n -= j;
  memmove(m->at, m->at + j, (size_t)m->n * sizeof(Mark));
}

Status hazard_reserve (MarkSet *m, int more) {
  if (m->at == NULL) {
    m->at = m->room;
    m->cap = sizeof m->room / sizeof m->room[0];
  }
  if (m->n + more <= m->cap)
    return 0;
  prune(m, true);
  merge(m, false);
  if (m->n >= (m->exact ? EXACT_MAX : MARKS_MAX))
    merge(m, true);
  int room = (m->cap > MARKS_MAX) ? m->cap / 2 : m->cap; /* room for a while */
  if (m->n + more <= room)
    return 0;
  bool grown = grow_now(m->room, &m->at, &m->cap, m->n + more, sizeof *m->at,
                        1);
  return grown ? 0 : RT_NOMEM;
}

/* Tells whether access 'a' by 's' makes that mark superfluous. */
static bool stands_for (const Access *a, const RtStream *s, const Mark *k) {
  bool may = a->write || (!k->write && k->s == s);
  return may && covers(a, k) && !is_wanted(k);
}

bool hazard_replaces (const Op *op, const Access *a) {
  return a->write && (a->blind || op->kind == OP_COPY || op->kind == OP_ZERO ||
                      op->kind == OP_FILE);
}

/* Kernels of tide's own that write a part of an array leave the rest as it
** is. */
bool hazard_depends (const Op *op, const Access *a) {
  bool ours = (op->kind == OP_LAUNCH && !op->foreign);
  return !a->blind && !hazard_replaces(op, a) && !(a->write && ours);
}

/* Drops the marks that the access replaces. Not inlined, so that hazard_note
** mostly needs no stack frame. */
__attribute__((noinline)) static void
drop_replaced (MarkSet *m, const Access *a, const RtStream *s) {
  bool searched = a->write || m->n <= MARKS_FEW;
  int j = searched ? 0 : m->n;
  for (int i = j; i < m->n; i++) {
    const Mark *k = &m->at[i];
    if (stands_for(a, s, k)) {
      m->writes -= k->write;
      continue;
    }
    if (j < i)
      m->at[j] = *k;
    j++;
  }
  m->n = j;
}

void hazard_note (MarkSet *m, const Access *a, RtStream *s, uint64_t seq) {
  Mark *k = (m->n > 0) ? &m->at[m->n - 1] : NULL; /* mostly the only one */
  if (k != NULL && (m->n == 1 || !a->write) && stands_for(a, s, k)) {
    m->writes -= k->write;
  } else {
    drop_replaced(m, a, s);
    k = &m->at[m->n++];
  }
  k->s = s;
  k->seq = seq;
  k->lo = a->off;
  k->hi = a->off + a->len;
  k->write = a->write;
  m->writes += a->write;
}

void hazard_free (MarkSet *m) {
  if (m->at != m->room)
    free(m->at);
  m->at = NULL;
  m->n = m->cap = m->writes = 0;
}
