/* stream_pool.h - RtStream: getting driver streams and giving them back. See
** stream_pool.c. */
#ifndef TIDE_RT_QUEUE_STREAM_POOL_H
#define TIDE_RT_QUEUE_STREAM_POOL_H

#include "rt/rt.h"

/* Creates a stream with one reference; the priority is clamped as CUDA does.
** Returns RT_BLOCKED if none can be had now. */
Status rt_newstream (RtDevice *dev, unsigned flags, int priority,
                     RtStream **out);

/* Returns the legacy stream (STREAM_NULL) or this thread's default stream
** (STREAM_PTDS). */
Status rt_defaultstream (RtDevice *dev, StreamKind kind, RtStream **out);

/* Wraps a stream of the host program, which tide never destroys. */
Status rt_externalstream (RtDevice *dev, CUstream handle, RtStream **out);

/* Moves a thread's default stream to another handle if it is used on another
** thread. */
Status rt_leavethread (RtStream *s);

void rt_retainstream (RtStream *s);

/* Gives a reference back. Calls no driver: the handle goes at a later drain,
** and pending work completes. */
void rt_dropstream (RtStream *s);

void rt_drainstreams (Runtime *rt, bool all);
void rt_freestreams (RtDevice *dev);   /* at close: destroys every handle */
void rt_forgetstreams (RtDevice *dev); /* after a reset: no driver call */
void rt_freestream (RtStream *s);      /* the struct itself */

#endif
