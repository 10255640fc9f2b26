/*
** limits.c - a host program that limits its script, for limits_spec.lua.
**
**   limits [NAME=N ...] CODE    tide_setlimits, then the script
**   limits -t NAME=N CODE       writes the table in the registry itself
**
** The script has all libraries but debug, and three functions of the host:
** elsewhere(code) runs code in a state without limits, late() sets limits once
** more, again() calls luaopen_tide_core.
*/
#include <dlfcn.h>

#include "include/tide.h"

#include "embed.h"

static tide_Limits limits;

static int elsewhere (lua_State *L) {
  lua_State *other = open_state();
  int failed = run(other, luaL_checkstring(L, 1));
  lua_close(other);
  return failed ? luaL_error(L, "failed elsewhere") : 0;
}

static int late (lua_State *L) {
  tide_setlimits(L, &limits);
  return 0;
}

/* As a host that has the module's function at hand. */
static int again (lua_State *L) {
  lua_CFunction open;
  void *lib = dlopen(luaL_checkstring(L, 1), RTLD_NOW | RTLD_LOCAL);
  void *address = (lib != NULL) ? dlsym(lib, "luaopen_tide_core") : NULL;
  if (address == NULL)
    return luaL_error(L, "luaopen_tide_core is not there");
  memcpy(&open, &address, sizeof open);
  return open(L);
}

static void set (const char *word) {
  size_t n = strtoull(strchr(word, '=') + 1, NULL, 0);
  if (strncmp(word, "device_bytes=", 13) == 0)
    limits.device_bytes = n;
  else if (strncmp(word, "pinned_bytes=", 13) == 0)
    limits.pinned_bytes = n;
  else if (strncmp(word, "streams=", 8) == 0)
    limits.streams = n;
  else if (strncmp(word, "events=", 7) == 0)
    limits.events = n;
  else if (strncmp(word, "leave_out=", 10) == 0)
    limits.leave_out = (unsigned)n;
  else
    exit(bad("limits", word));
}

static void write_table (lua_State *L, const char *word) {
  const char *value = strchr(word, '=');
  lua_newtable(L);
  lua_pushlstring(L, word, (size_t)(value - word));
  if (lua_stringtonumber(L, value + 1) == 0)
    lua_pushstring(L, value + 1);
  lua_settable(L, -3);
  lua_setfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY);
}

static void take_away (lua_State *L, const char *name) {
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushnil(L);
  lua_setfield(L, -2, name);
  lua_pushnil(L);
  lua_setglobal(L, name);
  lua_pop(L, 1);
}

int main (int argc, char **argv) {
  keep_context();
  lua_State *L = open_state();
  take_away(L, "debug");
  lua_register(L, "elsewhere", elsewhere);
  lua_register(L, "late", late);
  lua_register(L, "again", again);
  if (argc == 4 && strcmp(argv[1], "-t") == 0) {
    write_table(L, argv[2]);
  } else {
    for (int i = 1; i < argc - 1; i++)
      set(argv[i]);
    tide_setlimits(L, &limits);
  }
  int failed = run(L, argv[argc - 1]);
  lua_close(L);
  if (!failed)
    puts("ok");
  return failed;
}
