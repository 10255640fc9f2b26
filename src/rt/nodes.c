/*
** nodes.c - records the nodes and edges of a capture as it grows, so that a
** graph can be printed with the names of its kernels on either device.
*/
#include "nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Doubles an array when 'n' has reached a power of two (or is 0). */
static bool grow (void **at, int n, size_t size) {
  if (n > 0 && (n & (n - 1)) != 0)
    return true;
  void *p = realloc(*at, (size_t)(n > 0 ? 2 * n : 1) * size);
  if (p == NULL)
    return false;
  *at = p;
  return true;
}

static int add_set (RtBody *body, const int *id, int n) {
  int *copy = malloc((size_t)(n > 0 ? n : 1) * sizeof *copy);
  if (copy == NULL)
    return -1;
  if (!grow((void **)&body->sets, body->nsets, sizeof *body->sets)) {
    free(copy);
    return -1;
  }
  if (n > 0)
    memcpy(copy, id, (size_t)n * sizeof *copy);
  body->sets[body->nsets].id = copy;
  body->sets[body->nsets].n = n;
  return body->nsets++;
}

Status rt_opensets (RtBody *body) {
  return add_set(body, NULL, 0) == 0 ? 0 : RT_NOMEM;
}

static void describe (GraphNode *node, const Op *op) {
  node->name = op->name;
  node->detail[0] = '\0';
  if (op->kind == OP_LAUNCH)
    snprintf(node->detail, sizeof node->detail, "grid %u block %u",
             op->u.launch.grid, op->u.launch.block);
  else if (op->kind == OP_COPY)
    snprintf(node->detail, sizeof node->detail, "%zu bytes",
             op->u.copy.bytes);
  else if (op->kind == OP_ZERO)
    snprintf(node->detail, sizeof node->detail, "%zu bytes",
             op->u.zero.bytes);
}

int rt_addnode (RtBody *body, const Op *op, int set) {
  if (!grow((void **)&body->nodes, body->nnodes, sizeof *body->nodes))
    return -1;
  int id = body->nnodes;
  describe(&body->nodes[id], op);
  body->nodes[id].set = set;
  int own = add_set(body, &id, 1);
  if (own >= 0)
    body->nnodes++;
  return own;
}

static bool contains (const NodeSet *s, int id) {
  for (int i = 0; i < s->n; i++)
    if (s->id[i] == id)
      return true;
  return false;
}

int rt_joinsets (RtBody *body, int a, int b) {
  if (a == b || body->sets[b].n == 0)
    return a;
  if (body->sets[a].n == 0)
    return b;
  const NodeSet *x = &body->sets[a], *y = &body->sets[b];
  int *all = malloc((size_t)(x->n + y->n) * sizeof *all);
  if (all == NULL)
    return -1;
  int n = x->n;
  memcpy(all, x->id, (size_t)x->n * sizeof *all);
  for (int i = 0; i < y->n; i++)
    if (!contains(x, y->id[i]))
      all[n++] = y->id[i];
  int set = (n == x->n) ? a : add_set(body, all, n);
  free(all);
  return set;
}

void rt_freesets (RtBody *body) {
  for (int i = 0; i < body->nsets; i++)
    free(body->sets[i].id);
  free(body->sets);
  free(body->nodes);
  body->sets = NULL;
  body->nodes = NULL;
  body->nsets = body->nnodes = 0;
}
