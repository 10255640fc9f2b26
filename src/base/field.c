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

/* Returns which table of tide has a function of that name, or NULL. */
static const char *find_module (lua_State *L, const char *name) {
  static const char *const modules[] = {"random", "fft", "linalg"};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    lua_pushstring(L, modules[i]);
    if (lua_rawget(L, 1) != LUA_TTABLE)
      continue;
    lua_pushstring(L, name);
    if (lua_rawget(L, -2) == LUA_TFUNCTION)
      return modules[i];
  }
  return NULL;
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
    const char *module = find_module(L, key);
    if (module != NULL)
      return suggest(L, where, key,
                     lua_pushfstring(L, "tide.%s.%s", module, key));
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
