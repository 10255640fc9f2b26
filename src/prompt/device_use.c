/*
** device_use.c - tells whether a line of the prompt has used the device. If
** not, the prompt prints no time of it.
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

/* queued() -> a number that grows with every operation; nil if no device is
** open, or a capture is, in which the prompt should record no event. */
static int system_queued (lua_State *L) {
  const Runtime *rt = state_get(L)->rt;
  if (rt != NULL && rt->ncaptures == 0 && is_open(rt))
    lua_pushinteger(L, (lua_Integer)rt->stamp);
  else
    lua_pushnil(L);
  return 1;
}

static const Function functions[] = {
  {"queued", system_queued, 0},
  {NULL, NULL, 0},
};

void open_device_use (lua_State *L) { class_set_funcs(L, functions); }
