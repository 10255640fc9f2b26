/* enqueue.h - the driver call of an operation. See enqueue.c. */
#ifndef TIDE_RT_QUEUE_ENQUEUE_H
#define TIDE_RT_QUEUE_ENQUEUE_H

#include "rt/rt.h"

/* For submit.c and captures only. */
Status rt_enqueue (RtStream *s, Op *op);

/* Records the event that an operation needs right behind it, if it does. */
Status rt_marksent (RtStream *s, const Op *op);

/* The sizes of an operation, for people. */
void rt_tell (const Op *op, char text[NODE_DETAIL]);

/* Of each kind: the driver call; its sizes. */
typedef Status OpQueue (RtStream *s, Op *op);
typedef void OpTell (const Op *op, char text[NODE_DETAIL]);

#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  OpQueue rt_queue##queue; \
  OpTell rt_tell##detail;
#include "rt/driver/op_kinds.def"
#undef OP

#endif
