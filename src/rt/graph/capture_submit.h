/* capture_submit.h - submits operations while captures are open. See
** capture_submit.c. */
#ifndef TIDE_RT_GRAPH_CAPTURE_SUBMIT_H
#define TIDE_RT_GRAPH_CAPTURE_SUBMIT_H

#include "rt/rt.h"

/*
** Adds the operation to a capture, which 's' may join for that, and sets
** *captured. False: nothing was done, because it is part of none.
*/
Status rt_capturesubmit (RtStream *s, Op *op, bool *captured);

/* Adds an operation of a kind to the capture, on one of its streams. */
typedef Status OpCapture (RtCapture *c, RtStream *s, Op *op);

#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  OpCapture rt_capture##capture;
#include "rt/driver/op_kinds.def"
#undef OP

#endif
