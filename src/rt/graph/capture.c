/*
** capture.c - the life of a capture: how it begins, how a host function cuts
** it, and how it ends, as the body of a graph or abandoned. Operations are
** added in capture_op.c.
*/
#include "capture.h"

#include <stdlib.h>

#include "branch.h"
#include "capture_types.h"
#include "footprint.h"
#include "graph_exec.h"
#include "graph_types.h"
#include "nodes.h"
#include "rt/driver/capture_mode.h"
#include "rt/driver/context.h"
#include "rt/driver/fault.h"
#include "rt/driver/names.h"
#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/queue/kept.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"

/* {== what is asked of it ============================================= */

int capture_count_functions (const RtStream *s) {
  return (s->capture != NULL) ? s->capture->body->nfunctions : 0;
}

Status capture_is_active (RtStream *s, bool *capturing) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  *capturing = (s->capture != NULL);
  if (s->kind != STREAM_EXTERNAL || *capturing)
    return 0;
  Status st = context_enter(s->dev);
  if (st != 0)
    return st;
  st = s->dev->D->cuStreamIsCapturing(s->handle, &status);
  *capturing = (status != CU_STREAM_CAPTURE_STATUS_NONE);
  return st ? status_fail(s->dev->rt, st, "cuStreamIsCapturing") : 0;
}

/* ==} */

/* {== a capture ======================================================= */

static RtBody *new_body (RtDevice *dev) {
  RtBody *body = calloc(1, sizeof *body);
  if (body == NULL)
    return NULL;
  life_begin(&body->life, LIFE_BODY, dev);
  return body;
}

static Status new_capture (RtDevice *dev, RtCapture **out) {
  RtCapture *c = calloc(1, sizeof *c);
  RtBody *body = (c != NULL) ? new_body(dev) : NULL;
  if (body == NULL) {
    free(c);
    return status_fail(dev->rt, RT_NOMEM, NULL);
  }
  c->body = body;
  c->id = dev->rt->capture_ids++;
  *out = c;
  return 0;
}

/* Frees the capture, and its body unless a graph has taken it. */
static void close_capture (Runtime *rt, RtCapture *c) {
  RtCapture **at = &rt->captures;
  while (*at != c)
    at = &(*at)->next;
  *at = c->next;
  rt->ncaptures--;
  for (int i = 0; i < rt->nstreams; i++)
    if (rt->streams[i]->capture == c)
      branch_leave(rt->streams[i]);
  footprint_free(&c->blocks);
  for (int i = 0; i < c->nevents; i++)
    event_pool_return(c->events[i].dev, c->events[i].event);
  if (c->body != NULL)
    graph_exec_drop_body(c->body);
  name_drop(rt, c->source);
  for (int i = 0; i < c->nchains; i++)
    free(c->chains[i]);
  free(c->nodes);
  free(c->recordings);
  free(c->handles);
  free(c->events);
  if (c->strict)
    capture_mode_count(rt, -1);
  free(c);
}

/* Reports the earlier failure, because closing calls the driver as well. */
static Status close_failed (Runtime *rt, RtCapture *c, Status st) {
  const char *call = rt->call;
  close_capture(rt, c);
  rt->call = call;
  return st;
}

/* ==} */

/* {== begin and end =================================================== */

static Status check_begin (RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->kind == STREAM_NULL)
    return status_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                          "the legacy null stream cannot be captured");
  if (s->capture != NULL)
    return status_explain(rt, CUDA_ERROR_ILLEGAL_STATE, what,
                          "the stream is capturing already");
  return 0;
}

