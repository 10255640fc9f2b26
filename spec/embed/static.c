/*
** static.c - a host program that has tide linked in, for static_spec.lua.
**
**   static alone   with no module on disk
**   static both    beside the module that LUA_PATH and LUA_CPATH name: each
**                  has its own of everything
**   static bare    without Lua's library 'package'
**   static taken   where the host has preloaded a module of its own
**   static limited where the host leaves groups out, and so the prompt
*/
#include "include/tide.h"

#include "embed.h"

static lua_State *open_linked (void) {
  lua_State *L = open_state();
  luaL_requiref(L, "tide", luaopen_tide, 1);
  lua_pop(L, 1);
  return L;
}

static int alone (void) {
  lua_State *L = open_linked();
  int failed = run(L, "package.path, package.cpath = '', ''\n"
                      "assert(tide == require 'tide')\n"
                      "assert(package.loaded['tide.core'] == nil)\n"
                      "assert(tide.random == require 'tide.random')\n"
                      "local ok, err = pcall(tide.capture, 1)\n"
                      "assert(not ok and err:find('function expected', 1, "
                      "true), err)\n") ||
               run(L, everything) || run(L, unfinished);
  lua_close(L);
  return failed;
}

/* Each tide refuses objects of the other one. Neither knows of host functions
** that the other has waiting, so they take turns. */
static int both (void) {
  lua_State *linked = open_linked(), *loaded = open_state();
  int failed = run(linked, everything) || run(loaded, everything) ||
               run(linked, "STREAM = tide.Stream()") ||
               run(loaded, "STREAM = require 'tide'.Stream()") ||
               run(linked, "RAN = type") || run(loaded, "RAN = type") ||
               run(linked, unfinished);
  lua_close(linked);
  failed = failed ||
           run(loaded, "STREAM:synchronize()\n"
                       "assert(require 'tide'.ones(3):sum():item() "
                       "== 3)") ||
           run(loaded, unfinished);
  lua_close(loaded);
  return failed;
}

static int open_bare (lua_State *L) {
  luaL_requiref(L, "tide", luaopen_tide, 1);
  return 0;
}

static int bare (void) {
  lua_State *L = luaL_newstate();
  luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
  lua_pushcfunction(L, open_bare);
  int failed = (lua_pcall(L, 0, 0, 0) == LUA_OK ||
                strstr(lua_tostring(L, -1), "library 'package'") == NULL);
  if (failed)
    bad("bare", lua_tostring(L, -1));
  lua_close(L);
  return failed;
}

static int taken (void) {
  lua_State *L = open_state();
  int failed = run(L, "package.preload['tide.core'] = function ()\n"
                      "  error 'the host has its own'\n"
                      "end\n");
  lua_pushcfunction(L, open_bare);
  failed = failed || lua_pcall(L, 0, 0, 0) == LUA_OK ||
           strstr(lua_tostring(L, -1), "the host has its own") == NULL;
  if (failed)
    bad("taken", lua_tostring(L, -1));
  lua_close(L);
  return failed;
}

static int limited (void) {
  static const tide_Limits limits = {.leave_out = TIDE_POINTERS};
  lua_State *L = open_state();
  tide_setlimits(L, &limits);
  luaL_requiref(L, "tide", luaopen_tide, 1);
  lua_pop(L, 1);
  int failed = run(L, "package.path, package.cpath = '', ''\n"
                      "local ok, err = pcall(require, 'tide.repl')\n"
                      "assert(not ok and err:find('is left out by the host "
                      "program', 1, true), err)\n");
  lua_close(L);
  return failed;
}

int main (int argc, char **argv) {
  const char *how = argv[argc - 1];
  keep_context();
  int failed = strcmp(how, "both") == 0      ? both()
               : strcmp(how, "bare") == 0    ? bare()
               : strcmp(how, "taken") == 0   ? taken()
               : strcmp(how, "limited") == 0 ? limited()
                                             : alone();
  if (!failed)
    puts("ok");
  return failed;
}
