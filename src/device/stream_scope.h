/* stream_scope.h - scopes, which restore what was current. See
** stream_scope.c. */
#ifndef TIDE_DEVICE_STREAM_SCOPE_H
#define TIDE_DEVICE_STREAM_SCOPE_H

#include "current.h"

typedef struct Scope Scope;

/* Pushes a scope whose __close restores what is current now, then makes the
** Stream at 'arg' (or 'dev', if arg is 0) current. */
void stream_scope_push (lua_State *L, int arg, RtDevice *dev);

/*
** The two halves of stream_scope_push. stream_scope_take pushes the coroutine's
** Current and a scope that is not open; stream_scope_begin opens the scope and
** leaves both on the top. Nothing is allocated in between, because a finalizer
** could open that scope.
*/
Scope *stream_scope_take (lua_State *L, State *st);
void stream_scope_begin (lua_State *L, Scope *sc, int arg, RtDevice *dev);

/* The user value of a scope that scope_token.c uses. */
enum { SCOPE_WATCH = 5 };

/* Returns the number of the scope's present opening, or 0 if it is closed. */
uint64_t stream_scope_id (const Scope *sc);

/* Closes the open scope, which is at 'self'. Returns 0, as a Lua function
** does. */
int stream_scope_leave (lua_State *L, Scope *sc, int self);

/*
** Saves the current stream of a device before 'use' changes it inside a scope
** of another device, the first time that it does. The Current is at 'at';
** 'index' is the device's.
*/
void stream_scope_save (lua_State *L, Current *c, int at, int index);

#endif
