/* hostfunc.h - Lua functions that streams run. See hostfunc.c. */
#ifndef TIDE_DEVICE_HOSTFUNC_H
#define TIDE_DEVICE_HOSTFUNC_H

#include "base/state.h"
#include "rt/runtime.h"

/* The methods Stream:launch_host_func and Stream:add_callback. */
int hostfunc_launch (lua_State *L);
int hostfunc_add_callback (lua_State *L);

/*
** Runs a host function that is due; for service points. Its error is kept for
** waits for its stream. Returns not 0 if the wait must end: RT_INTERRUPTED, or
** RT_LUAERROR if the error could not be kept.
*/
Status hostfunc_run (lua_State *L, State *st, RtKept *k);

/* Forgets a function on its way: it never runs. */
void hostfunc_forget (lua_State *L, int ref);

/* Runs the host functions that are due and were queued before the call. */
void hostfunc_run_due (lua_State *L, State *st);

/* Runs what is due, host functions and others, and waits for it for so many
** seconds. Raises the error of a function. Returns how many functions ran. */
lua_Integer hostfunc_poll (lua_State *L, double seconds);

/* tide.pollfd() */
int hostfunc_pollfd (lua_State *L);

#endif
