/*
** module.c - luaopen_tide_core: makes the State, opens every type, and closes
** everything when the lua_State closes.
*/
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array/openers.h"
#include "base/class.h"
#include "base/clock.h"
#include "base/door.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/listing.h"
#include "base/lua_versions.h"
#include "base/state.h"
#include "base/unknown.h"
#include "comm/openers.h"
#include "device/host_error.h"
#include "device/openers.h"
#include "device/unhandled.h"
#include "include/tide.h"
#include "interop/openers.h"
#include "ipc/openers.h"
#include "ops/openers.h"
#include "prompt/interrupt.h"
#include "prompt/openers.h"
#include "rt/driver/context.h"
#include "rt/runtime.h"
#include "user_kernels/code.h"
#include "user_kernels/openers.h"
#if defined(TIDE_TESTING)
#include "testing.h"
#endif

/*
** Finishes all streams, without calling a Lua function. The State is the first
** object of tide, so its finalizer runs last.
*/
static int state__gc (lua_State *L) {
  State *st = lua_touserdata(L, 1);
  Runtime *rt = st->rt;
  rt_closeinterrupt(&st->interrupt);
  if (rt != NULL && !rt_forked(rt)) {
    rt_finishlast(rt, tide_haserrors(st));
    lua_pushcfunction(L, tide_reportunhandled);
    lua_pushvalue(L, 1);
    lua_pcall(L, 1, 0, 0); /* if memory is short there are no reports */
  }
  st->closed = true;
  st->rt = NULL;
  tide_endinterrupts(st);
  rt_close(rt);
  return 0;
}

static const char *const stream_defaults[] = {"null", "ptds", "own", NULL};

static int read_default_stream (lua_State *L) {
  static const int kinds[] = {STREAM_NULL, STREAM_PTDS, STREAM_OWNED};
  const char *name = getenv("TIDE_DEFAULT_STREAM");
  if (name == NULL || *name == '\0')
    return STREAM_NULL;
  for (int i = 0; stream_defaults[i] != NULL; i++)
    if (strcmp(stream_defaults[i], name) == 0)
      return kinds[i];
  return tide_raise(L,
                    "TIDE_DEFAULT_STREAM must be 'null', 'ptds' or 'own', "
                    "got '%s'",
                    name);
}

static void new_table (lua_State *L, int state, int which, const char *mode) {
  lua_newtable(L);
  if (mode != NULL) {
    lua_newtable(L);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  }
  lua_setiuservalue(L, state, which);
}

static void new_state (lua_State *L) {
  State *st = lua_newuserdatauv(L, sizeof *st, UV_COUNT);
  int self = lua_gettop(L);
  memset(st, 0, sizeof *st);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  st->main = lua_tothread(L, -1);
  lua_pop(L, 1);
  st->default_stream = read_default_stream(L);
  st->float_dtype = DTYPE_FLOAT64;
  tide_readlimits(L, st);
  st->reports = &st->nreports;
  tide_readunhandled(L, st);
  lua_newtable(L);
  lua_pushcfunction(L, state__gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, self);
  rt_openinterrupt(&st->interrupt, st->main);
  new_table(L, self, UV_CURRENT, "k");
  new_table(L, self, UV_CALLBACKS, NULL);
  new_table(L, self, UV_INFLIGHT, NULL);
  new_table(L, self, UV_ERRORS, NULL);
  new_table(L, self, UV_CHECKS, NULL);
  new_table(L, self, UV_DEVICES, NULL);
  new_table(L, self, UV_PENDING, NULL);
}

/* clock() -> seconds of a clock that never goes back. */
static int core_clock (lua_State *L) {
  tide_uncount(tide_state(L));
  lua_pushnumber(L, tide_seconds(CLOCK_MONOTONIC));
  return 1;
}

/* add_methods{ name = function }: adds methods of arrays that are written in
** Lua. init.lua calls it, and then removes it from the table. */
static int core_add_methods (lua_State *L) {
  tide_uncount(tide_state(L));
  luaL_checktype(L, 1, LUA_TTABLE);
  tide_addluamethods(L, &tide_arrayclass, 1);
  return 0;
}

static const Function functions[] = {
  {"add_methods", core_add_methods, 1},
  {"clock", core_clock, 0},
  {NULL, NULL, 0},
};

/* The loader of tide.system where that is left out. */
static int refuse_system (lua_State *L) {
  return luaL_error(L, "tide.system, which the prompt and the command need, is "
                       "left out by the host program");
}

static void leave_system_out (lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, refuse_system);
  lua_setfield(L, -2, "tide.system");
  lua_pop(L, 1);
}

