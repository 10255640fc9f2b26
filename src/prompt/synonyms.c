/*
** synonyms.c - what a name of NumPy, CuPy or PyTorch is called here, for
** tide.help, which has no errors about unknown fields as objects have. Also the
** hints of such errors, for objects that are made in Lua.
*/
#include "base/class.h"
#include "base/field.h"
#include "openers.h"

/* Returns the string of the list at 3 that the name means, or NULL. */
static const char *find_meant (lua_State *L, const char *name) {
  Guess g;
  hint_start(&g, name);
  lua_Integer n = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_geti(L, 3, i);
    hint_offer(&g, luaL_checkstring(L, -1));
    lua_pop(L, 1); /* the list holds it */
  }
  return g.distance == 0 ? g.best : NULL;
}

/* meaning(where, name, members) -> what to write instead in a class or module,
** or the member that it means, or nil. */
static int system_meaning (lua_State *L) {
  const char *where = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  const char *meant = hint_translate(where, name);
  lua_pushstring(L, meant != NULL ? meant : find_meant(L, name));
  lua_pushboolean(L, meant != NULL);
  return 2;
}

/* hint(where, name, members) -> the text behind "no field 'name' in where",
** whose members are the keys of a table: a suggestion, or "". */
static int system_hint (lua_State *L) {
  const char *where = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  Guess g;
  luaL_checktype(L, 3, LUA_TTABLE);
  hint_start(&g, name);
  field_offer_keys(L, 3, &g);
  field_push_hint(L, where, name, g.best);
  return 1;
}

static const Function functions[] = {
  {"hint", system_hint, 3},
  {"meaning", system_meaning, 3},
  {NULL, NULL, 0},
};

void open_synonyms (lua_State *L) { class_set_funcs(L, functions); }
