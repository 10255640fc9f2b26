/*
** progress.c - how far a stream is known to be, and how far it has waited for
** other streams. Queues nothing but the events that mark its tail.
**
** DESIGN. The streams that a stream has waited for are in a table of pairs of
** places; the id of a stream selects its pair. If both places hold waits for
** work that may be under way, the table grows, up to WAITED_MOST places. Then
** the older wait is forgotten, which costs no more than waiting again, on the
** device. So a stream may meet any number of others.
*/
#include "progress.h"

#include <stdlib.h>
#include <string.h>

#include "deferral.h"
#include "event_pool.h"
#include "rt/driver/context.h"
#include "rt/driver/fault.h"
#include "rt/driver/grow.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "watcher.h"

enum { TAILS_FEW = 8, WAITED_MOST = 64 };

bool progress_legacy_is_free (const RtDevice *dev) {
  const Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams && rt->ncaptures > 0; i++) {
    const RtStream *s = rt->streams[i];
    if (s->capture != NULL && s->dev == dev && !s->nonblocking)
      return false;
  }
  return true;
}

Status progress_check_legacy (RtStream *s, const char *what) {
  if (s->kind != STREAM_NULL || progress_legacy_is_free(s->dev))
    return 0;
  return status_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, what);
}

static Status reserve_tails (RtStream *s) {
  return grow_list(&s->tails, &s->captails, s->ntails + 1, sizeof *s->tails,
                   TAILS_FEW)
           ? 0
           : status_fail(s->dev->rt, RT_NOMEM, NULL);
}

/* Asks about the middle tail, so that half of the list may go at once. A query
** takes longer than queueing a launch (1.4 us, H200, driver 580). */
static Status poll_tails (RtStream *s) {
  const Tail *at = &s->tails[s->ntails / 2];
  Status st = context_enter(s->dev);
  if (st == 0 && s->dev->D->cuEventQuery(at->event) == CUDA_SUCCESS)
    progress_set_done(s, at->seq);
  return st;
}

const Tail *progress_find_tail (const RtStream *s, uint64_t seq) {
  int low = 0, high = s->ntails;
  if (high == 0 || s->tails[high - 1].seq < seq)
    return NULL;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (s->tails[middle].seq < seq)
      low = middle + 1;
    else
      high = middle;
  }
  return &s->tails[low];
}

/* Records a new tail. Leaves the device of 's' current. */
static Status new_tail (RtStream *s, Tail *at) {
  Status st = progress_check_legacy(s, "cuEventRecord");
  if (st == 0 && s->ntails == s->captails && s->ntails >= TAILS_FEW)
    st = poll_tails(s);
  if (st == 0)
    st = reserve_tails(s);
  if (st == 0)
    st = event_pool_record(s->dev, s->handle, &at->event);
  if (st != 0)
    return st;
  at->seq = s->sent;
  s->tails[s->ntails++] = *at;
  return 0;
}

/* Leaves the device current that was current before, because the caller may be
** at work on another device than that of 's'. */
Status progress_tail (RtStream *s, uint64_t seq, Tail *at) {
  RtDevice *before = s->dev->rt->current;
  const Tail *found = progress_find_tail(s, seq);
  if (found != NULL) {
    *at = *found;
    return 0;
  }
  Status st = new_tail(s, at);
  if (st == 0 && before != NULL && before != s->dev)
    st = context_enter(before);
  return st;
}

Status progress_mark_tail (RtStream *s) {
  Tail at;
  return (s->sent > s->done) ? progress_tail(s, s->sent, &at) : 0;
}

void progress_set_done (RtStream *s, uint64_t seq) {
  if (seq <= s->done)
    return;
  s->done = seq;
  if (watcher_has(s, seq))
    watcher_remove(s);
  int n = 0;
  while (n < s->ntails && s->tails[n].seq <= seq)
    event_pool_return(s->dev, s->tails[n++].event);
  if (n == 0)
    return;
  s->ntails -= n;
  memmove(s->tails, s->tails + n, (size_t)s->ntails * sizeof *s->tails);
}

Status progress_passed (RtStream *s, uint64_t seq) {
  Tail at;
  if (seq <= s->done)
    return 0;
  if (deferral_keeps(s, seq))
    return (s->dev->fault.code != 0) ? fault_repeat(s->dev)
                                     : CUDA_ERROR_NOT_READY;
  if (seq > s->sent) /* a number of another stream */
    seq = s->sent;
  if (seq <= s->done)
    return 0;
  const Tail *found = progress_find_tail(s, seq);
  if (found == NULL && s->capture != NULL)
    return CUDA_ERROR_NOT_READY;
  if (found != NULL)
    at = *found;
  Status st = (found != NULL) ? context_enter(s->dev) : new_tail(s, &at);
  if (st != 0)
    return st;
  st = s->dev->D->cuEventQuery(at.event);
  if (st == CUDA_SUCCESS)
    progress_set_done(s, at.seq);
  else
    status_fail(s->dev->rt, st, "cuEventQuery");
  return st;
}

