/* stream_pool.h - RtStream: getting driver streams and giving them back. See
** stream_pool.c. */
#ifndef TIDE_RT_QUEUE_STREAM_POOL_H
#define TIDE_RT_QUEUE_STREAM_POOL_H

#include "rt/rt.h"
#include "stream_types.h"

/* Creates a stream with one reference; the priority is clamped as CUDA does.
** Returns RT_BLOCKED if none can be had now. */
Status stream_pool_new (RtDevice *dev, unsigned flags, int priority,
                        RtStream **out);

/* Returns the legacy stream (STREAM_NULL) or this thread's default stream
** (STREAM_PTDS). */
Status stream_pool_default (RtDevice *dev, StreamKind kind, RtStream **out);

/* Wraps a stream of the host program, which tide never destroys. */
Status stream_pool_wrap (RtDevice *dev, CUstream handle, RtStream **out);

/* Moves a thread's default stream to another handle if it is used on another
** thread. */
Status stream_pool_leave_thread (RtStream *s);

void stream_pool_retain (RtStream *s);

/* Gives a reference back. Calls no driver: the handle goes at a later drain,
** and pending work completes. */
void stream_pool_drop (RtStream *s);

void stream_pool_drain (Runtime *rt, bool all);
void stream_pool_free_all (RtDevice *dev); /* at close: destroys every handle */
void stream_pool_forget_all (RtDevice *dev); /* after a reset: no driver call */
void stream_pool_free (RtStream *s);         /* the struct itself */

#endif
