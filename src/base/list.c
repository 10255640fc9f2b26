/*
** list.c - tables as lists of values. A name in a list is an error, as a
** misspelt option is, because a value that tide would ignore was meant for
** something.
*/
#include "list.h"

#include <string.h>

#include "argerror.h"
#include "error.h"

enum { MANY = 32 };

/* Replaces the key on the top by its name. */
static const char *name_key (lua_State *L) {
  switch (lua_type(L, -1)) {
    case LUA_TSTRING:
      lua_pushfstring(L, "field '%s'", lua_tostring(L, -1));
      break;
    case LUA_TNUMBER:
      lua_pushvalue(L, -1); /* a copy: it becomes a string, the key must not */
      lua_pushfstring(L, "index %s apart from the others", lua_tostring(L, -1));
      lua_remove(L, -2);
      break;
    default: lua_pushfstring(L, "a %s as a key", luaL_typename(L, -1));
  }
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

/* Tells whether the key below the value on the top is one of 1 to n, or the n
** of table.pack. */
static bool is_seen (lua_State *L, lua_Unsigned n) {
  if (lua_isinteger(L, -2))
    return (lua_Unsigned)lua_tointeger(L, -2) - 1 < n;
  return lua_type(L, -2) == LUA_TSTRING &&
         strcmp(lua_tostring(L, -2), "n") == 0 && lua_isinteger(L, -1) &&
         (lua_Unsigned)lua_tointeger(L, -1) == n;
}

/* Pushes the name of a key that is not seen, preferring names to numbers. If
** there is none, returns NULL and pushes nothing. */
static const char *push_unseen (lua_State *L, int idx, lua_Unsigned n) {
  for (int numbers = 0; numbers <= 1; numbers++)
    for (lua_pushnil(L); lua_next(L, idx) != 0; lua_pop(L, 1))
      if (!is_seen(L, n) && lua_isinteger(L, -2) == numbers)
        return lua_pop(L, 1), name_key(L);
  return NULL;
}

/*
** push_unseen that is faster. If there are no more keys than elements, another
** key leaves a gap among the elements, which their reader finds, so that
** counting is enough. Many elements are in the array part of Lua's table, so
** that other keys follow the last one.
*/
static const char *push_stray (lua_State *L, int idx, lua_Unsigned n) {
  lua_Unsigned count = 0;
  if (n > MANY) {
    lua_pushinteger(L, (lua_Integer)n);
    if (lua_next(L, idx) == 0)
      return NULL;
    lua_pop(L, 2);
  }
  for (lua_pushnil(L); lua_next(L, idx) != 0; lua_pop(L, 1))
    if (count++ == n)
      return lua_pop(L, 2), push_unseen(L, idx, n);
  return NULL;
}

void list_check_in (lua_State *L, int arg, int idx, lua_Unsigned n,
                    const char *what) {
  const char *stray = push_stray(L, lua_absindex(L, idx), n);
  if (stray != NULL)
    argerror_raise(L, arg, "%s in %s", stray, what);
}

void list_check (lua_State *L, int arg, lua_Unsigned n, const char *what) {
  list_check_in(L, arg, arg, n, what);
}

void list_check_keys (lua_State *L, int arg, lua_Unsigned n, const char *what) {
  const char *stray = push_unseen(L, arg, n);
  if (stray != NULL)
    argerror_raise(L, arg, "%s in %s", stray, what);
}

void list_check_of (lua_State *L, const char *owner, int idx, lua_Unsigned n,
                    const char *what) {
  const char *stray = push_stray(L, lua_absindex(L, idx), n);
  if (stray != NULL)
    error_raise(L, "%s%s%s in %s", owner != NULL ? owner : "",
                owner != NULL ? ": " : "", stray, what);
}
