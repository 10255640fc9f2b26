/*
** parts.c - the environment of tide's own Lua, parts of which are loaded when
** they are first needed. By then a host program may have taken 'require', 'io'
** and others away from its scripts, or scripts may have changed them. So the
** environment has these names as they were when tide was loaded, and its
** 'require' loads parts with this environment. Functions that programs replace
** to have all output are not in it: it gets them from the global table.
*/
#include "parts.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <string.h>

/* Upvalues of 'require': the global one, package.searchers, the environment. */
enum { REQUIRE = 1, SEARCHERS, ENVIRONMENT };

static bool is_part (const char *name) {
  return strncmp(name, "tide.", 5) == 0;
}

static int require_other (lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(REQUIRE));
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

/* Pushes a loader for the module at 1 and what it is given besides the name.
** Returns false if there is none. */
static bool find_loader (lua_State *L) {
  for (int i = 1;; i++) {
    if (lua_rawgeti(L, lua_upvalueindex(SEARCHERS), i) == LUA_TNIL)
      return false;
    lua_pushvalue(L, 1);
    lua_call(L, 1, 2);
    if (lua_isfunction(L, -2))
      return true;
    lua_pop(L, 2);
  }
}

/* require(name) -> the module. The loader of a chunk has its environment as its
** upvalue; loaders in C get it as an argument (static.c). */
static int parts_require (lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, 2, name) != LUA_TNIL)
    return 1;
  lua_settop(L, 2);
  if (!is_part(name) || !lua_istable(L, lua_upvalueindex(SEARCHERS)) ||
      !find_loader(L))
    return require_other(L);
  lua_pushvalue(L, 1);
  lua_insert(L, -2);
  lua_pushvalue(L, lua_upvalueindex(ENVIRONMENT));
  if (!lua_iscfunction(L, -4)) {
    if (lua_setupvalue(L, -4, 1) == NULL)
      lua_pop(L, 1);
    lua_pushnil(L);
  }
  lua_call(L, 3, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

/* Pushes a copy of the global table. */
static void copy_globals (lua_State *L) {
  lua_newtable(L);
  lua_pushglobaltable(L);
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
}

static void push_require (lua_State *L, int environment) {
  lua_getfield(L, environment, "require");
  if (lua_getfield(L, environment, LUA_LOADLIBNAME) == LUA_TTABLE)
    lua_getfield(L, -1, "searchers");
  else
    lua_pushnil(L);
  lua_remove(L, -2);
  lua_pushvalue(L, environment);
  lua_pushcclosure(L, parts_require, ENVIRONMENT);
}

void open_parts (lua_State *L) {
  static const char *const shown[] = {"print", "warn", NULL};
  copy_globals(L);
  for (int i = 0; shown[i] != NULL; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, shown[i]);
  }
  push_require(L, lua_gettop(L));
  lua_setfield(L, -2, "require");
  lua_newtable(L);
  lua_pushglobaltable(L);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "environment");
}
