/* stop.h - how a host program ends a script that waits or calls tide: by
** api->interrupt, and by a deadline. See stop.c. */
#ifndef TIDE_BASE_STOP_H
#define TIDE_BASE_STOP_H

#include "rt/os/clock.h"
#include "state.h"

/* Tells whether the host has sent a message or its deadline is over. */
static inline bool stop_is_due (const State *st) {
  return interruption_is_sent(&st->interrupt) ||
         (st->deadline != 0 && clock_seconds(CLOCK_MONOTONIC) >= st->deadline);
}

/* Takes the message, for error_fail to raise. Returns RT_INTERRUPTED. */
Status stop_take (State *st);

/* Raises the message, except in host functions and finalizers, which go on: the
** next wait after them raises it. */
void stop_check (lua_State *L, State *st);

/* Sets the deadline so many seconds from now; 0: none. */
void stop_set_deadline (State *st, double seconds);

#endif
