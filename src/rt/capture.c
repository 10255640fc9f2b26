/*
** capture.c - captures: what goes into a graph, on which streams, touching
** which blocks.
**
** DESIGN. Captured operations do not run, so their order lives in marks of
** their own, per capture and block. A stream of the capture that conflicts
** with another one's mark waits for a captured event, which the driver turns
** into an edge. A stream outside that conflicts joins the capture the same
** way. Work from before the capture is not waited for: the blocks become the
** graph's accesses, so each launch is ordered after whoever used them.
** Everything illegal is found here before the driver hears of it, since one
** bad call would invalidate the whole capture.
*/
#include "capture.h"

#include <stdlib.h>

#include "block.h"
#include "events.h"
#include "gate.h"
#include "graphs.h"
#include "hazard.h"
#include "inbox.h"
#include "nodes.h"
#include "runtime.h"
#include "streams.h"
#include "submit.h"

/* A block in a capture: its captured uses, and their span. */
typedef struct Captured {
  RtBlock *block;
  MarkSet marks;
  size_t read_lo, read_hi, write_lo, write_hi;  /* hi 0: none */
} Captured;

/* 's' has waited for 't' up to 'seq' inside the capture. */
typedef struct Crossing {
  RtStream *s, *t;
  uint64_t seq;
} Crossing;

typedef struct Lent {
  RtDevice *dev;
  CUevent event;
} Lent;

struct RtCapture {
  RtCapture *next;
  RtStream *origin;
  uint64_t id;
  RtBody *body;        /* grows until the end */
  Captured **table;    /* open addressing by block */
  int nblocks, size;
  Crossing *crossings;
  int ncrossings;
  Lent *events;        /* to be returned at the end */
  int nevents;
};

RtCapture *rt_nextcapture (const RtCapture *c) { return c->next; }

RtDevice *rt_capturedevice (const RtCapture *c) { return c->origin->dev; }

