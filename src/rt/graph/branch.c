/*
** branch.c - the streams that take part in a capture: how they enter and
** leave it, and which nodes their operations follow.
**
** DESIGN. An operation follows the nodes whose use of memory conflicts with its
** own, and the nodes that its stream has waited for. The order of calls on a
** stream adds nothing to that, unless tide cannot see all that an operation
** uses. A set of nodes to follow is a Reach (nodes.c); edges.c
** tells it to the driver.
**
** A branch is mixed if others can queue work on its driver stream. That work is
** captured, too. Operations of a mixed branch keep their order, and the work of
** others between them becomes a node.
*/
#include "branch.h"

#include <limits.h>
#include <stdlib.h>

#include "capture_types.h"
#include "edges.h"
#include "graph_types.h"
#include "nodes.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/queue/dispatch.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_pool.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"

static Runtime *runtime_of (const RtCapture *c) { return c->origin->dev->rt; }

/* {== in and out ====================================================== */

/* While a blocking stream captures, no event can be recorded on the null
** stream. So this records one for the work that is there. */
static Status mark_null (const RtStream *s) {
  bool last = (!s->nonblocking && progress_legacy_is_free(s->dev));
  return last ? progress_mark_tail(s->dev->null) : 0;
}

static Status check_enter (RtStream *s) {
  if (s == s->dev->fn)
    return status_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, NULL,
                          "the stream of host functions takes no part in "
                          "captures: use one of yours");
  Status st = context_enter(s->dev);
  if (st == 0) /* later, events would be captured */
    st = progress_mark_tail(s);
  return (st != 0) ? st : mark_null(s);
}

Status branch_enter (RtCapture *c, RtStream *s) {
  Status st = check_enter(s);
  RtBranch *b = (st == 0) ? calloc(1, sizeof *b) : NULL;
  if (st == 0 && b == NULL)
    st = status_fail(s->dev->rt, RT_NOMEM, NULL);
  if (st != 0)
    return st;
  b->at = AT_NOTHING;
  b->latest = -1;
  b->segment = (s == c->origin) ? c->segment : -1;
  b->mixed = s->exposed;
  if (c->cut > 0)
    node_add_reach(c, &b->base, c->cut - 1);
  b->all = b->base;
  stream_pool_retain(s);
  s->capture = c;
  s->captured_once = true;
  s->branch = b;
  return 0;
}

void branch_leave (RtStream *s) {
  free(s->branch);
  s->branch = NULL;
  s->capture = NULL;
  stream_pool_drop(s);
}

/* ==} */

/* {== the driver's captures =========================================== */

/* Records the event by which streams enter the segment. A stream that enters
** late depends on too much, until its dependencies are set. */
static Status record_begun (RtCapture *c) {
  RtStream *s = c->origin;
  CUevent event;
  Status st = status_make_room(s->dev->rt, &c->events, c->nevents,
                               sizeof *c->events);
  if (st == 0)
    st = event_pool_record(s->dev, s->handle, &event);
  if (st != 0)
    return st;
  c->events[c->nevents++] = (BorrowedEvent){s->dev, event};
  c->begun = event;
  return 0;
}

