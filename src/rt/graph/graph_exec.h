/* graph_exec.h - executable graphs and the bodies they own. See
** graph_exec.c. */
#ifndef TIDE_RT_GRAPH_GRAPH_EXEC_H
#define TIDE_RT_GRAPH_GRAPH_EXEC_H

#include "rt/rt.h"

/* Instantiates a body, and takes over the caller's reference, also on error.
** The device is locked (device_lock_take). */
Status graph_exec_new (RtBody *body, RtGraph **out);

/* Drops a graph. A later drain frees it, once its launches have passed. */
void graph_exec_drop (RtGraph *g);

/* Drops all graphs, at close: finalizers may have made some. */
void graph_exec_drop_all (Runtime *rt);

/* Destroys the driver's part of graphs whose communicators have failed or were
** closed, once their launches have passed. */
void graph_exec_lose (Runtime *rt);

/*
** Gives 'g' the nodes of 'other', whose communicators must be open. If the
** driver cannot, returns CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE with a *reason,
** and 'g' is unchanged.
*/
Status graph_exec_update (RtGraph *g, RtGraph *other, const char *what,
                          const char **reason);

/* Tells whether all launches of the body have passed. */
bool graph_exec_body_done (RtBody *body);

/* Gives up a reference. Without any, the body is freed once its launches have
** passed. */
void graph_exec_drop_body (RtBody *body);

void graph_exec_drain (Runtime *rt, bool all);

#endif