/* Room for one more in an array that doubles. */
static Status room (Runtime *rt, void **at, int n, size_t size) {
  if (n > 0 && (n & (n - 1)) != 0)
    return 0;
  void *p = realloc(*at, (size_t)(n > 0 ? 2 * n : 1) * size);
  if (p == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  *at = p;
  return 0;
}

/* {== blocks ========================================================== */

static size_t slot_of (const RtCapture *c, const RtBlock *b) {
  size_t mask = (size_t)c->size - 1;
  size_t i = (((uintptr_t)b >> 4) * 0x9E3779B97F4A7C15u >> 20) & mask;
  while (c->table[i] != NULL && c->table[i]->block != b)
    i = (i + 1) & mask;
  return i;
}

static Captured *find (const RtCapture *c, const RtBlock *b) {
  return (c->size > 0) ? c->table[slot_of(c, b)] : NULL;
}

static Status rehash (Runtime *rt, RtCapture *c) {
  int size = c->size > 0 ? 2 * c->size : 32, old = c->size;
  Captured **table = calloc((size_t)size, sizeof *table), **from = c->table;
  if (table == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  c->table = table;
  c->size = size;
  for (int i = 0; i < old; i++)
    if (from[i] != NULL)
      table[slot_of(c, from[i]->block)] = from[i];
  free(from);
  return 0;
}

/* The capture's record of a block; made, and the block kept, on first use. */
static Status touch (Runtime *rt, RtCapture *c, RtBlock *b, Captured **out) {
  Status st = (2 * c->nblocks >= c->size) ? rehash(rt, c) : 0;
  if (st != 0)
    return st;
  size_t i = slot_of(c, b);
  if (c->table[i] == NULL) {
    Captured *cb = calloc(1, sizeof *cb);
    if (cb == NULL)
      return rt_fail(rt, RT_NOMEM, NULL);
    cb->block = b;
    cb->read_lo = cb->write_lo = SIZE_MAX;
    rt_retainblock(b);
    b->ncaptures++;
    c->table[i] = cb;
    c->nblocks++;
  }
  *out = c->table[i];
  return 0;
}

static void widen (Captured *cb, const Access *a) {
  size_t *lo = a->write ? &cb->write_lo : &cb->read_lo;
  size_t *hi = a->write ? &cb->write_hi : &cb->read_hi;
  if (a->off < *lo)
    *lo = a->off;
  if (a->off + a->len > *hi)
    *hi = a->off + a->len;
}

/* The blocks become the accesses of the graph; it takes over the references.
** Cannot fail: room was made by reserve_accesses. */
static void hand_over (RtCapture *c, Access *list) {
  RtBody *body = c->body;
  for (int i = 0; i < c->size; i++) {
    Captured *cb = c->table[i];
    if (cb == NULL)
      continue;
    int uses = (cb->read_hi > 0) + (cb->write_hi > 0);
    if (uses == 2)
      rt_retainblock(cb->block);  /* one reference an access */
    if (uses == 0)
      rt_dropblock(cb->block);  /* its one operation failed */
    if (cb->read_hi > 0)
      list[body->naccess++] = (Access){cb->block, cb->read_lo,
                                       cb->read_hi - cb->read_lo, false};
    if (cb->write_hi > 0)
      list[body->naccess++] = (Access){cb->block, cb->write_lo,
                                       cb->write_hi - cb->write_lo, true};
  }
  body->access = list;
}

/* ==} */

/* {== streams ========================================================= */

static Status enter (RtCapture *c, RtStream *s) {
  Tail at;
  Status st = rt_enter(s->dev);
  if (st == 0 && s->seq > s->done)  /* later, events would be captured */
    st = rt_tail(s, s->seq, &at);
  if (st != 0)
    return st;
  rt_retainstream(s);
  s->capture = c;
  s->captured_once = true;
  s->frontier = 0;
  s->captured.event = NULL;
  s->captured.seq = 0;
  return 0;
}

static void leave (RtStream *s) {
  s->capture = NULL;
  s->captured.event = NULL;
  rt_dropstream(s);
}

static bool crossed (const RtCapture *c, const RtStream *s, const RtStream *t,
                     uint64_t seq) {
  for (int i = c->ncrossings - 1; i >= 0; i--) {
    const Crossing *x = &c->crossings[i];
    if (x->s == s && x->t == t && x->seq >= seq)
      return true;
  }
  return false;
}

/* An event that stands for everything captured on 't' so far. */
static Status record_tail (RtCapture *c, RtStream *t) {
  Runtime *rt = t->dev->rt;
  CUevent event;
  Status st = room(rt, (void **)&c->events, c->nevents, sizeof *c->events);
  if (st == 0)
    st = rt_enter(t->dev);
  if (st == 0)
    st = rt_lendevent(t->dev, &event);
  if (st != 0)
    return st;
  c->events[c->nevents++] = (Lent){t->dev, event};
  st = t->dev->D->cuEventRecord(event, t->handle);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuEventRecord");
  t->captured.event = event;
  t->captured.seq = rt->stamp;
  t->captured_set = t->frontier;
  return 0;
}

/* 's' follows what is captured on 't' up to 'seq': an edge. */
static Status follow (RtCapture *c, RtStream *s, RtStream *t, uint64_t seq) {
  Runtime *rt = s->dev->rt;
  if (s == t || crossed(c, s, t, seq))
    return 0;
  Status st = room(rt, (void **)&c->crossings, c->ncrossings,
                   sizeof *c->crossings);
  if (st == 0 && (t->captured.event == NULL || t->captured.seq < seq))
    st = record_tail(c, t);
  if (st == 0)
    st = rt_enter(s->dev);
  if (st != 0)
    return st;
  int set = rt_joinsets(c->body, s->frontier, t->captured_set);
  if (set < 0)
    return rt_fail(rt, RT_NOMEM, NULL);
  st = s->dev->D->cuStreamWaitEvent(s->handle, t->captured.event, 0);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuStreamWaitEvent");
  s->frontier = set;
  c->crossings[c->ncrossings++] = (Crossing){s, t, t->captured.seq};
  return 0;
}

/* ==} */

/* {== which capture, if any =========================================== */

static RtCapture *by_id (Runtime *rt, uint64_t id) {
  RtCapture *c = rt->captures;
  while (c != NULL && c->id != id)
    c = c->next;
  return c;
}

/* Does operation 'op' on 's' conflict with what 'c' has captured? */
static bool conflicts (Runtime *rt, const RtCapture *c, const RtStream *s,
                       const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    const Captured *cb = a->block->ncaptures > 0 ? find(c, a->block) : NULL;
    int n = 0;
    if (cb != NULL)
      rt_hazards(&cb->marks, a, s, 0, 0, rt->points, &n);
    if (n > 0)
      return true;
  }
  return false;
}

/* The open capture that 'op' on 's' has to be part of: NULL if none. */
static Status choose (RtStream *s, const Op *op, RtCapture **out) {
  Runtime *rt = s->dev->rt;
  RtCapture *own = s->capture;
  if (own == NULL && op->kind == OP_WAIT && op->u.event->capture != 0)
    own = by_id(rt, op->u.event->capture);
  for (RtCapture *c = rt->captures; c != NULL; c = c->next) {
    if (c == own || !conflicts(rt, c, s, op))
      continue;
    if (own != NULL)
      return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_MERGE, op->name);
    own = c;
  }
  *out = own;
  return 0;
}

