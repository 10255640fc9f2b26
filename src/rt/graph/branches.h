/* branches.h - the streams that take part in a capture. See branches.c. */
#ifndef TIDE_RT_GRAPH_BRANCHES_H
#define TIDE_RT_GRAPH_BRANCHES_H

#include "rt/rt.h"

/* 's' takes part in 'c' from now on, or no longer. */
Status rt_enterbranch (RtCapture *c, RtStream *s);
void rt_leavebranch (RtStream *s);

/* Enters a stream that meets the capture by what it is asked to do. */
Status rt_joinbranch (RtCapture *c, RtStream *s, const char *what);

/* Tells whether 's' follows what is captured on 't' up to 'seq' already. */
bool rt_hascrossed (const RtCapture *c, const RtStream *s, const RtStream *t,
                    uint64_t seq);

/* 's' follows what is captured on 't' up to 'seq': an edge. */
Status rt_followbranch (RtCapture *c, RtStream *s, RtStream *t, uint64_t seq);

/* 's' takes part in the segment that began with the latest host function. */
Status rt_entersegment (RtCapture *c, RtStream *s);

/* Makes an event that stands for all that is captured on 't' so far; it lives
** as long as the capture. */
Status rt_recordcaptured (RtCapture *c, RtStream *t, CUevent *event);

/* 's' waits for 't' where at least one takes part in a capture. */
Status rt_capturejoin (RtStream *s, RtStream *t, const char *what);

#endif
