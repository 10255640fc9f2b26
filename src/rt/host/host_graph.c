/*
** host_graph.c - executable graphs.
**
** DESIGN. A graph runs on lanes. Every node goes on in the lane of a node it
** depends on, if that node is still the end of its lane; else it opens a lane.
** Lane 0 is the launching stream, the others are internal streams of the
** executable graph. A launch is jobs and dependencies like everything else: one
** job for each node, and dependencies that cross lanes. With several lanes
** there are also a job to start after and one that joins them. So a linear
** graph costs as much as its nodes, branches run at the same time, and a launch
** in flight needs nothing of the executable graph.
*/
#include <stdlib.h>
#include <string.h>

#include "host.h"

void host_free_nodes (HostNode *nodes, int n) {
  for (int i = 0; i < n; i++) {
    host_drop_task(&nodes[i].task);
    host_free_set(&nodes[i].deps);
  }
  free(nodes);
}

/* {== instantiating =================================================== */

/* Returns the node that 'node' follows in its lane; -1: it opens one. */
static int find_before (const HostNode *node, const bool *is_end) {
  for (int k = 0; k < node->deps.n; k++) {
    int d = node->deps.id[k];
    if (is_end[d])
      return d;
  }
  return -1;
}

/* Sets each node's lane and its place in it, from 1. */
static bool assign_lanes (CUgraphExec x) {
  bool *is_end = calloc((size_t)x->n + 1, sizeof *is_end);
  if (is_end == NULL)
    return false;
  for (int i = 0; i < x->n; i++) {
    HostNode *node = &x->nodes[i];
    int before = find_before(node, is_end);
    if (before >= 0) {
      is_end[before] = false;
      node->lane = x->nodes[before].lane;
      node->place = x->nodes[before].place + 1;
    } else {
      node->lane = x->nlanes++;
      node->place = 1;
    }
    is_end[i] = true;
  }
  free(is_end);
  return true;
}

static bool copy_nodes (CUgraphExec x, CUgraph g) {
  x->nodes = malloc(((size_t)g->n + 1) * sizeof *x->nodes);
  if (x->nodes == NULL)
    return false;
  for (x->n = 0; x->n < g->n; x->n++) {
    x->nodes[x->n].deps = (NodeSet){NULL, 0, 0};
    if (!host_join_set(&x->nodes[x->n].deps, &g->nodes[x->n].deps))
      return false;
    host_copy_task(&x->nodes[x->n].task, &g->nodes[x->n].task);
  }
  return true;
}

static bool make_lanes (CUgraphExec x, CUcontext ctx) {
  x->lanes = calloc((size_t)x->nlanes + 1, sizeof *x->lanes);
  if (x->lanes == NULL)
    return false;
  for (int i = 1; i < x->nlanes; i++) {
    x->lanes[i] = host_new_stream(ctx, CU_STREAM_NON_BLOCKING, LEAST);
    if (x->lanes[i] == NULL)
      return false;
  }
  return true;
}

static void free_exec (CUgraphExec x) {
  for (int i = 1; x->lanes != NULL && i < x->nlanes; i++)
    if (x->lanes[i] != NULL)
      host_release_stream(x->lanes[i]);
  if (x->last.s != NULL)
    host_release_stream(x->last.s);
  free(x->lanes);
  host_free_nodes(x->nodes, x->n);
  host_disown(&x->owned);
  free(x);
}

static void drop (Owned *o) { free_exec((CUgraphExec)o); }