Status capture_begin (RtStream *s, CUstreamCaptureMode mode, const char *what) {
  Runtime *rt = s->dev->rt;
  RtCapture *c = NULL;
  Status st = check_begin(s, what);
  if (st == 0) /* kept operations would be captured later */
    st = deferral_check_sent(s, what);
  if (st == 0)
    st = context_enter(s->dev);
  if (st == 0)
    st = new_capture(s->dev, &c);
  if (st != 0)
    return st;
  c->mode = mode;
  c->strict = (mode != CU_STREAM_CAPTURE_MODE_RELAXED);
  c->thread = context_thread_id();
  if (c->strict)
    capture_mode_count(rt, 1);
  c->origin = s;
  c->source = name_retain(rt->source);
  c->line = rt->line;
  c->next = rt->captures;
  rt->captures = c;
  rt->ncaptures++;
  st = progress_mark_tail(s->dev->null); /* no event can be recorded later */
  if (st == 0)
    st = branch_enter(c, s);
  if (st == 0) {
    st = s->dev->D->cuStreamBeginCapture(s->handle, mode);
    if (st != CUDA_SUCCESS)
      status_fail(rt, st, "cuStreamBeginCapture");
  }
  return (st != 0) ? close_failed(rt, c, st) : 0;
}

static Status check_thread (const RtCapture *c, const char *what) {
  if (!c->strict || c->thread == context_thread_id())
    return 0;
  return status_explain(c->origin->dev->rt,
                        CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, what,
                        "a capture that is not relaxed ends on the thread it "
                        "began on");
}

static Status check_end (const RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->capture == NULL)
    return status_explain(rt, CUDA_ERROR_ILLEGAL_STATE, what,
                          "no capture began on this stream");
  if (s->capture->origin != s)
    return status_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, what,
                          "the capture began on another stream");
  return check_thread(s->capture, what);
}

/*
** Ends the driver's capture. If the call was refused before the driver ended
** anything, it is made again. An own stream could be given up (stream_pool.c),
** but a default stream would capture for ever.
*/
static Status end_driver (RtStream *s, CUgraph *graph) {
  const Driver *D = s->dev->D;
  CUstreamCaptureStatus status;
  CUgraph late = NULL;
  Status st = D->cuStreamEndCapture(s->handle, graph);
  if (st == CUDA_SUCCESS || D->cuStreamIsCapturing(s->handle, &status) != 0 ||
      status == CU_STREAM_CAPTURE_STATUS_NONE)
    return st;
  if (D->cuStreamEndCapture(s->handle, &late) == CUDA_SUCCESS && late != NULL)
    D->cuGraphDestroy(late);
  return st;
}

/* Tells whether the segment has nodes, besides that of the function that cuts.
*/
static bool has_nodes (const RtCapture *c, bool cut) {
  return c->body->nnodes - cut > c->cut;
}

/* Adds the segment to the body's parts, for which there is room. A graph with
** host functions has no part without nodes. */
static Status end_segment (RtCapture *c, bool cut) {
  RtBody *body = c->body;
  const Driver *D = body->dev->D;
  CUgraph graph = NULL;
  Status st = end_driver(c->origin, &graph);
  if (st != CUDA_SUCCESS)
    return status_fail(body->dev->rt, st, "cuStreamEndCapture");
  if (has_nodes(c, cut) || (!cut && body->nfunctions == 0))
    body->parts[body->nparts++] = (GraphPart){graph, NULL};
  else
    D->cuGraphDestroy(graph);
  return 0;
}

/* The capture is over in any case. */
static Status end (RtStream *s, RtBody **out) {
  Runtime *rt = s->dev->rt;
  RtCapture *c = s->capture;
  Status room = footprint_reserve(c->body, &c->blocks);
  if (room == 0)
    room = status_make_room(rt, &c->body->parts, c->body->nparts,
                            sizeof *c->body->parts);
  Status st = (room == 0) ? branch_check_joined(c) : room;
  if (st == 0)
    st = branch_join_all(c);
  if (st == 0) {
    st = end_segment(c, false);
  } else {
    CUgraph graph = NULL;
    if (end_driver(s, &graph) == CUDA_SUCCESS && graph != NULL)
      s->dev->D->cuGraphDestroy(graph);
  }
  if (st != 0) {
    st = close_failed(rt, c, st);
    return (s->dev->fault.code != 0) ? fault_repeat(s->dev) : st;
  }
  footprint_list(c->body, &c->blocks);
  *out = c->body;
  c->body = NULL;
  close_capture(rt, c);
  return 0;
}

