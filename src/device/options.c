/*
** options.c - checks the options of functions written in Lua in the same way as
** those of C functions.
*/
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/slip.h"
#include "base/state.h"
#include "openers.h"
#include "ticket.h"

enum { OPTIONS = 16 }; /* the most that a function has */

/*
** check_options(name, arg, options, names): raises for the program's function
** 'name' if its argument 'arg' is no table, or has an option that is not in
** 'names'.
*/
static int core_check_options (lua_State *L) {
  const char *names[OPTIONS + 1] = {NULL};
  const char *name = tide_checkstring(L, 1);
  lua_Integer arg = tide_checkinteger(L, 2);
  int n = 0;
  tide_argcheck(L, arg >= 1 && arg <= OPTIONS, 2, "an argument's number");
  tide_checktype(L, 4, LUA_TTABLE);
  for (; n < OPTIONS && lua_rawgeti(L, 4, n + 1) == LUA_TSTRING; lua_pop(L, 1))
    names[n++] = lua_tostring(L, -1); /* the table holds the string */
  tide_argcheck(L, n > 0, 4, "a list of names expected");
  tide_calledfor(tide_state(L), name, (int)arg);
  tide_checkoptions(L, 3, names);
  return 0;
}

static const Function functions[] = {
  {"check_options", core_check_options, 4},
  {NULL, NULL, 0},
};

void tide_openoptions (lua_State *L) { tide_addscheduler(L, functions); }
