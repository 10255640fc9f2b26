/*
** host_threads.c - how many workers of the host device share one launch.
*/
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "openers.h"
#include "rt/host/team.h"

/* host_threads([n]) -> the number of workers until now; 'n' is the new one, for
** all Lua states of the process. */
static int core_host_threads (lua_State *L) {
  int before = team_size();
  if (!lua_isnoneornil(L, 1)) {
    lua_Integer n = arg_check_integer(L, 1);
    argerror_check(L, n >= 1 && n <= TEAM_MOST, 1,
                   "an integer from 1 to %d expected, got %I", TEAM_MOST,
                   (LUAI_UACINT)n);
    team_resize((int)n);
  }
  lua_pushinteger(L, before);
  return 1;
}

static const Function functions[] = {
  {"host_threads", core_host_threads, 1},
  {NULL, NULL, 0},
};

void open_host_threads (lua_State *L) { class_set_funcs(L, functions); }
