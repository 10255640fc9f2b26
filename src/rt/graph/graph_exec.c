/*
** graph_exec.c - executable graphs, and bodies: what a graph runs and keeps
** alive (blocks, communicators, host functions with their gates), shared by
** graphs after update.
*/
#include "graph_exec.h"

#include <stdlib.h>
#include <string.h>

#include "graph_nodes.h"
#include "rt/code/modules.h"
#include "rt/comm/comm.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/foreign.h"
#include "rt/wait/flags.h"
#include "rt/wait/inbox.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"

/* {== bodies ========================================================== */

static bool has_passed (Point at) {
  return at.s == NULL || rt_isover(at.s, at.seq);
}

bool rt_bodydone (RtBody *body) { return has_passed(body->last); }

/* A host function that was never moved to a Graph leaves its key behind. */
static void free_hosts (RtBody *body) {
  for (int i = 0; i < body->nhosts; i++) {
    RtHostNode *node = body->hosts[i];
    if (!rt_isstale(body->dev, body->generation))
      rt_returnflag(body->dev, node->flag);
    if (body->owned || node->ref == 0)
      free(node);
    else
      rt_abandonnode(node);
  }
  free(body->hosts);
}

/* The driver waits for launches under way before it destroys an executable
** graph: for ever, if they stand behind a gate of this thread. None is now. */
static void destroy_execs (RtBody *body) {
  for (RtGraph *g; (g = body->execs) != NULL;) {
    body->execs = g->next;
    if (rt_isstale(g->dev, g->generation))
      free(g);
    else
      rt_freeexec(g);
  }
}

static void destroy_body (RtBody *body) {
  destroy_execs(body);
  if (body->graph != NULL && !rt_isstale(body->dev, body->generation))
    body->dev->D->cuGraphDestroy(body->graph);
  for (int i = 0; i < body->naccess; i++)
    rt_leavebygraph(body->access[i].block);
  for (int i = 0; i < body->ncomms; i++)
    rt_dropcomm(body->comms[i].comm);
  free(body->comms);
  free(body->access);
  free(body->uses);
  free_hosts(body);
  rt_freesets(body);
  free(body);
}

static void park (Runtime *rt, RtBody *body) {
  body->next = NULL;
  *rt->parked_end = body;
  rt->parked_end = &body->next;
  rt->nparked++;
}

static RtBody *unpark (Runtime *rt) {
  RtBody *body = rt->parked;
  rt->parked = body->next;
  if (rt->parked == NULL)
    rt->parked_end = &rt->parked;
  rt->nparked--;
  return body;
}

void rt_dropbody (RtBody *body) {
  if (--body->refs == 0)
    park(body->dev->rt, body);
}

/* ==} */

static void link_graph (RtGraph *g) {
  Runtime *rt = g->dev->rt;
  g->older = rt->graphs;
  if (g->older != NULL)
    g->older->newer = g;
  rt->graphs = g;
}

static void unlink_graph (RtGraph *g) {
  if (g->newer != NULL)
    g->newer->older = g->older;
  else
    g->dev->rt->graphs = g->older;
  if (g->older != NULL)
    g->older->newer = g->newer;
}

static Status instantiate (RtDevice *dev, CUgraph graph, CUgraphExec *exec) {
  Status st = dev->D->cuGraphInstantiateWithFlags(exec, graph, 0);
  return st ? rt_fail(dev->rt, st, "cuGraphInstantiateWithFlags") : 0;
}

Status rt_newgraph (RtBody *body, RtGraph **out) {
  RtDevice *dev = body->dev;
  RtGraph *g = calloc(1, sizeof *g);
  Status st = (g == NULL) ? rt_fail(dev->rt, RT_NOMEM, NULL) : rt_enter(dev);
  if (st == 0)
    st = instantiate(dev, body->graph, &g->exec);
  if (st != 0) {
    free(g);
    rt_dropbody(body);
    return st;
  }
  g->dev = dev;
  g->generation = dev->generation;
  g->body = body;
  link_graph(g);
  *out = g;
  return 0;
}

void rt_dropgraph (RtGraph *g) {
  unlink_graph(g);
  g->next = g->dev->rt->dropped_graphs;
  g->dev->rt->dropped_graphs = g;
}

void rt_dropgraphs (Runtime *rt) {
  while (rt->graphs != NULL)
    rt_dropgraph(rt->graphs);
}

