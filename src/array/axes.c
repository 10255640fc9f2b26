/*
** axes.c - axes as arguments, and other lists of integers.
*/
#include "axes.h"

#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/list.h"
#include "base/option.h"

/* {== lists =========================================================== */

int axes_list_length (lua_State *L, int arg) {
  int top = lua_gettop(L);
  if (lua_istable(L, arg)) {
    entry_check_end(L, arg + 1);
    lua_Unsigned n = lua_rawlen(L, arg);
    return n > INT_MAX ? INT_MAX : (int)n;
  }
  while (top >= arg && lua_isnil(L, top))
    top--;
  return (top < arg) ? 0 : top - arg + 1;
}

void axes_push_listed (lua_State *L, int arg, int i) {
  if (lua_istable(L, arg))
    lua_rawgeti(L, arg, i + 1);
  else
    lua_pushvalue(L, arg + i);
}

/* ==} */

/* Returns the axis that the value at 'idx' names; errors name 'arg'. */
static int read_axis (lua_State *L, int arg, int idx, int ndim) {
  int isint;
  lua_Integer i = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    argerror_raise(L, arg, "axis must be an integer, got %s",
                   luaL_typename(L, idx));
  int n = ndim % OF_RESULT;
  int64_t axis = axes_resolve(i, n);
  if (axis < 0)
    argerror_raise(L, arg, "axis %I is out of range for %s of %d axes%s",
                   (LUAI_UACINT)i, n < ndim ? "a result" : "an array", n,
                   i == 0 ? ": axes count from 1"
                   : n < ndim
                     ? lua_pushfstring(L, ": 1 to %d, or -%d to -1", n, n)
                     : "");
  return (int)axis;
}

int axes_check_one (lua_State *L, int arg, int ndim) {
  return read_axis(L, arg, arg, ndim);
}

/* Reads the n axes of the list at 'idx': see axes_push_listed. */
static int read_axes (lua_State *L, int arg, int idx, int n, int ndim,
                      int axes[MAX_DIMS]) {
  argerror_check(L, n <= 1 || n <= ndim % OF_RESULT, arg,
                 "more axes than the array has");
  for (int i = 0; i < n; i++) {
    axes_push_listed(L, idx, i);
    int axis = read_axis(L, arg, -1, ndim);
    lua_pop(L, 1);
    for (int k = 0; k < i; k++)
      if (axes[k] == axis)
        argerror_raise(L, arg, "axis %d is there twice", axis + 1);
    axes[i] = axis;
  }
  return n;
}

static int length_of (lua_State *L, int idx) {
  lua_Unsigned n = lua_istable(L, idx) ? lua_rawlen(L, idx) : 1;
  return n > INT_MAX ? INT_MAX : (int)n;
}

static const char stray_axis[] =
  "a list of axes; options are a table of their own, which may have 'axis' too";

int axes_check (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]) {
  int n = length_of(L, arg);
  if (lua_istable(L, arg))
    list_check(L, arg, (lua_Unsigned)n, stray_axis);
  return read_axes(L, arg, arg, n, ndim, axes);
}

int axes_check_at (lua_State *L, int arg, int idx, int ndim,
                   int axes[MAX_DIMS]) {
  int n = length_of(L, idx);
  if (lua_istable(L, idx))
    list_check_in(L, arg, idx, (lua_Unsigned)n, "a list of axes");
  return read_axes(L, arg, idx, n, ndim, axes);
}

/* {== options ========================================================= */

int axes_option (lua_State *L, int arg, bool given, int ndim,
                 int axes[MAX_DIMS]) {
  int n = -1;
  if (option_get(L, arg, "axis") != LUA_TNIL) {
    argerror_check(L, !given, arg, "option 'axis' is given besides an axis");
    n = length_of(L, -1);
    if (lua_istable(L, -1))
      list_check_in(L, arg, -1, (lua_Unsigned)n, "option 'axis', a list");
    read_axes(L, arg, lua_gettop(L), n, ndim, axes);
  }
  lua_pop(L, 1);
  return n;
}

int axes_option_one (lua_State *L, int arg, bool given, int ndim) {
  int axes[MAX_DIMS];
  int n = axes_option(L, arg, given, ndim, axes);
  argerror_check(L, n <= 1 && n != 0, arg, "one axis expected");
  return (n < 0) ? -1 : axes[0];
}

/* Tells whether the table at 'arg' has options: a list has no names, and a
** table with an element 1 is a list. */
static bool has_names (lua_State *L, int arg) {
  if (!lua_istable(L, arg) || lua_rawlen(L, arg) > 0)
    return false;
  lua_pushnil(L);
  if (lua_next(L, arg) == 0)
    return false;
  lua_pop(L, 2);
  return true;
}

int axes_count (lua_State *L, int arg) {
  static const char *const names[] = {"axis", NULL};
  int n = -1;
  if (!has_names(L, arg)) {
    n = axes_list_length(L, arg);
    return (n > 0 || lua_istable(L, arg)) ? n : -1;
  }
  option_check(L, arg, names);
  entry_check_end(L, arg + 1);
  if (option_get(L, arg, "axis") != LUA_TNIL)
    n = length_of(L, -1);
  lua_pop(L, 1);
  return n;
}

int axes_read (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]) {
  int n = axes_count(L, arg);
  if (n < 0)
    return -1;
  if (has_names(L, arg))
    return axes_option(L, arg, false, ndim, axes);
  if (lua_istable(L, arg))
    list_check(L, arg, (lua_Unsigned)n, stray_axis);
  return read_axes(L, arg, arg, n, ndim, axes);
}

/* ==} */
