/* enqueue.h - the driver call of an operation. See enqueue.c. */
#ifndef TIDE_RT_QUEUE_ENQUEUE_H
#define TIDE_RT_QUEUE_ENQUEUE_H

#include "rt/rt.h"

/* Makes the driver call of 'op'. For submit.c, kept.c and captures only. */
Status rt_enqueue (RtStream *s, Op *op);

/* Records the event that some operations need right behind them. */
Status rt_marksent (RtStream *s, const Op *op);

/* Writes the sizes of an operation, for printing. */
void rt_tell (const Op *op, char text[NODE_DETAIL]);

/* The driver call of each kind, and its sizes. */
typedef Status OpQueue (RtStream *s, Op *op);
typedef void OpTell (const Op *op, char text[NODE_DETAIL]);

#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  OpQueue rt_queue##queue; \
  OpTell rt_tell##detail;
#include "rt/driver/op_kinds.def"
#undef OP

#endif
