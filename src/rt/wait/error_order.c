/*
** error_order.c - which operations a wait comes after, for errors that are
** found late: of host functions and of kernels.
**
** DESIGN. An error belongs to an operation, and is raised by a wait for
** anything that comes after that, also by way of other streams. While there
** are errors, or operations that may have some, a stream keeps a list of the
** streams that its operations come after: by the memory that they use, or by
** waits. Memory that was given back and has another owner orders operations,
** but hands on no error. The waits of progress.c are not enough: they are
** forgotten once they are done, and tell of direct ones only.
**
** An entry has an operation of the other stream, and the first of the own ones
** that comes after it. So a wait for an earlier operation does not follow it.
** There are several for one stream if later operations come after more of it.
*/
#include "error_order.h"

#include <stdlib.h>

#include "rt/driver/grow.h"
#include "rt/driver/status.h"

enum { LEAST = 4 };

enum { EACH = 8 }; /* entries for one stream */

/* Tells whether the list is of errors that are all reported. */
static bool is_old (const RtStream *s) {
  return s->nbehind == 0 || s->behind_errors != s->dev->rt->reported;
}

/* Tells whether no error can come by way of the stream. */
static bool is_clean (const RtStream *s) { return s->errors == 0 && is_old(s); }

static void prune (RtStream *s) {
  int n = 0;
  for (int i = 0; i < s->nbehind; i++)
    if (!is_clean(s->behind[i].s))
      s->behind[n++] = s->behind[i];
  s->nbehind = n;
}

/* Changes an entry that says less than the new one, unless there is one that
** says as much. False: there is neither. */
static bool replace (RtStream *s, uint64_t from, Point at) {
  for (int i = 0; i < s->nbehind; i++) {
    Behind *b = &s->behind[i];
    if (b->s != at.s)
      continue;
    if (b->seq >= at.seq && b->from <= from)
      return true;
    if (b->seq <= at.seq && b->from >= from) {
      b->seq = at.seq;
      b->from = from;
      return true;
    }
  }
  return false;
}

/* Puts the entry in the place of the earliest for its stream, which the next
** one takes over, if there are EACH: a wait for an early operation may follow
** that one too far. False: there are fewer. */
static bool merge (RtStream *s, uint64_t from, Point at) {
  Behind *first = NULL, *next = NULL;
  int n = 0;
  for (int i = 0; i < s->nbehind; i++) {
    Behind *b = &s->behind[i];
    if (b->s != at.s)
      continue;
    n++;
    if (first == NULL || b->seq < first->seq) {
      next = first;
      first = b;
    } else if (next == NULL || b->seq < next->seq) {
      next = b;
    }
  }
  if (n < EACH)
    return false;
  if (next->from > first->from)
    next->from = first->from;
  *first = (Behind){at.s, at.seq, from};
  return true;
}

static Status add (RtStream *s, uint64_t from, Point at) {
  if (s->nbehind == s->capbehind)
    prune(s);
  if (!grow_list(&s->behind, &s->capbehind, s->nbehind + 1, sizeof *s->behind,
                 LEAST))
    return status_fail(s->dev->rt, RT_NOMEM, NULL);
  s->behind[s->nbehind++] = (Behind){at.s, at.seq, from};
  return 0;
}

Status error_order_note (RtStream *s, uint64_t from, Point at) {
  if (at.s == s || is_clean(at.s))
    return 0;
  if (is_old(s))
    error_order_forget(s);
  s->behind_errors = s->dev->rt->reported;
  return replace(s, from, at) || merge(s, from, at) ? 0 : add(s, from, at);
}

void error_order_forget (RtStream *s) { s->nbehind = 0; }

void error_order_free (RtStream *s) {
  free(s->behind);
  s->behind = NULL;
  s->nbehind = s->capbehind = 0;
}

static bool reach (Point *points, const RtStream *t, uint64_t seq) {
  if (points[t->id].seq >= seq)
    return false;
  points[t->id].seq = seq;
  return true;
}

/* Adds what the driver orders before (s, seq): between the legacy stream and
** blocking ones, if nothing came later on the legacy stream. */
static bool reach_legacy (const RtStream *s, uint64_t seq, Point *points) {
  const Runtime *rt = s->dev->rt;
  const RtStream *null = s->dev->null;
  bool some = false;
  if (null != NULL && null->seq <= seq && deferral_is_legacy_pair(s, null))
    some |= reach(points, null, null->seq);
  for (int i = 0; s == null && i < rt->nstreams; i++)
    if (deferral_is_legacy_pair(s, rt->streams[i]))
      some |= reach(points, rt->streams[i], seq);
  return some;
}

/* Adds what a stream that was reached comes after. */
static bool spread (const RtStream *s, Point *points) {
  const uint64_t seq = points[s->id].seq;
  bool some = reach_legacy(s, seq, points);
  for (int i = 0; i < s->nbehind && !is_old(s); i++) {
    const Behind *b = &s->behind[i];
    if (b->from <= seq)
      some |= reach(points, b->s, b->seq < seq ? b->seq : seq);
  }
  return some;
}

void error_order_find (const RtStream *s, uint64_t seq) {
  Runtime *rt = s->dev->rt;
  bool some = true;
  for (int i = 0; i < rt->nstreams; i++)
    rt->points[i].seq = 0;
  rt->points[s->id].seq = seq;
  while (some) {
    some = false;
    for (int i = 0; i < rt->nstreams; i++)
      if (rt->points[i].seq > 0)
        some |= spread(rt->streams[i], rt->points);
  }
}
