/*
** axes.c - axes as arguments, and other lists of integers.
*/
#include "axes.h"

#include "base/door.h"
#include "base/list.h"

/* {== lists =========================================================== */

int tide_listlength (lua_State *L, int arg) {
  int top = lua_gettop(L);
  if (lua_istable(L, arg)) {
    tide_checkend(L, arg + 1);
    lua_Unsigned n = lua_rawlen(L, arg);
    return n > INT_MAX ? INT_MAX : (int)n;
  }
  while (top >= arg && lua_isnil(L, top))
    top--;
  return (top < arg) ? 0 : top - arg + 1;
}

void tide_pushlisted (lua_State *L, int arg, int i) {
  if (lua_istable(L, arg))
    lua_rawgeti(L, arg, i + 1);
  else
    lua_pushvalue(L, arg + i);
}

/* ==} */

/* The axis that the value at 'idx' means; 'arg' is to blame. */
static int read_axis (lua_State *L, int arg, int idx, int ndim) {
  int isint;
  lua_Integer i = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    luaL_argerror(L, arg, lua_pushfstring(L,
        "axis must be an integer, got %s", luaL_typename(L, idx)));
  int64_t axis = tide_resolve(i, ndim);
  if (axis < 0)
    luaL_argerror(L, arg, lua_pushfstring(L,
        "axis %I is out of range for an array of %d axes%s", (LUAI_UACINT)i,
        ndim, i == 0 ? ": axes count from 1" : ""));
  return (int)axis;
}

int tide_checkaxis (lua_State *L, int arg, int ndim) {
  return read_axis(L, arg, arg, ndim);
}

static int read_axes (lua_State *L, int arg, int n, int ndim,
                      int axes[MAX_DIMS], const char *what) {
  luaL_argcheck(L, n <= ndim, arg,
                "more axes than the array has");
  if (lua_istable(L, arg))
    tide_checklist(L, arg, (lua_Unsigned)n, what);
  for (int i = 0; i < n; i++) {
    tide_pushlisted(L, arg, i);
    int axis = read_axis(L, arg, -1, ndim);
    lua_pop(L, 1);
    for (int k = 0; k < i; k++)
      if (axes[k] == axis)
        luaL_argerror(L, arg, lua_pushfstring(L, "axis %d is there twice",
                                              axis + 1));
    axes[i] = axis;
  }
  return n;
}

int tide_checkaxes (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]) {
  lua_Unsigned n = lua_istable(L, arg) ? lua_rawlen(L, arg) : 1;
  return read_axes(L, arg, n > INT_MAX ? INT_MAX : (int)n, ndim, axes,
                   "a list of axes; options are a table of their own, which "
                   "may have 'axis' too");
}

int tide_listaxes (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]) {
  return read_axes(L, arg, tide_listlength(L, arg), ndim, axes,
                   "a list of axes, which has no names: (1, 2) or {1, 2}");
}
