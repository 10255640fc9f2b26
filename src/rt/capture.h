/* capture.h - from begin_capture to a body for a graph. See capture.c. */
#ifndef TIDE_CAPTURE_H
#define TIDE_CAPTURE_H

#include "rt.h"

Status rt_begincapture (RtStream *s, CUstreamCaptureMode mode,
                        const char *what);

/* Ends the capture that began on 's'. An error ends it as well, unless 's'
** did not begin one. */
Status rt_endcapture (RtStream *s, RtBody **out, const char *what);

/*
** The captured way of rt_submit. *captured: the operation went into a graph
** (or joined 's' to a capture first); false: nothing was done, 's' is free.
*/
Status rt_capturesubmit (RtStream *s, Op *op, bool *captured);

/* 's' waits for 't' where at least one takes part in a capture. */
Status rt_capturejoin (RtStream *s, RtStream *t, const char *what);

/* While blocking streams capture, the legacy stream must not be used. */
Status rt_checklegacy (RtStream *s, const char *what);

/* Host functions captured so far by the capture that 's' takes part in. */
int rt_capturehosts (const RtStream *s);

void rt_endabandoned (Runtime *rt);  /* those whose stream nobody holds */
void rt_abandonall (Runtime *rt);

RtCapture *rt_nextcapture (const RtCapture *c);
RtDevice *rt_capturedevice (const RtCapture *c);

#endif
