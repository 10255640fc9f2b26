/* capture.h - from begin_capture to a body for a graph. See capture.c. */
#ifndef TIDE_RT_GRAPH_CAPTURE_H
#define TIDE_RT_GRAPH_CAPTURE_H

#include "rt/rt.h"

Status rt_begincapture (RtStream *s, CUstreamCaptureMode mode,
                        const char *what);

/* Ends the capture that began on 's' and makes a graph of it. An error ends it
** as well, unless 's' did not begin one. RT_BLOCKED: not now. */
Status rt_endcapture (RtStream *s, RtGraph **out, const char *what);

/* A capture that began on 's' is not to be ended by anybody, and is thrown away
** then. The same for those whose stream nobody holds; for all. */
void rt_abandon (RtStream *s);
void rt_endabandoned (Runtime *rt);
void rt_abandonall (Runtime *rt);
void rt_abandonon (RtDevice *dev);  /* those that the device takes part in */

/* Is 's' capturing, by us or (an external stream) by somebody else? */
Status rt_iscapturing (RtStream *s, bool *capturing);

/* Host functions captured so far by the capture that 's' takes part in. */
int rt_capturefunctions (const RtStream *s);

/*
** Adds a host function with that key: what was captured so far is one part of
** the graph, what follows is another one. RT_BLOCKED: not now. If the driver
** refuses the capture is over.
*/
Status rt_cutcapture (RtCapture *c, RtStream *s, const Op *op);

#endif
