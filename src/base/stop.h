/* stop.h - how a host program ends a script that waits or calls tide: by
** api->interrupt, and by a deadline. See stop.c. */
#ifndef TIDE_BASE_STOP_H
#define TIDE_BASE_STOP_H

#include "clock.h"
#include "state.h"

/* Has the host sent a message, or is its deadline over? */
static inline bool tide_isstopped (const State *st) {
  return rt_isinterrupted(&st->interrupt) ||
         (st->deadline != 0 && tide_seconds(CLOCK_MONOTONIC) >= st->deadline);
}

/* Takes the message, for tide_fail to raise: RT_INTERRUPTED. */
Status tide_takestop (State *st);

/* Raises it, but for host functions and finalizers, which go on: whoever waits
** after them raises it. */
void tide_checkstop (lua_State *L, State *st);

/* So many seconds from now; 0: there is none. */
void tide_setdeadline (State *st, double seconds);

#endif
