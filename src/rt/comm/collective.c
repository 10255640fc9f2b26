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
#include <time.h>

#include "comm.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"

enum { SPIN_NS = 200000, NAP_NS = 20000 };

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

/* {== the calls ======================================================= */

static ncclResult_t call (const RtTogether *t, const RtCollective *x) {
  const RtComm *c = t->comms[x->at];
  const Nccl *N = c->N;
  CUstream s = t->streams[x->at]->handle;
  const void *from = (const void *)(uintptr_t)x->from;
  void *to = (void *)(uintptr_t)x->to;
  switch (x->kind) {
    case COLLECTIVE_ALL_REDUCE:
      return N->ncclAllReduce(from, to, x->n, x->type, x->op, c->handle, s);
    case COLLECTIVE_REDUCE:
      return N->ncclReduce(from, to, x->n, x->type, x->op, x->peer, c->handle,
                           s);
    case COLLECTIVE_BROADCAST:
      return N->ncclBroadcast(from, to, x->n, x->type, x->peer, c->handle, s);
    case COLLECTIVE_ALL_GATHER:
      return N->ncclAllGather(from, to, x->n, x->type, c->handle, s);
    case COLLECTIVE_REDUCE_SCATTER:
      return N->ncclReduceScatter(from, to, x->n, x->type, x->op, c->handle, s);
    case COLLECTIVE_SEND:
      return N->ncclSend(from, x->n, x->type, x->peer, c->handle, s);
    case COLLECTIVE_RECV:
      return N->ncclRecv(to, x->n, x->type, x->peer, c->handle, s);
  }
  return ncclInvalidArgument;
}

static bool is_error (ncclResult_t r) {
  return r != ncclSuccess && r != ncclInProgress;
}

/* What goes wrong inside of a group is said at its end. */
static ncclResult_t call_all (const RtTogether *t) {
  const Nccl *N = t->comms[0]->N;
  ncclResult_t r = N->ncclGroupStart();
  if (r != ncclSuccess)
    return r;
  for (int i = 0; i < t->ncalls && !is_error(r); i++)
    r = call(t, &t->calls[i]);
  ncclResult_t end = N->ncclGroupEnd();
  return is_error(r) ? r : end;
}

static bool is_connecting (const RtTogether *t) {
  for (int i = 0; i < t->ncomms; i++) {
    ncclResult_t state = ncclSuccess;
    t->comms[i]->N->ncclCommGetAsyncError(t->comms[i]->handle, &state);
    if (state == ncclInProgress)
      return true;
  }
  return false;
}

/*
** NCCL may launch on a thread of its own, and nothing is on the streams before
** it has: some microseconds. The first operation of a kind makes connections as
** well: milliseconds, or, if the other ranks do not come, all the time that
** they have.
*/
static ncclResult_t settle (const RtTogether *t, ncclResult_t r) {
  int64_t start = rt_nanoseconds(), now = start;
  if (r != ncclInProgress)
    return r;
  while (is_connecting(t)) {
    if (now - start > t->comms[0]->timeout)
      return ncclInProgress;
    if (now - start > SPIN_NS)
      nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    now = rt_nanoseconds();
  }
  t->comms[0]->N->ncclCommGetAsyncError(t->comms[0]->handle, &r);
  return r;
}

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

/* ==} */

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
  ncclResult_t r = settle(t, call_all(t));
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
