/* graph_nodes.h - what a captured graph looks like to people. See
** graph_nodes.c. */
#ifndef TIDE_RT_GRAPH_GRAPH_NODES_H
#define TIDE_RT_GRAPH_GRAPH_NODES_H

#include "rt/rt.h"

/*
** Set 0 is empty. A stream in a capture is at a node set: what its next
** operation depends on. rt_addnode makes a node there, and *set is that node
** alone; rt_joinsets makes *set the union of two.
*/
Status rt_addnode (RtBody *body, const Op *op, int at, int *set);
void rt_dropnode (RtBody *body);  /* the latest, which was not queued */
Status rt_joinsets (RtBody *body, int a, int b, int *set);
Status rt_opensets (RtBody *body);

/*
** Marks the edges of a node that say nothing new: implied[p] if the node 'p',
** which it follows, comes before another node that it follows. 'implied' has a
** place for each node; those the node does not follow are left in any state.
*/
void rt_findimplied (const RtBody *body, int node, unsigned char *implied);

void rt_freesets (RtBody *body);

#endif
