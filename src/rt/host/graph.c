/*
** graph.c - captures and graphs.
**
** DESIGN. While a stream captures, what is queued on it becomes a node that
** depends on the stream's frontier, and the frontier becomes that node. An
** event recorded there takes the frontier along; a stream that waits for it
** joins the capture and adds it to its own.
** A graph runs on lanes: each chain of nodes is a FIFO on a light internal
** stream, so branches run at the same time and a launch is jobs and
** dependencies like everything else: a start job on the launching stream, a
** job a node, a join job on the launching stream.
*/
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* {== sets ============================================================ */

void host_freeset (Set *s) {
  free(s->id);
  s->id = NULL;
  s->n = s->cap = 0;
}

static bool add (Set *s, int id) {
  for (int i = 0; i < s->n; i++)
    if (s->id[i] == id)
      return true;
  if (s->n == s->cap) {
    int cap = s->cap > 0 ? 2 * s->cap : 4;
    int *list = realloc(s->id, (size_t)cap * sizeof *list);
    if (list == NULL)
      return false;
    s->id = list;
    s->cap = cap;
  }
  s->id[s->n++] = id;
  return true;
}

bool host_joinset (Set *into, const Set *from) {
  for (int i = 0; i < from->n; i++)
    if (!add(into, from->id[i]))
      return false;
  return true;
}

/* ==} */

/* {== capturing ======================================================= */

void host_invalidate (CUgraph g) {
  if (g != NULL)
    g->invalid = true;
}

/* Open captures: few, so a list is enough. */
static CUgraph open_graphs[64];
static int nopen;

static CUgraph by_id (uint64_t id) {
  for (int i = 0; i < nopen; i++)
    if (open_graphs[i]->id == id)
      return open_graphs[i];
  return NULL;
}

/* Streams in captures, by capture: linked through a small array. */
typedef struct Member {
  CUstream s;
  CUgraph g;
} Member;

static Member *members;
static int nmembers, capmembers;

static bool enter_capture (CUstream s, CUgraph g) {
  if (nmembers == capmembers) {
    int cap = capmembers > 0 ? 2 * capmembers : 16;
    Member *list = realloc(members, (size_t)cap * sizeof *list);
    if (list == NULL)
      return false;
    members = list;
    capmembers = cap;
  }
  members[nmembers++] = (Member){s, g};
  host_retainstream(s);
  s->capture = g;
  s->frontier.n = 0;
  if (!(s->flags & CU_STREAM_NON_BLOCKING))
    s->ctx->captures++;
  return true;
}

static void leave_capture (CUgraph g) {
  int n = 0;
  for (int i = 0; i < nmembers; i++) {
    CUstream s = members[i].s;
    if (members[i].g != g) {
      members[n++] = members[i];
      continue;
    }
    s->capture = NULL;
    if (!(s->flags & CU_STREAM_NON_BLOCKING))
      s->ctx->captures--;
    host_releasestream(s);
  }
  nmembers = n;
  for (int i = 0; i < nopen; i++)
    if (open_graphs[i] == g)
      open_graphs[i] = open_graphs[--nopen];
}

/* The legacy stream would depend on blocking streams that capture. */
CUresult host_legacy (CUcontext ctx, CUstream s) {
  if (!s->legacy || ctx->captures == 0)
    return CUDA_SUCCESS;
  for (int i = 0; i < nmembers; i++)
    if (members[i].s->ctx == ctx &&
        !(members[i].s->flags & CU_STREAM_NON_BLOCKING))
      host_invalidate(members[i].g);
  return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

static CUresult begin (CUstream s, CUstreamCaptureMode mode) {
  if (s->legacy)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (s->capture != NULL)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (nopen == (int)(sizeof open_graphs / sizeof *open_graphs))
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUgraph g = calloc(1, sizeof *g);
  if (g == NULL || !enter_capture(s, g))
    return free(g), CUDA_ERROR_OUT_OF_MEMORY;
  g->id = ++host.capture_ids;
  g->origin = s;
  g->mode = mode;
  g->thread = pthread_self();
  open_graphs[nopen++] = g;
  return CUDA_SUCCESS;
}

CUresult host_cuStreamBeginCapture (CUstream handle,
                                    CUstreamCaptureMode mode) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s == NULL) ? CUDA_ERROR_INVALID_HANDLE : begin(s, mode);
  host_leave();
  return r;
}

