/*
** fuzz.c - a libFuzzer target: each input is a program (program.lua) for a
** lua_State with tide linked in, on the host device. Afterwards nothing of it
** may live: either the program looks and the state is used again, or the
** state is closed as it is, work under way and all.
**
** Run from the root of the tree. FUZZ_TRACE=1 prints the calls of an input.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "../../src/base/compat.h"
#include "../../src/rt/testing/probe.h"
#include "../../include/tide.h"

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Makes the countdown-th allocation fail; 0: none. */
static long countdown;

static void *allocate (void *ud, void *p, size_t old, size_t size) {
  (void)ud;
  if (size == 0) {
    free(p);
    return NULL;
  }
  if (countdown > 0 && (p == NULL || size > old) && --countdown == 0)
    return NULL;
  return realloc(p, size);
}

static int nomem (lua_State *L) {
  countdown = (long)luaL_checkinteger(L, 1);
  return 0;
}

/* nap(): lets the host device's threads run. */
static int nap (lua_State *L) {
  struct timespec t = {0, 200000};
  (void)L;
  nanosleep(&t, NULL);
  return 0;
}

static void die (const char *what, const char *message) {
  countdown = 0;
  fprintf(stderr, "FUZZ: %s: %s\n", what, message != NULL ? message : "?");
  abort();
}

static const char setup[] =
  "package.path = 'lua/?.lua;lua/?/init.lua;?.lua'\n"
  "return assert(loadfile 'spec/fuzz/program.lua')(...)\n";

/* A state with the function run(bytes) at 1. */
static lua_State *open_state (void) {
  countdown = 0;
  lua_State *L = compat_newstate(allocate, NULL);
  tide_Limits limits = {.pinned_bytes = 16 << 20, .streams = 200};
  luaL_openlibs(L);
  tide_setlimits(L, &limits);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_tide_core);
  lua_setfield(L, -2, "tide.core");
  lua_pop(L, 1);
  if (luaL_loadstring(L, setup) != LUA_OK)
    die("setup", lua_tostring(L, -1));
  lua_pushcfunction(L, nomem);
  lua_pushcfunction(L, nap);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK)
    die("setup", lua_tostring(L, -1));
  return L;
}

static void check_nothing_lives (void) {
  long live[LIVE_CLASSES];
  probe_live(live);
  for (int i = 0; i < LIVE_CLASSES; i++) {
    if (live[i] != 0) {
      fprintf(stderr, "FUZZ: class %d: %ld alive after lua_close\n", i,
              live[i]);
      abort();
    }
  }
}

int LLVMFuzzerInitialize (int *argc, char ***argv) {
  (void)argc, (void)argv;
  setenv("TIDE_DEVICE", "host", 1);
  setenv("TIDE_HOST_MEMORY", "16M", 1);
  setenv("TIDE_HOST_DEVICES", "2", 1);
  return 0;
}

/* Unless the first byte is 7 of 8: the input emptied the state, which the next
** uses. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static lua_State *kept;
  lua_State *L = (kept != NULL) ? kept : open_state();
  lua_pushvalue(L, 1);
  lua_pushlstring(L, (const char *)data, size);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    die("input", lua_tostring(L, -1));
  kept = (size == 0 || data[0] % 8 != 7) ? L : NULL;
  if (kept == NULL) {
    lua_close(L); /* a fault that is due may strike here as well */
    probe_fail(0, CUDA_SUCCESS, NULL);
    check_nothing_lives();
  }
  return 0;
}
