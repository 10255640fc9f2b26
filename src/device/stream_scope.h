/* stream_scope.h - what makes current again what was current. See
** stream_scope.c. */
#ifndef TIDE_DEVICE_STREAM_SCOPE_H
#define TIDE_DEVICE_STREAM_SCOPE_H

#include "current.h"

typedef struct Scope Scope;

/* Pushes a scope whose __close makes current again what is current now, then
** makes the Stream at 'arg' (or 'dev', if arg is 0) current. */
void tide_pushscope (lua_State *L, int arg, RtDevice *dev);

/*
** The two halves of tide_pushscope: pushes the coroutine's Current and a scope
** that is not open; begins the scope, which is on the top and replaces both.
** What the caller needs is allocated in between.
*/
Scope *tide_takescope (lua_State *L);
void tide_beginscope (lua_State *L, Scope *sc, int arg, RtDevice *dev);

/* The user value of a scope that belongs to the tokens: see scope_token.c. */
enum { SCOPE_WATCH = 5 };

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