static bool has_blocking (Runtime *rt, const RtCapture *c,
                          const RtDevice *dev) {
  for (int i = 0; i < rt->nstreams; i++) {
    const RtStream *s = rt->streams[i];
    if (s->capture == c && s->dev == dev && !s->nonblocking)
      return true;
  }
  return false;
}

/* The legacy stream would have to wait for blocking streams that capture. */
Status rt_checklegacy (RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->kind != STREAM_NULL)
    return 0;
  for (RtCapture *c = rt->captures; c != NULL; c = c->next)
    if (has_blocking(rt, c, s->dev))
      return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, what);
  return 0;
}

static Status join (RtCapture *c, RtStream *s, const char *what) {
  if (s->kind == STREAM_NULL)
    return rt_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, what,
                      "the legacy null stream uses what is being captured");
  return enter(c, s);
}

/* ==} */

/* {== operations ====================================================== */

static Status check_event (Runtime *rt, const RtCapture *c, const Op *op) {
  const RtEvent *e = op->u.event;
  if (e->capture == c->id)
    return 0;
  if (e->capture == 0)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, op->name);
  return rt_fail(rt, by_id(rt, e->capture) != NULL ?
                 CUDA_ERROR_STREAM_CAPTURE_MERGE : CUDA_ERROR_CAPTURED_EVENT,
                 op->name);
}

static Status wait_event (RtCapture *c, RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  RtEvent *e = op->u.event;
  Status st = check_event(rt, c, op);
  if (st != 0)
    return st;
  int set = rt_joinsets(c->body, s->frontier, e->frontier);
  if (set < 0)
    return rt_fail(rt, RT_NOMEM, NULL);
  st = s->dev->D->cuStreamWaitEvent(s->handle, e->handle, 0);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuStreamWaitEvent");
  s->frontier = set;
  return 0;
}

static Status record (RtCapture *c, RtStream *s, Op *op) {
  RtEvent *e = op->u.event;
  Status st = rt_enqueue(s, op);
  if (st != 0)
    return st;
  e->s = s;
  e->seq = ++s->dev->rt->stamp;
  e->capture = c->id;
  e->frontier = s->frontier;
  return 0;
}

static Status gate_calls (RtStream *s, RtHostNode *node) {
  Runtime *rt = s->dev->rt;
  const Driver *D = s->dev->D;
  CUdeviceptr flag = (CUdeviceptr)(uintptr_t)node->gate;
  Status st = D->cuLaunchHostFunc(s->handle, rt_post, node);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuLaunchHostFunc");
  st = D->cuStreamWaitValue32(s->handle, flag, 1, CU_STREAM_WAIT_VALUE_EQ);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuStreamWaitValue32");
  st = D->cuStreamWriteValue32(s->handle, flag, 0,
                               CU_STREAM_WRITE_VALUE_DEFAULT);
  return st ? rt_fail(rt, st, "cuStreamWriteValue32") : 0;
}

/*
** A host function of the graph: post, wait for the gate, shut it again for the
** next launch. The body owns the node from the start, since the driver may
** have it even if a later call fails.
*/
static Status hostfn (RtCapture *c, RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  RtBody *body = c->body;
  if (body->nhosts == GRAPH_HOSTS)
    return rt_explain(rt, CUDA_ERROR_NOT_SUPPORTED, op->name,
                      "a graph holds at most %d host functions", GRAPH_HOSTS);
  Status st = room(rt, (void **)&body->hosts, body->nhosts,
                   sizeof *body->hosts);
  if (st != 0)
    return st;
  RtHostNode *node = calloc(1, sizeof *node);
  if (node == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  st = rt_lendgate(s->dev, &node->gate);
  if (st != 0) {
    free(node);
    return st;
  }
  node->rt = rt;
  node->body = body;
  node->open = 1;
  node->s = s;
  body->hosts[body->nhosts++] = node;
  st = rt_enter(s->dev);
  if (st == 0)
    st = gate_calls(s, node);
  if (st == 0)
    node->ref = op->u.hostfn.ref;
  return st;
}

/* Follows what the accesses conflict with, and makes room for their marks. */
static Status order (RtCapture *c, RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  int n = 0;
  for (int i = 0; i < op->naccess; i++) {
    Captured *cb = NULL;
    Status st = touch(rt, c, op->access[i].block, &cb);
    if (st == 0 && (st = rt_reserve(&cb->marks)) != 0)
      rt_fail(rt, st, NULL);
    if (st != 0)
      return st;
    rt_hazards(&cb->marks, &op->access[i], s, 0, 0, rt->points, &n);
  }
  for (int i = 0; i < n; i++) {
    Status st = follow(c, s, rt->points[i].s, rt->points[i].seq);
    if (st != 0)
      return st;
  }
  return 0;
}

static void note (RtCapture *c, RtStream *s, const Op *op) {
  uint64_t seq = ++s->dev->rt->stamp;
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    Captured *cb = find(c, a->block);
    rt_note(&cb->marks, a, s, seq, false);
    widen(cb, a);
  }
}