/* Asks only about recorded events: one recorded now would come too late. */
bool progress_null_passed (const RtStream *s, uint64_t seq) {
  RtStream *null = s->dev->null;
  if (s->nonblocking || s->kind == STREAM_NULL)
    return false;
  const Tail *at = progress_find_tail(null, seq);
  if (seq > null->done && at != NULL &&
      s->dev->D->cuEventQuery(at->event) == CUDA_SUCCESS)
    progress_set_done(null, at->seq);
  return seq <= null->done;
}

/* Tells whether nothing runs on the device any more. A device is not waited for
** at close. */
static bool is_useless (const RtDevice *dev) {
  return dev->fault.code != 0 || shared_is_dead(dev) ||
         context_is_forked(dev->rt) || dev->rt->closing;
}

bool progress_is_over (RtStream *s, uint64_t seq) {
  Status st = progress_passed(s, seq);
  if (st != 0 && st != CUDA_ERROR_NOT_READY)
    st = progress_passed(s, seq);
  return st == 0 || (st != CUDA_ERROR_NOT_READY && is_useless(s->dev));
}

/* Leaves a query of the null stream unnoted: it need not hold for blocking
** streams. An event on the null stream does (progress_null_passed). */
Status progress_query (RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->capture != NULL)
    return status_fail(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
  uint64_t seq = s->seq;
  Status st = progress_check_legacy(s, what);
  if (st == 0)
    st = context_enter(s->dev);
  if (st != 0)
    return st;
  if (s->kept != NULL || deferral_older_partner(s, UINT64_MAX) != NULL)
    return CUDA_ERROR_NOT_READY;
  if (seq <= s->done && !s->exposed && s->kind != STREAM_NULL)
    return 0; /* the driver's thread may not have left its callback yet */
  st = s->dev->D->cuStreamQuery(s->handle);
  if (st != CUDA_SUCCESS)
    return status_fail(rt, st, "cuStreamQuery");
  if (s->kind != STREAM_NULL)
    progress_set_done(s, seq);
  return 0;
}

/* {== the streams that a stream has waited for ======================== */

/* Returns the place to forget first: a wait that is done, else the older
** one. */
static Point *worse_of (Point *a, Point *b) {
  if (a->s == NULL || a->seq <= a->s->done)
    return a;
  if (b->s == NULL || b->seq <= b->s->done)
    return b;
  return (a->seq < b->seq) ? a : b;
}

/* Returns the place in the table of 's' for a stream that has none yet. */
static Point *find_place (const RtStream *s, const RtStream *t) {
  return worse_of(progress_wait_entry(s, t, 0), progress_wait_entry(s, t, 1));
}

static bool is_wanted (const Point *p) {
  return p->s != NULL && p->seq > p->s->done;
}

/* Doubles the table. If memory is short it stays as it is. */
static void grow_waited (RtStream *s) {
  unsigned n = s->nwaited;
  Point *old = s->waited, *new = calloc(2 * n, sizeof *new);
  if (new == NULL)
    return;
  s->waited = new;
  s->nwaited = 2 * n;
  for (unsigned i = 0; i < n; i++)
    if (old[i].s != NULL)
      *find_place(s, old[i].s) = old[i];
  if (old != s->met)
    free(old);
}

/* Makes a place for a stream that has none. */
static Point *new_place (RtStream *s, RtStream *t) {
  Point *p = find_place(s, t);
  if (is_wanted(p) && s->nwaited < WAITED_MOST) {
    grow_waited(s);
    p = find_place(s, t);
  }
  p->s = t;
  return p;
}

void progress_note_wait (RtStream *s, RtStream *t, uint64_t seq) {
  Point *p = progress_wait_entry(s, t, 0);
  if (p->s != t)
    p = progress_wait_entry(s, t, 1);
  if (p->s != t)
    p = new_place(s, t);
  p->seq = seq;
}

void progress_forget_waits (RtStream *s) {
  if (s->waited != s->met)
    free(s->waited);
  s->waited = s->met;
  s->nwaited = WAITED_FEW;
  memset(s->met, 0, sizeof s->met);
}

/* ==} */
