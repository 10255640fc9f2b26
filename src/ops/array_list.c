/*
** array_list.c - a list of arrays as an argument.
*/
#include "array_list.h"

#include "base/blame.h"
#include "base/class.h"
#include "base/list.h"
#include "base/slip.h"

enum { FIRST = 4 };

static void check_element (lua_State *L, int i) {
  Array *a = tide_testarray(L, -1);
  if (a == NULL)
    tide_argerror(L, 1, "tide.Array expected as element %d, got %s", i,
                  luaL_typename(L, -1));
  if (a->closed)
    tide_argerror(L, 1, "array %d is closed", i);
  tide_checkopen(L, 1, a);
}

int tide_pushlist (lua_State *L, const char *rest) {
  if (tide_testany(L, 1) != NULL)
    tide_argerror(L, 1,
                  "table expected, got %s; several "
                  "arrays are in one: { a, b }",
                  tide_pushtypename(L, 1));
  tide_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, FIRST - 1);
  lua_Unsigned n = lua_rawlen(L, 1);
  tide_argcheck(L, n > 0, 1, "at least one array expected");
  tide_argcheck(L, n < 100000, 1, "too many arrays");
  tide_checklist(L, 1, n, rest);
  luaL_checkstack(L, 4 * (int)n + 16, "too many arrays");
  for (int i = 1; i <= (int)n; i++) {
    lua_rawgeti(L, 1, i);
    check_element(L, i);
  }
  return (int)n;
}

Array *tide_listed (lua_State *L, int i) {
  return lua_touserdata(L, FIRST + i);
}
