/* edges.h - tells the driver the edges of a capture. See
** edges.c. */
#ifndef TIDE_RT_GRAPH_EDGES_H
#define TIDE_RT_GRAPH_EDGES_H

#include "branch.h"
#include "rt/rt.h"

/* Values of RtBranch.at: the driver's stream depends on nothing, or on other
** nodes than one of ours. */
enum { AT_NOTHING = -1, AT_OTHERS = -2 };

/* Copies the driver's nodes that 's' depends on to c->handles. */
Status edge_save_handles (RtCapture *c, RtStream *s, int *first, int *n);

/* Does that for the node that 's' is at, before the driver's stream moves on.
*/
Status edge_save_node (RtCapture *c, RtStream *s);

/* Sets the dependencies of the driver's stream to these nodes, or adds the
** nodes to them. */
Status edge_set (RtCapture *c, RtStream *s, const int *nodes, int n,
                 unsigned how);

/* Makes an empty node of the driver for a node of ours. It follows the nodes
** that ours follows, and all that 's' depends on. Then 's' depends on it alone.
** After an error the node may be there all the same: its handles tell. */
Status edge_make_join (RtCapture *c, RtStream *s, int node);

/* Tells whether the driver's stream depends on these nodes already. */
bool edge_is_set (const RtCapture *c, const RtBranch *b, const int *nodes,
                  int n);

#endif
