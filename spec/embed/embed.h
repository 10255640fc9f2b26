/*
** embed.h - the shared parts of the specs' host programs. They are linked with
** Lua and find tide by LUA_PATH and LUA_CPATH. Each prints "ok" at the end, or
** its error, and then exits with 1.
*/
#ifndef EMBED_H
#define EMBED_H

#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "base/compat.h"

static inline int bad (const char *where, const char *what) {
  fprintf(stderr, "%s: %s\n", where, what);
  return 1;
}

/* 0, or 1 and the error on stderr. */
static inline int run (lua_State *L, const char *code) {
  int status = luaL_dostring(L, code);
  if (status != LUA_OK)
    return bad("lua", lua_tostring(L, -1));
  return 0;
}

static inline lua_State *open_state (void) {
  lua_State *L = luaL_newstate();
  if (L == NULL)
    exit(bad("luaL_newstate", "not enough memory"));
  luaL_openlibs(L);
  lua_warning(L, "@off", 0); /* Lua 5.5 begins with them on */
  return L;
}

#if defined(__SANITIZE_ADDRESS__)
/* Tells whether all threads of this process but the calling one sleep. */
static inline bool others_sleep (void) {
  DIR *tasks = opendir("/proc/self/task");
  bool sleep = tasks != NULL;
  for (struct dirent *entry; sleep && (entry = readdir(tasks)) != NULL;) {
    char path[64];
    char state = 'S';
    if (entry->d_name[0] == '.' || atoi(entry->d_name) == (int)getpid())
      continue;
    snprintf(path, sizeof path, "/proc/self/task/%.16s/stat", entry->d_name);
    FILE *stat = fopen(path, "r");
    if (stat != NULL) { /* else it has just ended */
      sleep = fscanf(stat, "%*d (%*[^)]) %c", &state) == 1 && state == 'S';
      fclose(stat);
    }
  }
  if (tasks != NULL)
    closedir(tasks);
  return sleep;
}
#endif

/*
** A child hangs in the allocator of this sanitizer if another thread had its
** lock at the fork, which no thread has that sleeps.
*/
static inline void let_sanitizer_fork (void) {
#if defined(__SANITIZE_ADDRESS__)
  for (int i = 0; i < 10000 && !others_sleep(); i++)
    usleep(1000);
#endif
}

/* Something of everything; all streams end up idle. */
static const char everything[] =
  "local tide = require 'tide'\n"
  "local s, t = tide.Stream{ non_blocking = true }, tide.Stream()\n"
  "local a, h = tide.zeros(256, 'int64'), tide.HostArray(256, 'int64')\n"
  "local n = 0\n"
  "local g = tide.capture(function ()\n"
  "  tide.get_current_stream():launch_host_func(function ()\n"
  "    n = n + 1\n"
  "    h:fill(n)\n"
  "  end)\n"
  "  a:copy_from(h)\n"
  "end)\n"
  "local sum = 0\n"
  "for i = 1, 10 do\n"
  "  g:launch(i % 2 == 0 and s or t)\n"
  "  local b = t:with(function () return a * 2 end)\n"
  "  local e = s:record()\n"
  "  tide.Stream.null:wait_event(e)\n"
  "  tide.Stream.ptds:with(function () b:add_(1) end)\n"
  "  sum = sum + b:sum():item()\n"
  "end\n"
  "assert(n == 10 and sum == 256 * (2 * 55 + 10), sum)\n"
  "local f <close>, null = tide.open '/proc/self/exe',\n"
  "                        tide.open('/dev/null', 'w')\n"
  "s:with(function () null:write(f:read(h), 0):write(a):close() end)\n"
  "assert(h:tobytes():sub(1, 4) == '\\127ELF')\n"
  "local co = coroutine.wrap(function ()\n"
  "  tide.with_stream(function () coroutine.yield(tide.ones(3)) end)\n"
  "end)\n"
  "assert(co():sum():item() == 3)\n";

/*
** Objects of each type; then work on several streams, gates shut, a capture
** open: all of it is to be left unfinished. The host functions raise an error,
** unless there is a global RAN to call instead. While gates are shut in a state
** of a thread, other states of the thread can make no graphs.
*/
#define OBJECTS \
  "local tide = require 'tide'\n" \
  "local function new () return tide.Stream{ non_blocking = true } end\n" \
  "local s, a, h = new(), tide.zeros(100000), tide.HostArray(100000)\n" \
  "local g = tide.capture(function ()\n" \
  "  tide.get_current_stream():launch_host_func(RAN or error, 'ran')\n" \
  "  a:add_(1)\n" \
  "  h:copy_from(a)\n" \
  "end)\n" \
  "KEPT = { s, a, h, g, tide.Event(), new(), tide.open '/proc/self/exe' }\n" \
  "tide.random.uniform(4)\n" \
  "tide.frombytes(('x'):rep(5 << 20), 'uint8')  -- by threads of its own\n"

#define SHUT \
  "local tide = require 'tide'\n" \
  "local s, a, h, g, e, t, f = table.unpack(KEPT)\n" \
  "for _ = 1, 3 do\n" \
  "  s:launch_host_func(RAN or error, 'ran')\n" \
  "  g:launch(s)\n" \
  "  s:with(function () a:copy_from(a + 1) end)\n" \
  "  s:with(function () f:read(h[{ { 1, 99 } }], 0) end)\n" \
  "  s:with(function () f:read(a[{ { 1, 9 } }]) end)\n" \
  "  tide.Stream.ptds:wait_stream(s)\n" \
  "end\n" \
  "s:record(e)\n" \
  "t:begin_capture():launch_host_func(RAN or error, 'ran')\n" \
  "require 'tide.loop'\n" \
  "coroutine.wrap(function () pcall(s.await, s) end)()\n" \
  "coroutine.wrap(function () tide.sleep(100) end)()\n"

static const char unfinished[] = "do\n" OBJECTS "end\n" SHUT;

/* Checks that no driver object is left in any state. */
static const char nothing_lives[] =
  "for k, v in pairs(require 'tide'.T.live()) do\n"
  "  assert(v == 0, k .. '=' .. v)\n"
  "end\n";

/*
** A CUDA context takes a quarter of a second to make, and each state that is
** closed would take the last one with it. So the program retains it as well, by
** itself: tide's own count of what lives knows nothing of that.
*/
static inline void keep_context (void) {
  const char *device = getenv("TIDE_DEVICE");
  void *lib = (device != NULL && strcmp(device, "cuda") == 0)
                ? dlopen("libcuda.so.1", RTLD_NOW)
                : NULL;
  if (lib == NULL)
    return;
  int (*init)(unsigned);
  int (*retain)(void **, int);
  *(void **)&init = dlsym(lib, "cuInit");
  *(void **)&retain = dlsym(lib, "cuDevicePrimaryCtxRetain");
  void *context;
  if (init != NULL && retain != NULL && init(0) == 0)
    retain(&context, 0);
}

#endif
