/*
** type.c - errors where '.' and ':' were mixed up: a method without its object,
** and a function with its module before the arguments.
*/
#include "type.h"

#include <string.h>

#include "argerror.h"
#include "entry.h"

/* {== a method without its object ===================================== */

/* Returns the class of the running method, or NULL if no method is running. */
static const Class *running_method (lua_State *L) {
  const EntryFunction *e = entry_running(L);
  return (e != NULL) ? e->class : NULL;
}

/* Tells whether the value has the name of the class but is not of it, because
** two files of the library are loaded. */
static bool has_class_name (lua_State *L, int arg, const Class *class) {
  if (lua_type(L, arg) != LUA_TUSERDATA ||
      luaL_getmetafield(L, arg, "__name") != LUA_TSTRING)
    return false;
  return strcmp(lua_tostring(L, -1), class->name) == 0;
}

const char *type_push_name (lua_State *L, int arg) {
  if (luaL_getmetafield(L, arg, "__name") == LUA_TSTRING)
    return lua_tostring(L, -1);
  return lua_pushstring(L, luaL_typename(L, arg));
}

const char *type_push_number (lua_State *L, int idx) {
  lua_Number x = lua_tonumber(L, idx);
  return x != x ? lua_pushliteral(L, "nan") : luaL_tolstring(L, idx, NULL);
}

/* Tells whether s:with() has called the function that runs. Only functions of
** tide have the State as upvalue 1, and some of them an entry as upvalue 2. */
static bool is_called_by_with (lua_State *L) {
  lua_Debug ar;
  const EntryFunction *e = NULL;
  if (!lua_getstack(L, 1, &ar))
    return false;
  lua_getinfo(L, "f", &ar);
  int f = lua_gettop(L);
  if (lua_getupvalue(L, f, 1) != NULL &&
      lua_touserdata(L, -1) == state_get(L) &&
      lua_getupvalue(L, f, 2) != NULL && lua_islightuserdata(L, -1))
    e = lua_touserdata(L, -1);
  bool with = e != NULL && e->class != NULL && strcmp(e->name, "with") == 0;
  lua_settop(L, f - 1);
  return with;
}

/* Tells whether the program has given no argument there. A function may have
** filled the place with nil. */
static bool is_missing (lua_State *L, int arg) {
  const EntryFunction *e = lua_isnil(L, arg) ? entry_running(L) : NULL;
  if (e == NULL || e->through)
    return lua_isnone(L, arg);
  const EntryCall *d = e->st->entry;
  return d != NULL && d->L == L && arg > d->nargs;
}

const char *type_push_got (lua_State *L, int arg) {
  const char *name = is_missing(L, arg) ? "no value" : type_push_name(L, arg);
  if (arg != 1 || strcmp(name, "tide.Stream") != 0 || !is_called_by_with(L))
    return name;
  return lua_pushfstring(L, "%s (s:with(fn, ...) calls fn(s, ...))", name);
}

/* Raises if a method runs without its object. Nil counts as no value, because a
** function may have filled an empty place with it. */
static void check_self (lua_State *L) {
  const Class *own = running_method(L);
  if (own != NULL && class_test(L, 1, own) == NULL)
    argerror_raise(L, 1, "%s expected, got %s; a method is called with ':'",
                   own->name,
                   lua_isnoneornil(L, 1) ? "no value" : type_push_name(L, 1));
}

void type_refuse (lua_State *L, int arg, const Class *class) {
  if (has_class_name(L, arg, class))
    argerror_raise(L, arg,
                   "this %s is of another copy of tide's library, loaded from "
                   "another file",
                   class->name);
  type_error(L, arg, class->name);
}

int type_error (lua_State *L, int arg, const char *expected) {
  check_self(L);
  return argerror_raise(L, arg, "%s expected, got %s", expected,
                        type_push_got(L, arg));
}

/* ==} */

/* {== a function with its module ====================================== */

/* The address is the key of the mark. */
static const char mark = 0;

void type_mark_module (lua_State *L) {
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &mark);
}

void type_check_module (lua_State *L) {
  if (!lua_istable(L, 1) || !lua_getmetatable(L, 1))
    return;
  if (lua_rawgetp(L, -1, &mark) != LUA_TNIL)
    argerror_early(L, 1, "a function of a module is called with '.'");
  lua_pop(L, 2);
}

/* ==} */

bool type_is_callable (lua_State *L, int arg) {
  if (lua_type(L, arg) == LUA_TFUNCTION)
    return true;
  if (luaL_getmetafield(L, arg, "__call") == LUA_TNIL)
    return false;
  lua_pop(L, 1);
  return true;
}

void type_check_callable (lua_State *L, int arg) {
  if (!type_is_callable(L, arg))
    type_error(L, arg, "function");
}
