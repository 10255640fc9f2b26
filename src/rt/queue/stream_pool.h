/* stream_pool.h - RtStream: driver streams, had and given back. See
** stream_pool.c. */
#ifndef TIDE_RT_QUEUE_STREAM_POOL_H
#define TIDE_RT_QUEUE_STREAM_POOL_H

#include "rt/rt.h"

/* A new stream with one reference; the priority is clamped as CUDA does.
** RT_BLOCKED: none can be had now. */
Status rt_newstream (RtDevice *dev, unsigned flags, int priority,
                     RtStream **out);

/* The legacy stream (STREAM_NULL) or this thread's default (STREAM_PTDS). */
Status rt_defaultstream (RtDevice *dev, StreamKind kind, RtStream **out);

/* Wraps a stream made by somebody else; never destroyed by us. */
Status rt_externalstream (RtDevice *dev, CUstream handle, RtStream **out);

/* A thread's default stream that is used on another thread goes on elsewhere.
*/
Status rt_leavethread (RtStream *s);

void rt_retainstream (RtStream *s);

/* Gives a reference back. Calls no driver: the handle goes at a later drain,
** and pending work completes. */
void rt_dropstream (RtStream *s);

void rt_drainstreams (Runtime *rt, bool all);
void rt_freestreams (RtDevice *dev);  /* at close: destroys every handle */
void rt_forgetstreams (RtDevice *dev);  /* after a reset: no driver call */
void rt_freestream (RtStream *s);     /* the struct itself */

#endif
