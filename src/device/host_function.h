/* host_function.h - Lua functions that streams run. See host_function.c. */
#ifndef TIDE_DEVICE_HOST_FUNCTION_H
#define TIDE_DEVICE_HOST_FUNCTION_H

#include "base/state.h"
#include "rt/runtime.h"

/* The methods Stream:launch_host_func and Stream:add_callback. */
int tide_launchhostfunc (lua_State *L);
int tide_addcallback (lua_State *L);

/*
** Runs a host function whose turn has come; for service points. Its error is
** kept for whoever waits for its stream. Not 0: the wait must end:
** RT_INTERRUPTED, or RT_LUAERROR if the error could not be kept.
*/
Status tide_runfunction (lua_State *L, State *st, RtKept *k);

/* Runs those whose turn has come, of what was queued before. */
void tide_runfunctions (lua_State *L, State *st);

/* Runs those whose turn has come, and what else is due, for which it waits so
** many seconds; raises the error of a function. How many those were. */
lua_Integer tide_poll (lua_State *L, double seconds);

/* tide.pollfd() */
int tide_pollfd (lua_State *L);

/*
** Frees what was dropped and settles what finished; no waiting. tide_drain
** costs next to nothing and so leaves some for the next call.
*/
void tide_drain (lua_State *L);

/* Is there anything to drain? For where arrays are born. */
static inline bool tide_hasdropped (const State *st) {
  return st->ninflight > 0 || st->rt->unref != NULL || rt_hasdropped(st->rt);
}

void tide_drainall (lua_State *L);

/*
** Waits as rt_startsearch says, for memory and what else was dropped, and
** drains: a status; if it is not 0, there is nothing to wait for.
*/
Status tide_awaitmemory (lua_State *L, RtDevice *dev, bool pinned,
                         size_t bytes, bool graphs);

/*
** A limit was reached: drops what garbage holds. True: there may be room now,
** so try once more.
*/
bool tide_makeroom (lua_State *L, Status st);

/* To find a descriptor for a call of the system. */
typedef struct Descriptors {
  const char *what;  /* who wants it */
  int tries;
} Descriptors;

/*
** Is the call, which failed with that errno, worth another try? That is so if
** it lacks descriptors: files that were closed keep theirs while work of them
** is under way, which is waited for where that may be, by beginning the caller
** again; and garbage has others.
*/
bool tide_finddescriptor (lua_State *L, Descriptors *d, int error);

#endif
