/*
** edges.c - tells the driver the edges of a capture, and asks it for its
** nodes.
**
** The driver makes a node of an operation that is queued on a capturing stream.
** The node follows the nodes that the stream depends on, and the stream depends
** on the new node then. So the dependencies of the stream are set before an
** operation. The driver is asked for the new node before the stream moves on,
** or once another node follows it.
*/
#include "edges.h"

#include "branch.h"
#include "capture_types.h"
#include "graph_types.h"
#include "nodes.h"
#include "rt/driver/context.h"
#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/queue/stream_types.h"

/* Asks for the nodes that the driver's stream depends on, and for their graph.
*/
static Status ask (RtStream *s, CUgraph *graph, const CUgraphNode **list,
                   size_t *n) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id;
  Status st = context_enter(s->dev);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamGetCaptureInfo(s->handle, &status, &id, graph, list,
                                         n);
  if (st == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    st = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  return st ? status_fail(s->dev->rt, st, "cuStreamGetCaptureInfo") : 0;
}

static Status add_handle (RtCapture *c, CUgraphNode handle) {
  Status st = status_make_room(c->origin->dev->rt, &c->handles, c->nhandles,
                               sizeof *c->handles);
  if (st == 0)
    c->handles[c->nhandles++] = handle;
  return st;
}

static Status keep (RtCapture *c, RtStream *s, CUgraph *graph) {
  const CUgraphNode *list = NULL;
  size_t n = 0;
  Status st = ask(s, graph, &list, &n);
  for (size_t i = 0; i < n && st == 0; i++)
    st = add_handle(c, list[i]);
  return st;
}

Status edge_save_handles (RtCapture *c, RtStream *s, int *first, int *n) {
  CUgraph graph;
  int from = c->nhandles;
  Status st = keep(c, s, &graph);
  if (st != 0)
    return st;
  *first = from;
  *n = c->nhandles - from;
  return 0;
}

Status edge_save_node (RtCapture *c, RtStream *s) {
  RtBranch *b = s->branch;
  CapturedNode *node = (b->at >= 0) ? &c->nodes[b->at] : NULL;
  if (node == NULL || node->first >= 0)
    return 0;
  Status st = edge_save_handles(c, s, &node->first, &node->n);
  b->first = node->first;
  b->n = node->n;
  return st;
}

/* Appends the driver's nodes for some of ours. */
static Status add_handles (RtCapture *c, const int *nodes, int n) {
  Status st = 0;
  for (int i = 0; i < n; i++) {
    const CapturedNode *node = &c->nodes[nodes[i]];
    for (int k = 0; k < node->n && st == 0; k++)
      st = add_handle(c, c->handles[node->first + k]);
  }
  return st;
}

static Status learn_all (RtCapture *c, const int *nodes, int n) {
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    if (c->nodes[nodes[i]].first < 0)
      st = edge_save_node(c, c->nodes[nodes[i]].s);
  return st;
}

/* Tells whether the list has no node of the segment. An earlier node in a list
** can only be the host function before the segment, and is alone then. */
static bool is_beginning (const RtCapture *c, const int *nodes, int n) {
  return n == 0 || (n == 1 && nodes[0] < c->cut);
}

Status edge_set (RtCapture *c, RtStream *s, const int *nodes, int n,
                 unsigned how) {
  if (is_beginning(c, nodes, n))
    n = 0;
  Status st = learn_all(c, nodes, n);
  int from = c->nhandles;
  if (st == 0)
    st = add_handles(c, nodes, n);
  if (st == 0)
    st = context_enter(s->dev);
  n = c->nhandles - from;
  if (st == 0) {
    st = s->dev->D->cuStreamUpdateCaptureDependencies(s->handle,
                                                      (n > 0)
                                                        ? c->handles + from
                                                        : NULL,
                                                      (size_t)n, how);
    if (st != CUDA_SUCCESS)
      status_fail(c->origin->dev->rt, st, "cuStreamUpdateCaptureDependencies");
  }
  c->nhandles = from;
  return st;
}

/* Makes an empty node that follows those of c->handles from 'from' on. */
static Status add_empty (RtCapture *c, RtStream *s, CUgraph graph, int from,
                         CUgraphNode *handle) {
  const Driver *D = s->dev->D;
  Status st = context_enter(s->dev);
  if (st != 0)
    return st;
  st = D->cuGraphAddEmptyNode(handle, graph, c->handles + from,
                              (size_t)(c->nhandles - from));
  return st ? status_fail(s->dev->rt, st, "cuGraphAddEmptyNode") : 0;
}

/* Leaves each handle from 'from' on once: the driver takes no node twice here.
*/
static void drop_twice (RtCapture *c, int from) {
  int n = from;
  for (int i = from; i < c->nhandles; i++) {
    int k = from;
    while (k < n && c->handles[k] != c->handles[i])
      k++;
    if (k == n)
      c->handles[n++] = c->handles[i];
  }
  c->nhandles = n;
}

Status edge_make_join (RtCapture *c, RtStream *s, int node) {
  const RtBody *body = c->body;
  const int *after = body->edges + body->nodes[node].after;
  int n = body->nodes[node].nafter;
  CUgraph graph;
  if (is_beginning(c, after, n))
    n = 0;
  Status st = learn_all(c, after, n);
  int at = c->nhandles;
  observer_note_nodes(s);
  if (st == 0)
    st = add_handle(c, NULL); /* the place of the new node */
  if (st == 0)
    st = keep(c, s, &graph);
  if (st == 0)
    st = add_handles(c, after, n);
  drop_twice(c, at + 1);
  if (st == 0)
    st = add_empty(c, s, graph, at + 1, &c->handles[at]);
  c->nhandles = (st == 0) ? at + 1 : at;
  if (st != 0)
    return st;
  c->nodes[node].first = at;
  c->nodes[node].n = 1;
  return edge_set(c, s, &node, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

bool edge_is_set (const RtCapture *c, const RtBranch *b, const int *nodes,
                  int n) {
  if (is_beginning(c, nodes, n))
    return b->at == AT_NOTHING;
  return n == 1 && nodes[0] == b->at;
}
