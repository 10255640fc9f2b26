/*
** capture_submit.c - operations while captures are open: which capture, if any,
** one has to be part of, and how it becomes a node there.
**
** DESIGN. Captured operations do not run, so their order lives in marks of
** their own, per capture and block. A stream of the capture that conflicts with
** another one's mark follows it (branches.c). A stream outside that uses what
** the capture has written joins it and does the same. Work from before the
** capture, and what writes memory that the capture only reads, is not waited
** for: the blocks become the graph's accesses (captured_blocks.c), so each
** launch is ordered after all earlier uses of them. Everything illegal is found
** here before the driver hears of it, since one bad call would invalidate the
** whole capture.
*/
#include "capture_submit.h"

#include <stdlib.h>

#include "branches.h"
#include "capture.h"
#include "captured_blocks.h"
#include "graph_nodes.h"
#include "rt/comm/losses.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/driver/witness.h"
#include "rt/memory/hazard.h"
#include "rt/queue/enqueue.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"

/* {== which capture, if any =========================================== */

/* Tells whether 'op' on 's' uses what 'c' has captured a write of. What the
** capture only reads may be written at once: later launches come after that. */
static bool uses_result (Runtime *rt, const RtCapture *c, const RtStream *s,
                         const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    Access a = op->access[i];
    const Captured *cb = a.block->ncaptures > 0 ?
                         rt_findcaptured(&c->blocks, a.block) : NULL;
    int n = 0;
    a.write = false;  /* a read conflicts with writes alone */
    if (cb != NULL)
      rt_hazards(&cb->marks, &a, s, rt->points, &n);
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
    own = rt_findcapture(rt, op->u.event->capture);
  for (RtCapture *c = rt->captures; c != NULL; c = c->next) {
    if (c == own || !uses_result(rt, c, s, op))
      continue;
    if (own != NULL)
      return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_MERGE, op->name);
    own = c;
  }
  *out = own;
  return 0;
}

/* ==} */

/* {== operations ====================================================== */

/* Follows what the accesses conflict with, and makes room for their marks. */
static Status order (RtCapture *c, RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  int n = 0;
  for (int i = 0; i < op->naccess; i++) {
    Captured *cb = NULL;
    Status st = rt_touch(rt, &c->blocks, op->access[i].block, &cb);
    if (st == 0 &&
        (st = rt_reserve(&cb->marks, rt_nth(op->access, i))) != 0)
      rt_fail(rt, st, NULL);
    if (st != 0)
      return st;
    rt_hazards(&cb->marks, &op->access[i], s, rt->points, &n);
  }
  for (int i = 0; i < n; i++) {
    Status st = rt_followbranch(c, s, rt->points[i].s, rt->points[i].seq);
    if (st != 0)
      return st;
  }
  return 0;
}

/* Page-locked memory that a node uses: host functions ask for elements. */
static Status note_uses (RtBody *body, const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    if (!op->access[i].block->pinned)
      continue;
    Status st = rt_room(body->dev->rt, &body->uses, body->nuses,
                        sizeof *body->uses);
    if (st != 0)
      return st;
    body->uses[body->nuses++] = op->access[i];
  }
  return 0;
}

/* What launches see of the block, and what they do not: losses.c. */
static void note_seen (const RtCapture *c, const Op *op, bool seen) {
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    Captured *cb = rt_findcaptured(&c->blocks, a->block);
    if (seen && rt_sees(op, a) && !cb->written)
      cb->seen = true;
    if (!seen && rt_replaces(op, a))
      cb->written = true;
  }
}

static void note (RtCapture *c, RtStream *s, const Op *op) {
  uint64_t seq = ++s->dev->rt->stamp;
  rt_sawcaptured(c, s, op);
  note_seen(c, op, true);
  note_seen(c, op, false);
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    rt_note(&rt_findcaptured(&c->blocks, a->block)->marks, a, s, seq);
  }
}

/* A node that the driver makes. */
Status rt_capturenode (RtCapture *c, RtStream *s, Op *op) {
  RtBody *body = c->body;
  int set, nuses = body->nuses;
  Status st = order(c, s, op);
  if (st == 0)
    st = note_uses(body, op);
  if (st == 0)
    st = rt_addnode(body, op, s->frontier, &set);
  if (st != 0) {
    body->nuses = nuses;
    return st;
  }
  st = rt_enqueue(s, op);
  if (st != 0) {
    body->nuses = nuses;
    rt_dropnode(body);
    return st;
  }
  s->frontier = set;
  note(c, s, op);
  return 0;
}

Status rt_capturehostfn (RtCapture *c, RtStream *s, Op *op) {
  return rt_cutcapture(c, s, op);
}

Status rt_capturenone (RtCapture *c, RtStream *s, Op *op) {
  (void)c;
  return rt_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, op->name);
}

static OpCapture *const captures[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  rt_capture##capture,
#include "rt/driver/op_kinds.def"
#undef OP
};

/* Memory that anything but its own capture uses is no temporary of that. */
static void note_outside (const RtCapture *c, const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    RtBlock *b = op->access[i].block;
    if (c == NULL || b->made_in != c->id)
      b->made_in = 0;
  }
}

Status rt_capturesubmit (RtStream *s, Op *op, bool *captured) {
  RtCapture *c = NULL;
  Status st = choose(s, op, &c);
  if (st != 0)
    return st;
  note_outside(c, op);
  if (c == NULL)
    return rt_checklegacy(s, op->name);
  OpCapture *capture = captures[op->kind];
  if (capture == rt_capturenone)
    return capture(c, s, op);
  bool joins = (s->capture == NULL);
  if (joins && (st = rt_joinbranch(c, s, op->name)) != 0)
    return st;
  *captured = true;
  st = capture(c, s, op);
  if (st != 0 && joins && s->frontier == 0)
    rt_leavebranch(s);
  return st;
}

/* ==} */
