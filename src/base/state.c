/*
** state.c - the State: what tide keeps for a lua_State. It is upvalue 1 of
** every function, and opens the Runtime when that is first needed.
*/
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/graph/capture.h"
#include "rt/reset.h"
#include "rt/rt.h"
#include "rt/runtime.h"

int state_push_uv (lua_State *L, int which) {
  return lua_getiuservalue(L, lua_upvalueindex(1), which);
}

/* The address is the State's key in the registry. */
static const char key = 0;

void state_register (lua_State *L, int idx) {
  lua_pushvalue(L, idx);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

bool state_is_upvalue (lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &key);
  bool is = lua_rawequal(L, -1, lua_upvalueindex(1));
  lua_pop(L, 1);
  return is;
}

int state_refuse (lua_State *L) {
  return luaL_error(L, "tide is closed: its lua_State is going away");
}

static Runtime *open_runtime (lua_State *L, State *st) {
  if (st->closed)
    state_refuse(L);
  error_check(L, runtime_open(&st->caps, &st->rt));
  st->rt->owner = st;
  if (st->limits[0] != 0 || st->limits[1] != 0)
    st->find_default(L); /* which sets them */
  return st->rt;
}

Runtime *state_rt (lua_State *L) {
  State *st = state_get(L);
  return (st->rt != NULL) ? st->rt : open_runtime(L, st);
}

/* In a child of a process that has used tide, no Runtime can be opened. */
bool state_is_unused (const State *st) {
  return st->rt == NULL && !st->closed && context_forks == 0;
}

void state_check (lua_State *L, const State *st) {
  Runtime *rt = st->rt;
  if (context_is_forked(rt))
    error_check(L, RT_FORKED);
  if (rt->resets != shared_count_resets() && rt_may_serve(rt))
    reset_notice(rt);
  if (rt->ncaptures > 0 && !rt->finalizing)
    capture_end_abandoned(rt);
}

Runtime *state_check_rt (lua_State *L) {
  State *st = state_get(L);
  if (st->entry != NULL && lua_gc(L, LUA_GCISRUNNING) >= 0)
    st->entry = NULL; /* left behind by a call that an error has ended */
  if (state_needs_check(st))
    state_check(L, st);
  return state_rt(L);
}
