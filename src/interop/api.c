/*
** api.c - the table of functions of tide.h. A host program finds it in the
** registry, and in the metatable of each type.
**
** A function of the table runs inside a function of the host, which has none of
** our upvalues. It checks its arguments, and calls one of our functions through
** the door for all that may wait, allocate or queue.
*/
#include "api.h"

#include "base/error.h"
#include "base/stop.h"
#include "dlpack.h"
#include "openers.h"
#include "order.h"
#include "values.h"
#include "wrap.h"

void tide_openapicall (lua_State *L, const ApiCall *call) {
  tide_pushdoor(L, call->f, ANY);
  lua_rawsetp(L, LUA_REGISTRYINDEX, call);
}

void tide_callapi (lua_State *L, const ApiCall *call, void *x, int n,
                   int nresults) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, call) == LUA_TNIL)
    tide_raise(L, "tide is not open in this lua_State");
  lua_pushlightuserdata(L, x);
  lua_rotate(L, -n - 2, 2);
  lua_call(L, n + 1, nresults);
}

static const char deadline_key = 0; /* in the registry: set_deadline */

/* {== ending scripts ================================================== */

static int api_interrupt (lua_State *L, const char *message) {
  return rt_sendinterrupt(L, message);
}

/* Called with (seconds). It is behind no door, because a door would raise that
** the earlier deadline is over. */
static int set_deadline (lua_State *L) {
  tide_setdeadline(tide_state(L), lua_tonumber(L, 1));
  return 0;
}

static void api_deadline (lua_State *L, double seconds) {
  static const char name[] = "tide_Api.deadline";
  if (!(seconds >= 0))
    tide_raise(L, "%s: seconds from 0 on expected", name);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &deadline_key) == LUA_TNIL)
    tide_raise(L, "tide is not open in this lua_State");
  lua_pushnumber(L, seconds);
  lua_call(L, 1, 0);
}

/* ==} */

static const tide_Api api = {
  .version = TIDE_API_VERSION,
  .size = sizeof api,
  .release = TIDE_VERSION,
  .kind = api_kind,
  .check = api_check,
  .tensor = api_tensor,
  .handle = api_handle,
  .device = api_device,
  .pushdevice = api_pushdevice,
  .pushstream = api_pushstream,
  .pushevent = api_pushevent,
  .pushcurrent = api_pushcurrent,
  .current = api_current,
  .create = api_create,
  .wrap = api_wrap,
  .submit = api_submit,
  .before = api_before,
  .after = api_after,
  .onstream = api_onstream,
  .poll = api_poll,
  .pollfd = api_pollfd,
  .wait = api_wait,
  .todlpack = api_todlpack,
  .fromdlpack = api_fromdlpack,
  .interrupt = api_interrupt,
  .deadline = api_deadline,
};

/* Another copy of tide that was opened first keeps its place in the
** registry. */
void tide_openapi (lua_State *L) {
  tide_openvalues(L);
  tide_openwrap(L);
  tide_openorder(L);
  tide_pushfunction(L, set_deadline);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &deadline_key);
  if (lua_getfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY) == LUA_TNIL) {
    lua_pushlightuserdata(L, (void *)&api);
    lua_setfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY);
  }
  lua_pop(L, 1);
  for (int kind = TIDE_DEVICE; kind <= TIDE_HOSTARRAY; kind++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, tide_classof(kind));
    lua_pushlightuserdata(L, (void *)&api);
    lua_setfield(L, -2, TIDE_API_KEY);
    lua_pop(L, 1);
  }
}
