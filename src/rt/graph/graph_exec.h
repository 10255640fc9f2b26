/* graph_exec.h - executable graphs and the bodies they own. See graph_exec.c.
** */
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

/*
** Gives 'g' the nodes of 'other'. Not possible: CUDA_ERROR_GRAPH_EXEC_UPDATE_
** FAILURE and *reason says why; 'g' is as it was.
*/
Status rt_updategraph (RtGraph *g, RtGraph *other, const char **reason);

/* Have all launches of the body passed? */
bool rt_bodydone (RtBody *body);

/*
** Remembers a launch as operation 'seq' of 's'; with host functions there is a
** gate, malloc'ed, which goes when they have all run: rt_endlaunch.
*/
void rt_notelaunch (RtBody *body, RtStream *s, uint64_t seq, RtGate *gate);
void rt_endlaunch (RtBody *body, RtGate *gate);

/* Gives up a reference; the body goes once its launches have passed. */
void rt_dropbody (RtBody *body);

void rt_draingraphs (Runtime *rt, bool all);

#endif
