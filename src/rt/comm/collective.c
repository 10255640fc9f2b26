/*
** collective.c - operations of communicators: the calls of the library, in a
** group, and what is remembered of them until they have passed.
**
** One operation of a stream makes the calls of all ranks that this process has
** in a communicator, because the library wants them together. The other ranks'
** streams have an operation without calls before and after it, which orders
** them.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"
#include "nccl_calls.h"
#include "rt/driver/context.h"
#include "rt/driver/names.h"
#include "rt/driver/status.h"
#include "rt/graph/capture_types.h"
#include "rt/graph/graph_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/comm_end.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"

enum { ASK_EVERY = 64 };

/* A rank that has operations in a graph. */
struct GraphComm {
  RtComm *comm;
  int n; /* number of its operations */
};

void comm_note_reported (Runtime *rt, uint64_t family) {
  LIST_EACH (RtComm, c, &rt->held[LIFE_COMM])
    if (c->family == family)
      c->reported = true;
}

Status comm_check_open (RtComm *c) {
  Runtime *rt = c->dev->rt;
  comm_poll(rt);
  if (c->phase == COMM_OPEN)
    return 0;
  if (c->parts)
    return status_explain(rt, RT_MISUSE, NULL, "the communicator was closed");
  comm_note_reported(rt, c->family);
  return status_explain(rt, RT_MISUSE, NULL, "the communicator has failed: %s",
                        c->why);
}

/* {== in graphs ======================================================= */

static Status check_graph (const RtBody *body, const char *what) {
  Runtime *rt = body->dev->rt;
  char why[sizeof rt->detail];
  Status st = 0;
  for (int i = 0; i < body->ncomms && st == 0; i++)
    st = comm_check_open(body->comms[i].comm);
  if (st == 0) /* it may have entered another device */
    return context_enter(body->dev);
  memcpy(why, rt->detail, sizeof why);
  return status_explain(rt, st, NULL, "%s: %s", what, why);
}

static bool is_graph_open (const RtBody *body) {
  for (int i = 0; i < body->ncomms; i++)
    if (body->comms[i].comm->phase > COMM_OPEN)
      return false;
  return true;
}

static void leave_graph (RtBody *body) {
  for (int i = 0; i < body->ncomms; i++)
    comm_drop(body->comms[i].comm);
  free(body->comms);
}

/* ==} */

/* {== operations under way ============================================ */

/* Adds an operation; comm_reserve has made room. */
static void add (RtComm *c, const RtPending *p) {
  const Runtime *rt = c->dev->rt;
  RtPending *own = &c->pending[c->end++];
  *own = *p;
  own->source = name_retain(rt->source);
  own->line = rt->line;
  if (!c->counted) {
    c->counted = true;
    device_lock_add_pending(c->dev, 1);
  }
}

/* Marks the tail before the operation, because its time counts from when the
** device has passed that. Seldom asks which operations have passed, because
** asking takes as long as queueing an operation. */
static Status prepare (RtComm *c, RtStream *s) {
  Status st = device_lock_prepare(s->dev);
  if (st == 0)
    st = progress_mark_tail(s);
  if (st == 0 && c->number % ASK_EVERY == 0) {
    (void)comm_is_idle(c); /* forgets the ones that have passed */
    st = context_enter(s->dev);
  }
  if (st != 0)
    return st;
  c->before = (Point){s, s->seq};
  return comm_reserve(c) ? status_fail(s->dev->rt, RT_NOMEM, NULL) : 0;
}

static void note_graph (RtStream *s, const Op *op) {
  const RtBody *body = op->u.graph->body;
  Point at = {s, op->seq != 0 ? op->seq : s->dev->rt->stamp + 1};
  for (int i = 0; i < body->ncomms; i++) {
    RtComm *c = body->comms[i].comm;
    c->replayed += (uint64_t)body->comms[i].n;
    RtPending p = {.before = {s, s->sent},
                   .at = at,
                   .number = c->number,
                   .what = "graph:launch",
                   .launch = true,
                   .replayed = c->replayed};
    if (comm_reserve(c) == 0)
      add(c, &p);
  }
}

/* ==} */

static Status fail (const RtTogether *t, ncclResult_t r) {
  RtComm *c = t->comms[0];
  char text[NCCL_WHY] = "other ranks have not come to connect";
  if (r != ncclInProgress)
    snprintf(text, sizeof text, "ncclGroupEnd: %s",
             c->N->ncclGetErrorString(r));
  comm_fail(c, text);
  comm_note_reported(c->dev->rt, c->family);
  return status_explain(c->dev->rt, RT_MISUSE, NULL, "%s", c->why);
}

