/* graph_nodes.h - the nodes of a capture and their edges. See graph_nodes.c. */
#ifndef TIDE_RT_GRAPH_GRAPH_NODES_H
#define TIDE_RT_GRAPH_GRAPH_NODES_H

#include "rt/rt.h"

/* Adds nodes to a reach. */
void rt_joinreach (Reach *r, const Reach *more);
void rt_addreach (const RtCapture *c, Reach *r, int node);

/* Returns a reach with all nodes. */
Reach rt_reachall (const RtCapture *c);

/*
** Lists the nodes of 'r' without those that another node of 'r' follows.
** Returns their number.
*/
int rt_listreach (const RtCapture *c, const Reach *r, int list[CHAINS]);

/*
** Adds a node for an operation of 's'. It follows 'r' and the latest node of
** its chain. RT_NOMEM: nothing was done.
*/
Status rt_addnode (RtCapture *c, RtStream *s, const Op *op, const Reach *r,
                   int *node);
void rt_dropnode (RtCapture *c); /* the latest, which was not queued */

void rt_freenodes (RtBody *body);

#endif
