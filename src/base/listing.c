/*
** listing.c - tables that tide returns print their contents: {2, 3},
** {live=0, peak=512}. In all else they are plain tables.
*/
#include "listing.h"

#include <string.h>

#include "class.h"
#include "type.h"

static const char key = 0; /* of the metatable, in the registry */

/* Replaces the name at 2 by the next one in the alphabet. Returns false if
** there is none. */
static bool find_next (lua_State *L) {
  const char *last = lua_tostring(L, 2), *next = NULL;
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    const char *name = (lua_type(L, -2) == LUA_TSTRING) ? lua_tostring(L, -2)
                                                        : NULL;
    if (name != NULL && (last == NULL || strcmp(name, last) > 0) &&
        (next == NULL || strcmp(name, next) < 0))
      next = name;
  }
  lua_pushstring(L, next);
  lua_replace(L, 2);
  return next != NULL;
}

/* Adds the value on the top (popped). */
static void add_value (lua_State *L, luaL_Buffer *b) {
  luaL_tolstring(L, -1, NULL);
  lua_remove(L, -2);
  luaL_addvalue(b);
}

/* The elements of the list, then the fields with names. */
static int listing__tostring (lua_State *L) {
  luaL_Buffer b;
  type_check(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_pushnil(L); /* the latest name */
  luaL_buffinit(L, &b);
  luaL_addchar(&b, '{');
  const char *before = "";
  for (lua_Unsigned i = 1; i <= lua_rawlen(L, 1); i++, before = ", ") {
    luaL_addstring(&b, before);
    lua_rawgeti(L, 1, (lua_Integer)i);
    add_value(L, &b);
  }
  for (; find_next(L); before = ", ") {
    luaL_addstring(&b, before);
    luaL_addstring(&b, lua_tostring(L, 2));
    luaL_addchar(&b, '=');
    lua_pushvalue(L, 2);
    lua_rawget(L, 1);
    add_value(L, &b);
  }
  luaL_addchar(&b, '}');
  luaL_pushresult(&b);
  return 1;
}

void listing_set (lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &key);
  lua_setmetatable(L, -2);
}

void open_listing (lua_State *L) {
  lua_createtable(L, 0, 1);
  class_push_function(L, listing__tostring);
  lua_setfield(L, -2, "__tostring");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}
