/* capture.h - begins and ends captures. See capture.c. */
#ifndef TIDE_RT_GRAPH_CAPTURE_H
#define TIDE_RT_GRAPH_CAPTURE_H

#include "rt/rt.h"

Status rt_begincapture (RtStream *s, CUstreamCaptureMode mode,
                        const char *what);

/* Ends the capture that began on 's' and makes a graph of it. An error ends the
** capture as well, unless it began on another stream. RT_BLOCKED: not now. */
Status rt_endcapture (RtStream *s, RtGraph **out, const char *what);

/* Marks the capture that began on 's' as abandoned. rt_endabandoned ends
** captures that are abandoned or whose stream has no other owner;
** rt_abandonall, all. */
void rt_abandon (RtStream *s);
void rt_endabandoned (Runtime *rt);
void rt_abandonall (Runtime *rt);
void rt_abandonon (RtDevice *dev); /* captures with a stream of the device */

/* Tells whether 's' captures, by tide or, an external stream, by others. */
Status rt_iscapturing (RtStream *s, bool *capturing);

/* Returns the number of host functions in the capture of 's' so far. */
int rt_capturefunctions (const RtStream *s);

/*
** Adds a host function. It ends a part of the graph, and the next part begins
** after it. RT_BLOCKED: not now. If the driver refuses, the capture is over.
*/
Status rt_cutcapture (RtCapture *c, RtStream *s, const Op *op);

#endif
