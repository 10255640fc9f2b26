/* dependencies.h - a capture's edges as the driver has them. See
** dependencies.c. */
#ifndef TIDE_RT_GRAPH_DEPENDENCIES_H
#define TIDE_RT_GRAPH_DEPENDENCIES_H

#include "rt/rt.h"

/* Where the driver's stream of a branch is, if not at one node. */
enum { AT_NOTHING = -1, AT_OTHERS = -2 };

/* Keeps the driver's nodes that 's' depends on, in c->handles. */
Status rt_keephandles (RtCapture *c, RtStream *s, int *first, int *n);

/* Keeps those for the node that 's' is at, before the driver's stream moves on.
*/
Status rt_learn (RtCapture *c, RtStream *s);

/* The driver's stream depends on these nodes, or on these as well. The driver
** has none for those before the segment. */
Status rt_dependon (RtCapture *c, RtStream *s, const int *nodes, int n,
                    unsigned how);

/* Makes a node of the driver's for one of ours that has no operation. It follows
** what ours follows and all that 's' depends on; 's' depends on it alone then. */
Status rt_makejoin (RtCapture *c, RtStream *s, int node);

/* Is the driver's stream where a node with these edges is to be queued? */
bool rt_isthere (const RtCapture *c, const RtBranch *b, const int *nodes,
                 int n);

#endif
