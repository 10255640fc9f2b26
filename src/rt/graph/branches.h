/* branches.h - the streams that take part in a capture. See branches.c. */
#ifndef TIDE_RT_GRAPH_BRANCHES_H
#define TIDE_RT_GRAPH_BRANCHES_H

#include "rt/rt.h"

/* 's' takes part in 'c' from now on, or no longer. */
Status rt_enterbranch (RtCapture *c, RtStream *s);
void rt_leavebranch (RtStream *s);

/* Enters a stream that meets the capture by what it is asked to do. */
Status rt_joinbranch (RtCapture *c, RtStream *s, const char *what);

/* A new segment begins after the node of a host function. */
Status rt_cutbranches (RtCapture *c, int function);

/* What an operation of 's' has to follow, whatever memory it uses: 'in_order',
** all that was captured on 's' so far. */
Status rt_reachfrom (RtCapture *c, RtStream *s, bool in_order, Reach *r);

/* Queues an operation of 's', which becomes the node. */
Status rt_queuenode (RtCapture *c, RtStream *s, Op *op, int node,
                     bool in_order);

/* From now on others may queue work on the driver's stream. */
Status rt_mixbranch (RtCapture *c, RtStream *s);

/* 's' waits for 't' where at least one takes part in a capture. */
Status rt_capturejoin (RtStream *s, RtStream *t, const char *what);

/* Has the origin waited for all that was captured on other streams? */
Status rt_checkjoined (RtCapture *c);

/* The origin follows all nodes, also for the driver, which can end its capture
** then. */
Status rt_joinall (RtCapture *c);

#endif
