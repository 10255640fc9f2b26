/* host_function.h - Lua functions that streams run. See host_function.c. */
#ifndef TIDE_DEVICE_HOST_FUNCTION_H
#define TIDE_DEVICE_HOST_FUNCTION_H

#include "base/state.h"
#include "rt/runtime.h"

/* The methods Stream:launch_host_func and Stream:add_callback. */
int tide_launchhostfunc (lua_State *L);
int tide_addcallback (lua_State *L);

/*
** Runs a host function that is due; for service points. Its error is kept for
** waits for its stream. Returns not 0 if the wait must end: RT_INTERRUPTED, or
** RT_LUAERROR if the error could not be kept.
*/
Status tide_runfunction (lua_State *L, State *st, RtKept *k);

/* Runs the host functions that are due and were queued before the call. */
void tide_runfunctions (lua_State *L, State *st);

/* Runs what is due, host functions and others, and waits for it for so many
** seconds. Raises the error of a function. Returns how many functions ran. */
lua_Integer tide_poll (lua_State *L, double seconds);

/* tide.pollfd() */
int tide_pollfd (lua_State *L);

/*
** Frees what was dropped and settles what finished, without waiting. tide_drain
** costs next to nothing, and so leaves some for the next call.
*/
void tide_drain (lua_State *L);

/* Tells whether there is anything to drain. Called where arrays are made. */
static inline bool tide_hasdropped (const State *st) {
  return st->ninflight > 0 || st->rt->unref != NULL || rt_hasdropped(st->rt);
}

void tide_drainall (lua_State *L);

/*
** Waits as rt_startsearch says, for memory and other dropped things, and
** drains. Returns a status; not 0: there is nothing to wait for.
*/
Status tide_awaitmemory (lua_State *L, RtDevice *dev, bool pinned, size_t bytes,
                         bool graphs);

/*
** Drops what garbage holds, because a limit was reached. Returns true if there
** may be room now, so that another try makes sense.
*/
bool tide_makeroom (lua_State *L, Status st);

/* The search for a file descriptor for a system call. */
typedef struct Descriptors {
  const char *what; /* the function that needs it */
  int tries;
} Descriptors;

/*
** Tells whether the system call, which failed with that errno, is worth another
** try because it lacked descriptors. Closed files keep theirs while work of
** them is under way; where a wait is allowed, the caller begins again after
** that. Garbage has other descriptors.
*/
bool tide_finddescriptor (lua_State *L, Descriptors *d, int error);

#endif
