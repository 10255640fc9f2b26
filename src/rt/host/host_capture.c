/*
** host_capture.c - stream capture: queued work becomes nodes of a graph.
**
** DESIGN. A capturing stream has a frontier: the nodes that its next node must
** follow. A captured task becomes a node that depends on the frontier, and is
** the frontier then. An event recorded there takes the frontier along; a stream
** that waits for it joins the capture and adds it to its own. A call that
** breaks a rule makes the capture invalid, and its calls fail until its origin
** ends it. However it ends, its streams are ordinary ones again. Codes and side
** effects are those of driver 580 on an H200, where it was tried: see the
** comments that say "tried".
*/
#include <limits.h>
#include <stdlib.h>

#include "host.h"
#include "rt/driver/grow.h"

/* {== sets of nodes =================================================== */

void host_free_set (NodeSet *s) {
  free(s->id);
  *s = (NodeSet){NULL, 0, 0};
}

static bool reserve (NodeSet *s, int n) {
  return grow_list(&s->id, &s->cap, n, sizeof *s->id, 1);
}

static bool contains (const NodeSet *s, int n, int id) {
  for (int i = 0; i < n; i++)
    if (s->id[i] == id)
      return true;
  return false;
}

bool host_join_set (NodeSet *into, const NodeSet *from) {
  int old = into->n;
  if (!reserve(into, old + from->n))
    return false;
  for (int i = 0; i < from->n; i++)
    if (!contains(into, old, from->id[i]))
      into->id[into->n++] = from->id[i];
  return true;
}

/* ==} */

/* {== captures and their streams ====================================== */

static void invalidate (CUgraph g) {
  if (g != NULL)
    g->invalid = true;
}

/* Refuses a call that a capturing stream cannot take. */
CUresult host_refuse (CUstream s, CUresult why) {
  invalidate(s->capture);
  return why;
}

static bool is_blocking (CUstream s) {
  return (s->flags & CU_STREAM_NON_BLOCKING) == 0;
}

/* A reference keeps the stream while it captures. */
static void join (CUstream s, CUgraph g) {
  s->refs++;
  s->capture = g;
  s->frontier.n = 0;
  s->next_member = g->members;
  g->members = s;
  s->ctx->capturing += is_blocking(s);
}

static void leave (CUstream *at) {
  CUstream s = *at;
  *at = s->next_member;
  s->capture = NULL;
  s->ctx->capturing -= is_blocking(s);
  host_release_stream(s);
}

/* The graph captures no longer: it belongs to the caller. */
static void close_capture (CUgraph g) {
  CUgraph *at = &host.captures;
  while (*at != g)
    at = &(*at)->next;
  *at = g->next;
  while (g->members != NULL)
    leave(&g->members);
  g->origin = NULL;
}

static void free_graph (CUgraph g) {
  host_disown(&g->owned);
  host_free_nodes(g->nodes, g->n);
  free(g);
}

/* For a stream that is destroyed. The origin takes its capture along, and other
** streams leave theirs. Afterwards nothing can end the capture (tried). */
void host_quit_capture (CUstream s) {
  CUgraph g = s->capture;
  if (g == NULL)
    return;
  if (g->origin == s) {
    close_capture(g);
    free_graph(g);
    return;
  }
  CUstream *at = &g->members;
  while (*at != s)
    at = &(*at)->next_member;
  leave(at);
}

/* Likewise for every stream of the context. */
void host_quit_captures (CUcontext ctx) {
  for (CUgraph g = host.captures, next; g != NULL; g = next) {
    next = g->next;
    if (g->origin->ctx == ctx)
      host_quit_capture(g->origin);
  }
}

static CUgraph find_capture (uint64_t id) {
  CUgraph g = host.captures;
  while (g != NULL && g->id != id)
    g = g->next;
  return g;
}

/* ==} */

/* {== calls that captures refuse ====================================== */

