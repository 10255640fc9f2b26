/*
** timers.c - waits for the clock (lua/tide/parking.lua, loops.lua): a binary
** heap in a Lua list, with the earliest timer first; each timer knows its
** place. It is in C so that no hook of the program comes in between, which may
** raise an error, or do anything with tasks. A timer is a table with 'at', a
** time, and 'place', which is 0 while it is in no heap.
*/
#include "await.h"
#include "base/type.h"
#include "openers.h"

enum { HEAP = 1, TIMER = 2 }; /* on the stack */

static lua_Number time_of (lua_State *L, lua_Integer i) {
  lua_rawgeti(L, HEAP, i);
  lua_getfield(L, -1, "at");
  const lua_Number at = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return at;
}

/* Puts the timer on the top (popped) at i. */
static void put (lua_State *L, lua_Integer i) {
  lua_pushinteger(L, i);
  lua_setfield(L, -2, "place");
  lua_rawseti(L, HEAP, i);
}

/* Puts the timer on the top (popped) where it belongs among n; i is free. */
static void settle (lua_State *L, lua_Integer i, lua_Integer n) {
  lua_getfield(L, -1, "at");
  const lua_Number at = lua_tonumber(L, -1);
  lua_pop(L, 1);
  for (; i > 1 && time_of(L, i / 2) > at; i /= 2) {
    lua_rawgeti(L, HEAP, i / 2);
    put(L, i);
  }
  for (lua_Integer k; (k = 2 * i) <= n; i = k) {
    if (k < n && time_of(L, k + 1) < time_of(L, k))
      k++;
    if (time_of(L, k) >= at)
      break;
    lua_rawgeti(L, HEAP, k);
    put(L, i);
  }
  put(L, i);
}

/* add_timer(heap, timer). Allocates before it changes anything. */
static int core_add_timer (lua_State *L) {
  type_check(L, HEAP, LUA_TTABLE);
  type_check(L, TIMER, LUA_TTABLE);
  const lua_Integer n = (lua_Integer)lua_rawlen(L, HEAP) + 1;
  lua_pushvalue(L, TIMER);
  lua_rawseti(L, HEAP, n);
  lua_settop(L, TIMER);
  settle(L, n, n);
  return 0;
}

/* remove_timer(heap, timer). Does nothing if the timer is in no heap. */
static int core_remove_timer (lua_State *L) {
  type_check(L, HEAP, LUA_TTABLE);
  type_check(L, TIMER, LUA_TTABLE);
  const lua_Integer n = (lua_Integer)lua_rawlen(L, HEAP);
  lua_settop(L, TIMER);
  lua_getfield(L, TIMER, "place");
  const lua_Integer i = lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (i == 0)
    return 0;
  lua_pushinteger(L, 0);
  lua_setfield(L, TIMER, "place");
  lua_rawgeti(L, HEAP, n);
  lua_pushnil(L);
  lua_rawseti(L, HEAP, n);
  if (i < n)
    settle(L, i, n - 1);
  return 0;
}

static const Function functions[] = {
  {"add_timer", core_add_timer, 2},
  {"remove_timer", core_remove_timer, 2},
  {NULL, NULL, 0},
};

void open_timers (lua_State *L) { await_add_scheduler(L, functions); }
