/* nodes.h - the nodes of a capture and their edges. See nodes.c. */
#ifndef TIDE_RT_GRAPH_NODES_H
#define TIDE_RT_GRAPH_NODES_H

#include "capture_types.h"
#include "rt/rt.h"

/* A set of nodes of a capture: for each chain, one node and all before it in
** that chain. A number is the node's index plus one; 0: no node of the
** chain. */
typedef struct Reach {
  int upto[CHAINS];
} Reach;

/* A captured node while its capture is open. */
typedef struct CapturedNode {
  RtStream *s; /* where it was captured */
  int chain;
  Reach before; /* all nodes that it follows */
  int first, n; /* the driver's nodes for it, in the capture's list;
                          'first' -1: the driver was not asked yet */
} CapturedNode;

/* Adds nodes to a reach. */
void node_join_reach (Reach *r, const Reach *more);
void node_add_reach (const RtCapture *c, Reach *r, int node);

/* Returns a reach with all nodes. */
Reach node_reach_all (const RtCapture *c);

/*
** Lists the nodes of 'r' without those that another node of 'r' follows.
** Returns their number.
*/
int node_list_reach (const RtCapture *c, const Reach *r, int list[CHAINS]);

/*
** Adds a node for an operation of 's'. It follows 'r' and the latest node of
** its chain. RT_NOMEM: nothing was done.
*/
Status node_add (RtCapture *c, RtStream *s, const Op *op, const Reach *r,
                 int *node);
void node_drop (RtCapture *c); /* the latest, which was not queued */

void node_free_all (RtBody *body);

#endif
