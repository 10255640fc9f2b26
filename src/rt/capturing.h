/* capturing.h - what becomes of operations while captures are open. See
** capturing.c. */
#ifndef TIDE_CAPTURING_H
#define TIDE_CAPTURING_H

#include "rt.h"

/*
** The captured way of rt_submit. *captured: the operation went into a graph
** (or joined 's' to a capture first); false: nothing was done, 's' is free.
*/
Status rt_capturesubmit (RtStream *s, Op *op, bool *captured);

#endif