static CUresult refused (CUgraph g, TaskKind kind) {
  if (g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (kind == TASK_FREE) {
    host_invalidate(g);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return CUDA_SUCCESS;
}

CUresult host_capture (CUstream s, const Task *what) {
  CUgraph g = s->capture;
  CUresult r = refused(g, what->kind);
  if (r != CUDA_SUCCESS)
    return r;
  if (g->n == g->cap) {
    int cap = g->cap > 0 ? 2 * g->cap : 16;
    Node *nodes = realloc(g->nodes, (size_t)cap * sizeof *nodes);
    if (nodes == NULL)
      return CUDA_ERROR_OUT_OF_MEMORY;
    g->nodes = nodes;
    g->cap = cap;
  }
  Node *node = &g->nodes[g->n];
  memset(node, 0, sizeof *node);
  node->task = *what;
  if (!host_joinset(&node->deps, &s->frontier))
    return host_freeset(&node->deps), CUDA_ERROR_OUT_OF_MEMORY;
  s->frontier.n = 0;
  return add(&s->frontier, g->n++) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_joincapture (CUstream s, CUevent e) {
  CUgraph g = by_id(e->capture);
  if (g == NULL)
    return CUDA_ERROR_CAPTURED_EVENT;
  if (s->legacy) {
    host_invalidate(g);
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (s->capture != NULL && s->capture != g) {
    host_invalidate(g);
    host_invalidate(s->capture);
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  if (g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (s->capture == NULL && !enter_capture(s, g))
    return CUDA_ERROR_OUT_OF_MEMORY;
  return host_joinset(&s->frontier, &e->frontier) ? CUDA_SUCCESS
                                                  : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Marks what the origin's frontier depends on. Nodes are in order of capture,
** so dependencies have smaller indices. */
static void mark_joined (CUgraph g, const Set *frontier, bool *seen) {
  for (int i = 0; i < frontier->n; i++)
    seen[frontier->id[i]] = true;
  for (int i = g->n - 1; i >= 0; i--)
    for (int k = 0; seen[i] && k < g->nodes[i].deps.n; k++)
      seen[g->nodes[i].deps.id[k]] = true;
}

static CUresult check_joined (CUgraph g) {
  bool *seen = calloc((size_t)g->n + 1, sizeof *seen);
  CUresult r = CUDA_SUCCESS;
  if (seen == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  mark_joined(g, &g->origin->frontier, seen);
  for (int i = 0; i < g->n; i++)
    if (!seen[i])
      r = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  free(seen);
  return r;
}

static void free_nodes (Node *nodes, int n) {
  for (int i = 0; i < n; i++)
    host_freeset(&nodes[i].deps);
  free(nodes);
}

static CUresult end (CUstream s, CUgraph *out) {
  CUgraph g = s->capture;
  if (g == NULL)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (g->origin != s) {
    host_invalidate(g);
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  if (g->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
      !pthread_equal(g->thread, pthread_self()))
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  CUresult r = g->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                          : check_joined(g);
  leave_capture(g);
  if (r == CUDA_SUCCESS) {
    *out = g;
  } else {
    free_nodes(g->nodes, g->n);
    free(g);
  }
  return r;
}

CUresult host_cuStreamEndCapture (CUstream handle, CUgraph *graph) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  *graph = NULL;
  CUstream s = host_stream(ctx, handle);
  r = (s == NULL) ? CUDA_ERROR_INVALID_HANDLE : end(s, graph);
  host_leave();
  return r;
}

static _Thread_local CUstreamCaptureMode thread_mode;

CUresult host_cuThreadExchangeStreamCaptureMode (CUstreamCaptureMode *mode) {
  CUstreamCaptureMode old = thread_mode;
  thread_mode = *mode;
  *mode = old;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphDestroy (CUgraph g) {
  if (g == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  free_nodes(g->nodes, g->n);
  free(g);
  return CUDA_SUCCESS;
}

/* ==} */

/* {== executable graphs =============================================== */

/* A node goes on in the lane whose last node it depends on, else opens one. */
static bool assign_lanes (CUgraphExec x) {
  int *last = malloc(((size_t)x->n + 1) * sizeof *last);
  if (last == NULL)
    return false;
  for (int i = 0; i < x->n; i++) {
    Node *node = &x->nodes[i];
    int lane = 0;
    for (lane = 0; lane < x->lanes; lane++) {
      bool follows = false;
      for (int k = 0; k < node->deps.n; k++)
        follows = follows || node->deps.id[k] == last[lane];
      if (follows)
        break;
    }
    if (lane == x->lanes)
      x->lanes++;
    node->lane = lane;
    last[lane] = i;
  }
  free(last);
  return true;
}

static CUgraphExec copy_graph (CUgraph g) {
  CUgraphExec x = calloc(1, sizeof *x);
  if (x == NULL)
    return NULL;
  x->refs = 1;
  x->nodes = calloc((size_t)g->n + 1, sizeof *x->nodes);
  bool ok = (x->nodes != NULL);
  for (; ok && x->n < g->n; x->n++) {
    x->nodes[x->n].task = g->nodes[x->n].task;
    ok = host_joinset(&x->nodes[x->n].deps, &g->nodes[x->n].deps);
  }
  if (ok && assign_lanes(x))
    return x;
  free_nodes(x->nodes, x->nodes != NULL ? g->n : 0);
  free(x);
  return NULL;
}

CUresult host_cuGraphInstantiateWithFlags (CUgraphExec *exec, CUgraph graph,
                                           unsigned long long flags) {
  CUcontext ctx;
  if (graph == NULL || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  *exec = copy_graph(graph);
  host_leave();
  return (*exec != NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void host_releaseexec (CUgraphExec x) {
  if (--x->refs > 0)
    return;
  if (x->last.s != NULL)
    host_releasestream(x->last.s);
  free_nodes(x->nodes, x->n);
  free(x);
}

CUresult host_cuGraphExecDestroy (CUgraphExec exec) {
  CUcontext ctx;
  if (exec == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  host_releaseexec(exec);
  host_leave();
  return r;
}

static CUgraphExecUpdateResult compare (CUgraphExec x, CUgraph g) {
  if (x->n != g->n)
    return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (int i = 0; i < g->n; i++) {
    const Set *a = &x->nodes[i].deps, *b = &g->nodes[i].deps;
    if (a->n != b->n ||
        (a->n > 0 && memcmp(a->id, b->id, (size_t)a->n * sizeof *a->id) != 0))
      return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (x->nodes[i].task.kind != g->nodes[i].task.kind)
      return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

CUresult host_cuGraphExecUpdate (CUgraphExec exec, CUgraph graph,
                                 CUgraphExecUpdateResultInfo *info) {
  CUcontext ctx;
  if (exec == NULL || graph == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  memset(info, 0, sizeof *info);
  info->result = compare(exec, graph);
  if (info->result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
    r = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  else
    for (int i = 0; i < graph->n; i++)
      exec->nodes[i].task = graph->nodes[i].task;
  host_leave();
  return r;
}

CUresult host_cuGraphUpload (CUgraphExec exec, CUstream s) {
  static const Task nothing = {.kind = TASK_NONE};
  CUcontext ctx;
  if (exec == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  r = host_submit(ctx, s, &nothing);
  host_leave();
  return r;
}

/* ==} */

/* {== launch ========================================================== */

/* The jobs of one launch, made before any of them is queued. */
typedef struct Launch {
  CUgraphExec x;
  CUstream s;
  CUstream *lanes;
  uint64_t *seq;     /* of each node, in its lane */
  Job **jobs;        /* n nodes */
  int njobs;
} Launch;

static void close_launch (Launch *l) {
  for (int i = 0; l->lanes != NULL && i < l->x->lanes; i++)
    if (l->lanes[i] != NULL)
      host_releasestream(l->lanes[i]);
  free(l->lanes);
  free(l->seq);
  free(l->jobs);
}

static bool make_lanes (Launch *l) {
  size_t n = (size_t)l->x->n + 1, k = (size_t)l->x->lanes + 1;
  l->lanes = calloc(k, sizeof *l->lanes);
  l->seq = calloc(n, sizeof *l->seq);
  l->jobs = calloc(n, sizeof *l->jobs);
  if (l->lanes == NULL || l->seq == NULL || l->jobs == NULL)
    return false;
  for (int i = 0; i < l->x->lanes; i++) {
    l->lanes[i] = host_newstream(l->s->ctx, CU_STREAM_NON_BLOCKING,
                                 l->s->priority);
    if (l->lanes[i] == NULL)
      return false;
  }
  return true;
}

/* Job of node 'i': after the start job, and nodes of other lanes. Lane FIFOs
** do the rest. Sequence numbers are known before anything is queued. */
static Job *node_job (Launch *l, int i, uint64_t start, uint64_t *issued) {
  const Node *node = &l->x->nodes[i];
  Job *job = host_newjob(TASK_NONE);
  if (job == NULL)
    return NULL;
  bool ok = host_depend(job, l->s, start);
  for (int k = 0; ok && k < node->deps.n; k++) {
    int d = node->deps.id[k], lane = l->x->nodes[d].lane;
    if (lane != node->lane)
      ok = host_depend(job, l->lanes[lane], l->seq[d]);
  }
  if (!ok)
    return host_dropjob(job), NULL;
  job->task = node->task;
  l->seq[i] = ++issued[node->lane];
  return job;
}

static bool make_jobs (Launch *l, uint64_t start) {
  uint64_t *issued = calloc((size_t)l->x->lanes + 1, sizeof *issued);
  bool ok = (issued != NULL);
  for (; ok && l->njobs < l->x->n; l->njobs++) {
    l->jobs[l->njobs] = node_job(l, l->njobs, start, issued);
    ok = (l->jobs[l->njobs] != NULL);
    if (!ok)
      break;
  }
  free(issued);
  return ok;
}

/* The last job: after the ends of all lanes. It keeps the exec. */
static Job *join_job (Launch *l) {
  Job *job = host_newjob(TASK_NONE);
  bool ok = (job != NULL);
  for (int i = 0; ok && i < l->x->n; i++)
    ok = host_depend(job, l->lanes[l->x->nodes[i].lane], l->seq[i]);
  if (!ok)
    return (job != NULL) ? (host_dropjob(job), NULL) : NULL;
  job->exec = l->x;
  l->x->refs++;
  return job;
}

static CUresult run_launch (Launch *l, Job *start) {
  Dep last = {l->s, l->s->issued + 2};
  Job *join = NULL;
  bool ok = make_lanes(l) && make_jobs(l, l->s->issued + 1) &&
            (join = join_job(l)) != NULL;
  if (!ok) {
    for (int i = 0; i < l->njobs; i++)
      host_dropjob(l->jobs[i]);
    host_dropjob(start);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  host_enqueue(l->s, start);
  for (int i = 0; i < l->x->n; i++)
    host_enqueue(l->lanes[l->x->nodes[i].lane], l->jobs[i]);
  host_enqueue(l->s, join);
  host_retainstream(l->s);
  if (l->x->last.s != NULL)
    host_releasestream(l->x->last.s);
  l->x->last = last;
  return CUDA_SUCCESS;
}

static CUresult launch (CUcontext ctx, CUgraphExec x, CUstream s) {
  Launch l = {x, s, NULL, NULL, NULL, 0};
  if (s->capture != NULL) {
    host_invalidate(s->capture);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  CUresult r = host_legacy(ctx, s);
  if (r != CUDA_SUCCESS)
    return r;
  Job *start = host_newjob(TASK_NONE);
  if (start == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (!host_dependimplicitly(s, start) ||
      !host_depend(start, x->last.s, x->last.seq)) {
    host_dropjob(start);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  r = run_launch(&l, start);
  close_launch(&l);
  return r;
}

CUresult host_cuGraphLaunch (CUgraphExec exec, CUstream handle) {
  CUcontext ctx;
  if (exec == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s == NULL) ? CUDA_ERROR_INVALID_HANDLE : launch(ctx, exec, s);
  host_leave();
  return r;
}

/* ==} */
