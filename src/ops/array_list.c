/*
** array_list.c - a list of arrays as an argument.
*/
#include "array_list.h"

#include "base/argerror.h"
#include "base/class.h"
#include "base/list.h"
#include "base/type.h"

enum { FIRST = 4 };

static void check_element (lua_State *L, int i) {
  Array *a = array_test(L, -1);
  if (a == NULL)
    argerror_raise(L, 1, "tide.Array expected as element %d, got %s", i,
                   luaL_typename(L, -1));
  if (a->closed)
    argerror_raise(L, 1, "array %d is closed", i);
  array_check_open(L, 1, a);
}

int array_list_push (lua_State *L, const char *rest) {
  if (array_test_any(L, 1) != NULL)
    argerror_raise(L, 1,
                   "table expected, got %s; several arrays are in one: { a, b "
                   "}",
                   type_push_name(L, 1));
  type_check(L, 1, LUA_TTABLE);
  lua_settop(L, FIRST - 1);
  lua_Unsigned n = lua_rawlen(L, 1);
  argerror_check(L, n > 0, 1, "at least one array expected");
  argerror_check(L, n < 100000, 1, "too many arrays");
  list_check(L, 1, n, rest);
  luaL_checkstack(L, 4 * (int)n + 16, "too many arrays");
  for (int i = 1; i <= (int)n; i++) {
    lua_rawgeti(L, 1, i);
    check_element(L, i);
  }
  return (int)n;
}

Array *array_list_at (lua_State *L, int i) {
  return lua_touserdata(L, FIRST + i);
}
