/* tick.h - a function that waits call now and then. See tick.c. */
#ifndef TIDE_DEVICE_TICK_H
#define TIDE_DEVICE_TICK_H

#include "base/state.h"

/* Tells whether the function is due. */
bool tide_isticking (const State *st);

/* Calls the function. */
void tide_tick (lua_State *L, State *st);

/* Sets the function to that at 'arg', or to none. */
void tide_settick (lua_State *L, int arg);

#endif
