/* stream_scope.h - what makes current again what was current. See
** stream_scope.c. */
#ifndef TIDE_DEVICE_STREAM_SCOPE_H
#define TIDE_DEVICE_STREAM_SCOPE_H

#include "current.h"

/*
** Inside a scope, 'use' may change the stream of another device than the
** scope's own: the first time it does, the scope remembers what was there. The
** Current is at 'at'; 'index' is the device's.
*/
void tide_remember (lua_State *L, Current *c, int at, int index);

#endif
