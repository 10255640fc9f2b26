/*
** stops.c - a host program with two lua_States, one of which has its kernels
** stopped on the host device, for the spec of kernels without an end.
**
**   stops closing      one state closes
**   stops interrupted  a wait of one state is interrupted
*/
#include "embed.h"

/* A stream with a kernel that never ends, and one besides that works. */
static const char spin[] =
  "local tide = require 'tide'\n"
  "K = tide.ElementwiseKernel('T x', 'T z', 'while (true) z = x', 'spin')\n"
  "S = tide.Stream{ non_blocking = true }\n"
  "T = tide.Stream{ non_blocking = true }\n"
  "X = S:with(function () return tide.ones(3) end)\n"
  "S:synchronize()\n"
  "S:with(function () K(X) end)\n";

static const char goes_on[] =
  "assert(not S.done)\n"
  "local tide = require 'tide'\n"
  "local sum = T:with(function () return tide.ones(5000):sum():item() end)\n"
  "assert(sum == 5000)\n";

/* As by lua.c's SIGINT, just before a coroutine waits. */
static const char interrupt[] =
  "local main = coroutine.running()\n"
  "coroutine.wrap(function ()\n"
  "  debug.sethook(main, function () end, 'crl', 1)\n"
  "  local ok, err = pcall(S.synchronize, S)\n"
  "  assert(err:find(\"kernel 'spin' did not end\", 1, true), err)\n"
  "  S:synchronize()\n"
  "end)()\n";

static int closing (lua_State *a, lua_State *b) {
  lua_close(a);
  int failed = run(b, goes_on);
  lua_close(b);
  return failed;
}

static int interrupted (lua_State *a, lua_State *b) {
  int failed = run(a, interrupt) || run(b, goes_on) || run(a, spin) ||
               run(a, goes_on);
  lua_close(b);
  failed = failed || run(a, goes_on);
  lua_close(a);
  return failed;
}

int main (int argc, char **argv) {
  const char *task = (argc > 1) ? argv[1] : "";
  lua_State *a = open_state(), *b = open_state();
  int failed = run(a, spin) || run(b, spin);
  if (!failed && strcmp(task, "closing") == 0)
    failed = closing(a, b);
  else if (!failed && strcmp(task, "interrupted") == 0)
    failed = interrupted(a, b);
  else
    failed = bad("stops", "closing or interrupted");
  if (!failed)
    puts("ok");
  return failed;
}
