/*
** branches.c - the streams that take part in a capture: how they enter and
** leave it, which of them has waited for which, and the events between them.
**
** A branch follows another one by waiting for a captured event, which the
** driver turns into an edge; the same edge is not made twice.
*/
#include "branches.h"

#include "graph_nodes.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/queue/enqueue.h"
#include "rt/queue/stream_pool.h"
#include "rt/wait/behind.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"

/* {== in and out ====================================================== */

/* The null stream is not to be used while a blocking stream captures: what it
** has done has an event by then. */
static Status mark_null (const RtStream *s) {
  bool last = (!s->nonblocking && rt_islegacyfree(s->dev));
  return last ? rt_marktail(s->dev->null) : 0;
}

Status rt_enterbranch (RtCapture *c, RtStream *s) {
  if (s == s->dev->fn)
    return rt_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, NULL,
                      "the stream of host functions takes no part in captures: "
                      "use one of yours");
  Status st = rt_enter(s->dev);
  if (st == 0)  /* later, events would be captured */
    st = rt_marktail(s);
  if (st == 0)
    st = mark_null(s);
  if (st != 0)
    return st;
  rt_retainstream(s);
  s->capture = c;
  s->captured_once = true;
  s->frontier = 0;
  s->segment = -1;
  s->captured.event = NULL;
  s->captured.seq = 0;
  return 0;
}

void rt_leavebranch (RtStream *s) {
  s->capture = NULL;
  s->captured.event = NULL;
  rt_dropstream(s);
}

Status rt_joinbranch (RtCapture *c, RtStream *s, const char *what) {
  if (s->kind == STREAM_NULL)
    return rt_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, what,
                      "the legacy null stream uses what is being captured");
  Status st = rt_checksent(s, what);
  return (st != 0) ? st : rt_enterbranch(c, s);
}

/* ==} */

/* {== from stream to stream =========================================== */

/* The driver's wait, after which 's' is at the union of its node set and
** 'set'. */
static Status wait (RtCapture *c, RtStream *s, CUevent event, int set) {
  int both;
  Status st = rt_joinsets(c->body, s->frontier, set, &both);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamWaitEvent(s->handle, event, 0);
  if (st != CUDA_SUCCESS)
    return rt_fail(s->dev->rt, st, "cuStreamWaitEvent");
  s->frontier = both;
  s->segment = c->segment;
  return 0;
}

Status rt_entersegment (RtCapture *c, RtStream *s) {
  if (s->segment == c->segment)
    return 0;
  Status st = rt_enter(s->dev);
  return (st != 0) ? st : wait(c, s, c->begun, c->cut_set);
}

/* Was (s, seq) captured before the latest host function? */
static bool is_before_cut (const RtCapture *c, uint64_t seq) {
  return c->segment > 0 && seq <= c->cut;
}

bool rt_hascrossed (const RtCapture *c, const RtStream *s, const RtStream *t,
                    uint64_t seq) {
  if (s == t || (is_before_cut(c, seq) && s->segment == c->segment))
    return true;
  for (int i = c->ncrossings - 1; i >= 0; i--) {
    const Crossing *x = &c->crossings[i];
    if (x->s == s && x->t == t && x->seq >= seq)
      return true;
  }
  return false;
}

Status rt_recordcaptured (RtCapture *c, RtStream *t, CUevent *event) {
  Status st = rt_room(t->dev->rt, &c->events, c->nevents, sizeof *c->events);
  if (st == 0)
    st = rt_recordnew(t->dev, t->handle, event);
  if (st == 0)
    c->events[c->nevents++] = (Lent){t->dev, *event};
  return st;
}

/* An event that stands for everything captured on 't' so far. */
static Status record_tail (RtCapture *c, RtStream *t) {
  Runtime *rt = t->dev->rt;
  CUevent event;
  Status st = rt_recordcaptured(c, t, &event);
  if (st != 0)
    return st;
  t->captured.event = event;
  t->captured.seq = rt->stamp;
  t->captured_set = t->frontier;
  return 0;
}

Status rt_followbranch (RtCapture *c, RtStream *s, RtStream *t,
                        uint64_t seq) {
  Runtime *rt = s->dev->rt;
  if (rt_hascrossed(c, s, t, seq))
    return 0;
  if (is_before_cut(c, seq))
    return rt_entersegment(c, s);
  Status st = rt_room(rt, &c->crossings, c->ncrossings, sizeof *c->crossings);
  if (st == 0 && (t->captured.event == NULL || t->captured.seq < seq))
    st = record_tail(c, t);
  if (st == 0)
    st = rt_enter(s->dev);
  if (st == 0)
    st = wait(c, s, t->captured.event, t->captured_set);
  if (st != 0)
    return st;
  c->crossings[c->ncrossings++] = (Crossing){s, t, t->captured.seq};
  return 0;
}

Status rt_capturejoin (RtStream *s, RtStream *t, const char *what) {
  Runtime *rt = s->dev->rt;
  if (t->capture == NULL)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, what);
  if (s->capture != NULL && s->capture != t->capture)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_MERGE, what);
  bool joined = (s->capture == NULL);
  Status st = joined ? rt_joinbranch(t->capture, s, what) : 0;
  if (st != 0)
    return st;
  st = rt_followbranch(t->capture, s, t, rt->stamp);
  if (st != 0 && joined)
    rt_leavebranch(s);
  return st;
}

/* ==} */

/* {== users' events =================================================== */

static Status check_event (Runtime *rt, const RtCapture *c, const Op *op) {
  const RtEvent *e = op->u.event;
  if (e->capture == c->id)
    return 0;
  if (e->capture == 0)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, op->name);
  return rt_fail(rt, rt_findcapture(rt, e->capture) != NULL ?
                 CUDA_ERROR_STREAM_CAPTURE_MERGE : CUDA_ERROR_CAPTURED_EVENT,
                 op->name);
}

Status rt_capturewait (RtCapture *c, RtStream *s, Op *op) {
  const RtEvent *e = op->u.event;
  Status st = check_event(s->dev->rt, c, op);
  if (st == 0 && is_before_cut(c, e->seq))
    return rt_entersegment(c, s);
  return (st != 0) ? st : wait(c, s, e->handle, e->frontier);
}

Status rt_capturerecord (RtCapture *c, RtStream *s, Op *op) {
  RtEvent *e = op->u.event;
  if (e->timeline != NULL)  /* CUDA refuses its own as well */
    return rt_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                      op->name, "the event is an interprocess one");
  Status st = rt_enqueue(s, op);
  if (st != 0)
    return st;
  e->s = s;
  e->seq = ++s->dev->rt->stamp;
  e->capture = c->id;
  e->frontier = s->frontier;
  return 0;
}

/* ==} */
