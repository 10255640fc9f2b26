/*
** option.c - tables of options: { name = value, ... }.
*/
#include "option.h"

#include <string.h>

#include "arg.h"
#include "argerror.h"
#include "hint.h"
#include "type.h"

/* Pushes the names: 'a', 'b' or 'c'. */
static const char *push_choices (lua_State *L, const char *const names[]) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; names[i] != NULL; i++) {
    lua_pushfstring(L, "%s'%s'",
                    i == 0                 ? ""
                    : names[i + 1] == NULL ? " or "
                                           : ", ",
                    names[i]);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

/* Returns the index in 'names' of the string on the top. */
static int check_option (lua_State *L, int arg, const char *const names[]) {
  if (lua_type(L, -1) != LUA_TSTRING)
    argerror_raise(L, arg,
                   "options must have names, as in { %s = ... }; other "
                   "arguments come one by one, arrays as tide.array{ ... }",
                   names[0]);
  const char *name = lua_tostring(L, -1);
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  const char *best = hint_nearest(name, names),
             *phrase = hint_translate("options", name);
  if (phrase != NULL && *phrase == ';')
    argerror_raise(L, arg, "unknown option '%s'%s", name, phrase);
  argerror_raise(L, arg, "%s",
                 best != NULL
                   ? lua_pushfstring(L,
                                     "unknown option '%s'; did you mean '%s'?",
                                     name, best)
                   : lua_pushfstring(L, "unknown option '%s': %s expected",
                                     name, push_choices(L, names)));
  return 0;
}

unsigned option_check (lua_State *L, int arg, const char *const names[]) {
  unsigned given = 0;
  if (lua_isnoneornil(L, arg))
    return 0;
  if (!lua_istable(L, arg))
    type_error(L, arg, "options table");
  lua_pushnil(L);
  while (lua_next(L, arg) != 0) {
    lua_pop(L, 1);
    given |= 1u << check_option(L, arg, names);
  }
  return given;
}

static void check_flag (lua_State *L, int arg, const char *name) {
  if (!lua_isboolean(L, -1))
    argerror_raise(L, arg, "option '%s' must be a boolean, got %s", name,
                   luaL_typename(L, -1));
}

int option_choice (lua_State *L, int arg, int def, const char *const names[]) {
  if (def >= 0 && lua_isnoneornil(L, arg))
    return def;
  const char *name = arg_check_string(L, arg);
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  argerror_raise(L, arg, "invalid option '%s': %s expected", name,
                 push_choices(L, names));
  return 0;
}

unsigned option_flags (lua_State *L, int arg, const char *const names[]) {
  unsigned flags = 0;
  if (lua_isnoneornil(L, arg))
    return 0;
  if (!lua_istable(L, arg))
    type_error(L, arg, "options table");
  lua_pushnil(L);
  while (lua_next(L, arg) != 0) {
    lua_pushvalue(L, -2);
    int i = check_option(L, arg, names);
    lua_pop(L, 1);
    check_flag(L, arg, names[i]);
    flags |= (unsigned)lua_toboolean(L, -1) << i;
    lua_pop(L, 1);
  }
  return flags;
}

int option_get (lua_State *L, int arg, const char *name) {
  arg = lua_absindex(L, arg);
  lua_pushstring(L, name);
  return lua_rawget(L, arg);
}

bool option_flag (lua_State *L, int arg, const char *name, bool def) {
  if (!lua_istable(L, arg))
    return def;
  int t = option_get(L, arg, name);
  if (t != LUA_TNIL)
    check_flag(L, arg, name);
  bool value = (t == LUA_TNIL) ? def : lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

int option_word (lua_State *L, int arg, const char *name, int def,
                 const char *const words[]) {
  if (!lua_istable(L, arg))
    return def;
  int t = option_get(L, arg, name), i = 0;
  const char *word = (t == LUA_TSTRING) ? lua_tostring(L, -1) : NULL;
  while (word != NULL && words[i] != NULL && strcmp(words[i], word) != 0)
    i++;
  if (t != LUA_TNIL && (word == NULL || words[i] == NULL))
    argerror_raise(L, arg,
                   word != NULL ? "option '%s' must be %s, got '%s'"
                                : "option '%s' must be %s, got %s",
                   name, push_choices(L, words),
                   word != NULL ? word : lua_typename(L, t));
  lua_pop(L, 1);
  return (t == LUA_TNIL) ? def : i;
}

lua_Integer option_integer (lua_State *L, int arg, const char *name,
                            lua_Integer def) {
  int isint = 1;
  if (!lua_istable(L, arg))
    return def;
  lua_Integer value = (option_get(L, arg, name) == LUA_TNIL)
                        ? def
                        : lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) == LUA_TSTRING)
    argerror_raise(L, arg, "option '%s' must be an integer, got %s", name,
                   luaL_typename(L, -1));
  lua_pop(L, 1);
  return value;
}

lua_Number option_number (lua_State *L, int arg, const char *name,
                          lua_Number def) {
  if (!lua_istable(L, arg))
    return def;
  int t = option_get(L, arg, name);
  if (t != LUA_TNIL && t != LUA_TNUMBER)
    argerror_raise(L, arg, "option '%s' must be a number, got %s", name,
                   luaL_typename(L, -1));
  lua_Number value = (t == LUA_TNIL) ? def : lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}
