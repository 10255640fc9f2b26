/*
** testing.c - tide.core.T: internals that specs need to see and to break. All
** else is tested through the public API. Only builds with -DTIDE_TESTING have
** this folder.
*/
#include "testing.h"

#include "base/class.h"
#include "base/error.h"
#include "device/gc.h"
#include "rt/archive/zip.h"
#include "rt/memory/reclaim.h"
#include "rt/testing/witness.h"

/* T.slots([on]): from now on all transfers between files and memory go through
** slots, on any device, as they do for a GPU; or they do not. */
static int t_slots (lua_State *L) {
  state_rt(L)->slotted_always = lua_toboolean(L, 1);
  return 0;
}

/*
** T.limits([n]): at most so many operations may be kept, not counting those
** that host functions queue; 0: as usual.
*/
static int t_limits (lua_State *L) {
  Runtime *rt = state_rt(L);
  rt->most_kept = (int)luaL_optinteger(L, 1, 0);
  return 0;
}

/* T.trim(): returns all idle cached memory to the drivers. */
static int t_trim (lua_State *L) {
  Runtime *rt = state_rt(L);
  for (int i = 0; i < rt->ndevices; i++)
    if (rt->devices[i].ctx != NULL)
      error_check(L, reclaim_all(&rt->devices[i]));
  return 0;
}

/* T.clock(t, cost): sets the clock of gc.c to t, in seconds, until the
** next call; each collection costs 'cost'. With a cost of 0: real time. */
static int t_clock (lua_State *L) {
  gc_set_clock(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 0));
  return 0;
}

/*
** T.again(n) -> the earlier n: every call begins again once, as if others had
** come in between, when it queues its n-th operation; 0: no call does.
*/
static int t_again (lua_State *L) {
  State *st = state_get(L);
  int old = st->again;
  st->again = (int)luaL_checkinteger(L, 1);
  lua_pushinteger(L, old);
  return 1;
}

/* T.collect(on): each call begins with a full collection. */
static int t_collect (lua_State *L) {
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  state_get(L)->collects = lua_toboolean(L, 1);
  return 0;
}

/*
** T.witness(on [, blind]) -> how many uses of memory were compared since it was
** turned on for this thread, how many pairs of them are unordered, and a
** description of the first such pair. Each call starts anew: see witness.h.
*/
static int t_witness (lua_State *L) {
  long compared, bad;
  char complaint[COMPLAINT];
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  witness_end(&compared, &bad, complaint);
  if (lua_toboolean(L, 1))
    witness_start((long)luaL_optinteger(L, 2, 0));
  lua_pushinteger(L, compared);
  lua_pushinteger(L, bad);
  lua_pushstring(L, complaint);
  return 3;
}

/* T.zip64([n]): numbers from n on have 64 bits in the archives that are
** written; as usual. */
static int t_zip64 (lua_State *L) {
  zip_limit = (uint64_t)luaL_optinteger(L, 1, 0xFFFFFFFF);
  return 0;
}

static const Function functions[] = {
  {"again", t_again, ANY},
  {"clock", t_clock, ANY},
  {"collect", t_collect, ANY},
  {"limits", t_limits, ANY},
  {"slots", t_slots, ANY},
  {"trim", t_trim, ANY},
  {"witness", t_witness, ANY},
  {"zip64", t_zip64, ANY},
  {NULL, NULL, 0},
};

void open_testing (lua_State *L) {
  lua_newtable(L);
  class_set_funcs(L, functions);
  testing_add_counts(L);
  testing_add_faults(L);
  testing_add_code(L);
  testing_add_messages(L);
  lua_setfield(L, -2, "T");
}
