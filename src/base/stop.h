/* stop.h - how a host program ends a script that waits or calls tide: by
** api->interrupt, and by a deadline. See stop.c. */
#ifndef TIDE_BASE_STOP_H
#define TIDE_BASE_STOP_H

#include "clock.h"
#include "state.h"

/* Tells whether the host has sent a message or its deadline is over. */
static inline bool tide_isstopped (const State *st) {
  return rt_isinterrupted(&st->interrupt) ||
         (st->deadline != 0 && tide_seconds(CLOCK_MONOTONIC) >= st->deadline);
}

/* Takes the message, for tide_fail to raise. Returns RT_INTERRUPTED. */
Status tide_takestop (State *st);

/* Raises the message, except in host functions and finalizers, which go on: the
** next wait after them raises it. */
void tide_checkstop (lua_State *L, State *st);

/* Sets the deadline so many seconds from now; 0: none. */
void tide_setdeadline (State *st, double seconds);

#endif
