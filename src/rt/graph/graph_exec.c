/*
** graph_exec.c - executable graphs, and their bodies. A body is what a graph
** runs and keeps alive: blocks, communicators, host functions. Graphs share a
** body after update. A host function divides the driver's graph, so a launch is
** several parts, one after the other.
*/
#include "graph_exec.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "graph_types.h"
#include "nodes.h"
#include "rt/code/modules.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/import.h"
#include "rt/queue/dispatch.h"
#include "rt/queue/kept.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"

/* {== bodies ========================================================== */

static bool has_passed (Point at) {
  return at.s == NULL || progress_is_over(at.s, at.seq);
}

bool graph_exec_body_done (RtBody *body) { return has_passed(body->last); }

/* Frees the parts. A host function that was never moved to a Graph leaves its
** key behind. */
static void free_parts (RtBody *body) {
  bool stale = life_is_stale(&body->life);
  for (int i = 0; i < body->nparts; i++) {
    GraphPart *part = &body->parts[i];
    if (part->graph != NULL && !stale)
      body->dev->D->cuGraphDestroy(part->graph);
    if (part->function == NULL)
      continue;
    if (body->owned || part->function->op.u.hostfn.ref == 0)
      kept_free(part->function);
    else
      kept_abandon_function(part->function);
  }
  free(body->parts);
}

/* Destroys the executables. The driver would wait for launches, but none is
** under way. */
static void destroy_execs (RtBody *body) {
  while (body->execs.n > 0) {
    RtGraph *g = (RtGraph *)links_take(&body->execs);
    if (life_is_stale(&g->life))
      free(g);
    else
      device_lock_free_execs(g);
  }
}

static void destroy_body (RtBody *body) {
  destroy_execs(body);
  for (int i = 0; i < body->naccess; i++)
    import_graph_leave(body->access[i].block);
  if (body->ranks != NULL)
    body->ranks->leave(body);
  free(body->access);
  free(body->uses);
  free_parts(body);
  node_free_all(body);
  free(body);
}

void graph_exec_drop_body (RtBody *body) { life_drop(&body->life, LIFE_BODY); }

/* ==} */

static void destroy_all (RtGraph *g) {
  for (int i = 0; i < g->nexecs; i++) {
    if (g->execs[i] != NULL)
      g->dev->D->cuGraphExecDestroy(g->execs[i]);
    g->execs[i] = NULL;
  }
}

/* Makes an executable for each part that has nodes. */
static Status instantiate (RtGraph *g, const RtBody *body) {
  const Driver *D = g->dev->D;
  Status st = 0;
  for (int i = 0; i < body->nparts && st == 0; i++)
    if (body->parts[i].graph != NULL)
      st = D->cuGraphInstantiateWithFlags(&g->execs[i], body->parts[i].graph,
                                          0);
  if (st == CUDA_SUCCESS)
    return 0;
  destroy_all(g);
  return status_fail(g->dev->rt, st, "cuGraphInstantiateWithFlags");
}

static RtGraph *new_graph (const RtBody *body) {
  size_t n = (size_t)body->nparts;
  RtGraph *g = calloc(1, sizeof *g + n * sizeof g->execs[0]);
  if (g == NULL)
    return NULL;
  g->dev = body->dev;
  g->generation = body->dev->generation;
  g->nexecs = body->nparts;
  return g;
}

Status graph_exec_new (RtBody *body, RtGraph **out) {
  RtDevice *dev = body->dev;
  RtGraph *g = new_graph(body);
  Status st = (g == NULL) ? status_fail(dev->rt, RT_NOMEM, NULL)
                          : context_enter(dev);
  if (st == 0)
    st = instantiate(g, body);
  if (st != 0) {
    free(g);
    graph_exec_drop_body(body);
    return st;
  }
  g->body = body;
  life_begin(&g->life, LIFE_GRAPH, dev);
  *out = g;
  return 0;
}

/* Its body destroys the executables, once no launch is under way. */
void graph_exec_drop (RtGraph *g) {
  life_leave(&g->life, LIFE_GRAPH);
  links_add(&g->body->execs, &g->link);
  graph_exec_drop_body(g->body);
}

void graph_exec_drop_all (Runtime *rt) {
  while (rt->held[LIFE_GRAPH].n > 0)
    graph_exec_drop(LIST_FIRST(RtGraph, &rt->held[LIFE_GRAPH]));
}

static bool end (Life *o) {
  RtBody *body = (RtBody *)o;
  bool ends = (!body->anchored || body->dev->rt->closing) &&
              graph_exec_body_done(body) &&
              (life_is_stale(o) || context_reenter(body->dev) == 0);
  if (ends)
    destroy_body(body);
  return ends;
}

void graph_exec_drain (Runtime *rt, bool all) {
  life_drain(rt, LIFE_BODY, all ? INT_MAX : 1, end);
  if (all)
    device_lock_free_waiting(rt);
  for (int i = 0; all && i < rt->ndevices; i++)
    if (rt->devices[i].shared != NULL)
      module_trim(&rt->devices[i]);
}

/* {== of ranks that have left ========================================= */

static bool has_any (const RtGraph *g) {
  for (int i = 0; i < g->nexecs; i++)
    if (g->execs[i] != NULL)
      return true;
  return false;
}

