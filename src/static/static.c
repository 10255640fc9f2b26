/*
** static.c - luaopen_tide: all of tide for programs that link libtide.a,
** without any installation. The Lua half (lua/tide) is included as text, in
** modules.h, which modules.lua makes. This file is in the archive only, not in
** the module.
*/
#include <lauxlib.h>
#include <lua.h>

#include "include/tide.h"

/* The text of a Lua module; the first one of the list is "tide". */
typedef struct ModuleText {
  const char *name;  /* for require */
  const char *chunk; /* for messages */
  const unsigned char *at;
  size_t size;
} ModuleText;

#include "static/modules.h"

/* Pushes the loaded module. Called as require calls a loader. */
static void push_loaded (lua_State *L, const ModuleText *t) {
  if (luaL_loadbufferx(L, (const char *)t->at, t->size, t->chunk, "t") !=
      LUA_OK)
    lua_error(L);
}

/* loader(name, data, environment) -> what the module returns. Upvalue 1: its
** text. The environment may be missing: see base/parts.c. */
static int load_module (lua_State *L) {
  lua_settop(L, 3);
  push_loaded(L, lua_touserdata(L, lua_upvalueindex(1)));
  lua_insert(L, 1);
  if (!lua_istable(L, 4) || lua_setupvalue(L, 1, 1) == NULL)
    lua_settop(L, 3);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

/* Sets package.preload[name], unless the host has set it. */
static void preload (lua_State *L, const char *name, lua_CFunction f,
                     const ModuleText *t) {
  if (lua_getfield(L, -1, name) == LUA_TNIL) {
    lua_pushlightuserdata(L, (void *)t);
    lua_pushcclosure(L, f, 1);
    lua_setfield(L, -3, name);
  }
  lua_pop(L, 1);
}

/*
** Opens tide: luaL_requiref(L, "tide", luaopen_tide, 1). Its own modules are
** preloaded, so no file is searched for. Raises.
*/
__attribute__((visibility("default"))) int luaopen_tide (lua_State *L) {
  if (lua_getglobal(L, "require") != LUA_TFUNCTION)
    return luaL_error(L,
                      "tide needs Lua's library 'package', and it is not open: "
                      "luaL_requiref(L, LUA_LOADLIBNAME, luaopen_package, 1)");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  preload(L, "tide.core", luaopen_tide_core, NULL);
  for (size_t i = 1; i < sizeof texts / sizeof *texts; i++)
    preload(L, texts[i].name, load_module, &texts[i]);
  lua_settop(L, 0);
  push_loaded(L, &texts[0]);
  lua_pushstring(L, texts[0].name);
  lua_call(L, 1, 1);
  return 1;
}