/* Announces the calls; only the host device's ranks use this. 'place' must live
** until the calls are made. */
static void announce (const RtTogether *t, char place[COMM_PLACE]) {
  const Runtime *rt = t->comms[0]->dev->rt;
  if (t->comms[0]->N->announce != NULL)
    comm_write_place(rt->source, rt->line, place);
  for (int i = 0; i < t->ncomms; i++) {
    RtComm *c = t->comms[i];
    t->says[i].number = ++c->number;
    t->says[i].place = place;
    if (c->N->announce != NULL)
      c->N->announce(c->handle, &t->says[i]);
  }
}

/* Checks again, because a rank may have failed since: every wait looks at
** them. */
static Status check_all (const RtTogether *t) {
  for (int i = 0; i < t->ncomms; i++)
    if (t->comms[i]->phase != COMM_OPEN)
      return comm_check_open(t->comms[i]);
  return 0;
}

/* Bars ends of communicators while the kernel of one rank may wait for the next
** one's. */
static Status make_calls (const RtTogether *t) {
  char place[COMM_PLACE] = "";
  Status st = check_all(t);
  if (st == 0 && t->ncomms > 1)
    st = comm_end_bar(t->comms[0]->dev, t->says[0].what);
  if (st != 0)
    return st;
  announce(t, place);
  ncclResult_t r = nccl_calls_make(t);
  if (t->ncomms > 1)
    comm_end_allow();
  return (r == ncclSuccess) ? 0 : fail(t, r);
}

/* Queues an operation. Reserves all memory for remembering it before the calls.
** 's' is the first of the streams, and its device is current. */
static Status queue_all (RtStream *s, const RtTogether *t) {
  Status st = 0;
  for (int i = 0; i < t->ncomms && st == 0; i++) {
    if (i > 0)
      st = context_enter(t->streams[i]->dev);
    if (st == 0)
      st = prepare(t->comms[i], t->streams[i]);
  }
  if (st == 0 && t->ncomms > 1)
    st = context_enter(s->dev);
  if (st == 0)
    st = make_calls(t);
  for (int i = 0; i < t->ncomms && st == 0; i++) {
    RtComm *c = t->comms[i];
    add(c, &(RtPending){.before = c->before,
                        .number = c->number,
                        .at = {t->streams[i], s->dev->rt->stamp + 1},
                        .what = t->says[i].what});
  }
  return st;
}

/* Makes the graph hold the rank from now on, whether the capture ends well or
** not. */
static Status hold (RtBody *body, RtComm *c) {
  for (int i = 0; i < body->ncomms; i++)
    if (body->comms[i].comm == c)
      return body->comms[i].n++, 0;
  Status st = status_make_room(c->dev->rt, &body->comms, body->ncomms,
                               sizeof *body->comms);
  if (st != 0)
    return st;
  static const GraphRanks ranks = {check_graph, note_graph, is_graph_open,
                                   leave_graph};
  c->refs++;
  body->ranks = &ranks;
  body->comms[body->ncomms++] = (struct GraphComm){c, 1};
  return 0;
}

static Status capture_all (RtBody *body, const RtTogether *t) {
  Status st = 0;
  for (int i = 0; i < t->ncomms && st == 0; i++)
    st = hold(body, t->comms[i]);
  return (st == 0) ? make_calls(t) : st;
}

/* Without calls it only orders a rank whose calls another operation has made.
** That operation has passed when this one has. */
Status dispatch_collective (RtStream *s, Op *op) {
  const RtTogether *t = op->u.collective.together;
  RtComm *c = op->u.collective.comm;
  RtPending *p = (t == NULL && c != NULL) ? comm_latest(c) : NULL;
  if (p != NULL)
    p->at = (Point){s, s->dev->rt->stamp + 1};
  if (t == NULL)
    return 0;
  return (s->capture == NULL) ? queue_all(s, t)
                              : capture_all(s->capture->body, t);
}

void dispatch_describe_collective (const Op *op, char text[NODE_DETAIL]) {
  const RtTogether *t = op->u.collective.together;
  if (t != NULL && t->says[0].type[0] == '\0')
    snprintf(text, NODE_DETAIL, "%d sends and receives, rank %d of %d",
             t->ncalls, t->comms[0]->rank, t->comms[0]->size);
  else if (t != NULL)
    snprintf(text, NODE_DETAIL, "%zu %s, rank %d of %d", t->says[0].n,
             t->says[0].type, t->comms[0]->rank, t->comms[0]->size);
}
