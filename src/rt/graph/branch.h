/* branch.h - the streams that take part in a capture. See branch.c. */
#ifndef TIDE_RT_GRAPH_BRANCH_H
#define TIDE_RT_GRAPH_BRANCH_H

#include "nodes.h"
#include "rt/rt.h"

/* A stream in a capture. */
typedef struct RtBranch {
  Reach base;   /* nodes that all its operations to come follow */
  Reach all;    /* nodes captured on it, or that it has waited for */
  int at;       /* the node that the driver's stream is at, or AT_... */
  int latest;   /* its latest node; -1: none */
  int links;    /* length of the run of nodes, up to the latest, that
                          each use what the node before wrote */
  int segment;  /* the latest segment that its driver stream is in */
  int first, n; /* if mixed: the driver's nodes on it so far */
  int joined;   /* at the end: nodes before this one are joined */
  bool mixed;   /* others may queue work on its driver stream */
} RtBranch;

/* Adds 's' to the streams of 'c', or removes it. */
Status branch_enter (RtCapture *c, RtStream *s);
void branch_leave (RtStream *s);

/* Adds a stream because of its next operation, called 'what'. */
Status branch_join (RtCapture *c, RtStream *s, const char *what);

/* Begins a segment after the node of a host function. */
Status branch_cut (RtCapture *c, int function);

/* Sets *r to the nodes that an operation of 's' follows, whatever memory it
** uses. 'in_order': all that was captured on 's' so far. */
Status branch_reach (RtCapture *c, RtStream *s, bool in_order, Reach *r);

/* Queues an operation of 's' in the driver's capture, for a node of ours. */
Status branch_queue_node (RtCapture *c, RtStream *s, Op *op, int node,
                          bool in_order);

/* Makes the branch mixed: others can queue work on its driver stream. */
Status branch_set_mixed (RtCapture *c, RtStream *s);

/* Lets 's' wait for 't', one of which takes part in a capture. */
Status branch_wait_stream (RtStream *s, RtStream *t, const char *what);

/* Fails with CUDA_ERROR_STREAM_CAPTURE_UNJOINED if the origin has not waited
** for all that was captured on other streams. */
Status branch_check_joined (RtCapture *c);

/* Makes the driver's stream of the origin depend on all nodes, so that the
** driver can end its capture. */
Status branch_join_all (RtCapture *c);

#endif