/* Making a graph sometimes waits for the device (seen on an H200). So the
** device is locked before anything ends. */
Status capture_end (RtStream *s, RtGraph **out, const char *what) {
  RtBody *body = NULL;
  RtDevice *dev = s->dev;
  Status st = check_end(s, what);
  if (st == 0)
    st = context_reenter(dev);
  if (st == 0)
    st = device_lock_take(dev, what);
  if (st != 0)
    return st;
  st = end(s, &body);
  if (st == 0)
    st = graph_exec_new(body, out);
  device_lock_release(dev);
  return st;
}

/* ==} */

static void throw_away (Runtime *rt, RtCapture *c) {
  RtDevice *dev = c->origin->dev;
  CUgraph graph = NULL;
  if ((context_reenter(dev) == 0 || context_reenter(dev) == 0) &&
      end_driver(c->origin, &graph) == CUDA_SUCCESS && graph != NULL)
    dev->D->cuGraphDestroy(graph);
  close_capture(rt, c);
}

/* {== host functions ================================================== */

/* Makes room for two parts: the segment and the function. */
static Status reserve_parts (RtBody *body) {
  Status st = status_make_room(body->dev->rt, &body->parts, body->nparts,
                               sizeof *body->parts);
  return (st != 0) ? st
                   : status_make_room(body->dev->rt, &body->parts,
                                      body->nparts + 1, sizeof *body->parts);
}

static Status begin_segment (RtCapture *c, int node) {
  Status st = c->origin->dev->D->cuStreamBeginCapture(c->origin->handle,
                                                      c->mode);
  return st ? status_fail(c->origin->dev->rt, st, "cuStreamBeginCapture")
            : branch_cut(c, node);
}

static Status cut (RtCapture *c, RtKept *function, int node) {
  RtBody *body = c->body;
  Status st = end_segment(c, true);
  if (st != 0) {
    kept_free(function);
    return st;
  }
  body->parts[body->nparts++] = (GraphPart){NULL, function};
  body->nfunctions++;
  observer_note_cut(c);
  return begin_segment(c, node);
}

Status capture_cut (RtCapture *c, RtStream *s, const Op *op) {
  RtDevice *dev = c->origin->dev;
  RtKept *function = NULL;
  int node;
  Status st = check_thread(c, op->name);
  if (st == 0)
    st = branch_join_all(c);
  if (st == 0)
    st = reserve_parts(c->body);
  if (st == 0)
    st = device_lock_take(dev, op->name);
  if (st != 0)
    return st;
  Reach all = node_reach_all(c);
  st = node_add(c, c->origin, op, &all, &node);
  if (st == 0 && (function = kept_new_function(s, op->u.hostfn.ref)) == NULL) {
    node_drop(c);
    st = status_fail(dev->rt, RT_NOMEM, NULL);
  }
  if (st == 0 && (st = cut(c, function, node)) != 0) {
    const char *call = dev->rt->call;
    throw_away(dev->rt, c);
    dev->rt->call = call;
  }
  device_lock_release(dev);
  return st;
}

/* ==} */

/* {== abandon ========================================================= */

void capture_abandon (RtStream *s) {
  if (s->capture != NULL && s->capture->origin == s)
    s->capture->abandoned = true;
}

/* The capture itself holds one reference to its origin. */
void capture_end_abandoned (Runtime *rt) {
  for (RtCapture *c = rt->captures, *next; c != NULL; c = next) {
    next = c->next;
    bool held = c->origin->refs > 1 || c->origin->kind == STREAM_PTDS;
    if (c->abandoned || !held)
      throw_away(rt, c);
  }
}

/* Ends all captures in which a stream of 'dev' takes part. */
void capture_abandon_device (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    const RtStream *s = rt->streams[i];
    if (s->dev == dev && s->capture != NULL)
      throw_away(rt, s->capture);
  }
}

void capture_abandon_all (Runtime *rt) {
  while (rt->captures != NULL)
    throw_away(rt, rt->captures);
}

/* ==} */
