/*
** stop.c - how a host program ends a script that waits or calls tide. Each wait
** and, before each call, the door checks for that.
*/
#include "stop.h"

#include "error.h"
#include "may_wait.h"
#include "rt/wait/inbox.h"

static const char too_late[] =
  "limit of time: the host program's deadline for this Lua state is over";

Status tide_takestop (State *st) {
  const char *message = rt_takeinterrupt(&st->interrupt);
  st->why = (message != NULL) ? message : too_late;
  if (st->rt != NULL && message != NULL)
    rt_settleinbox(st->rt->inbox);
  return RT_INTERRUPTED;
}

void tide_checkstop (lua_State *L, State *st) {
  if (lua_gc(L, LUA_GCISRUNNING) < 0 ||
      (st->rt != NULL && !rt_mayserve(st->rt)))
    return;
  tide_takestop(st);
  const char *why = st->why;
  st->why = NULL;
  tide_raise(L, "%s", why);
}

void tide_setdeadline (State *st, double seconds) {
  st->deadline = (seconds != 0) ? tide_seconds(CLOCK_MONOTONIC) + seconds : 0;
}
