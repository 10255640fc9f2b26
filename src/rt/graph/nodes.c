/*
** nodes.c - the nodes of a capture and their edges, as it grows.
**
** DESIGN. Nodes are in chains: each follows the one before it in its chain. So
** a chain is to nodes what a stream is to operations, marks of memory name
** chains (hazard.c), and one node for each chain says what a node follows. A
** node goes on in a chain whose latest node it follows anyway. Otherwise it
** opens a chain, or, when there are CHAINS, follows the oldest of their latest
** nodes. So a graph is never wider than that. 96 independent kernels of 1 to 20
** us take least time with 8 to 16 chains; in one chain they take up to 13 times
** as long, in 32 and more up to 4 times (H200, driver 580).
*/
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#include "graph_types.h"
#include "rt/code/codes.h"
#include "rt/driver/status.h"
#include "rt/queue/dispatch.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"

void node_join_reach (Reach *r, const Reach *more) {
  for (int i = 0; i < CHAINS; i++)
    if (r->upto[i] < more->upto[i])
      r->upto[i] = more->upto[i];
}

void node_add_reach (const RtCapture *c, Reach *r, int node) {
  int chain = c->nodes[node].chain;
  if (r->upto[chain] < node + 1)
    r->upto[chain] = node + 1;
}

static int tip_of (const RtCapture *c, int chain) {
  return (int)c->chains[chain]->seq;
}

Reach node_reach_all (const RtCapture *c) {
  Reach all = {{0}};
  for (int i = 0; i < c->nchains; i++)
    all.upto[i] = tip_of(c, i);
  return all;
}

/* Tells whether another node of 'r' follows the node of 'chain'. */
static bool is_implied (const RtCapture *c, const Reach *r, int chain) {
  for (int i = 0; i < c->nchains; i++) {
    int node = r->upto[i] - 1;
    if (i != chain && node >= r->upto[chain] &&
        c->nodes[node].before.upto[chain] >= r->upto[chain])
      return true;
  }
  return false;
}

int node_list_reach (const RtCapture *c, const Reach *r, int list[CHAINS]) {
  int n = 0;
  for (int i = 0; i < c->nchains; i++)
    if (r->upto[i] > 0 && !is_implied(c, r, i))
      list[n++] = r->upto[i] - 1;
  return n;
}

/* Returns the nodes of 'r' and all that they follow. */
static Reach close_reach (const RtCapture *c, const Reach *r) {
  Reach all = *r;
  for (int i = 0; i < c->nchains; i++)
    if (r->upto[i] > 0)
      node_join_reach(&all, &c->nodes[r->upto[i] - 1].before);
  return all;
}

/* {== chains =========================================================== */

/* Finds the chain whose latest node is in 'all'; of several, that with the
** latest node; -1: none. */
static int find_followed (const RtCapture *c, const Reach *all) {
  int found = -1;
  for (int i = 0; i < c->nchains; i++)
    if (all->upto[i] >= tip_of(c, i) &&
        (found < 0 || tip_of(c, i) > tip_of(c, found)))
      found = i;
  return found;
}

static int find_oldest (const RtCapture *c) {
  int found = 0;
  for (int i = 1; i < c->nchains; i++)
    if (tip_of(c, i) < tip_of(c, found))
      found = i;
  return found;
}

static Status open_chain (RtCapture *c) {
  RtDevice *dev = c->origin->dev;
  RtStream *chain = calloc(1, sizeof *chain);
  if (chain == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  chain->dev = dev;
  c->chains[c->nchains++] = chain;
  return 0;
}

/* Chooses a chain for a node that follows 'r'. If the chain is the oldest one,
** its latest node is added to 'r'. */
static Status choose_chain (RtCapture *c, Reach *r, int *chain) {
  Reach all = close_reach(c, r);
  *chain = find_followed(c, &all);
  if (*chain >= 0)
    return 0;
  if (c->nchains < CHAINS) {
    *chain = c->nchains;
    return open_chain(c);
  }
  *chain = find_oldest(c);
  r->upto[*chain] = tip_of(c, *chain);
  return 0;
}

/* ==} */

static Status reserve (RtCapture *c) {
  Runtime *rt = c->origin->dev->rt;
  int n = c->body->nnodes;
  Status st = status_make_room(rt, &c->body->nodes, n, sizeof *c->body->nodes);
  return (st != 0) ? st : status_make_room(rt, &c->nodes, n, sizeof *c->nodes);
}

/* With room for one more than there are, so that the list is never NULL. */
static Status add_edges (RtCapture *c, const Reach *r, GraphNode *node) {
  RtBody *body = c->body;
  int list[CHAINS];
  int n = node_list_reach(c, r, list);
  node->after = body->nedges;
  node->nafter = n;
  for (int i = 0; i <= n; i++) {
    Status st = status_make_room(body->dev->rt, &body->edges, body->nedges + i,
                                 sizeof *body->edges);
    if (st != 0)
      return st;
  }
  memcpy(body->edges + body->nedges, list, (size_t)n * sizeof *list);
  body->nedges += n;
  return 0;
}

Status node_add (RtCapture *c, RtStream *s, const Op *op, const Reach *r,
                 int *node) {
  GraphNode shown = {.name = op->name, .code = op->code};
  Reach after = *r;
  int chain;
  Status st = reserve(c);
  if (st == 0)
    st = choose_chain(c, &after, &chain);
  if (st == 0)
    st = add_edges(c, &after, &shown);
  if (st != 0)
    return st;
  dispatch_describe(op, shown.detail);
  if (op->code != NULL)
    code_retain(op->code);
  *node = c->body->nnodes++;
  c->body->nodes[*node] = shown;
  c->nodes[*node] = (CapturedNode){s, chain, close_reach(c, &after), -1, 0};
  c->chains[chain]->seq = (uint64_t)*node + 1;
  return 0;
}

static void drop_shown (RtBody *body) {
  GraphNode *node = &body->nodes[--body->nnodes];
  code_drop(node->code);
  body->nedges = node->after;
}

void node_drop (RtCapture *c) {
  const CapturedNode *node = &c->nodes[c->body->nnodes - 1];
  c->chains[node->chain]->seq = (uint64_t)node->before.upto[node->chain];
  drop_shown(c->body);
}

void node_free_all (RtBody *body) {
  while (body->nnodes > 0)
    drop_shown(body);
  free(body->nodes);
  free(body->edges);
  body->nodes = NULL;
  body->edges = NULL;
}
