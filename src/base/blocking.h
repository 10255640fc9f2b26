/* blocking.h - where no wait is allowed. See blocking.c. */
#ifndef TIDE_BASE_BLOCKING_H
#define TIDE_BASE_BLOCKING_H

#include "state.h"

/* Raises in a host function, which must not wait; 'what' names the call, unless
** tide's own Lua makes it for a call of its own. */
void blocking_check (lua_State *L, RtDevice *dev, const char *what);

/* Raises if the stream captures: 'why' says what the call 'what' waits for, and
** what to use instead. */
void blocking_check_capture (lua_State *L, const RtStream *s, const char *what,
                             const char *why);

/* Tells whether host functions may run here and now. */
bool blocking_serves (lua_State *L, const State *st);

/* blocking_status returns 0, or in a host function the error of
** blocking_refuse, because a host function must not wait. */
Status blocking_status (lua_State *L, const RtDevice *dev, const char *what);
Status blocking_refuse (lua_State *L, Runtime *rt, const char *what);

/* Raises that what a blocked call lacks cannot be had here. */
int blocking_raise (lua_State *L, const WaitReason *reason);

/* Returns the error that other calls came in between too often. */
Status blocking_endless (Runtime *rt, const char *what);

#endif
