/* reclaim.h - limits, and what cached memory gives back. See reclaim.c. */
#ifndef TIDE_RECLAIM_H
#define TIDE_RECLAIM_H

#include "rt.h"

/*
** Hands idle cached memory of one kind back to the driver until 'bytes' more
** fit under the limit; SIZE_MAX: all of it.
*/
Status rt_reclaim (RtDevice *dev, bool pinned, size_t bytes);

/*
** Waits until some busy cached block of a kind is idle or, if 'graphs', a
** dropped graph is done (then drain), whichever is first.
** CUDA_ERROR_OUT_OF_MEMORY: there is none that may be waited for, since
**   - nothing is busy, or not enough to bring 'bytes' under the limit (SIZE_MAX:
**     any will do);
**   - a capture is open;
**   - in a host function: it waits for the function.
*/
Status rt_awaitidle (RtDevice *dev, bool pinned, size_t bytes, bool graphs,
                     const char *what);

/* Hands all idle cached memory of both kinds back, and what the driver's pool
** keeps. */
Status rt_trim (RtDevice *dev);

/* From now on 'reserved' does not grow beyond 'bytes'. What is cached and idle
** goes back if it is more already; 'peak' starts anew. */
Status rt_setlimit (RtDevice *dev, bool pinned, size_t bytes);

/* What there is of a kind, as far as is known: the limit or, if that is less,
** what the machine has. */
size_t rt_budget (const RtDevice *dev, bool pinned);

/* Fails with CUDA_ERROR_OUT_OF_MEMORY and the figures; 'call' refused. */
Status rt_explainmemory (RtDevice *dev, bool pinned, size_t bytes,
                         const char *call);

#endif
