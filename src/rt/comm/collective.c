/*
** collective.c - operations of communicators: the calls of the library, in a
** group, and what is remembered of them until they have passed.
**
** One operation of a stream makes the calls of all ranks that this process has
** in a communicator: the library wants them together. The other ranks' streams
** have an operation without calls before and after, which orders them.
*/
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"
#include "comm.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"

/* An error that says it: who waits for what was not done need not be told. */
static void note_told (const RtComm *c) {
  for (RtComm *d = c->dev->rt->comms; d != NULL; d = d->next)
    if (d->family == c->family)
      d->told = true;
}

Status rt_checkcomm (RtComm *c) {
  rt_askcomms(c->dev->rt);
  if (c->phase == COMM_OPEN)
    return 0;
  note_told(c);
  return rt_explain(c->dev->rt, RT_MISUSE, NULL, "the communicator has failed: "
                    "%s", c->why);
}

/* {== what is under way =============================================== */

static void write_place (const Runtime *rt, char place[COMM_PLACE]) {
  if (rt->source != NULL)
    snprintf(place, COMM_PLACE, "%s:%d", rt->source->text, rt->line);
  else
    snprintf(place, COMM_PLACE, "?");
}

static void add (RtComm *c, RtPending *p) {
  *c->last = p;
  c->last = &p->next;
  if (!c->counted) {
    c->counted = true;
    rt_countpending(c->dev, 1);
  }
}

/* A mark before it: time counts from when the device has passed that. */
static Status prepare (RtComm *c, RtStream *s, RtPending **out) {
  Status st = rt_enter(s->dev);
  if (st == 0)
    st = rt_marktail(s);
  if (st != 0)
    return st;
  RtPending *p = calloc(1, sizeof *p);
  if (p == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  p->before = (Point){s, s->seq};
  write_place(s->dev->rt, p->place);
  *out = p;
  (void)rt_isquiet(c);  /* what has passed is forgotten */
  return 0;
}

void rt_notegraphcomms (RtStream *s, const RtBody *body, uint64_t before) {
  Runtime *rt = s->dev->rt;
  for (RtComm *c = rt->comms; c != NULL; c = c->next) {
    for (int i = 0; i < body->naccess; i++) {
      RtPending *p = NULL;
      if (body->access[i].block != c->order ||
          (p = calloc(1, sizeof *p)) == NULL)
        continue;
      p->before = (Point){s, before};
      p->at = (Point){s, rt->stamp + 1};
      p->number = c->number;
      p->what = "graph:launch";
      p->launch = true;
      write_place(rt, p->place);
      add(c, p);
      break;
    }
  }
}

/* ==} */

static Status fail (const RtTogether *t, ncclResult_t r) {
  RtComm *c = t->comms[0];
  char text[NCCL_WHY] = "other ranks have not come to connect";
  if (r != ncclInProgress)
    snprintf(text, sizeof text, "ncclGroupEnd: %s",
             c->N->ncclGetErrorString(r));
  rt_failcomm(c, text);
  note_told(c);
  return rt_explain(c->dev->rt, RT_MISUSE, NULL, "%s", c->why);
}

static void announce (const RtTogether *t, const char *place) {
  for (int i = 0; i < t->ncomms; i++) {
    RtComm *c = t->comms[i];
    t->says[i].number = ++c->number;
    t->says[i].place = place;
    if (c->N->announce != NULL)
      c->N->announce(c->handle, &t->says[i]);
  }
}

static Status make_calls (const RtTogether *t, const char *place) {
  announce(t, place);
  ncclResult_t r = rt_makecalls(t);
  return (r == ncclSuccess) ? 0 : fail(t, r);
}

static Status queue_captured (RtStream *s, const RtTogether *t) {
  char place[COMM_PLACE];
  write_place(s->dev->rt, place);
  s->capture->body->collectives = true;
  return make_calls(t, place);
}

/* All memory that it takes to remember them is there before the calls. */
static Status queue_all (RtStream *s, const RtTogether *t) {
  Status st = 0;
  for (int i = 0; i < t->ncomms && st == 0; i++) {
    t->comms[i]->next_pending = NULL;
    st = prepare(t->comms[i], t->streams[i], &t->comms[i]->next_pending);
  }
  if (st == 0)
    st = rt_enter(s->dev);
  if (st == 0)
    st = make_calls(t, t->comms[0]->next_pending->place);
  for (int i = 0; i < t->ncomms; i++) {
    RtComm *c = t->comms[i];
    RtPending *p = c->next_pending;
    c->next_pending = NULL;
    if (st != 0 || p == NULL) {
      free(p);
      continue;
    }
    p->what = t->says[i].what;
    p->number = c->number;
    p->at = (Point){t->streams[i], s->dev->rt->stamp + 1};
    add(c, p);
  }
  return st;
}

/* Without calls it is an order only, of a rank whose calls another operation
** has made: that has passed when this one has. */
Status rt_queuecollective (RtStream *s, Op *op) {
  const RtTogether *t = op->u.collective.together;
  RtComm *c = op->u.collective.comm;
  if (t == NULL && c != NULL && c->first != NULL) {
    RtPending *p = c->first;
    while (p->next != NULL)
      p = p->next;
    p->at = (Point){s, s->dev->rt->stamp + 1};
  }
  if (t == NULL)
    return 0;
  return (s->capture != NULL) ? queue_captured(s, t) : queue_all(s, t);
}

void rt_tellcollective (const Op *op, char text[NODE_DETAIL]) {
  const RtTogether *t = op->u.collective.together;
  if (t != NULL)
    snprintf(text, NODE_DETAIL, "%zu %s, rank %d of %d", t->says[0].n,
             t->says[0].type, t->comms[0]->rank, t->comms[0]->size);
}
