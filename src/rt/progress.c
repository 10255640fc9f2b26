/*
** progress.c - how far a stream is known to be, and how far it has waited for
** others. Queues nothing but the events that mark its tail.
*/
#include "progress.h"

#include <stdlib.h>
#include <string.h>

#include "branches.h"
#include "events.h"
#include "runtime.h"

enum { TAILS_FEW = 8 };

static Status reserve_tails (RtStream *s) {
  if (s->ntails < s->captails)
    return 0;
  int cap = s->captails > 0 ? 2 * s->captails : TAILS_FEW;
  Tail *tails = realloc(s->tails, (size_t)cap * sizeof *tails);
  if (tails == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  s->tails = tails;
  s->captails = cap;
  return 0;
}

/* Asks about the middle one, as a query takes longer than a launch does to
** queue (1.4 us, H200, driver 580): half of the list may go at once. */
static void poll_tails (RtStream *s) {
  const Tail *at = &s->tails[s->ntails / 2];
  if (s->dev->D->cuEventQuery(at->event) == CUDA_SUCCESS)
    rt_setdone(s, at->seq);
}

Status rt_tail (RtStream *s, uint64_t seq, Tail *at) {
  int i = s->ntails;
  while (i > 0 && s->tails[i - 1].seq >= seq)
    i--;
  if (i < s->ntails) {
    *at = s->tails[i];
    return 0;
  }
  if (s->ntails == s->captails && s->ntails >= TAILS_FEW)
    poll_tails(s);
  CUevent event;
  Status st = rt_checklegacy(s, "cuEventRecord");
  if (st == 0)
    st = reserve_tails(s);
  if (st == 0)
    st = rt_lendevent(s->dev, &event);
  if (st != 0)
    return st;
  st = s->dev->D->cuEventRecord(event, s->handle);
  if (st != CUDA_SUCCESS) {
    rt_returnevent(s->dev, event);
    return rt_fail(s->dev->rt, st, "cuEventRecord");
  }
  at->event = event;
  at->seq = s->seq;
  s->tails[s->ntails++] = *at;
  return 0;
}

void rt_setdone (RtStream *s, uint64_t seq) {
  if (seq <= s->done)
    return;
  s->done = seq;
  int n = 0;
  while (n < s->ntails && s->tails[n].seq <= seq)
    rt_returnevent(s->dev, s->tails[n++].event);
  if (n == 0)
    return;
  s->ntails -= n;
  memmove(s->tails, s->tails + n, (size_t)s->ntails * sizeof *s->tails);
}

Status rt_passed (RtStream *s, uint64_t seq) {
  Tail at;
  if (seq <= s->done)
    return 0;
  if (s->capture != NULL &&
      (s->ntails == 0 || s->tails[s->ntails - 1].seq < seq))
    return CUDA_ERROR_NOT_READY;
  Status st = rt_enter(s->dev);
  if (st == 0)
    st = rt_tail(s, seq, &at);
  if (st != 0)
    return st;
  st = s->dev->D->cuEventQuery(at.event);
  if (st == CUDA_SUCCESS)
    rt_setdone(s, at.seq);
  else
    rt_fail(s->dev->rt, st, "cuEventQuery");
  return st;
}

Status rt_querystream (RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->capture != NULL)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
  uint64_t seq = s->seq;
  Status st = rt_checklegacy(s, what);
  if (st == 0)
    st = rt_enter(s->dev);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamQuery(s->handle);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuStreamQuery");
  rt_setdone(s, seq);
  return 0;
}

uint64_t rt_waitedfor (const RtStream *s, const RtStream *t) {
  return (t->id < s->nwaited) ? s->waited[t->id] : 0;
}

Status rt_reservewaited (RtStream *s, const RtStream *t) {
  if (t->id < s->nwaited)
    return 0;
  int n = s->dev->rt->capstreams;
  uint64_t *waited = realloc(s->waited, (size_t)n * sizeof *waited);
  if (waited == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  memset(waited + s->nwaited, 0, (size_t)(n - s->nwaited) * sizeof *waited);
  s->waited = waited;
  s->nwaited = n;
  return 0;
}
