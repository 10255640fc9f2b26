/*
** ranks.c - a host program with two lua_States: one has an operation of ranks
** under way, and looks after it no more; the other one goes on.
*/
#include "embed.h"

static const char leaves[] =
  "local tide = require 'tide'\n"
  "comm = tide.comm{ 'host' }\n"
  "x = tide.with_device('host', function () return tide.ones(1000) end)\n"
  "comm:all_reduce(x)\n";

static const char goes_on[] =
  "local tide = require 'tide'\n"
  "tide.Device 'host':use()\n"
  "local x = tide.ones(3)\n"
  "local graph = tide.capture(function () x:add_(1) end)\n"
  "graph:launch()\n"
  "for _ = 1, 100 do tide.Stream{ non_blocking = true } end\n"
  "assert(x[3] == 2)\n";

int main (void) {
  lua_State *first = open_state(), *second = open_state();
  int failed = run(first, leaves) | run(second, goes_on);
  lua_close(second);
  lua_close(first);
  if (!failed)
    puts("ok");
  return failed;
}
