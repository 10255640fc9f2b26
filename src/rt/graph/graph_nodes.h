/* graph_nodes.h - the nodes of a capture and their edges. See graph_nodes.c. */
#ifndef TIDE_RT_GRAPH_GRAPH_NODES_H
#define TIDE_RT_GRAPH_GRAPH_NODES_H

#include "rt/rt.h"

/* Adds nodes to a reach. */
void rt_joinreach (Reach *r, const Reach *more);
void rt_addreach (const RtCapture *c, Reach *r, int node);

/* The latest node of each chain: all nodes follow none but these. */
Reach rt_reachall (const RtCapture *c);

/*
** Makes a list of the nodes that an edge must come from, so that all of 'r' is
** followed: those that another one follows are left out. Returns how many.
*/
int rt_listreach (const RtCapture *c, const Reach *r, int list[CHAINS]);

/*
** Adds a node for an operation of 's' that follows all of 'r', and of the chain
** that it gets. RT_NOMEM: nothing was done.
*/
Status rt_addnode (RtCapture *c, RtStream *s, const Op *op, const Reach *r,
                   int *node);
void rt_dropnode (RtCapture *c);  /* the latest, which was not queued */

void rt_freenodes (RtBody *body);

#endif
