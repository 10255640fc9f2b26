/*
** guard.c - userdata that hold something until Lua ends them, and do nothing
** else. They do not use class.c, because they have no methods and no fields.
** Their metatable is hidden. Their finalizers check their argument, because a
** script that gets hold of one may call it with anything.
*/
#include "guard.h"

#include <string.h>

#include "class.h"
#include "compat.h"
#include "type.h"

static void set_function (lua_State *L, const char *name, lua_CFunction f) {
  class_push_function(L, f);
  lua_setfield(L, -2, name);
}

/* Pushes the metatable, which is made with the first guard. */
static void push_metatable (lua_State *L, const Guard *guard) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, guard) == LUA_TTABLE)
    return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 3);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  set_function(L, "__gc", guard->gc);
  set_function(L, "__close", guard->close != NULL ? guard->close : guard->gc);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, guard);
}

void *guard_new (lua_State *L, size_t size, int nuv, const Guard *guard) {
  void *p = lua_newuserdatauv(L, size, nuv);
  memset(p, 0, size);
  push_metatable(L, guard);
  lua_setmetatable(L, -2);
  return p;
}

void *guard_test (lua_State *L, int arg, const Guard *guard) {
  void *p = lua_touserdata(L, arg);
  if (p == NULL || !lua_getmetatable(L, arg))
    return NULL;
  lua_rawgetp(L, LUA_REGISTRYINDEX, guard);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? p : NULL;
}

bool guard_close (lua_State *L, int idx, const Guard *guard) {
  if (guard_test(L, idx, guard) == NULL)
    return false;
  compat_close_slot(L, idx);
  return true;
}

void *guard_check (lua_State *L, const Guard *guard) {
  void *p = guard_test(L, 1, guard);
  if (p == NULL)
    type_error(L, 1, guard->name);
  return p;
}
