/* nodes.h - what a captured graph looks like to people. See nodes.c. */
#ifndef TIDE_NODES_H
#define TIDE_NODES_H

#include "rt.h"

/*
** Set 0 is empty. A stream in a capture is at a node set: what its next
** operation depends on. rt_addnode makes a node there and returns the set of
** that node alone; rt_joinsets the union of two. Negative: out of memory.
*/
int rt_addnode (RtBody *body, const Op *op, int set);
int rt_joinsets (RtBody *body, int a, int b);
Status rt_opensets (RtBody *body);
void rt_freesets (RtBody *body);

#endif
