/*
** limits.c - the limits that the host program sets for this lua_State. They are
** read once, when the module is opened, from a table in the registry (tide.h
** writes it), which scripts cannot reach. From then on they are in the State
** and in the Runtime only. Functions that are left out never get into a table:
** see class_set_funcs in class.c.
*/
#include "limits.h"

#include <limits.h>
#include <string.h>

#include "error.h"
#include "include/tide.h"
#include "state.h"
#include "stop.h"

/* Sets the deadline from the field on the top (popped): seconds from now on. */
static void set_deadline (lua_State *L, State *st) {
  int isnum;
  lua_Number seconds = lua_tonumberx(L, -1, &isnum);
  if (!isnum || !(seconds >= 0))
    luaL_error(L, "the limit 'deadline' of the host program must be a number "
                  "that is not negative");
  lua_pop(L, 1);
  stop_set_deadline(st, seconds);
}

/* Returns the field on the top (popped), which must be an integer >= 0. */
static size_t check_limit (lua_State *L, const char *name) {
  int isint;
  lua_Integer n = lua_tointegerx(L, -1, &isint);
  if (!isint || n < 0)
    luaL_error(L,
               "the limit '%s' of the host program must be an integer that is "
               "not negative",
               name);
  lua_pop(L, 1);
  return (size_t)n;
}

static int to_int (size_t n) { return n < INT_MAX ? (int)n : INT_MAX; }

static void set_limit (lua_State *L, State *st, const char *name, size_t n) {
  if (strcmp(name, "device_bytes") == 0)
    st->caps.bytes = n;
  else if (strcmp(name, "pinned_bytes") == 0)
    st->caps.pinned_bytes = n;
  else if (strcmp(name, "streams") == 0)
    st->caps.streams = to_int(n);
  else if (strcmp(name, "events") == 0)
    st->caps.events = to_int(n);
  else if (strcmp(name, "leave_gc") == 0)
    st->pressure.left = (n != 0);
  else if (strcmp(name, "leave_out") == 0)
    st->left_out = (unsigned)n;
  else
    luaL_error(L, "this tide knows no limit '%s', which the host program sets",
               name);
}

void limits_read (lua_State *L, State *st) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      if (lua_type(L, -2) != LUA_TSTRING)
        luaL_error(L, "limits of the host program must have names");
      const char *name = lua_tostring(L, -2);
      if (strcmp(name, "deadline") == 0)
        set_deadline(L, st);
      else
        set_limit(L, st, name, check_limit(L, name));
    }
  }
  lua_pop(L, 1);
  unsigned known = TIDE_POINTERS | TIDE_KERNELS | TIDE_FILES | TIDE_RESET;
  if ((st->left_out & ~known) != 0)
    luaL_error(L,
               "this tide knows no group %d, which the host program leaves out",
               (int)(st->left_out & ~known));
  st->caps.no_addresses = (st->left_out & TIDE_POINTERS) != 0;
}

bool limits_exclude (lua_State *L, unsigned group) {
  return (state_get(L)->left_out & group) != 0;
}

int limits_refuse (lua_State *L, const char *name) {
  return error_raise(L, "'%s' is left out by the host program", name);
}

const char *limits_push_address (lua_State *L, const void *p) {
  return limits_exclude(L, TIDE_POINTERS) ? lua_pushliteral(L, "")
                                          : lua_pushfstring(L, "%p ", p);
}

void limits_freeze (lua_State *L) {
  lua_pushboolean(L, 0);
  lua_setfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY);
}