static Status work (RtCapture *c, RtStream *s, Op *op) {
  Status st = order(c, s, op);
  if (st != 0)
    return st;
  int set = rt_addnode(c->body, op, s->frontier);
  if (set < 0)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  st = (op->kind == OP_HOSTFN) ? hostfn(c, s, op) : rt_enqueue(s, op);
  if (st != 0) {
    c->body->nnodes--;
    return st;
  }
  s->frontier = set;
  note(c, s, op);
  return 0;
}

static Status submit_in (RtCapture *c, RtStream *s, Op *op) {
  switch (op->kind) {
    case OP_WAIT: return wait_event(c, s, op);
    case OP_RECORD: return record(c, s, op);
    case OP_GRAPH: case OP_UPLOAD: case OP_HOLD:
      return rt_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     op->name);
    default: return work(c, s, op);
  }
}

Status rt_capturesubmit (RtStream *s, Op *op, bool *captured) {
  RtCapture *c = NULL;
  bool joined = false;
  Status st = choose(s, op, &c);
  if (st != 0)
    return st;
  if (c == NULL)
    return rt_checklegacy(s, op->name);
  if (s->capture == NULL) {
    if (op->kind == OP_GRAPH || op->kind == OP_UPLOAD || op->kind == OP_HOLD)
      return rt_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     op->name);
    if ((st = join(c, s, op->name)) != 0)
      return st;
    joined = true;
  }
  *captured = true;
  st = submit_in(c, s, op);
  if (st != 0 && joined && s->frontier == 0)
    leave(s);
  return st;
}

Status rt_capturejoin (RtStream *s, RtStream *t, const char *what) {
  Runtime *rt = s->dev->rt;
  if (t->capture == NULL)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, what);
  if (s->capture != NULL && s->capture != t->capture)
    return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_MERGE, what);
  bool joined = (s->capture == NULL);
  Status st = joined ? join(t->capture, s, what) : 0;
  if (st != 0)
    return st;
  st = follow(t->capture, s, t, rt->stamp);
  if (st != 0 && joined)
    leave(s);
  return st;
}

int rt_capturehosts (const RtStream *s) {
  return (s->capture != NULL) ? s->capture->body->nhosts : 0;
}

/* ==} */

/* {== begin and end =================================================== */

/*
** In the modes "global" and "thread_local" the driver refuses this thread
** calls that allocate or load; ours are safe (they use other streams), so the
** thread is relaxed as long as captures are open.
*/
static void relax_thread (Runtime *rt, const Driver *D) {
  if (rt->relaxed != NULL)
    return;
  rt->thread_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (D->cuThreadExchangeStreamCaptureMode(&rt->thread_mode) == CUDA_SUCCESS)
    rt->relaxed = D;
}

static void restore_thread (Runtime *rt) {
  if (rt->ncaptures > 0 || rt->relaxed == NULL)
    return;
  rt->relaxed->cuThreadExchangeStreamCaptureMode(&rt->thread_mode);
  rt->relaxed = NULL;
}

static Status check_begin (RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->kind == STREAM_NULL)
    return rt_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                      "the legacy null stream cannot be captured");
  if (s->capture != NULL)
    return rt_explain(rt, CUDA_ERROR_ILLEGAL_STATE, what,
                      "the stream is capturing already");
  return 0;
}

/* Events for what the legacy stream holds: none can be recorded later. */
static Status mark_legacy (RtDevice *dev) {
  Tail at;
  RtStream *s = dev->null;
  return (s->seq > s->done) ? rt_tail(s, s->seq, &at) : 0;
}

