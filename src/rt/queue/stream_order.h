/* stream_order.h - waits between streams. See stream_order.c. */
#ifndef TIDE_RT_QUEUE_STREAM_ORDER_H
#define TIDE_RT_QUEUE_STREAM_ORDER_H

#include "rt/rt.h"

/*
** Makes 's' wait, on the device, until (t, seq), which was sent, has passed.
** Waits once per crossing. Drivers share no events, so for a stream of another
** driver the host has to wait: returns RT_BLOCKED until (t, seq) has passed.
** 'what' names the call.
*/
Status stream_order_wait (RtStream *s, RtStream *t, uint64_t seq,
                          const char *what);

/* Adds the points that the accesses of 'op' must come after to the 'n' in
** rt->points, and reserves the memory to note the accesses. */
Status stream_order_collect (RtStream *s, const Op *op, int *n);

#endif
