/*
** options.c - checks the options of functions written in Lua, and whether they
** may wait, in the same way as those of C functions.
*/
#include "scheduler.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "openers.h"
#include "rt/queue/stream_types.h"
#include "stream.h"

enum { OPTIONS = 16 }; /* the most that a function has */

/*
** check_options(name, arg, options, names): raises for the program's function
** 'name' if its argument 'arg' is no table, or has an option that is not in
** 'names'.
*/
static int core_check_options (lua_State *L) {
  const char *names[OPTIONS + 1] = {NULL};
  const char *name = arg_check_string(L, 1);
  lua_Integer arg = arg_check_integer(L, 2);
  int n = 0;
  argerror_check(L, arg >= 1 && arg <= OPTIONS, 2, "an argument's number");
  type_check(L, 4, LUA_TTABLE);
  for (; n < OPTIONS && lua_rawgeti(L, 4, n + 1) == LUA_TSTRING; lua_pop(L, 1))
    names[n++] = lua_tostring(L, -1); /* the table holds the string */
  argerror_check(L, n > 0, 4, "a list of names expected");
  argerror_call(state_get(L), name, (int)arg);
  option_check(L, 3, names);
  return 0;
}

/* check_wait(stream, name): raises that the program's function 'name' cannot
** wait for elements, in a host function and if the stream captures. */
static int core_check_wait (lua_State *L) {
  RtStream *s = stream_resolve(L, stream_check(L, 1));
  const char *name = arg_check_string(L, 2);
  blocking_check_capture(L, s, name, "elements");
  blocking_check(L, s->dev, name);
  return 0;
}

static const Function functions[] = {
  {"check_options", core_check_options, 4},
  {"check_wait", core_check_wait, 2},
  {NULL, NULL, 0},
};

void open_options (lua_State *L) { scheduler_add(L, functions); }
