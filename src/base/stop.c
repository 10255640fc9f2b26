/*
** stop.c - how a host program ends a script that waits or calls tide. Each wait
** and, before each call, the API entry checks for that.
*/
#include "stop.h"

#include "blocking.h"
#include "error.h"
#include "rt/wait/inbox.h"

static const char too_late[] =
  "limit of time: the host program's deadline for this Lua state is over";

Status stop_take (State *st) {
  const char *message = interruption_take(&st->interrupt);
  st->why = (message != NULL) ? message : too_late;
  if (st->rt != NULL && message != NULL)
    inbox_clear_fd(st->rt->inbox);
  return RT_INTERRUPTED;
}

void stop_check (lua_State *L, State *st) {
  if (lua_gc(L, LUA_GCISRUNNING) < 0 ||
      (st->rt != NULL && !rt_may_serve(st->rt)))
    return;
  stop_take(st);
  const char *why = st->why;
  st->why = NULL;
  error_raise(L, "%s", why);
}

void stop_set_deadline (State *st, double seconds) {
  st->deadline = (seconds != 0) ? clock_seconds(CLOCK_MONOTONIC) + seconds : 0;
}