/* Makes the driver's stream of a mixed branch depend on all that 's' follows.
*/
static Status set_mixed (RtCapture *c, RtStream *s) {
  RtBranch *b = s->branch;
  int list[CHAINS];
  int n = node_list_reach(c, &b->all, list);
  Status st = edge_save_node(c, s);
  if (st == 0)
    st = edge_set(c, s, list, n, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
  if (st == 0)
    st = edge_save_handles(c, s, &b->first, &b->n);
  if (st == 0)
    b->at = AT_OTHERS;
  return st;
}

/* Lets the driver's stream take part in the segment. */
static Status enter_segment (RtCapture *c, RtStream *s) {
  RtBranch *b = s->branch;
  if (b->segment == c->segment)
    return 0;
  Status st = (c->begun == NULL) ? record_begun(c) : 0;
  if (st == 0)
    st = context_enter(s->dev);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamWaitEvent(s->handle, c->begun, 0);
  if (st != CUDA_SUCCESS)
    return status_fail(s->dev->rt, st, "cuStreamWaitEvent");
  b->segment = c->segment;
  b->at = AT_OTHERS;
  return b->mixed ? set_mixed(c, s) : 0;
}

/* Tells whether nothing was queued on the driver's stream since the last look.
*/
static Status is_alone (RtCapture *c, RtStream *s, bool *alone) {
  const RtBranch *b = s->branch;
  int first = 0, n = 0, kept = c->nhandles;
  Status st = edge_save_handles(c, s, &first, &n);
  *alone = (n == b->n);
  for (int i = 0; i < n && *alone; i++)
    *alone = (c->handles[first + i] == c->handles[b->first + i]);
  c->nhandles = kept;
  return st;
}

/* Makes a node of the work that others have queued on the driver's stream. */
static Status add_others (RtCapture *c, RtStream *s) {
  RtBranch *b = s->branch;
  const Op op = {.kind = OP_CALL, .name = "work of others"};
  int node;
  Status st = node_add(c, s, &op, &b->all, &node);
  if (st == 0 && (st = edge_make_join(c, s, node)) != 0 &&
      c->nodes[node].first < 0)
    node_drop(c);
  if (st != 0)
    return st;
  b->first = c->nodes[node].first;
  b->n = c->nodes[node].n;
  b->at = node;
  b->base = (Reach){{0}};
  node_add_reach(c, &b->base, node);
  b->all = b->base;
  return 0;
}

/* Takes notice of the work of others on a mixed branch. */
static Status look (RtCapture *c, RtStream *s) {
  RtBranch *b = s->branch;
  if (!b->mixed)
    return 0;
  Status st = enter_segment(c, s);
  if (st != 0)
    return st;
  bool alone = true, new = (b->at >= 0 && c->nodes[b->at].first < 0);
  st = new ? edge_save_node(c, s) : is_alone(c, s, &alone);
  return (st != 0 || alone) ? st : add_others(c, s);
}

Status branch_set_mixed (RtCapture *c, RtStream *s) {
  RtBranch *b = s->branch;
  if (b->mixed)
    return 0;
  b->mixed = true;
  return (b->segment == c->segment) ? set_mixed(c, s) : enter_segment(c, s);
}

Status branch_join (RtCapture *c, RtStream *s, const char *what) {
  if (s->kind == STREAM_NULL)
    return status_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, what,
                          "the legacy null stream uses what is being captured");
  Status st = deferral_check_sent(s, what);
  return (st != 0) ? st : branch_enter(c, s);
}

Status branch_cut (RtCapture *c, int function) {
  const Runtime *rt = runtime_of(c);
  Status st = 0;
  c->segment++;
  c->cut = function + 1;
  c->begun = NULL;
  for (int i = 0; i < rt->nstreams && st == 0; i++) {
    RtBranch *b = rt->streams[i]->branch;
    if (rt->streams[i]->capture != c)
      continue;
    b->base = (Reach){{0}};
    node_add_reach(c, &b->base, function);
    b->all = b->base;
    b->n = 0;
    b->at = AT_NOTHING;
    if (rt->streams[i] == c->origin)
      b->segment = c->segment;
    else if (b->mixed)
      st = enter_segment(c, rt->streams[i]);
  }
  return st;
}

/* ==} */

/* {== operations ====================================================== */

Status branch_reach (RtCapture *c, RtStream *s, bool in_order, Reach *r) {
  Status st = look(c, s);
  *r = in_order ? s->branch->all : s->branch->base;
  return st;
}

