/*
** axes.c - axes as arguments.
*/
#include "axes.h"

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
        "axis %I is out of range for an array of %d axes", (LUAI_UACINT)i,
        ndim));
  return (int)axis;
}

int tide_checkaxis (lua_State *L, int arg, int ndim) {
  return read_axis(L, arg, arg, ndim);
}

int tide_checkaxes (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]) {
  if (!lua_istable(L, arg)) {
    axes[0] = read_axis(L, arg, arg, ndim);
    return 1;
  }
  lua_Unsigned n = lua_rawlen(L, arg);
  luaL_argcheck(L, n <= (lua_Unsigned)ndim, arg,
                "more axes than the array has");
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, arg, i + 1);
    axes[i] = read_axis(L, arg, -1, ndim);
    lua_pop(L, 1);
    for (int k = 0; k < i; k++)
      if (axes[k] == axes[i])
        luaL_argerror(L, arg, lua_pushfstring(L, "axis %d is there twice",
                                              axes[i] + 1));
  }
  return (int)n;
}
