/*
** witness.h - checks, in builds with -DTIDE_TESTING, that conflicting uses of
** memory are in order, by driver calls alone. See witness.c. Other builds have
** none of it.
*/
#ifndef TIDE_RT_TESTING_WITNESS_H
#define TIDE_RT_TESTING_WITNESS_H

#include "rt/rt.h"

#if defined(TIDE_TESTING)

enum { COMPLAINT = 512 };

/* Starts the witness for this thread; earlier work counts as done. It ignores
** wait number 'blind' for an event; 0: it ignores none. */
void witness_start (long blind);

/* Ends it. Stores how many uses of memory were compared, how many pairs of them
** are in no order, and a description of the first such pair. */
void witness_end (long *compared, long *bad, char complaint[COMPLAINT]);

/* Returns a table that forwards to 'base' and watches the calls. */
const Driver *witness_driver (const Driver *base);

/* Returns the table behind it. */
const Driver *witness_base (const Driver *D);

/* Notes an operation that was queued, or captured, and checks that it comes
** after the uses that it conflicts with. */
void witness_note (const RtStream *s, const Op *op);
void witness_note_captured (const RtCapture *c, const RtStream *s,
                            const Op *op);

/* Notes nodes that others have captured on 's': they come after all before. */
void witness_note_nodes (const RtStream *s);

/* Notes that the threads have ended this use of a file by the stream. */
void witness_note_done (const RtStream *s, const RtBlock *b, size_t off,
                        size_t len, bool write);

/* Notes a captured host function: what comes next in the capture follows all
** before it. */
void witness_note_cut (const RtCapture *c);

/* Notes a use of memory by the host itself. */
void witness_note_host (const RtBlock *b, size_t off, size_t len, bool write);

#else

#define witness_driver(base) (base)
#define witness_base(D) (D)
#define witness_note(s, op) ((void)0)
#define witness_note_captured(c, s, op) ((void)0)
#define witness_note_nodes(s) ((void)0)
#define witness_note_done(s, b, off, len, write) ((void)0)
#define witness_note_cut(c) ((void)0)
#define witness_note_host(b, off, len, write) ((void)0)

#endif

#endif