static void lose_exec (RtGraph *g) {
  RtGraph *lost = (has_any(g) && has_passed(g->last)) ? new_graph(g->body)
                                                      : NULL;
  if (lost == NULL)
    return;
  memcpy(lost->execs, g->execs, (size_t)g->nexecs * sizeof g->execs[0]);
  memset(g->execs, 0, (size_t)g->nexecs * sizeof g->execs[0]);
  device_lock_free_execs(lost);
}

static void lose (RtBody *body, RtGraph *g) {
  bool lost = body->ranks != NULL && !body->ranks->is_open(body) &&
              graph_exec_body_done(body) && !life_is_stale(&body->life) &&
              context_reenter(body->dev) == 0;
  if (lost && g != NULL)
    lose_exec(g);
  for (int i = 0; lost && i < body->nparts; i++) {
    if (body->parts[i].graph != NULL)
      body->dev->D->cuGraphDestroy(body->parts[i].graph);
    body->parts[i].graph = NULL;
  }
}

/* Does the same for graphs that were dropped. */
static void lose_execs (RtBody *body) {
  LIST_EACH (RtGraph, g, &body->execs)
    lose(body, g);
}

/* NCCL ends a communicator only once the driver has destroyed the graphs that
** it was captured in. These graphs cannot be launched any more. */
void graph_exec_lose (Runtime *rt) {
  LIST_EACH (RtGraph, g, &rt->held[LIFE_GRAPH]) {
    lose(g->body, g);
    lose_execs(g->body);
  }
  LIST_EACH (RtBody, body, &rt->dropped[LIFE_BODY]) {
    lose(body, NULL);
    lose_execs(body);
  }
  device_lock_free_waiting(rt);
}

/* ==} */

static const char *explain (CUgraphExecUpdateResult result) {
  switch (result) {
    case CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED: return "topology changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED:
      return "node type changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED:
    case CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE:
      return "function changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED:
      return "parameters changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED:
      return "attributes changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED: return "not supported";
    default: return "update failed";
  }
}

static Status update_part (RtGraph *g, const RtBody *body, int i,
                           const char **reason) {
  CUgraphExecUpdateResultInfo info = {CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL};
  if (body->parts[i].graph == NULL)
    return 0;
  Status st = g->dev->D->cuGraphExecUpdate(g->execs[i], body->parts[i].graph,
                                           &info);
  if (st == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    *reason = explain(info.result);
  return st ? status_fail(g->dev->rt, st, "cuGraphExecUpdate") : 0;
}

/* Tells whether both have functions at the same places. */
static bool is_alike (const RtBody *a, const RtBody *b) {
  bool alike = (a->nparts == b->nparts);
  for (int i = 0; alike && i < a->nparts; i++)
    alike = (a->parts[i].function == NULL) == (b->parts[i].function == NULL);
  return alike;
}

/* Updates all parts, or none: if one fails, earlier ones are updated back. */
static Status update (RtGraph *g, const RtBody *body, const char **reason) {
  const char *why;
  Status st = 0;
  int i = 0;
  while (i < body->nparts && (st = update_part(g, body, i, reason)) == 0)
    i++;
  while (st != 0 && --i >= 0)
    if (update_part(g, g->body, i, &why) != 0)
      return status_fail(g->dev->rt, st, "cuGraphExecUpdate");
  return st;
}

/* Gives launches that have not been sent executables of their own. */
static Status set_aside (RtGraph *g, const char *what) {
  RtGraph *old = new_graph(g->body);
  Status st = (old == NULL) ? status_fail(g->dev->rt, RT_NOMEM, NULL)
                            : device_lock_take(g->dev, what);
  if (st == 0) {
    st = instantiate(old, g->body);
    device_lock_release(g->dev);
  }
  if (st != 0) {
    free(old);
    return st;
  }
  old->body = g->body;
  links_add(&g->body->execs, &old->link);
  kept_redirect(g, old);
  return 0;
}

static bool has_nodes (const RtBody *body) {
  for (int i = 0; i < body->nparts; i++)
    if (body->parts[i].function == NULL)
      return true;
  return false;
}

/* Makes the executables of a lost graph again. */
static Status make_again (RtGraph *g, const RtBody *body, const char *what) {
  Status st = device_lock_take(g->dev, what);
  if (st != 0)
    return st;
  st = instantiate(g, body);
  device_lock_release(g->dev);
  return st;
}

Status graph_exec_update (RtGraph *g, RtGraph *other, const char *what,
                          const char **reason) {
  Status st = dispatch_check_ranks(other->body, what);
  if (st == 0 && !is_alike(g->body, other->body)) {
    *reason = explain(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  if (st == 0)
    st = context_enter(g->dev);
  if (st == 0 && g->last.s != NULL && deferral_keeps(g->last.s, g->last.seq))
    st = set_aside(g, what);
  if (st == 0)
    st = (has_any(g) || !has_nodes(g->body)) ? update(g, other->body, reason)
                                             : make_again(g, other->body, what);
  if (st != 0)
    return st;
  other->body->refs++;
  graph_exec_drop_body(g->body);
  g->body = other->body;
  return 0;
}
