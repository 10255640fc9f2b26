/*
** graph_nodes.c - records the nodes and edges of a capture as it grows, so that
** a graph can be printed with the names of its kernels on either device.
*/
#include "graph_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "rt/code/codes.h"
#include "rt/driver/status.h"
#include "rt/queue/enqueue.h"

static Status add_set (RtBody *body, const int *id, int n, int *set) {
  Runtime *rt = body->dev->rt;
  Status st = rt_room(rt, &body->sets, body->nsets, sizeof *body->sets);
  if (st != 0)
    return st;
  int *copy = malloc((size_t)(n > 0 ? n : 1) * sizeof *copy);
  if (copy == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  if (n > 0)
    memcpy(copy, id, (size_t)n * sizeof *copy);
  body->sets[body->nsets] = (NodeSet){copy, n};
  *set = body->nsets++;
  return 0;
}

Status rt_opensets (RtBody *body) {
  int empty;
  return add_set(body, NULL, 0, &empty);
}

Status rt_addnode (RtBody *body, const Op *op, int at, int *set) {
  int id = body->nnodes;
  Status st = rt_room(body->dev->rt, &body->nodes, id, sizeof *body->nodes);
  if (st != 0)
    return st;
  body->nodes[id].name = op->name;
  rt_tell(op, body->nodes[id].detail);
  body->nodes[id].set = at;
  st = add_set(body, &id, 1, set);
  if (st != 0)
    return st;
  if (op->code != NULL)
    rt_retaincode(op->code);
  body->nodes[id].code = op->code;
  body->nnodes++;
  return 0;
}

void rt_dropnode (RtBody *body) {
  rt_dropcode(body->nodes[--body->nnodes].code);
}

static bool contains (const NodeSet *s, int id) {
  for (int i = 0; i < s->n; i++)
    if (s->id[i] == id)
      return true;
  return false;
}

Status rt_joinsets (RtBody *body, int a, int b, int *set) {
  const NodeSet *x = &body->sets[a], *y = &body->sets[b];
  if (a == b || x->n == 0 || y->n == 0) {
    *set = (x->n == 0) ? b : a;
    return 0;
  }
  int *all = malloc((size_t)(x->n + y->n) * sizeof *all);
  if (all == NULL)
    return rt_fail(body->dev->rt, RT_NOMEM, NULL);
  int n = x->n;
  memcpy(all, x->id, (size_t)x->n * sizeof *all);
  for (int i = 0; i < y->n; i++)
    if (!contains(x, y->id[i]))
      all[n++] = y->id[i];
  Status st = 0;
  if (n == x->n)
    *set = a;
  else
    st = add_set(body, all, n, set);
  free(all);
  return st;
}

/*
** Nodes come in an order in which each follows earlier ones only, so one walk
** down from the latest it follows to the earliest sees all that matters.
*/
void rt_findimplied (const RtBody *body, int node, unsigned char *implied) {
  enum { FOLLOWED = 2, IMPLIED = 1 };
  const NodeSet *set = &body->sets[body->nodes[node].set];
  int lo = node, hi = -1;
  for (int i = 0; i < set->n; i++) {
    lo = set->id[i] < lo ? set->id[i] : lo;
    hi = set->id[i] > hi ? set->id[i] : hi;
  }
  for (int i = lo; i <= hi; i++)
    implied[i] = 0;
  for (int i = 0; i < set->n; i++)
    implied[set->id[i]] = FOLLOWED;
  for (int i = hi; i >= lo; i--) {
    const NodeSet *before = &body->sets[body->nodes[i].set];
    for (int k = 0; k < before->n && implied[i] != 0; k++)
      if (before->id[k] >= lo)
        implied[before->id[k]] |= IMPLIED;
    implied[i] &= IMPLIED;
  }
}

void rt_freesets (RtBody *body) {
  for (int i = 0; i < body->nsets; i++)
    free(body->sets[i].id);
  while (body->nnodes > 0)
    rt_dropnode(body);
  free(body->sets);
  free(body->nodes);
  body->sets = NULL;
  body->nodes = NULL;
  body->nsets = 0;
}
