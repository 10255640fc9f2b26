/*
** parts.c - the environment of tide's own Lua, parts of which are loaded when
** they are first needed. By then a host program may have taken 'require', 'io'
** and others away from its scripts, or scripts may have changed them, or the
** tables of libraries. So the environment has these names, and copies of these
** tables, as they were when tide was loaded, and its 'require' loads parts with
** this environment. Functions and files that programs replace to have all
** output are not in it: it gets them from the program's own tables. The
** metatable of strings cannot be copied, so parts call functions of 'string' in
** place of methods (spec/checks/methods.lua).
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

/* Replaces the table on the top by a copy, without the names in the list, which
** looks them up in the table itself, as all that it lacks. */
static void copy (lua_State *L, const char *const *left) {
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  for (; *left != NULL; left++) {
    lua_pushstring(L, *left);
    lua_pushnil(L);
    lua_rawset(L, -3);
  }
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
}

/* Replaces the libraries in the environment on the top by copies. */
static void copy_libraries (lua_State *L) {
  static const char *const names[] = {
    LUA_STRLIBNAME, LUA_TABLIBNAME, LUA_COLIBNAME, LUA_MATHLIBNAME,
    LUA_OSLIBNAME,  LUA_IOLIBNAME,  LUA_DBLIBNAME, LUA_UTF8LIBNAME};
  static const char *const files[] = {"stdin", "stdout", "stderr", NULL};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lua_pushstring(L, names[i]);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TTABLE) {
      copy(L, files);
      lua_rawset(L, -3);
    } else
      lua_pop(L, 2);
  }
}

static void push_require (lua_State *L, int environment) {
  lua_pushliteral(L, "require");
  lua_rawget(L, environment);
  lua_pushliteral(L, LUA_LOADLIBNAME);
  if (lua_rawget(L, environment) == LUA_TTABLE)
    lua_getfield(L, -1, "searchers");
  else
    lua_pushnil(L);
  lua_remove(L, -2);
  lua_pushvalue(L, environment);
  lua_pushcclosure(L, parts_require, ENVIRONMENT);
}

void open_parts (lua_State *L) {
  static const char *const shown[] = {"print", "warn", NULL};
  lua_pushglobaltable(L);
  copy(L, shown);
  copy_libraries(L);
  push_require(L, lua_gettop(L));
  lua_setfield(L, -2, "require");
  lua_setfield(L, -2, "environment");
}
