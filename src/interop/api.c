/*
** api.c - the table of functions of tide.h. A host program finds it in the
** registry, and in the metatable of each type.
**
** A function of the table runs inside a function of the host, which has none of
** our upvalues. It checks its arguments, and calls one of our functions as an
** API entry for all that may wait, allocate or queue.
*/
#include "api.h"

#include "base/error.h"
#include "base/stop.h"
#include "dlpack.h"
#include "openers.h"
#include "order.h"
#include "values.h"
#include "wrap.h"

void api_register (lua_State *L, const ApiCall *call) {
  class_push_entry(L, call->f, ANY);
  lua_rawsetp(L, LUA_REGISTRYINDEX, call);
}

void api_call (lua_State *L, const ApiCall *call, void *x, int n,
               int nresults) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, call) == LUA_TNIL)
    error_raise(L, "tide is not open in this lua_State");
  lua_pushlightuserdata(L, x);
  lua_rotate(L, -n - 2, 2);
  lua_call(L, n + 1, nresults);
}

static const char deadline_key = 0; /* in the registry: set_deadline */

/* {== ending scripts ================================================== */

static int api_interrupt (lua_State *L, const char *message) {
  return interruption_send(L, message);
}

/* Called with (seconds). It is no API entry, because an entry would raise that
** the earlier deadline is over. */
static int set_deadline (lua_State *L) {
  stop_set_deadline(state_get(L), lua_tonumber(L, 1));
  return 0;
}

static void api_deadline (lua_State *L, double seconds) {
  static const char name[] = "tide_Api.deadline";
  if (!(seconds >= 0))
    error_raise(L, "%s: seconds from 0 on expected", name);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &deadline_key) == LUA_TNIL)
    error_raise(L, "tide is not open in this lua_State");
  lua_pushnumber(L, seconds);
  lua_call(L, 1, 0);
}

/* ==} */

static const tide_Api api = {
  .version = TIDE_API_VERSION,
  .size = sizeof api,
  .release = TIDE_VERSION,
  .kind = value_kind,
  .check = value_check,
  .tensor = value_tensor,
  .handle = value_handle,
  .device = value_device,
  .pushdevice = value_push_device,
  .pushstream = value_push_stream,
  .pushevent = value_push_event,
  .pushcurrent = value_push_current,
  .current = value_current,
  .create = wrap_create,
  .wrap = wrap_tensor,
  .submit = order_submit,
  .before = order_before,
  .after = order_after,
  .onstream = order_on_stream,
  .poll = order_poll,
  .pollfd = order_poll_fd,
  .wait = order_wait,
  .todlpack = dlpack_export,
  .fromdlpack = dlpack_import,
  .interrupt = api_interrupt,
  .deadline = api_deadline,
};

/* Another copy of tide that was opened first keeps its place in the
** registry. */
void open_api (lua_State *L) {
  open_values(L);
  open_wrap(L);
  open_order(L);
  class_push_function(L, set_deadline);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &deadline_key);
  if (lua_getfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY) == LUA_TNIL) {
    lua_pushlightuserdata(L, (void *)&api);
    lua_setfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY);
  }
  lua_pop(L, 1);
  for (int kind = TIDE_DEVICE; kind <= TIDE_HOSTARRAY; kind++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, value_class(kind));
    lua_pushlightuserdata(L, (void *)&api);
    lua_setfield(L, -2, TIDE_API_KEY);
    lua_pop(L, 1);
  }
}