/* The legacy stream would depend on blocking streams that capture. */
CUresult host_check_legacy (CUstream s) {
  if (!s->legacy || s->ctx->capturing == 0)
    return CUDA_SUCCESS;
  for (CUgraph g = host.captures; g != NULL; g = g->next)
    for (CUstream m = g->members; m != NULL; m = m->next_member)
      if (m->ctx == s->ctx && is_blocking(m))
        g->invalid = true;
  return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

static _Thread_local CUstreamCaptureMode thread_mode;

/* Tells whether the capture forbids unsafe calls to this thread. */
static bool forbids (CUgraph g) {
  if (g->mode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return false;
  if (pthread_equal(g->thread, pthread_self()))
    return true;
  return g->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
         thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

/* Before queries, and allocation of page-locked memory (tried). */
CUresult host_check_unsafe (void) {
  CUresult r = CUDA_SUCCESS;
  if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return r;
  for (CUgraph g = host.captures; g != NULL; g = g->next) {
    if (forbids(g)) {
      g->invalid = true;
      r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  }
  return r;
}

CUresult host_cuThreadExchangeStreamCaptureMode (CUstreamCaptureMode *mode) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (mode == NULL || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  CUstreamCaptureMode old = thread_mode;
  thread_mode = *mode;
  *mode = old;
  return CUDA_SUCCESS;
}

/* ==} */

/* {== capturing ======================================================= */

static CUresult begin (CUstream s, CUstreamCaptureMode mode) {
  if (s->legacy)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (s->capture != NULL)
    return CUDA_ERROR_ILLEGAL_STATE;
  CUgraph g = calloc(1, sizeof *g);
  if (g == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  g->id = ++host.capture_ids;
  g->origin = s;
  g->mode = mode;
  g->thread = pthread_self();
  g->next = host.captures;
  host.captures = g;
  join(s, g);
  return CUDA_SUCCESS;
}

CUresult host_cuStreamBeginCapture (CUstream handle, CUstreamCaptureMode mode) {
  CUcontext ctx;
  if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s != NULL) ? begin(s, mode) : CUDA_ERROR_INVALID_HANDLE;
  host_leave();
  return r;
}

/* Adds a node after the frontier. The frontier has room for it then. */
static HostNode *add_node (CUgraph g, NodeSet *frontier) {
  if (!grow_list(&g->nodes, &g->cap, g->n + 1, sizeof *g->nodes, 16))
    return NULL;
  HostNode *node = &g->nodes[g->n];
  node->deps = (NodeSet){NULL, 0, 0};
  if (!host_join_set(&node->deps, frontier) || !reserve(frontier, 1)) {
    host_free_set(&node->deps);
    return NULL;
  }
  g->n++;
  return node;
}

/* Captures 'what' instead of queueing it on 's'. */
CUresult host_capture (CUstream s, const Task *what) {
  CUgraph g = s->capture;
  if (g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (what->kind == TASK_FREE)
    return host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  HostNode *node = add_node(g, &s->frontier);
  if (node == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  host_copy_task(&node->task, what);
  s->frontier.id[0] = g->n - 1;
  s->frontier.n = 1;
  return CUDA_SUCCESS;
}

/* A recording in a capture is a set of nodes, and never completes. */
CUresult host_capture_event (CUstream s, CUevent e) {
  if (s->capture->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!host_join_set(&e->frontier, &s->frontier))
    return CUDA_ERROR_OUT_OF_MEMORY;
  e->capture = s->capture->id;
  return CUDA_SUCCESS;
}

/* A query of a captured event makes the capture invalid. After the capture has
** ended the event is invalid (tried). */
CUresult host_read_captured (CUevent e) {
  CUgraph g = find_capture(e->capture);
  if (g == NULL || g->invalid)
    return CUDA_ERROR_INVALID_VALUE;
  g->invalid = true;
  return CUDA_ERROR_CAPTURED_EVENT;
}

/* 's' waits for a captured event. */
CUresult host_join_capture (CUstream s, CUevent e) {
  CUgraph g = find_capture(e->capture);
  if (s->capture != NULL && s->capture->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (g == NULL)
    return host_refuse(s, CUDA_ERROR_INVALID_VALUE);
  if (s->capture != NULL && s->capture != g) {
    g->invalid = true;
    return host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  if (g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (s->legacy) {
    g->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (s->capture == NULL)
    join(s, g);
  return host_join_set(&s->frontier, &e->frontier) ? CUDA_SUCCESS
                                                   : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ==} */

/* {== dependencies ==================================================== */

/* A node's handle: the capture's number, and the node's from 1. */
static CUgraphNode handle_of (CUgraph g, int id) {
  return (CUgraphNode)(uintptr_t)(g->id << 32 | (uint64_t)(id + 1));
}

/* Makes a list of the frontier's handles, which is valid until the next
** call. */
static CUresult report_frontier (CUstream s, const CUgraphNode **nodes,
                                 size_t *n) {
  int wanted = s->frontier.n;
  if (!grow_list(&s->handles, &s->caphandles, wanted, sizeof *s->handles, 1))
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (int i = 0; i < wanted; i++)
    s->handles[i] = handle_of(s->capture, s->frontier.id[i]);
  *nodes = s->handles;
  *n = (size_t)wanted;
  return CUDA_SUCCESS;
}

static CUresult tell (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id,
                      CUgraph *graph, const CUgraphNode **nodes, size_t *n) {
  CUgraph g = s->capture;
  CUresult r = host_check_legacy(s);
  if (r != CUDA_SUCCESS)
    return r;
  *status = (g == NULL)  ? CU_STREAM_CAPTURE_STATUS_NONE
            : g->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                         : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return CUDA_SUCCESS;
  *id = g->id;
  *graph = g;
  return report_frontier(s, nodes, n);
}

CUresult host_cuStreamGetCaptureInfo (CUstream handle,
                                      CUstreamCaptureStatus *status,
                                      cuuint64_t *id, CUgraph *graph,
                                      const CUgraphNode **nodes, size_t *n) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s != NULL) ? tell(s, status, id, graph, nodes, n)
                  : CUDA_ERROR_INVALID_HANDLE;
  host_leave();
  return r;
}

/* Returns the node's number in the capture; -1: it is not in this capture. */
static int node_of (CUgraph g, CUgraphNode handle) {
  uint64_t h = (uint64_t)(uintptr_t)handle;
  uint32_t id = (uint32_t)h - 1;
  return (h >> 32 == g->id && id < (uint32_t)g->n) ? (int)id : -1;
}

static CUresult update (CUstream s, const CUgraphNode *nodes, int n, bool set) {
  CUgraph g = s->capture;
  NodeSet *at = &s->frontier;
  if (g == NULL)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  for (int i = 0; i < n; i++)
    if (node_of(g, nodes[i]) < 0)
      return CUDA_ERROR_INVALID_VALUE;
  if (!reserve(at, at->n + n))
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (set)
    at->n = 0;
  for (int i = 0; i < n; i++)
    if (!contains(at, at->n, node_of(g, nodes[i])))
      at->id[at->n++] = node_of(g, nodes[i]);
  return CUDA_SUCCESS;
}

CUresult host_cuStreamUpdateCaptureDependencies (CUstream handle,
                                                 CUgraphNode *nodes, size_t n,
                                                 unsigned flags) {
  CUcontext ctx;
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES || n > INT_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s != NULL)
        ? update(s, nodes, (int)n, flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        : CUDA_ERROR_INVALID_HANDLE;
  host_leave();
  return r;
}

static CUresult add_empty (CUgraph g, const CUgraphNode *nodes, size_t n,
                           CUgraphNode *out) {
  NodeSet after = {NULL, 0, 0};
  const Task nothing = {.kind = TASK_NONE};
  CUresult r = reserve(&after, (int)n) ? CUDA_SUCCESS
                                       : CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < n && r == CUDA_SUCCESS; i++) {
    int id = node_of(g, nodes[i]);
    if (id < 0 || contains(&after, after.n, id)) /* tried */
      r = CUDA_ERROR_INVALID_VALUE;
    else
      after.id[after.n++] = id;
  }
  HostNode *node = (r == CUDA_SUCCESS) ? add_node(g, &after) : NULL;
  if (node != NULL) {
    host_copy_task(&node->task, &nothing);
    *out = handle_of(g, g->n - 1);
  } else if (r == CUDA_SUCCESS) {
    r = CUDA_ERROR_OUT_OF_MEMORY;
  }
  host_free_set(&after);
  return r;
}

/* Adds a node to a graph that a capture is making; to no other graph. */
CUresult host_cuGraphAddEmptyNode (CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *nodes, size_t n) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (node == NULL || graph == NULL || (nodes == NULL && n > 0) || n > INT_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  host_lock();
  r = (graph->origin != NULL) ? add_empty(graph, nodes, n, node)
                              : CUDA_ERROR_NOT_SUPPORTED;
  host_unlock();
  return r;
}

/* ==} */

/* {== ending ========================================================== */

/* Tells whether the end of the origin follows every node. */
static CUresult check_joined (CUgraph g) {
  const NodeSet *end = &g->origin->frontier;
  int followed = 0;
  bool *seen = calloc((size_t)g->n + 1, sizeof *seen);
  if (seen == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (int i = 0; i < end->n; i++)
    seen[end->id[i]] = true;
  for (int i = g->n - 1; i >= 0; i--) {
    const NodeSet *deps = &g->nodes[i].deps;
    followed += seen[i];
    for (int k = 0; seen[i] && k < deps->n; k++)
      seen[deps->id[k]] = true;
  }
  free(seen);
  return (followed == g->n) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

static CUresult judge (CUgraph g) {
  if (g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (g->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
      !pthread_equal(g->thread, pthread_self()))
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD; /* it ends (tried) */
  return check_joined(g);
}

static void drop (Owned *o) { free_graph((CUgraph)o); }

static CUresult end (CUstream s, CUgraph *out) {
  CUgraph g = s->capture;
  if (g == NULL)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (g->origin != s)
    return host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  CUresult r = judge(g);
  close_capture(g);
  if (r == CUDA_SUCCESS) {
    host_own(s->ctx, &g->owned, drop);
    *out = g;
  } else {
    free_graph(g);
  }
  return r;
}

CUresult host_cuStreamEndCapture (CUstream handle, CUgraph *graph) {
  CUcontext ctx;
  if (graph == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  *graph = NULL;
  CUstream s = host_stream(ctx, handle);
  r = (s != NULL) ? end(s, graph) : CUDA_ERROR_INVALID_HANDLE;
  host_leave();
  return r;
}

CUresult host_cuGraphDestroy (CUgraph g) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (g == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  host_lock();
  free_graph(g);
  host_unlock();
  return CUDA_SUCCESS;
}

/* ==} */
