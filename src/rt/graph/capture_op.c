/*
** capture_op.c - submits operations while captures are open: finds the
** capture that an operation is part of, and makes a node of it there.
**
** DESIGN. Captured operations do not run, so a capture has marks of its own for
** each block. A node follows the nodes whose marks conflict with its accesses.
** A stream outside joins the capture if it uses memory that the capture has
** written (branch.c). The capture waits neither for earlier work, nor for
** writes of memory that it only reads: its blocks become the accesses of the
** graph (footprint.c), so each launch is ordered after all earlier uses.
** Everything illegal is found here before the driver hears of it, because one
** bad call would invalidate the whole capture.
*/
#include "capture_op.h"

#include <stdlib.h>

#include "branch.h"
#include "capture.h"
#include "capture_types.h"
#include "footprint.h"
#include "graph_types.h"
#include "nodes.h"
#include "rt/code/code_types.h"
#include "rt/code/modules.h"
#include "rt/driver/context.h"
#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/queue/dispatch.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"

/* {== which capture, if any =========================================== */

/* Tells whether 'op' uses memory that 'c' has captured a write of. Memory that
** the capture only reads may be written at once; later launches follow that. */
static bool uses_result (const RtCapture *c, const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    Access a = op->access[i];
    const Captured *cb = a.block->ncaptures > 0
                           ? footprint_find(&c->blocks, a.block)
                           : NULL;
    a.write = false; /* a read conflicts with writes alone */
    for (int k = 0; cb != NULL && k < cb->marks.n; k++)
      if (hazard_conflicts(&cb->marks.at[k], &a))
        return true;
  }
  return false;
}

/* Finds the open capture that 'op' on 's' is part of; NULL: none. */
static Status choose (RtStream *s, const Op *op, RtCapture **out) {
  Runtime *rt = s->dev->rt;
  RtCapture *own = s->capture;
  if (own == NULL && op->kind == OP_WAIT && op->u.event->capture != 0)
    own = event_pool_find_capture(rt, op->u.event->capture);
  for (RtCapture *c = rt->captures; c != NULL; c = c->next) {
    if (c == own || !uses_result(c, op))
      continue;
    if (own != NULL)
      return status_fail(rt, CUDA_ERROR_STREAM_CAPTURE_MERGE, op->name);
    own = c;
  }
  *out = own;
  return 0;
}

/* ==} */

/* {== operations ====================================================== */

/* Tells whether the operation may use memory that tide does not know of. Then
** it keeps the order of calls on its stream. */
static bool is_opaque (const RtStream *s, const Op *op) {
  return s->branch->mixed || op->opaque || op->kind == OP_CALL ||
         op->kind == OP_COLLECTIVE ||
         (op->code != NULL && op->code->module->has_globals);
}

/* Adds the nodes that the access conflicts with to 'r'. Sets *linked if it uses
** what the node 'latest' wrote. */
static void add_conflicts (const RtCapture *c, const MarkSet *m,
                           const Access *a, int latest, Reach *r,
                           bool *linked) {
  for (int i = 0; i < m->n; i++) {
    int node = (int)m->at[i].seq - 1;
    if (!hazard_conflicts(&m->at[i], a))
      continue;
    node_add_reach(c, r, node);
    *linked |= (node == latest && m->at[i].write && !(a->write && a->blind));
  }
}

/* Adds the nodes that the accesses conflict with to 'r', and makes room for the
** marks of the accesses. */
static Status order (RtCapture *c, const RtBranch *b, const Op *op, Reach *r,
                     bool *linked) {
  Runtime *rt = c->origin->dev->rt;
  for (int i = 0; i < op->naccess; i++) {
    Captured *cb = NULL;
    Status st = footprint_get(rt, &c->blocks, op->access[i].block, &cb);
    if (st == 0 &&
        (st = hazard_reserve(&cb->marks, hazard_nth(op->access, i))) != 0)
      status_fail(rt, st, NULL);
    if (st != 0)
      return st;
    add_conflicts(c, &cb->marks, &op->access[i], b->latest, r, linked);
  }
  return 0;
}

