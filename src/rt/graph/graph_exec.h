/* graph_exec.h - executable graphs and the bodies they own. See
** graph_exec.c. */
#ifndef TIDE_RT_GRAPH_GRAPH_EXEC_H
#define TIDE_RT_GRAPH_GRAPH_EXEC_H

#include "rt/rt.h"

/* Instantiates a body; takes over the caller's reference, also on error. The
** device is locked: rt_lockdevice. */
Status rt_newgraph (RtBody *body, RtGraph **out);

/* Calls no driver: the graph goes at a later drain, launches complete. */
void rt_dropgraph (RtGraph *g);

/* At close: those that finalisers made while the lua_State closed. */
void rt_dropgraphs (Runtime *rt);

/* What graphs of communicators that have failed or were closed have of the
** driver goes, once their launches have passed. */
void rt_losegraphs (Runtime *rt);

/*
** Gives 'g' the nodes of 'other', whose communicators must be open. Not
** possible: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE and *reason says why; 'g' is
** as it was.
*/
Status rt_updategraph (RtGraph *g, RtGraph *other, const char *what,
                       const char **reason);

/* Have all launches of the body passed? */
bool rt_bodydone (RtBody *body);

/* Gives up a reference; the body goes once its launches have passed. */
void rt_dropbody (RtBody *body);

void rt_draingraphs (Runtime *rt, bool all);

#endif
