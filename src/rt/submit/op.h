/* op.h - the only way to queue work. See op.c. */
#ifndef TIDE_RT_SUBMIT_OP_H
#define TIDE_RT_SUBMIT_OP_H

#include "rt/queue/op_types.h"
#include "rt/rt.h"

/*
** Begins an operation without accesses; 'name': see Op. Leaves the rest of the
** struct as it is, because clearing it would take longer than most other steps.
*/
static inline void op_start (Op *op, OpKind kind, const char *name) {
  op->kind = kind;
  op->name = name;
  op->naccess = 0;
  op->foreign = false;
  op->opaque = false;
  op->early = true;
  op->ahead = 0;
  op->must = false;
  op->seq = 0;
  op->gemm = NULL;
  op->solver = NULL;
  op->code = NULL;
}

/* Sets the sizes of a launch along one axis. */
static inline void op_set_grid (Op *op, unsigned grid, unsigned block) {
  op->u.launch.grid[0] = grid;
  op->u.launch.block[0] = block;
  for (int i = 1; i < 3; i++)
    op->u.launch.grid[i] = op->u.launch.block[i] = 1;
  op->u.launch.shared = 0;
}

/*
** Queues 'op' on 's' after everything its accesses must wait for. On success
** the operation is s->seq; on failure nothing was queued. Returns RT_BLOCKED if
** it cannot be queued now.
*/
Status op_submit (RtStream *s, Op *op);

/* Makes 's' wait, on the device, for all work on 't'. Returns RT_BLOCKED if
** that cannot be queued now. */
Status op_wait_stream (RtStream *s, RtStream *t, const char *what);

/* Adds an access to op->own. */
static inline void op_access (Op *op, RtBlock *b, size_t off, size_t len,
                              bool write) {
  Access *a = &op->own[op->naccess++];
  op->access = op->own;
  a->block = b;
  a->off = off;
  a->len = len;
  a->write = write;
  a->blind = false;
}

#endif
