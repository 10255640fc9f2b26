/* with.h - what makes current again what was current. See with.c. */
#ifndef TIDE_WITH_H
#define TIDE_WITH_H

#include "current.h"

/*
** Pushes a token whose __close makes current again what is current now, then
** makes the Stream at 'arg' (or 'dev', if arg is 0) current. 'hidden': the
** token never reaches Lua, so it can be used again.
*/
void tide_pushscope (lua_State *L, int arg, RtDevice *dev, bool hidden);

/*
** Inside a scope, 'use' may change the stream of another device than the
** scope's own: the first time it does, the scope remembers what was there. The
** Current is at 'at'; 'index' is the device's.
*/
void tide_remember (lua_State *L, Current *c, int at, int index);

/* with_stream, which is also the method Stream:with. */
int tide_withstream (lua_State *L);

#endif
