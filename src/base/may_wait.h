/* may_wait.h - where no wait is allowed. See may_wait.c. */
#ifndef TIDE_BASE_MAY_WAIT_H
#define TIDE_BASE_MAY_WAIT_H

#include "state.h"

/* Raises in a host function, which must not wait; 'what' names the call. */
void tide_checkmaywait (lua_State *L, RtDevice *dev, const char *what);

/* Raises if the stream captures: 'why' says what the call 'what' waits for, and
** what to use instead. */
void tide_checkuncaptured (lua_State *L, const RtStream *s, const char *what,
                           const char *why);

/* Tells whether host functions may run here and now. */
bool tide_mayserve (lua_State *L, const State *st);

/* tide_maywait returns 0, or in a host function the error of tide_refusewait,
** because a host function must not wait. */
Status tide_maywait (const RtDevice *dev, const char *what);
Status tide_refusewait (Runtime *rt, const char *what);

/* Raises that what a blocked call lacks cannot be had here. */
int tide_refusewant (lua_State *L, const RtWant *want);

/* Returns the error that other calls came in between too often. */
Status tide_toooften (Runtime *rt, const char *what);

#endif
