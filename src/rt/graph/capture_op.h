/* capture_op.h - submits operations while captures are open. See
** capture_op.c. */
#ifndef TIDE_RT_GRAPH_CAPTURE_OP_H
#define TIDE_RT_GRAPH_CAPTURE_OP_H

#include "rt/rt.h"

/*
** Adds the operation to a capture, which 's' may join for that, and sets
** *captured. False: nothing was done, because it is part of none.
*/
Status capture_op_submit (RtStream *s, Op *op, bool *captured);

/* Adds an operation of a kind to the capture, on one of its streams. */
typedef Status OpCapture (RtCapture *c, RtStream *s, Op *op);

#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  OpCapture capture_op_##capture;
#include "rt/driver/op_kinds.def"
#undef OP

#endif
