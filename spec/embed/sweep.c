/*
** sweep.c - allocations fail in turn, for sweep_spec.lua: for each call of
** sweep_calls.lua, each allocation alone, then with all later ones; and
** driver calls fail in turn while a lua_State with unfinished work closes.
**
**   sweep alloc [PATTERN]  the calls whose names match
**   sweep close
**
** Needs spec/?.lua in LUA_PATH.
*/
#include "embed.h"
#include "heap.h"

/* arm(n, all): from here on; arm(0) -> did one fail? */
static int arm (lua_State *L) {
  Heap *heap = lua_touserdata(L, lua_upvalueindex(1));
  int struck = heap->struck;
  heap->armed = 0;
  heap->n = (long)luaL_checkinteger(L, 1);
  heap->all = lua_toboolean(L, 2);
  heap->count = heap->struck = 0;
  lua_pushboolean(L, struck); /* allocates nothing */
  heap->armed = (heap->n > 0);
  return 1;
}

/*
** Sweeps one call: (name, arm). Errors are about memory, and at the end nothing
** has leaked. The collector stands still meanwhile: where there is no memory to
** call a finaliser, Lua drops the object without.
*/
static const char sweep_one[] =
  "local name, arm = ...\n"
  "local tide = require 'tide'\n"
  "local calls = require 'spec.whole.sweep_calls'\n"
  "local dev = tide.get_device()\n"
  "tide.Stream.null:synchronize()\n"
  "local call = calls[name](dev)\n"
  "call()\n"
  "collectgarbage 'stop'\n"
  "for _, all in ipairs{ false, true } do\n"
  "  local n = 0\n"
  "  repeat\n"
  "    n = n + 1\n"
  "    arm(n, all)\n"
  "    local ok, err = pcall(call)\n"
  "    local struck = arm(0)\n"
  "    assert(ok or struck and tostring(err):find 'not enough memory', err)\n"
  "    assert(tide.full(4, 2, 'int32'):sum():item() == 8)\n"
  "    assert(n < 5000, 'no end of allocations')\n"
  "    if n % 20 == 0 then collectgarbage() end\n"
  "  until not struck\n"
  "end\n"
  "call = nil\n"
  "collectgarbage() collectgarbage()\n"
  "dev:synchronize()\n"
  "tide.Device'host':synchronize()\n" /* where communicators are */
  "tide.Stream.null:use()\n"
  "collectgarbage() collectgarbage()\n"
  "tide.poll()\n"
  "for k, v in pairs(tide.T.held()) do assert(v == 0, k .. '=' .. v) end\n";

static int sweep_call (lua_State *monitor, const char *name) {
  Heap heap = {.n = 0};
  lua_State *L = compat_newstate(heap_alloc, &heap);
  luaL_openlibs(L);
  int failed = (luaL_loadstring(L, sweep_one) != LUA_OK);
  if (!failed) {
    lua_pushstring(L, name);
    lua_pushlightuserdata(L, &heap);
    lua_pushcclosure(L, arm, 1);
    failed = (lua_pcall(L, 2, 0, 0) != LUA_OK);
  }
  if (failed)
    bad(name, lua_tostring(L, -1));
  heap.armed = 0;
  lua_close(L);
  return failed | run(monitor, nothing_lives);
}

static const char names_of_all[] =
  "local list = {}\n"
  "for name in pairs(require 'spec.whole.sweep_calls') do\n"
  "  if name:find(PATTERN or '') then list[#list + 1] = name end\n"
  "end\n"
  "table.sort(list)\n"
  "NAMES = list\n";

static int alloc (const char *pattern) {
  lua_State *L = open_state();
  lua_pushstring(L, pattern);
  lua_setglobal(L, "PATTERN");
  int failed = run(L, names_of_all);
  lua_getglobal(L, "NAMES");
  lua_Integer n = failed ? 0 : luaL_len(L, -1);
  lua_close(L);
  L = open_state(); /* one that has no device open */
  lua_State *list = open_state();
  failed |= run(L, nothing_lives) | run(list, names_of_all);
  lua_getglobal(list, "NAMES");
  for (lua_Integer i = 1; i <= n && !failed; i++) {
    lua_rawgeti(list, -1, i);
    failed = sweep_call(L, lua_tostring(list, -1));
    lua_pop(list, 1);
  }
  lua_close(list);
  lua_close(L);
  return failed;
}

static const char fails_from_here[] = "collectgarbage()\n"
                                      "require 'tide'.T.failcall(N, CODE)\n";

/* The n-th driver call from the close on fails. Returns whether one did. */
static int close_failing (lua_State *monitor, int n, int code, int *failed) {
  lua_State *L = open_state();
  lua_pushinteger(L, n);
  lua_setglobal(L, "N");
  lua_pushinteger(L, code);
  lua_setglobal(L, "CODE");
  *failed |= run(L, unfinished) || run(L, fails_from_here);
  lua_close(L);
  *failed |= run(monitor, "STRUCK = require 'tide'.T.failed()\n"
                          "require 'tide'.T.failcall(0)\n");
  *failed |= run(monitor, nothing_lives);
  lua_getglobal(monitor, "STRUCK");
  int struck = !lua_isnil(monitor, -1);
  if (*failed)
    fprintf(stderr, "closing, call %d (%s) failed with %d\n", n,
            struck ? lua_tostring(monitor, -1) : "none", code);
  lua_pop(monitor, 1);
  return struck;
}

static int closes (void) {
  static const int codes[] = {999, 2, 400};
  lua_State *monitor = open_state();
  int failed = run(monitor, nothing_lives);
  for (int i = 0; i < 3 && !failed; i++) {
    int n = 1;
    while (!failed && close_failing(monitor, n, codes[i], &failed))
      n++;
    if (!failed && n < 10)
      failed = bad("close", "too few driver calls to be true");
  }
  lua_close(monitor);
  return failed;
}

int main (int argc, char **argv) {
  keep_context();
  const char *what = argc > 1 ? argv[1] : "";
  int failed = 1;
  if (strcmp(what, "alloc") == 0)
    failed = alloc(argc > 2 ? argv[2] : NULL);
  else if (strcmp(what, "close") == 0)
    failed = closes();
  else
    fputs("usage: sweep alloc [PATTERN] | close\n", stderr);
  if (!failed)
    puts("ok");
  return failed;
}
