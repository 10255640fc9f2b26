/*
** witness.h - in builds with -DTIDE_TESTING: is all that conflicts in order, by
** what the driver was told alone? See witness.c. In others there is nothing.
*/
#ifndef TIDE_RT_DRIVER_WITNESS_H
#define TIDE_RT_DRIVER_WITNESS_H

#include "rt/rt.h"

#if defined(TIDE_TESTING)

enum { COMPLAINT = 512 };

/* From now on, of this thread; what came before is taken to be done. It does
** not see wait number 'blind' for an event, as if nobody had waited; 0: it sees
** all. */
void rt_startwitness (long blind);

/* Ends it. How many uses of memory were compared, how many pairs of them are in
** no order, and what the first such pair is. */
void rt_endwitness (long *compared, long *bad, char complaint[COMPLAINT]);

/* A table that forwards to 'base', and looks on. */
const Driver *rt_witness_driver (const Driver *base);

/* What is behind that. */
const Driver *rt_witness_base (const Driver *D);

/* An operation was queued, or captured: its uses come after those that they
** conflict with. */
void rt_saw (const RtStream *s, const Op *op);
void rt_sawcaptured (const RtCapture *c, const RtStream *s, const Op *op);

/* Nodes that others have captured on 's' come after all that was there. */
void rt_sawnodes (const RtStream *s);

/* The threads have told that this use of a file by the stream is over. */
void rt_sawover (const RtStream *s, const RtBlock *b, size_t off, size_t len,
                 bool write);

/* A host function was captured: what comes next in the capture follows all that
** was there. */
void rt_sawcut (const RtCapture *c);

/* The host itself uses memory. */
void rt_sawhost (const RtBlock *b, size_t off, size_t len, bool write);

#else

#define rt_saw(s, op) ((void)0)
#define rt_sawcaptured(c, s, op) ((void)0)
#define rt_sawnodes(s) ((void)0)
#define rt_sawover(s, b, off, len, write) ((void)0)
#define rt_sawcut(c) ((void)0)
#define rt_sawhost(b, off, len, write) ((void)0)

#endif

#endif
