/* display.h - a function that waits call now and then. See display.c. */
#ifndef TIDE_DEVICE_DISPLAY_H
#define TIDE_DEVICE_DISPLAY_H

#include "base/state.h"

/* Tells whether the function is due. */
bool display_is_due (const State *st);

/* Calls the function. */
void display_call (lua_State *L, State *st);

/* Sets the function to that at 'arg', or to none. */
void display_set (lua_State *L, int arg);

#endif
