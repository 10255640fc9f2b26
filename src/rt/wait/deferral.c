/*
** deferral.c - finds the operations that come after host functions that have
** not run. They come after one on its stream, by the points that operations
** wait for, and by the driver's own order of the legacy stream and blocking
** streams. Calls no driver.
*/
#include "deferral.h"

#include "rt/memory/block_types.h"
#include "wait.h"

enum {
  KEPT_MOST = 1 << 16,   /* operations of a Runtime */
  KEPT_BYTES = 256 << 20 /* bytes that only these operations hold */
};

bool deferral_is_legacy_pair (const RtStream *s, const RtStream *t) {
  return s != t && s->dev == t->dev && !s->nonblocking && !t->nonblocking &&
         (s->kind == STREAM_NULL || t->kind == STREAM_NULL);
}

RtStream *deferral_older_partner (const RtStream *s, uint64_t seq) {
  RtStream *t = s->dev->rt->keepers;
  while (t != NULL && !(deferral_is_legacy_pair(s, t) && t->kept->seq < seq))
    t = t->next_keeper;
  return t;
}

const Point *deferral_find_unsent (const Point *points, int n) {
  for (int i = 0; i < n; i++)
    if (deferral_keeps(points[i].s, points[i].seq))
      return &points[i];
  return NULL;
}

bool deferral_is_needed (const RtStream *s, const Op *op, const Point *points,
                         int n) {
  return deferral_count_functions(op) > 0 || s->kept != NULL ||
         deferral_find_unsent(points, n) != NULL ||
         deferral_older_partner(s, UINT64_MAX) != NULL;
}

Status deferral_check_sent (RtStream *s, const char *what) {
  RtStream *t = (s->kept != NULL) ? s : deferral_older_partner(s, UINT64_MAX);
  return (t == NULL) ? 0 : wait_block(s->dev, WAIT_SENT, t, t->seq, what);
}

bool deferral_has_room (const Runtime *rt) {
  int most = KEPT_MOST;
#if defined(TIDE_TESTING)
  if (rt->most_kept > 0 && rt->running == NULL)
    most = rt->most_kept;
#endif
  return rt->nkept < most && rt->kept_bytes < KEPT_BYTES;
}

const Mark *deferral_find_use (const MarkSet *m) {
  for (int i = 0; i < m->n; i++)
    if (deferral_keeps(m->at[i].s, m->at[i].seq))
      return &m->at[i];
  return NULL;
}

/* {== all operations behind one ======================================= */

/* Tells whether the driver has k behind an operation that 't' keeps. */
static bool follows_legacy (const RtKept *k, const RtStream *t,
                            const Point *from) {
  return t->kept != NULL && deferral_is_legacy_pair(k->s, t) &&
         from[t->id].seq < k->seq;
}

static bool follows (const RtKept *k, const Point *from) {
  for (int i = 0; i < k->nafter; i++)
    if (from[k->after[i].s->id].seq <= k->after[i].seq)
      return true;
  if (k->s->kind != STREAM_NULL)
    return follows_legacy(k, k->s->dev->null, from);
  const RtStream *t = k->s->dev->rt->keepers;
  while (t != NULL && !follows_legacy(k, t, from))
    t = t->next_keeper;
  return t != NULL;
}

/* Moves the point from which 's' is behind to an earlier operation. Returns
** false if there is no earlier one. */
static bool look_at (const RtStream *s, Point *from) {
  uint64_t before = from[s->id].seq;
  const RtKept *k = s->kept;
  while (k != NULL && k->seq < before && !follows(k, from))
    k = k->next;
  if (k == NULL || k->seq >= before)
    return false;
  from[s->id].seq = k->seq;
  return true;
}

void deferral_find_after (Runtime *rt, Point at) {
  bool more = true;
  for (int i = 0; i < rt->nstreams; i++)
    rt->points[i].seq = UINT64_MAX;
  rt->points[at.s->id].seq = at.seq;
  while (more) {
    more = false;
    for (const RtStream *s = rt->keepers; s != NULL; s = s->next_keeper)
      more |= look_at(s, rt->points);
  }
}

/* ==} */