CUresult host_cuGraphInstantiateWithFlags (CUgraphExec *exec, CUgraph graph,
                                           unsigned long long flags) {
  CUcontext ctx;
  if (exec == NULL || graph == NULL || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUgraphExec x = calloc(1, sizeof *x);
  if (x == NULL) {
    r = CUDA_ERROR_OUT_OF_MEMORY;
  } else if (copy_nodes(x, graph) && assign_lanes(x) && make_lanes(x, ctx)) {
    host_own(ctx, &x->owned, drop);
    *exec = x;
  } else {
    free_exec(x);
    r = CUDA_ERROR_OUT_OF_MEMORY;
  }
  host_leave();
  return r;
}

/* Waits for launches in flight, as CUDA does, but without the lock. */
CUresult host_cuGraphExecDestroy (CUgraphExec exec) {
  CUcontext ctx;
  if (exec == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter_faulty(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  while (exec->last.s != NULL && exec->last.s->completed < exec->last.seq &&
         ctx->fault == CUDA_SUCCESS)
    host_wait();
  free_exec(exec);
  r = ctx->fault;
  host_leave();
  return r;
}

/* ==} */

/* {== updating ======================================================== */

static CUgraphExecUpdateResult compare_nodes (const HostNode *a,
                                              const HostNode *b) {
  if (a->task.kind != b->task.kind)
    return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  if (a->task.kind == TASK_WAITVALUE &&
      a->task.u.value.flags != b->task.u.value.flags)
    return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  if (a->deps.n != b->deps.n)
    return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (int i = 0; i < a->deps.n; i++)
    if (a->deps.id[i] != b->deps.id[i])
      return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* Nodes correspond in the order of capture, as in CUDA. A kernel node may
** change its function, as since CUDA 12. */
static CUgraphExecUpdateResult compare (CUgraphExec x, CUgraph g) {
  if (x->n != g->n)
    return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (int i = 0; i < g->n; i++) {
    CUgraphExecUpdateResult r = compare_nodes(&x->nodes[i], &g->nodes[i]);
    if (r != CU_GRAPH_EXEC_UPDATE_SUCCESS)
      return r;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static void replace_task (Task *task, const Task *by) {
  Task old;
  memcpy(&old, task, sizeof old);
  host_copy_task(task, by);
  host_drop_task(&old);
}

CUresult host_cuGraphExecUpdate (CUgraphExec exec, CUgraph graph,
                                 CUgraphExecUpdateResultInfo *info) {
  CUcontext ctx;
  if (exec == NULL || graph == NULL || info == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  *info = (CUgraphExecUpdateResultInfo){compare(exec, graph), NULL, NULL};
  if (info->result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
    r = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  for (int i = 0; r == CUDA_SUCCESS && i < graph->n; i++)
    replace_task(&exec->nodes[i].task, &graph->nodes[i].task);
  host_leave();
  return r;
}

/* ==} */

/* {== launching ======================================================= */

/* The jobs of one launch, made before any of them is queued, so that a failure
** leaves nothing half done. */
typedef struct GraphLaunch {
  CUgraphExec x;
  CUstream s;
  uint64_t start; /* job of 's' after which other lanes begin; 0: none */
  Job *first, **tail;
} GraphLaunch;

static Job *add_job (GraphLaunch *l, const Task *what) {
  Job *job = host_new_job(what);
  if (job == NULL)
    return NULL;
  *l->tail = job;
  l->tail = &job->next;
  return job;
}

/* Makes the job follow node d, in this launch. */
static bool follow (const GraphLaunch *l, Job *job, const HostNode *d) {
  if (d->lane == 0)
    return host_depend(job, l->s, l->start + (uint64_t)d->place);
  CUstream lane = l->x->lanes[d->lane];
  return host_depend(job, lane, lane->issued + (uint64_t)d->place);
}

/* Makes the job follow everything before the launch. */
static bool follow_past (const GraphLaunch *l, Job *job) {
  return host_depend(job, l->x->last.s, l->x->last.seq) &&
         host_fence(l->s, job);
}

/* A lane is in order by itself. All lanes but 0 begin after the start job. */
static bool make_node_job (GraphLaunch *l, const HostNode *node) {
  Job *job = add_job(l, &node->task);
  bool ok = (job != NULL);
  if (ok && l->x->nlanes == 1)
    return node->place > 1 || follow_past(l, job);
  if (ok && node->place == 1 && node->lane > 0)
    ok = host_depend(job, l->s, l->start);
  for (int k = 0; ok && k < node->deps.n; k++) {
    const HostNode *d = &l->x->nodes[node->deps.id[k]];
    if (d->lane != node->lane)
      ok = follow(l, job, d);
  }
  return ok;
}

/* Makes the job that follows the ends of all lanes. */
static bool make_join_job (GraphLaunch *l) {
  Job *job = add_job(l, &(Task){.kind = TASK_NONE});
  uint64_t *length = calloc((size_t)l->x->nlanes + 1, sizeof *length);
  bool ok = (job != NULL && length != NULL);
  for (int i = 0; ok && i < l->x->n; i++)
    length[l->x->nodes[i].lane] = (uint64_t)l->x->nodes[i].place;
  for (int i = 1; ok && i < l->x->nlanes; i++)
    ok = host_depend(job, l->x->lanes[i], l->x->lanes[i]->issued + length[i]);
  free(length);
  return ok;
}

static bool make_jobs (GraphLaunch *l) {
  l->start = l->s->issued;
  if (l->x->nlanes != 1) { /* not even one: an empty graph */
    Job *job = add_job(l, &(Task){.kind = TASK_NONE});
    if (job == NULL || !follow_past(l, job))
      return false;
    l->start++;
  }
  for (int i = 0; i < l->x->n; i++)
    if (!make_node_job(l, &l->x->nodes[i]))
      return false;
  return l->x->nlanes <= 1 || make_join_job(l);
}

static void drop_jobs (GraphLaunch *l) {
  for (Job *job; (job = l->first) != NULL;) {
    l->first = job->next;
    host_drop_job(job);
  }
  host_unfence(l->s);
}

static Job *take_job (GraphLaunch *l) {
  Job *job = l->first;
  l->first = job->next;
  return job;
}

static void queue_jobs (GraphLaunch *l) {
  CUgraphExec x = l->x;
  host_count_job(l->s, l->first, TASK_KERNEL);
  if (x->nlanes != 1)
    host_enqueue(l->s, take_job(l));
  for (int i = 0; i < x->n; i++) {
    int lane = x->nodes[i].lane;
    host_enqueue(lane == 0 ? l->s : x->lanes[lane], take_job(l));
  }
  if (x->nlanes > 1)
    host_enqueue(l->s, take_job(l));
}

static CUresult launch (CUgraphExec x, CUstream s) {
  GraphLaunch l = {.x = x, .s = s, .tail = &l.first};
  if (!make_jobs(&l)) {
    drop_jobs(&l);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  for (int i = 1; i < x->nlanes; i++)
    x->lanes[i]->priority = s->priority;
  queue_jobs(&l);
  s->refs++;
  if (x->last.s != NULL)
    host_release_stream(x->last.s);
  x->last = (Dep){s, s->issued};
  return CUDA_SUCCESS;
}

/* Checks that the stream can take a graph. */
static CUresult check_stream (CUstream s) {
  if (s == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != NULL)
    return host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return host_check_legacy(s);
}

/* An upload does nothing here, but keeps its place in the stream. */
static CUresult queue_graph (CUgraphExec exec, CUstream handle, bool upload) {
  CUcontext ctx;
  if (exec == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  if (s != NULL && s->capture == NULL && !upload)
    host_wait_room(s, TASK_KERNEL);
  if ((r = check_stream(s)) == CUDA_SUCCESS)
    r = upload ? host_queue(s, &(Task){.kind = TASK_NONE}, NULL)
               : launch(exec, s);
  host_leave();
  return r;
}

CUresult host_cuGraphLaunch (CUgraphExec exec, CUstream s) {
  return queue_graph(exec, s, false);
}

CUresult host_cuGraphUpload (CUgraphExec exec, CUstream s) {
  return queue_graph(exec, s, true);
}

/* ==} */
