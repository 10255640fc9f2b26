/* stream_scope.h - what makes current again what was current. See
** stream_scope.c. */
#ifndef TIDE_DEVICE_STREAM_SCOPE_H
#define TIDE_DEVICE_STREAM_SCOPE_H

#include "current.h"

typedef struct Scope Scope;

/* Pushes a scope whose __close makes current again what is current now, then
** makes the Stream at 'arg' (or 'dev', if arg is 0) current. */
Scope *tide_pushscope (lua_State *L, int arg, RtDevice *dev);

/* The number of the opening that the scope is in, or 0 if it is closed. */
uint64_t tide_opening (const Scope *sc);

/* Closes the open scope, which is at 1. Returns 0, as a Lua function does. */
int tide_leavescope (lua_State *L, Scope *sc);

/*
** Inside a scope, 'use' may change the stream of another device than the
** scope's own: the first time it does, the scope remembers what was there. The
** Current is at 'at'; 'index' is the device's.
*/
void tide_remember (lua_State *L, Current *c, int at, int index);

#endif
