/*
** error.c - Status to Lua error: the only formatter of driver errors.
*/
#include "error.h"

#include "door.h"
#include "rt/driver/fault_trace.h"
#include "state.h"

static const char *error_name (int code) {
  switch (code) {
#define E(name, code, text) case code: return #name;
#include "rt/driver/errors.def"
#undef E
    default: return "CUDA_ERROR_UNKNOWN";
  }
}

static const char *error_text (int code) {
  switch (code) {
#define E(name, code, text) case code: return text;
#include "rt/driver/errors.def"
#undef E
    default: return "see the CUDA driver API's list of results";
  }
}

/* The device has failed: what the driver said first, and who may have done
** it. */
static int raise_fault (lua_State *L, const RtDevice *dev) {
  const Fault *f = &dev->fault;
  bool any = f->suspects[0] != '\0';
  return luaL_error(L, "%s: %s (%d): %s\n%s:%d is of no use before its "
                    "reset(); %s%s", f->call, error_name(f->code), f->code,
                    error_text(f->code), dev->D->kind, dev->ordinal, any ?
                    "what was queued and not known to be done, the most "
                    "suspect first:" : "nothing that this Lua state queued "
                    "was under way", f->suspects);
}

static int raise_driver (lua_State *L, Runtime *rt, Status st) {
  const RtDevice *lost = rt_lostdevice(rt, st);
  if (lost != NULL)
    return raise_fault(L, lost);
  const char *call = rt->call != NULL ? rt->call : "tide";
  if (rt->detail[0] != '\0')
    return luaL_error(L, "%s: %s (%d): %s: %s", call, error_name(st), st,
                      error_text(st), rt->detail);
  return luaL_error(L, "%s: %s (%d): %s", call, error_name(st), st,
                    error_text(st));
}

/* The error object of a host function that could not be kept. */
static int raise_pending (lua_State *L) {
  tide_pushuv(L, UV_PENDING);
  lua_rawgeti(L, -1, 1);
  lua_pushboolean(L, 0);  /* its place stays: see tide_opencallback */
  lua_rawseti(L, -3, 1);
  return lua_error(L);
}

int tide_fail (lua_State *L, Status st) {
  State *state = tide_state(L);
  Runtime *rt = state->rt;
  if (st == RT_BLOCKED)
    return tide_blocked(L, state);
  switch (st) {
    case RT_LUAERROR:
      return raise_pending(L);
    case RT_INTERRUPTED:
      return luaL_error(L, "interrupted!");
    case RT_NOMEM:
      return luaL_error(L, "not enough memory");
    case RT_FORKED:
      return luaL_error(L, "tide was opened before fork: a child process "
                        "cannot use its parent's devices");
    case RT_RESET:
      return luaL_error(L, "device was reset");
    case RT_MISUSE: case RT_LIMIT:
      return luaL_error(L, "%s", rt->detail);
    default:
      return raise_driver(L, rt, st);
  }
}

/* {== where Lua is ==================================================== */

/* Neither allocates nor raises. */
bool tide_findcaller (lua_State *L, lua_Debug *ar) {
  for (int level = 1; lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline > 0)
      return true;
  }
  return false;
}

void tide_pushcaller (lua_State *L) {
  lua_Debug ar;
  if (tide_findcaller(L, &ar))
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
  else
    lua_pushliteral(L, "?");
}

void tide_noteplace (lua_State *L, Runtime *rt) {
  lua_Debug ar;
  if (tide_findcaller(L, &ar))
    rt_setplace(rt, ar.short_src, ar.currentline);
  else
    rt->line = 0;
}

/* ==} */

void tide_check (lua_State *L, Status st) {
  if (st != 0)
    tide_fail(L, st);
}
