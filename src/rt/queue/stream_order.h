/* stream_order.h - waits between streams. See stream_order.c. */
#ifndef TIDE_RT_QUEUE_STREAM_ORDER_H
#define TIDE_RT_QUEUE_STREAM_ORDER_H

#include "rt/rt.h"

/*
** 's' waits on the device until (t, seq) has passed; once per crossing.
** RT_BLOCKED: see rt_beforefollow.
*/
Status rt_waitpoint (RtStream *s, RtStream *t, uint64_t seq);

/* As rt_waitpoint, where 't' may be of another driver: drivers share no events,
** so the host has to wait between. RT_BLOCKED: it has not yet. */
Status rt_waitacross (RtStream *s, RtStream *t, uint64_t seq,
                      const char *what);

/* While gates are shut: 's' waits for the streams that the driver orders with
** it, and that stand at one. */
Status rt_orderlegacy (RtStream *s);

/*
** Before a host function of a blocking stream: by an event, too, it comes after
** what the null stream has. So that is known to be done when it runs, and with
** it what the null stream came after (rt_nullpassed); and where the null stream
** has events alone the driver would not wait for them. Not while blocking
** streams capture, when events on the null stream are errors.
*/
Status rt_meetnull (RtStream *s);

/* 's' waits for what the accesses of 'op' must come after, and there is memory
** to remember them. */
Status rt_order (RtStream *s, const Op *op);

/* As far as is known: does (s, seq) come after that operation? */
bool rt_comesafter (const RtStream *s, uint64_t seq, Point at);

#endif
