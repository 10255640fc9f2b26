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

int tide_pushuv (lua_State *L, int which) {
  return lua_getiuservalue(L, lua_upvalueindex(1), which);
}

int tide_closed (lua_State *L) {
  return luaL_error(L, "tide is closed: its lua_State is going away");
}

static Runtime *open_runtime (lua_State *L, State *st) {
  if (st->closed)
    tide_closed(L);
  tide_check(L, rt_open(&st->caps, &st->rt));
  st->rt->owner = st;
  if (st->limits[0] != 0 || st->limits[1] != 0)
    st->find_default(L); /* which sets them */
  return st->rt;
}

Runtime *tide_rt (lua_State *L) {
  State *st = tide_state(L);
  return (st->rt != NULL) ? st->rt : open_runtime(L, st);
}

/* In a child of a process that has used tide, no Runtime can be opened. */
bool tide_isunused (const State *st) {
  return st->rt == NULL && !st->closed && rt_generation == 0;
}

void tide_checknews (lua_State *L, const State *st) {
  Runtime *rt = st->rt;
  if (rt_forked(rt))
    tide_check(L, RT_FORKED);
  if (rt->resets != rt_countresets() && rt_mayserve(rt))
    rt_noticeresets(rt);
  if (rt->ncaptures > 0 && !rt->finalizing)
    rt_endabandoned(rt);
}

Runtime *tide_checkrt (lua_State *L) {
  State *st = tide_state(L);
  if (st->door != NULL && lua_gc(L, LUA_GCISRUNNING) >= 0)
    st->door = NULL; /* left behind by a call that an error has ended */
  if (tide_hasnews(st))
    tide_checknews(L, st);
  return tide_rt(L);
}
