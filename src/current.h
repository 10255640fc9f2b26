/* current.h - the current device and stream of a coroutine. See current.c. */
#ifndef TIDE_CURRENT_H
#define TIDE_CURRENT_H

#include "tide.h"

/* The current device of the running coroutine. Raises if there is none. */
RtDevice *tide_currentdevice (lua_State *L);

/* The current stream of the running coroutine on 'dev'. */
RtStream *tide_currentstream (lua_State *L, RtDevice *dev);

/* Pushes the Stream object that is current on 'dev'. */
void tide_pushcurrent (lua_State *L, RtDevice *dev);

/* Makes the Stream object at 'arg' current; its device too, if it has one. */
void tide_usestream (lua_State *L, int arg);
void tide_usedevice (lua_State *L, RtDevice *dev);

/*
** Pushes a token whose __close makes current again what is current now, then
** makes the Stream at 'arg' (or 'dev', if arg is 0) current. 'hidden': the
** token never reaches Lua, so it can be used again.
*/
void tide_pushscope (lua_State *L, int arg, RtDevice *dev, bool hidden);

/* Where the running coroutine keeps its innermost tide.scope: see scope.c. */
struct ArrayScope **tide_arrayscope (lua_State *L);

/* with_stream, which is also the method Stream:with. */
int tide_withstream (lua_State *L);

/* A coroutine for host functions starts on 'dev' and its 'fn' stream. */
void tide_startcoroutine (lua_State *L, lua_State *co, RtDevice *dev);

#endif
