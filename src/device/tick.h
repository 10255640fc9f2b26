/* tick.h - a function that waits call now and then. See tick.c. */
#ifndef TIDE_DEVICE_TICK_H
#define TIDE_DEVICE_TICK_H

#include "base/state.h"

/* Is its turn now? */
bool tide_isticking (const State *st);

/* Calls it. */
void tide_tick (lua_State *L, State *st);

/* It is the function at 'arg' from now on, or none. */
void tide_settick (lua_State *L, int arg);

#endif
