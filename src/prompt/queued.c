/*
** queued.c - has a line of the prompt used the device? If not, there is nothing
** to tell of it.
*/
#include "base/class.h"
#include "openers.h"
#include "rt/rt.h"

static bool is_open (const Runtime *rt) {
  for (int i = 0; i < rt->ndevices; i++)
    if (rt->devices[i].ctx != NULL)
      return true;
  return false;
}

/* queued() -> a number that every operation makes larger; nil: no device is
** open, or a capture is, so that no event should be recorded for the prompt. */
static int system_queued (lua_State *L) {
  const Runtime *rt = tide_state(L)->rt;
  if (rt != NULL && rt->ncaptures == 0 && is_open(rt))
    lua_pushinteger(L, (lua_Integer)rt->stamp);
  else
    lua_pushnil(L);
  return 1;
}

static const Function functions[] = {
  {"queued", system_queued, 0},
  {NULL, NULL, 0}
};

void tide_openqueued (lua_State *L) { tide_setfuncs(L, functions); }
