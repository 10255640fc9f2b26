/*
** field.c - errors of missing fields, with a suggestion. Tables of functions
** have suggestions of their own.
*/
#include "field.h"

#include <string.h>

#include "type.h"

void field_offer_keys (lua_State *L, int table, Guess *g) {
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING)
      hint_offer(g, lua_tostring(L, -1));
  }
}

/* Tells whether the table on the top has a function of that name. */
static bool has_function (lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool has = (lua_rawget(L, -2) == LUA_TFUNCTION);
  lua_pop(L, 1);
  return has;
}

/* Pushes how a program writes the function of that name of tide or one of its
** modules. Returns false, and pushes nothing, if there is none. */
static bool push_function (lua_State *L, const char *name) {
  static const char *const modules[] = {"random", "fft", "linalg"};
  int top = lua_gettop(L);
  const char *found = NULL;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "tide") == LUA_TTABLE && has_function(L, name))
    found = lua_pushfstring(L, "tide.%s", name);
  for (size_t i = 0; i < sizeof modules / sizeof *modules && found == NULL &&
                     lua_istable(L, top + 2);
       i++) {
    lua_pushstring(L, modules[i]);
    if (lua_rawget(L, top + 2) == LUA_TTABLE && has_function(L, name))
      found = lua_pushfstring(L, "tide.%s.%s", modules[i], name);
  }
  if (found != NULL)
    lua_replace(L, top + 1);
  lua_settop(L, top + (found != NULL));
  return found != NULL;
}

static int suggest (lua_State *L, const char *where, const char *name,
                    const char *phrase) {
  return luaL_error(L, "no field '%s' in %s; did you mean %s?", name, where,
                    phrase);
}

const char *field_push_hint (lua_State *L, const char *where, const char *name,
                             const char *best) {
  const char *phrase = hint_translate(where, name);
  if (phrase != NULL && phrase[0] == ';')
    return lua_pushstring(L, phrase);
  if (phrase != NULL)
    return lua_pushfstring(L, "; did you mean %s?", phrase);
  if (push_function(L, name))
    return lua_pushfstring(L, "; did you mean %s?", lua_tostring(L, -1));
  if (best != NULL)
    return lua_pushfstring(L, "; did you mean '%s'?", best);
  return lua_pushliteral(L, "");
}

int field_refuse (lua_State *L, const char *where, const char *name,
                  const char *best) {
  return luaL_error(L, "no field '%s' in %s%s", name, where,
                    field_push_hint(L, where, name, best));
}

/* {== tables of functions ============================================= */

/* Tells whether the name is like add_ and the table has add. */
static bool is_inplace (lua_State *L, const char *name) {
  size_t n = strlen(name);
  if (n < 2 || name[n - 1] != '_')
    return false;
  lua_pushlstring(L, name, n - 1);
  return lua_rawget(L, 1) == LUA_TFUNCTION;
}

/* __index: the key is not there. Upvalue 1: the table's name. */
static int strict_index (lua_State *L) {
  const char *where = lua_tostring(L, lua_upvalueindex(1));
  Guess g = {0};
  type_check(L, 1, LUA_TTABLE);
  const char *key = luaL_tolstring(L, 2, NULL);
  if (lua_type(L, 2) == LUA_TSTRING) {
    hint_start(&g, key);
    field_offer_keys(L, 1, &g);
    if (is_inplace(L, key)) /* add_ is a method only */
      return suggest(L, where, key, lua_pushfstring(L, "a:%s()", key));
  }
  return field_refuse(L, where, key, g.best);
}

void field_set_strict (lua_State *L, const char *name) {
  if (!lua_getmetatable(L, -1)) {
    lua_createtable(L, 0, 2);
    type_mark_module(L); /* a module that can be called is argument 1 */
  }
  lua_pushstring(L, name);
  lua_pushcclosure(L, strict_index, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

/* ==} */
