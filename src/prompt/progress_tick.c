/* progress_tick.c - tide.system.tick, for tide.progress: see device/display.c.
*/
#include "base/class.h"
#include "device/display.h"
#include "openers.h"

/* tick([fn]): calls fn() ten times a second while a call waits; nil: stops
** that. */
static int system_tick (lua_State *L) {
  if (!lua_isnoneornil(L, 1))
    luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  display_set(L, 1);
  return 0;
}

static const Function functions[] = {
  {"tick", system_tick, 1},
  {NULL, NULL, 0},
};

void open_progress_tick (lua_State *L) { class_set_funcs(L, functions); }
