/* stream_order.h - waits between streams. See stream_order.c. */
#ifndef TIDE_RT_QUEUE_STREAM_ORDER_H
#define TIDE_RT_QUEUE_STREAM_ORDER_H

#include "rt/rt.h"

/* 's' waits on the device until (t, seq), which was sent, has passed; once per
** crossing. */
Status rt_waitpoint (RtStream *s, RtStream *t, uint64_t seq);

/* As rt_waitpoint, where 't' may be of another driver: drivers share no events,
** so the host has to wait between. RT_BLOCKED: it has not yet. */
Status rt_waitacross (RtStream *s, RtStream *t, uint64_t seq,
                      const char *what);

/* Adds the points that the accesses of 'op' must come after to the 'n' that
** rt->points has; and there is memory to remember the accesses. */
Status rt_collect (RtStream *s, const Op *op, int *n);

/* As far as is known: does (s, seq) come after that operation? */
bool rt_comesafter (const RtStream *s, uint64_t seq, Point at);

#endif