static Status new_capture (Runtime *rt, RtDevice *dev, RtCapture **out) {
  RtCapture *c = calloc(1, sizeof *c);
  RtBody *body = calloc(1, sizeof *body);
  if (c == NULL || body == NULL || rt_opensets(body) != 0) {
    free(c);
    if (body != NULL)
      rt_freesets(body);
    free(body);
    return rt_fail(rt, RT_NOMEM, NULL);
  }
  body->refs = 1;
  body->dev = dev;
  c->body = body;
  c->id = rt->capture_ids++;
  *out = c;
  return 0;
}

/* Frees the capture; what it kept goes with 'body' unless that was taken. */
static void close_capture (Runtime *rt, RtCapture *c) {
  RtCapture **at = &rt->captures;
  while (*at != c)
    at = &(*at)->next;
  *at = c->next;
  rt->ncaptures--;
  for (int i = 0; i < rt->nstreams; i++)
    if (rt->streams[i]->capture == c)
      leave(rt->streams[i]);
  for (int i = 0; i < c->size; i++) {
    Captured *cb = c->table[i];
    if (cb == NULL)
      continue;
    cb->block->ncaptures--;
    if (c->body != NULL)  /* nobody took the references */
      rt_dropblock(cb->block);
    rt_freemarks(&cb->marks);
    free(cb);
  }
  for (int i = 0; i < c->nevents; i++)
    rt_returnevent(c->events[i].dev, c->events[i].event);
  if (c->body != NULL)
    rt_dropbody(c->body);
  free(c->table);
  free(c->crossings);
  free(c->events);
  free(c);
  restore_thread(rt);
}

Status rt_begincapture (RtStream *s, CUstreamCaptureMode mode,
                        const char *what) {
  Runtime *rt = s->dev->rt;
  RtCapture *c = NULL;
  Status st = check_begin(s, what);
  if (st == 0)
    st = rt_enter(s->dev);
  if (st == 0)
    st = new_capture(rt, s->dev, &c);
  if (st != 0)
    return st;
  c->origin = s;
  c->next = rt->captures;
  rt->captures = c;
  rt->ncaptures++;
  st = mark_legacy(s->dev);
  if (st == 0)
    st = enter(c, s);
  if (st == 0) {
    st = s->dev->D->cuStreamBeginCapture(s->handle, mode);
    if (st != CUDA_SUCCESS)
      rt_fail(rt, st, "cuStreamBeginCapture");
  }
  if (st != 0) {
    const char *call = rt->call;
    close_capture(rt, c);
    rt->call = call;
    return st;
  }
  if (mode != CU_STREAM_CAPTURE_MODE_RELAXED)
    relax_thread(rt, s->dev->D);
  return 0;
}

static Status check_end (const RtStream *s, const char *what) {
  Runtime *rt = s->dev->rt;
  if (s->capture == NULL)
    return rt_explain(rt, CUDA_ERROR_ILLEGAL_STATE, what,
                      "no capture began on this stream");
  if (s->capture->origin != s)
    return rt_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, what,
                      "the capture began on another stream");
  return 0;
}

Status rt_endcapture (RtStream *s, RtBody **out, const char *what) {
  Runtime *rt = s->dev->rt;
  Status st = check_end(s, what);
  if (st == 0)
    st = rt_enter(s->dev);
  if (st != 0)
    return st;
  RtCapture *c = s->capture;
  size_t n = (size_t)(2 * c->nblocks + 1);
  Access *list = malloc(n * sizeof *list);
  st = s->dev->D->cuStreamEndCapture(s->handle, &c->body->graph);
  if (st != CUDA_SUCCESS)
    rt_fail(rt, st, "cuStreamEndCapture");
  else if (list == NULL)
    st = rt_fail(rt, RT_NOMEM, NULL);
  if (st != 0) {
    const char *call = rt->call;
    free(list);
    close_capture(rt, c);
    rt->call = call;
    return st;
  }
  hand_over(c, list);
  *out = c->body;
  c->body = NULL;
  close_capture(rt, c);
  return 0;
}

static void abandon (Runtime *rt, RtCapture *c) {
  if (rt_enter(c->origin->dev) == 0)
    c->origin->dev->D->cuStreamEndCapture(c->origin->handle,
                                          &c->body->graph);
  close_capture(rt, c);
}

/* The capture itself holds one reference to its origin. */
void rt_endabandoned (Runtime *rt) {
  for (RtCapture *c = rt->captures, *next; c != NULL; c = next) {
    next = c->next;
    if (c->origin->refs <= 1 && c->origin->kind != STREAM_PTDS)
      abandon(rt, c);
  }
}

void rt_abandonall (Runtime *rt) {
  while (rt->captures != NULL)
    abandon(rt, rt->captures);
}

/* ==} */