void rt_draingraphs (Runtime *rt, bool all) {
  for (RtGraph *g; (g = rt->dropped_graphs) != NULL;) {
    rt->dropped_graphs = g->next;
    g->next = g->body->execs;
    g->body->execs = g;
    rt_dropbody(g->body);
  }
  for (int n = all ? rt->nparked : rt->nparked > 0; n > 0; n--) {
    RtBody *body = unpark(rt);
    if ((!body->anchored || rt->closing) && rt_bodydone(body) &&
        (rt_isstale(body->dev, body->generation) ||
         rt_visit(body->dev) == 0))
      destroy_body(body);
    else
      park(rt, body);
  }
  if (all)
    rt_freewaiting(rt);
  for (int i = 0; all && i < rt->ndevices; i++)
    if (rt->devices[i].shared != NULL)
      rt_trimmodules(&rt->devices[i]);
}

/* {== of ranks that have left ========================================= */

static void lose_exec (RtGraph *g) {
  RtGraph *part = (g->exec != NULL && has_passed(g->last)) ?
                  calloc(1, sizeof *part) : NULL;
  if (part == NULL)
    return;
  *part = (RtGraph){.dev = g->dev, .exec = g->exec};
  g->exec = NULL;
  rt_freeexec(part);
}

static void lose (RtBody *body, RtGraph *g) {
  bool lost = !rt_arecommsopen(body) && rt_bodydone(body) &&
              !rt_isstale(body->dev, body->generation) &&
              rt_visit(body->dev) == 0;
  if (lost && g != NULL)
    lose_exec(g);
  if (lost && body->graph != NULL)
    body->dev->D->cuGraphDestroy(body->graph);
  if (lost)
    body->graph = NULL;
}

/* Dropped ones. */
static void lose_execs (RtBody *body) {
  for (RtGraph *g = body->execs; g != NULL; g = g->next)
    lose(body, g);
}

static bool is_any_held (const Runtime *rt) {
  for (const RtComm *c = rt->comms; c != NULL; c = c->next)
    if (c->phase > COMM_OPEN && c->holders > 0)
      return true;
  return false;
}

/* NCCL does not end a communicator before the driver has given up the graphs
** that it was captured in. They are launched no more, whoever has them. */
void rt_losegraphs (Runtime *rt) {
  if (!is_any_held(rt))
    return;
  for (RtGraph *g = rt->graphs; g != NULL; g = g->older) {
    lose(g->body, g);
    lose_execs(g->body);
  }
  for (RtGraph *g = rt->dropped_graphs; g != NULL; g = g->next) {
    lose(g->body, g);
    lose_execs(g->body);
  }
  for (RtBody *body = rt->parked; body != NULL; body = body->next) {
    lose(body, NULL);
    lose_execs(body);
  }
  rt_freewaiting(rt);
}

/* ==} */

static const char *explain (CUgraphExecUpdateResult result) {
  switch (result) {
    case CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED:
      return "topology changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED:
      return "node type changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED:
    case CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE:
      return "function changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED:
      return "parameters changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED:
      return "attributes changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED:
      return "not supported";
    default:
      return "update failed";
  }
}

static Status update (RtGraph *g, const RtBody *body, const char **reason) {
  CUgraphExecUpdateResultInfo info = {CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL,
                                      NULL};
  Status st = g->dev->D->cuGraphExecUpdate(g->exec, body->graph, &info);
  if (st == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    *reason = explain(info.result);
  return st ? rt_fail(g->dev->rt, st, "cuGraphExecUpdate") : 0;
}

/* Of one that was lost. */
static Status make_again (RtGraph *g, const RtBody *body, const char *what) {
  Status st = rt_lockdevice(g->dev, what);
  if (st != 0)
    return st;
  st = instantiate(g->dev, body->graph, &g->exec);
  rt_unlockdevice(g->dev);
  return st;
}

Status rt_updategraph (RtGraph *g, RtGraph *other, const char *what,
                       const char **reason) {
  Status st = rt_checkgraphcomms(other->body, what);
  if (st == 0)
    st = rt_enter(g->dev);
  if (st == 0)
    st = (g->exec != NULL) ? update(g, other->body, reason)
                           : make_again(g, other->body, what);
  if (st != 0)
    return st;
  other->body->refs++;
  rt_dropbody(g->body);
  g->body = other->body;
  return 0;
}
