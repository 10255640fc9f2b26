/* ticks.c - tide.system.tick, for tide.progress: see device/tick.c. */
#include "base/class.h"
#include "device/tick.h"
#include "openers.h"

/* tick([fn]): calls fn() ten times a second while a call waits; nil: stops
** that. */
static int system_tick (lua_State *L) {
  if (!lua_isnoneornil(L, 1))
    luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  tide_settick(L, 1);
  return 0;
}

static const Function functions[] = {
  {"tick", system_tick, 1},
  {NULL, NULL, 0},
};

void tide_openticks (lua_State *L) { tide_setfuncs(L, functions); }
