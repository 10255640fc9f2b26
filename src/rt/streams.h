/* streams.h - RtStream: driver streams and how far they are. See streams.c. */
#ifndef TIDE_STREAMS_H
#define TIDE_STREAMS_H

#include "rt.h"

/* A new stream with one reference; the priority is clamped as CUDA does. */
Status rt_newstream (RtDevice *dev, unsigned flags, int priority,
                     RtStream **out);

/* The legacy stream (STREAM_NULL) or this thread's default (STREAM_PTDS). */
Status rt_defaultstream (RtDevice *dev, StreamKind kind, RtStream **out);

/* A number for this thread that no other one ever has: pthread_self's are
** used again. */
uintptr_t rt_thread (void);

/* Wraps a stream made by somebody else; never destroyed by us. */
Status rt_externalstream (RtDevice *dev, CUstream handle, RtStream **out);

/* Asks the driver whether all work on 's' is done, by whomever queued. */
Status rt_querystream (RtStream *s, const char *what);

void rt_retainstream (RtStream *s);

/* Gives a reference back. Calls no driver: the handle goes at a later drain,
** and pending work completes. */
void rt_dropstream (RtStream *s);

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

void rt_drainstreams (Runtime *rt, bool all);
void rt_freestreams (RtDevice *dev);  /* at close: destroys every handle */
void rt_freestream (RtStream *s);     /* the struct itself */

#endif