/* Makes the driver's stream depend on these nodes alone; that of a mixed
** branch, on these nodes as well. */
static Status go_to (RtCapture *c, RtStream *s, const int *nodes, int n) {
  RtBranch *b = s->branch;
  Status st = enter_segment(c, s);
  if (st == 0)
    st = edge_save_node(c, s);
  if (st != 0 || edge_is_set(c, b, nodes, n))
    return st;
  b->at = AT_OTHERS;
  return edge_set(c, s, nodes, n,
                  b->mixed ? CU_STREAM_ADD_CAPTURE_DEPENDENCIES
                           : CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

Status branch_queue_node (RtCapture *c, RtStream *s, Op *op, int node,
                          bool in_order) {
  RtBranch *b = s->branch;
  const GraphNode *shown = &c->body->nodes[node];
  Status st = go_to(c, s, c->body->edges + shown->after, shown->nafter);
  if (st == 0)
    st = context_enter(s->dev);
  if (st == 0)
    st = dispatch_op(s, op);
  if (st != 0)
    return st;
  b->at = b->latest = node;
  node_add_reach(c, &b->all, node);
  if (in_order)
    b->base = b->all;
  return 0;
}

/* ==} */

/* {== waits and events ================================================ */

/* Lets all later operations of 's' follow 'r'. */
static Status follow (RtCapture *c, RtStream *s, const Reach *r) {
  int list[CHAINS];
  int n = node_list_reach(c, r, list);
  Status st = look(c, s);
  if (st == 0 && s->branch->mixed) {
    st = edge_set(c, s, list, n, CU_STREAM_ADD_CAPTURE_DEPENDENCIES);
    if (st == 0)
      st = edge_save_handles(c, s, &s->branch->first, &s->branch->n);
    s->branch->at = AT_OTHERS;
  }
  if (st != 0)
    return st;
  node_join_reach(&s->branch->base, r);
  node_join_reach(&s->branch->all, r);
  return 0;
}

Status branch_wait_stream (RtStream *s, RtStream *t, const char *what) {
  Runtime *rt = s->dev->rt;
  RtCapture *c = t->capture;
  if (c == NULL)
    return status_fail(rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, what);
  if (s->capture != NULL && s->capture != c)
    return status_fail(rt, CUDA_ERROR_STREAM_CAPTURE_MERGE, what);
  bool joins = (s->capture == NULL);
  Status st = joins ? branch_join(c, s, what) : 0;
  if (st != 0)
    return st;
  st = look(c, t);
  if (st == 0)
    st = follow(c, s, &t->branch->all);
  if (st != 0 && joins && s->branch->segment < 0)
    branch_leave(s);
  return st;
}

static Status check_event (Runtime *rt, const RtCapture *c, const Op *op) {
  const RtEvent *e = op->u.event;
  if (e->capture == c->id)
    return 0;
  if (e->capture == 0)
    return status_fail(rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, op->name);
  return status_fail(rt,
                     event_pool_find_capture(rt, e->capture) != NULL
                       ? CUDA_ERROR_STREAM_CAPTURE_MERGE
                       : CUDA_ERROR_CAPTURED_EVENT,
                     op->name);
}

Status capture_op_wait (RtCapture *c, RtStream *s, Op *op) {
  Status st = check_event(s->dev->rt, c, op);
  return (st != 0) ? st : follow(c, s, &c->recordings[op->u.event->recording]);
}

/* Records the driver's event, for others who know it. It stands for all of 's'.
*/
static Status record (RtCapture *c, RtStream *s, Op *op) {
  int list[CHAINS];
  int n = node_list_reach(c, &s->branch->all, list);
  Status st = s->branch->mixed ? 0 : go_to(c, s, list, n);
  if (st == 0)
    st = context_enter(s->dev);
  return (st != 0) ? st : dispatch_op(s, op);
}

Status capture_op_record (RtCapture *c, RtStream *s, Op *op) {
  Runtime *rt = s->dev->rt;
  RtEvent *e = op->u.event;
  if (e->timeline != NULL) /* CUDA refuses its own as well */
    return status_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, op->name,
                          "the event is an interprocess one");
  Status st = look(c, s);
  if (st == 0)
    st = status_make_room(rt, &c->recordings, c->nrecordings,
                          sizeof *c->recordings);
  if (st == 0)
    st = record(c, s, op);
  if (st != 0)
    return st;
  e->s = s;
  e->seq = ++rt->stamp;
  e->capture = c->id;
  e->recording = c->nrecordings;
  c->recordings[c->nrecordings++] = s->branch->all;
  return 0;
}

/* ==} */

/* {== the end ========================================================= */

static Status look_at_all (RtCapture *c) {
  const Runtime *rt = runtime_of(c);
  Status st = 0;
  for (int i = 0; i < rt->nstreams && st == 0; i++)
    if (rt->streams[i]->capture == c)
      st = look(c, rt->streams[i]);
  return st;
}

static void join_node (const RtCapture *c, int node) {
  RtBranch *b = c->nodes[node].s->branch;
  if (b->joined < node + 1)
    b->joined = node + 1;
}

/* A node is joined if the origin has waited for it. It joins the nodes that it
** follows, and earlier nodes of its stream. */
Status branch_check_joined (RtCapture *c) {
  const Reach *end = &c->origin->branch->all;
  const RtBody *body = c->body;
  int apart = -1;
  Status st = look_at_all(c);
  if (st != 0)
    return st;
  c->origin->branch->joined = INT_MAX;
  for (int i = 0; i < c->nchains; i++)
    if (end->upto[i] > 0)
      join_node(c, end->upto[i] - 1);
  for (int i = body->nnodes - 1; i >= 0 && apart < 0; i--) {
    if (i >= c->nodes[i].s->branch->joined)
      apart = i;
    for (int k = 0; k < body->nodes[i].nafter; k++)
      join_node(c, body->edges[body->nodes[i].after + k]);
  }
  return (apart < 0)
           ? 0
           : status_explain(runtime_of(c), CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                            "cuStreamEndCapture",
                            "the stream that began the capture has not waited "
                            "for '%s' on another one",
                            body->nodes[apart].name);
}

Status branch_join_all (RtCapture *c) {
  Status st = look_at_all(c);
  Reach all = node_reach_all(c);
  int list[CHAINS];
  int n = node_list_reach(c, &all, list);
  return (st != 0) ? st : go_to(c, c->origin, list, n);
}

/* ==} */
