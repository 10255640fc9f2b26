/*
** witness.h - checks, in builds with -DTIDE_TESTING, that conflicting uses of
** memory are in order, by driver calls alone. See witness.c. Other builds have
** none of it.
*/
#ifndef TIDE_RT_DRIVER_WITNESS_H
#define TIDE_RT_DRIVER_WITNESS_H

#include "rt/rt.h"

#if defined(TIDE_TESTING)

enum { COMPLAINT = 512 };

/* Starts the witness for this thread; earlier work counts as done. It ignores
** wait number 'blind' for an event; 0: it ignores none. */
void rt_startwitness (long blind);

/* Ends it. Stores how many uses of memory were compared, how many pairs of them
** are in no order, and a description of the first such pair. */
void rt_endwitness (long *compared, long *bad, char complaint[COMPLAINT]);

/* Returns a table that forwards to 'base' and watches the calls. */
const Driver *rt_witness_driver (const Driver *base);

/* Returns the table behind it. */
const Driver *rt_witness_base (const Driver *D);

/* Notes an operation that was queued, or captured, and checks that it comes
** after the uses that it conflicts with. */
void rt_saw (const RtStream *s, const Op *op);
void rt_sawcaptured (const RtCapture *c, const RtStream *s, const Op *op);

/* Notes nodes that others have captured on 's': they come after all before. */
void rt_sawnodes (const RtStream *s);

/* Notes that the threads have ended this use of a file by the stream. */
void rt_sawover (const RtStream *s, const RtBlock *b, size_t off, size_t len,
                 bool write);

/* Notes a captured host function: what comes next in the capture follows all
** before it. */
void rt_sawcut (const RtCapture *c);

/* Notes a use of memory by the host itself. */
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