/* Notes the page-locked memory that a node uses, because host functions ask for
** single elements. */
static Status note_uses (RtBody *body, const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    if (!op->access[i].block->pinned)
      continue;
    Status st = status_make_room(body->dev->rt, &body->uses, body->nuses,
                                 sizeof *body->uses);
    if (st != 0)
      return st;
    body->uses[body->nuses++] = op->access[i];
  }
  return 0;
}

/* Notes whether launches read what was in the block before: poison.c. */
static void note_seen (const RtCapture *c, const Op *op, bool seen) {
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    Captured *cb = footprint_find(&c->blocks, a->block);
    if (seen && hazard_depends(op, a) && !cb->written)
      cb->seen = true;
    if (!seen && hazard_replaces(op, a))
      cb->written = true;
  }
}

static void note (RtCapture *c, const Op *op, int node) {
  RtStream *chain = c->chains[c->nodes[node].chain];
  observer_note_captured(c, c->nodes[node].s, op);
  note_seen(c, op, true);
  note_seen(c, op, false);
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    hazard_note(&footprint_find(&c->blocks, a->block)->marks, a, chain,
                (uint64_t)node + 1);
  }
}

static Status add_node (RtCapture *c, RtStream *s, Op *op, bool in_order,
                        int *node, bool *linked) {
  Reach r;
  Status st = branch_reach(c, s, in_order, &r);
  if (st == 0)
    st = order(c, s->branch, op, &r, linked);
  if (st == 0)
    st = note_uses(c->body, op);
  return (st != 0) ? st : node_add(c, s, op, &r, node);
}

/* Makes a node of an operation whose driver call a capture may see. */
Status capture_op_node (RtCapture *c, RtStream *s, Op *op) {
  RtBody *body = c->body;
  int node = -1, nuses = body->nuses;
  Status st = (op->kind == OP_COLLECTIVE) ? branch_set_mixed(c, s) : 0;
  bool in_order = is_opaque(s, op), linked = false;
  if (st == 0)
    st = add_node(c, s, op, in_order, &node, &linked);
  if (st == 0)
    st = branch_queue_node(c, s, op, node, in_order);
  if (st == 0) {
    s->branch->links = linked ? s->branch->links + 1 : 0;
    note(c, op, node);
    return 0;
  }
  body->nuses = nuses;
  if (node >= 0)
    node_drop(c);
  return st;
}

Status capture_op_hostfn (RtCapture *c, RtStream *s, Op *op) {
  return capture_cut(c, s, op);
}

Status capture_op_none (RtCapture *c, RtStream *s, Op *op) {
  (void)c;
  return status_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     op->name);
}

static OpCapture *const captures[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  capture_op_##capture,
#include "rt/driver/op_kinds.def"
#undef OP
};

/* Memory that is used outside of its capture is no temporary of the capture. */
static void note_outside (const RtCapture *c, const Op *op) {
  for (int i = 0; i < op->naccess; i++) {
    RtBlock *b = op->access[i].block;
    if (c == NULL || b->made_in != c->id)
      b->made_in = 0;
  }
}

Status capture_op_submit (RtStream *s, Op *op, bool *captured) {
  RtCapture *c = NULL;
  Status st = choose(s, op, &c);
  if (st != 0)
    return st;
  note_outside(c, op);
  if (c == NULL)
    return progress_check_legacy(s, op->name);
  OpCapture *capture = captures[op->kind];
  if (capture == capture_op_none)
    return capture(c, s, op);
  bool joins = (s->capture == NULL);
  if (joins && (st = branch_join(c, s, op->name)) != 0)
    return st;
  *captured = true;
  st = capture(c, s, op);
  if (st != 0 && joins && s->capture == c && s->branch->segment < 0)
    branch_leave(s);
  return st;
}

/* ==} */
