/*
** display.c - a Lua function that long waits call ten times a second, with
** nothing half done around it: tide.progress shows how far the device is. It is
** tide's own (lua/tide/progress.lua) and waits for nothing. If it fails it is
** not called again, because a display is no reason to end a wait.
**
** It runs on a coroutine of its own, which has no hooks: hooks of a host
** program or of Ctrl-C are for the program, and raise where that goes on. The
** function's calls of tide only read, and do not count (entry_uncount).
** Otherwise the waiting call would begin again, as it does for other calls that
** come in between, by finalizers or by a function that the program has put in
** the place of ours.
*/
#include "display.h"

#include <math.h>

#include "host_error.h"
#include "rt/os/clock.h"

static const double PERIOD = 0.1;

/* Pushes a coroutine that has the function at 'fn' in its slot 1. */
static void push_ticker (lua_State *L, int fn) {
  lua_State *co = lua_newthread(L);
  lua_sethook(co, NULL, 0, 0); /* a new coroutine inherits L's hooks */
  lua_pushvalue(L, fn);
  lua_xmove(L, co, 1);
}

void display_set (lua_State *L, int arg) {
  State *st = state_get(L);
  bool ticks = lua_isfunction(L, arg);
  state_push_uv(L, UV_PENDING);
  if (ticks)
    push_ticker(L, arg);
  else
    lua_pushboolean(L, 0);
  lua_rawseti(L, -2, PENDING_TICK);
  lua_pop(L, 1);
  st->ticks = ticks;
  st->next_tick = clock_seconds(CLOCK_MONOTONIC) + PERIOD;
}

bool display_is_due (const State *st) {
  return st->ticks && clock_seconds(CLOCK_MONOTONIC) >= st->next_tick;
}

/* Calls the function of the coroutine on the top (popped). */
static void call (lua_State *L, State *st) {
  lua_State *co = lua_tothread(L, -1);
  st->next_tick = HUGE_VAL;
  lua_pushvalue(co, 1);
  if (lua_pcall(co, 0, 0, 0) != LUA_OK) {
    lua_pop(co, 1);
    st->ticks = false;
  }
  lua_pop(L, 1);
}

void display_call (lua_State *L, State *st) {
  struct EntryCall *entry = st->entry;
  struct Trace *trace = st->trace;
  if (!lua_checkstack(L, 8))
    return;
  st->entry = NULL;
  st->trace = NULL;
  host_error_push(L, PENDING_TICK);
  call(L, st);
  st->entry = entry;
  st->trace = trace;
  st->next_tick = clock_seconds(CLOCK_MONOTONIC) + PERIOD;
}
