/* dispatch.h - the driver call of an operation. See dispatch.c. */
#ifndef TIDE_RT_QUEUE_DISPATCH_H
#define TIDE_RT_QUEUE_DISPATCH_H

#include "op_types.h"
#include "rt/graph/graph_types.h"
#include "rt/rt.h"
#include "stream_types.h"

/* Makes the driver call of 'op'. For op.c, kept.c and captures only. */
Status dispatch_op (RtStream *s, Op *op);

/* Returns RT_BLOCKED if the driver must not have 'op' yet, because ranks wait
** for others. */
Status dispatch_check (RtStream *s, const Op *op);

/* Records the event that some operations need right behind them. Most need
** none, by their kind. */
Status dispatch_mark_last (RtStream *s, const Op *op);
static inline Status dispatch_mark_tail (RtStream *s, const Op *op) {
  enum {
    KINDS = 1 << OP_COPY | 1 << OP_GRAPH | 1 << OP_FILE | 1 << OP_COLLECTIVE
  };
  bool may = (s->kind > STREAM_NULL || op_kind_is_in(op->kind, KINDS));
  return may ? dispatch_mark_last(s, op) : 0;
}

/* Writes the sizes of an operation, for printing. */
void dispatch_describe (const Op *op, char text[NODE_DETAIL]);

/* Checks that the ranks with operations in a graph, if any, are open. 'what'
** names the call. */
Status dispatch_check_ranks (const RtBody *body, const char *what);

/* Begin and cancel an operation on a file that is kept. */
void dispatch_begin_file (RtStream *s, const Op *op);
void dispatch_cancel_file (RtStream *s, const Op *op);

/* The driver call of each kind, and its sizes. */
typedef Status OpQueue (RtStream *s, Op *op);
typedef void OpDescribe (const Op *op, char text[NODE_DETAIL]);

#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  OpQueue dispatch_##queue; \
  OpDescribe dispatch_describe_##detail;
#include "rt/driver/op_kinds.def"
#undef OP

#endif
