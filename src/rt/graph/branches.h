/* branches.h - the streams that take part in a capture. See branches.c. */
#ifndef TIDE_RT_GRAPH_BRANCHES_H
#define TIDE_RT_GRAPH_BRANCHES_H

#include "rt/rt.h"

/* Adds 's' to the streams of 'c', or removes it. */
Status rt_enterbranch (RtCapture *c, RtStream *s);
void rt_leavebranch (RtStream *s);

/* Adds a stream because of its next operation, called 'what'. */
Status rt_joinbranch (RtCapture *c, RtStream *s, const char *what);

/* Begins a segment after the node of a host function. */
Status rt_cutbranches (RtCapture *c, int function);

/* Sets *r to the nodes that an operation of 's' follows, whatever memory it
** uses. 'in_order': all that was captured on 's' so far. */
Status rt_reachfrom (RtCapture *c, RtStream *s, bool in_order, Reach *r);

/* Queues an operation of 's' in the driver's capture, for a node of ours. */
Status rt_queuenode (RtCapture *c, RtStream *s, Op *op, int node,
                     bool in_order);

/* Makes the branch mixed: others can queue work on its driver stream. */
Status rt_mixbranch (RtCapture *c, RtStream *s);

/* Lets 's' wait for 't', one of which takes part in a capture. */
Status rt_capturejoin (RtStream *s, RtStream *t, const char *what);

/* Fails with CUDA_ERROR_STREAM_CAPTURE_UNJOINED if the origin has not waited
** for all that was captured on other streams. */
Status rt_checkjoined (RtCapture *c);

/* Makes the driver's stream of the origin depend on all nodes, so that the
** driver can end its capture. */
Status rt_joinall (RtCapture *c);

#endif
