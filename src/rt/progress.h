/* progress.h - how far streams are, and have waited. See progress.c. */
#ifndef TIDE_PROGRESS_H
#define TIDE_PROGRESS_H

#include "rt.h"

/*
** An event that is recorded at or after (s, seq) on 's', the earliest there
** is, else a new one at the tail. *at says what it stands for.
*/
Status rt_tail (RtStream *s, uint64_t seq, Tail *at);

/* Asks the driver whether (s, seq) has passed; no event is recorded while
** 's' takes part in a capture. CUDA_ERROR_NOT_READY: not yet. */
Status rt_passed (RtStream *s, uint64_t seq);

/* All work up to 'seq' is known done: forget its events. */
void rt_setdone (RtStream *s, uint64_t seq);

/* How far 's' has waited for 't', and remembering it. */
uint64_t rt_waitedfor (const RtStream *s, const RtStream *t);
Status rt_reservewaited (RtStream *s, const RtStream *t);

/* Asks the driver whether all work on 's' is done, by whomever queued. */
Status rt_querystream (RtStream *s, const char *what);

#endif