/* Opens tide.system, for the prompt and the command, which are the user's own.
** A host program that leaves something out has neither, because they would be a
** way around that. */
static void open_system (lua_State *L) {
  if (tide_state(L)->left_out != 0) {
    leave_system_out(L);
    return;
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_newtable(L);
  tide_openterminal(L);
  tide_openeditor(L);
  tide_openinterrupt(L);
  tide_openqueued(L);
  tide_openticks(L);
  tide_openabout(L);
  tide_openmeaning(L);
  tide_openexit(L);
  lua_setfield(L, -2, "tide.system");
  lua_pop(L, 1);
}

/* Upvalue 1 is the State, as in every function of tide. */
static int open_types (lua_State *L) {
  lua_newtable(L);
  tide_setfuncs(L, functions);
  tide_openlisting(L);
  lua_pushliteral(L, "tide " TIDE_VERSION);
  lua_setfield(L, -2, "_VERSION");
  tide_opencallback(L);
  tide_openticket(L);
  tide_opencoroutine(L);
  tide_openatomic(L);
  tide_opentimers(L);
  tide_openoptions(L);
  tide_openunhandled(L);
  tide_opencurrent(L);
  tide_opendevice(L);
  tide_openstream(L);
  tide_openwith(L);
  tide_openscopetoken(L);
  tide_openevent(L);
  tide_opengraph(L);
  tide_openhostarray(L);
  tide_openarray(L);
  tide_openindex(L);
  tide_openshape(L);
  tide_openaxes(L);
  tide_opendiagonal(L);
  tide_openjoin(L);
  tide_openroll(L);
  tide_opentile(L);
  tide_opensplit(L);
  tide_openmesh(L);
  tide_opentriangle(L);
  tide_openpad(L);
  tide_openinsert(L);
  tide_openonehot(L);
  tide_opendifferences(L);
  tide_openspread(L);
  tide_opennanfolds(L);
  tide_openquantile(L);
  tide_openunique(L);
  tide_opentopk(L);
  tide_opensearch(L);
  tide_openmembers(L);
  tide_openbincount(L);
  tide_openhistogram(L);
  tide_openmemory(L);
  tide_openscope(L);
  tide_opendtype(L);
  tide_openinfo(L);
  tide_opencomplex(L);
  tide_opencreate(L);
  tide_openupload(L);
  tide_opentransfer(L);
  tide_openelementwise(L);
  tide_opencomplexmath(L);
  tide_opencast(L);
  tide_openreduce(L);
  tide_openscan(L);
  tide_openproduct(L);
  tide_openproducts(L);
  tide_opennorm(L);
  tide_opensoftmax(L);
  tide_openeinsum(L);
  tide_openconvolve(L);
  tide_opensort(L);
  tide_opengather(L);
  tide_openput(L);
  tide_openscatter(L);
  tide_openalong(L);
  tide_opennonzero(L);
  tide_openunravel(L);
  tide_openchoose(L);
  tide_opencompare(L);
  tide_openparts(L);
  tide_opencomposed(L);
  tide_openprint(L);
  tide_openpatterns(L);
  tide_openrandom(L);
  tide_opennpy(L);
  tide_openimage(L);
  tide_openfile(L);
  tide_openfiletransfer(L);
  tide_opensmallfiles(L);
  tide_openmoments(L);
  tide_openplace(L);
  tide_opencode(L);
  tide_openrawmodule(L);
  tide_openrawkernel(L);
  tide_openelementwisekernel(L);
  tide_openreductionkernel(L);
  tide_opensymbol(L);
  tide_openfuse(L);
  tide_opendlpack(L);
  tide_opencarray(L);
  tide_opencomm(L);
  tide_openipc(L);
  tide_openapi(L);
#if defined(TIDE_TESTING)
  tide_opentesting(L);
#endif
  tide_setstrict(L, "tide");
  open_system(L);
  return 1;
}

/* {== does this Lua tell when a finalizer runs? ======================== */

static void *allocate (void *ud, void *p, size_t before, size_t size) {
  (void)ud, (void)before;
  if (size > 0)
    return realloc(p, size);
  free(p);
  return NULL;
}

static int ask__gc (lua_State *L) {
  void *tells;
  lua_getallocf(L, &tells);
  *(bool *)tells = (lua_gc(L, LUA_GCISRUNNING) < 0);
  return 0;
}

static int collect_one (lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, ask__gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_settop(L, 0);
  return lua_gc(L, LUA_GCCOLLECT), 0;
}

/* Raises unless the collector tells when a finalizer runs, which Lua does from
** 5.4.4 on. The door relies on it: see door.c. The test is of the library that
** the program runs with, because the header may be of another version. */
static void check_collector (lua_State *L) {
  bool tells = false;
  int status = LUA_ERRMEM;
  lua_State *own = tide_newluastate(allocate, &tells);
  if (own != NULL) {
    lua_pushcfunction(own, collect_one);
    status = lua_pcall(own, 0, 0, 0);
    lua_close(own);
  }
  if (status != LUA_OK)
    tide_check(L, RT_NOMEM);
  if (!tells)
    luaL_error(L, "tide needs Lua 5.4.4 or later: before that, the "
                  "collector does not tell when a finalizer runs");
}

/* ==} */

/* Makes one State for a lua_State, however often the module is loaded. */
__attribute__((visibility("default"))) int luaopen_tide_core (lua_State *L) {
  static const char key = 0;
  luaL_checkversion(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE)
    return 1;
  check_collector(L);
  new_state(L);
  lua_pushcclosure(L, open_types, 1);
  lua_call(L, 0, 1);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
  tide_fixlimits(L);
  return 1;
}
