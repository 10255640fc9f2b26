/* capture_submit.h - what becomes of operations while captures are open. See
** capture_submit.c. */
#ifndef TIDE_RT_GRAPH_CAPTURE_SUBMIT_H
#define TIDE_RT_GRAPH_CAPTURE_SUBMIT_H

#include "rt/rt.h"

/*
** The captured way of rt_submit. *captured: the operation went into a graph
** (or joined 's' to a capture first); false: nothing was done, 's' is free.
*/
Status rt_capturesubmit (RtStream *s, Op *op, bool *captured);

/* What an operation of each kind becomes, on a stream of the capture. */
typedef Status OpCapture (RtCapture *c, RtStream *s, Op *op);

#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  OpCapture rt_capture##capture;
#include "rt/driver/op_kinds.def"
#undef OP

#endif
