/*
** meaning.c - what a name of NumPy, CuPy or PyTorch is here, for tide.help: the
** errors about unknown fields know it of objects, and help has none. And what
** those say, for objects that are made in Lua.
*/
#include "base/class.h"
#include "base/suggest.h"
#include "base/unknown.h"
#include "openers.h"

/* Offers the strings of the list at 3; only what is meant, not what is alike,
** is nearer than any other. */
static const char *find_meant (lua_State *L, const char *name) {
  const char *best = NULL;
  lua_Integer n = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= n; i++) {
    const char *candidate = NULL;
    int distance = 0;
    lua_geti(L, 3, i);
    tide_suggest(name, luaL_checkstring(L, -1), &candidate, &distance);
    best = (candidate != NULL && distance == 0) ? candidate : best;
    lua_pop(L, 1);  /* the list has it */
  }
  return best;
}

/* meaning(where, name, members) -> what is written in its place in a class or
** module, or which of its members it is, or nil. */
static int system_meaning (lua_State *L) {
  const char *where = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  const char *meant = tide_phrase(where, name);
  lua_pushstring(L, meant != NULL ? meant : find_meant(L, name));
  lua_pushboolean(L, meant != NULL);
  return 2;
}

/* hint(where, name, members) -> what is said behind "no field 'name' in where",
** whose members are the keys of a table: what was meant, or "". */
static int system_hint (lua_State *L) {
  const char *where = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  const char *best = NULL;
  int distance = 0;
  luaL_checktype(L, 3, LUA_TTABLE);
  tide_offerkeys(L, 3, name, &best, &distance);
  tide_pushhint(L, where, name, best);
  return 1;
}

static const Function functions[] = {
  {"hint", system_hint, 3},
  {"meaning", system_meaning, 3},
  {NULL, NULL, 0}
};

void tide_openmeaning (lua_State *L) { tide_setfuncs(L, functions); }
