/*
** tick.c - a function of Lua that long waits call ten times a second, with
** nothing half done around it: tide.progress shows how far the device is. It
** is tide's own (lua/tide/progress.lua) and waits for nothing. One that fails
** is not called again: what is shown is no reason to end a wait.
*/
#include "tick.h"

#include <string.h>

#include "base/clock.h"
#include "host_error.h"

static const double PERIOD = 0.1;

void tide_settick (lua_State *L, int arg) {
  State *st = tide_state(L);
  st->ticks = lua_isfunction(L, arg);
  st->next_tick = tide_seconds(CLOCK_MONOTONIC) + PERIOD;
  tide_pushuv(L, UV_PENDING);
  lua_pushvalue(L, arg);
  lua_rawseti(L, -2, PENDING_TICK);
  lua_pop(L, 1);
}

bool tide_isticking (const State *st) {
  return st->ticks && tide_seconds(CLOCK_MONOTONIC) >= st->next_tick;
}

/* The error on the top (popped): the hook of Ctrl-C has raised it. */
static Status look_at_error (lua_State *L, State *st) {
  static const char end[] = "interrupted!";
  size_t n;
  const char *text = lua_tolstring(L, -1, &n);
  bool interrupted = text != NULL && n >= sizeof end - 1 &&
                     strcmp(text + n - (sizeof end - 1), end) == 0;
  st->ticks = interrupted;
  lua_pop(L, 1);
  return interrupted ? RT_INTERRUPTED : 0;
}

Status tide_tick (lua_State *L, State *st) {
  struct Door *door = st->door;
  struct Trace *trace = st->trace;
  Status result = 0;
  if (!lua_checkstack(L, 8))
    return 0;
  st->door = NULL;
  st->trace = NULL;
  tide_pushpending(L, PENDING_TICK);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK)
    result = look_at_error(L, st);
  st->door = door;
  st->trace = trace;
  st->next_tick = tide_seconds(CLOCK_MONOTONIC) + PERIOD;
  return result;
}
