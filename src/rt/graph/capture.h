/* capture.h - begins and ends captures. See capture.c. */
#ifndef TIDE_RT_GRAPH_CAPTURE_H
#define TIDE_RT_GRAPH_CAPTURE_H

#include "rt/rt.h"

Status capture_begin (RtStream *s, CUstreamCaptureMode mode, const char *what);

/* Ends the capture that began on 's' and makes a graph of it. An error ends the
** capture as well, unless it began on another stream. RT_BLOCKED: not now. */
Status capture_end (RtStream *s, RtGraph **out, const char *what);

/* Marks the capture that began on 's' as abandoned. capture_end_abandoned ends
** captures that are abandoned or whose stream has no other owner;
** capture_abandon_all, all. */
void capture_abandon (RtStream *s);
void capture_end_abandoned (Runtime *rt);
void capture_abandon_all (Runtime *rt);
void capture_abandon_device (RtDevice
                               *dev); /* captures with a stream of the device */

/* Tells whether 's' captures, by tide or, an external stream, by others. */
Status capture_is_active (RtStream *s, bool *capturing);

/* Returns the number of host functions in the capture of 's' so far. */
int capture_count_functions (const RtStream *s);

/*
** Adds a host function. It ends a part of the graph, and the next part begins
** after it. RT_BLOCKED: not now. If the driver refuses, the capture is over.
*/
Status capture_cut (RtCapture *c, RtStream *s, const Op *op);

#endif
