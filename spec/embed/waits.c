/*
** waits.c - a host program that waits by tide.h, while functions queue more:
** see interop_spec.lua. Argument: which part, of 'parts' at the end.
*/
#include <math.h>

#include "host.h"

/* A function that queues itself and work on all of the objects again and again,
** up to a limit. No wait covers the work that it queues. */
static const char queue_again[] =
  "s = tide.Stream{ non_blocking = true }\n"
  "a, h, e, n = tide.zeros(10), tide.HostArray(10), tide.Event(), 0\n"
  "local function queue ()\n"
  "  s:with(function () h:copy_from(a) a:add_(1) end)\n"
  "  s:record(e)\n"
  "end\n"
  "local function again ()\n"
  "  n = n + 1\n"
  "  if n < 20000 then s:launch_host_func(again) queue() end\n"
  "end\n"
  "again()";

static int ends_with_newer (void) {
  static const char *const objects[] = {"a", "h", "e", "s",
                                        "tide.Device('host')"};
  char code[100];
  for (int i = 0; i < 5; i++) {
    lua_State *L = open_tide();
    CHECK(run(L, queue_again) == 0);
    snprintf(code, sizeof code, "return %s", objects[i]);
    lua(L, 1, code);
    CHECK(api->wait(L, 1, -1) == 1);
    CHECK(number(L, 1, "return n") < 100);
    CHECK(run(L, "n = 20000 sync()") == 0);
    finish(L);
  }
  return 0;
}

/* Waits for the array's work, and so for all that the work comes behind. */
static int wait_for_error (lua_State *L) {
  lua_getglobal(L, "a");
  api->wait(L, -1, -1);
  return 0;
}

static int raises_older_errors (void) {
  lua_State *L = open_tide();
  CHECK(run(L, "s, a = tide.Stream{ non_blocking = true }, tide.zeros(10)\n"
               "s:launch_host_func(function ()\n"
               "  s:launch_host_func(error, 'newer')\n"
               "  s:with(function () a:add_(1) end)\n"
               "  error 'older'\n"
               "end)\n"
               "s:with(function () a:add_(1) end)") == 0);
  fails(L, wait_for_error, "older");
  CHECK(run(L, "local ok, e = pcall(s.synchronize, s)\n"
               "assert(not ok and e:find 'newer')") == 0);
  return finish(L);
}

static int wait_for_nan (lua_State *L) {
  lua_getglobal(L, "s");
  api->wait(L, -1, (double)NAN);
  return 0;
}

static int takes_numbers (void) {
  lua_State *L = open_tide();
  lua(L, 1, "s = tide.Stream{ non_blocking = true } return s");
  CHECK(api->wait(L, 1, (double)INFINITY) == 1);
  fails(L, wait_for_nan, "a number of seconds expected, got nan");
  return finish(L);
}

static const Part parts[] = {
  {"newer", ends_with_newer},
  {"errors", raises_older_errors},
  {"seconds", takes_numbers},
  {NULL, NULL},
};

int main (int argc, char **argv) {
  return run_part(parts, argc == 2 ? argv[1] : "");
}
