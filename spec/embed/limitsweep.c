/*
** limitsweep.c - for limits_sweep_spec.lua: every call of sweep_calls.lua
** in a state of which groups are left out, and what it does outside of that
** state: to files and to the process, which the functions below see before libc
** does, and to another Lua state.
**
**   limitsweep GROUPS CODE
**
** The script has watch(true), watch(false) -> what was done since, as text, and
** other(code), which runs code in the other state.
*/
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/tide.h"

#include "embed.h"

/* {== what is done outside ============================================ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char seen[4096];
static int watching;

/* The driver opens devices, and caches of its own, when it likes. */
static int is_driver (const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 &&
         (strstr(info.dli_fname, "libcuda") != NULL ||
          strstr(info.dli_fname, "libnvidia") != NULL);
}

static void note_from (const void *caller, const char *call, const char *what) {
  if (is_driver(caller))
    return;
  pthread_mutex_lock(&lock);
  size_t n = strlen(seen);
  if (watching)
    snprintf(seen + n, sizeof seen - n, "%s %s\n", call, what);
  pthread_mutex_unlock(&lock);
}

#define note(call, what) note_from(__builtin_return_address(0), call, what)

static void *real (const char *name) {
  void *address = dlsym(RTLD_NEXT, name);
  if (address == NULL)
    exit(bad("dlsym", name));
  return address;
}

#define CALL(type, name, params, args) (((type(*) params)real(name))args)

static mode_t mode_of (int flags, va_list ap) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list ap; \
    va_start(ap, flags); \
    mode_t mode = mode_of(flags, ap); \
    va_end(ap); \
    note(#name, path); \
    return CALL(int, #name, (const char *, int, ...), (path, flags, mode)); \
  }

#define OPENAT(name) \
  int name(int at, const char *path, int flags, ...) { \
    va_list ap; \
    va_start(ap, flags); \
    mode_t mode = mode_of(flags, ap); \
    va_end(ap); \
    note(#name, path); \
    return CALL(int, #name, (int, const char *, int, ...), \
                (at, path, flags, mode)); \
  }

#define FOPEN(name) \
  FILE *name(const char *path, const char *how) { \
    note(#name, path); \
    return CALL(FILE *, #name, (const char *, const char *), (path, how)); \
  }

#define PATH(name) \
  int name(const char *path) { \
    note(#name, path); \
    return CALL(int, #name, (const char *), (path)); \
  }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)
PATH(unlink)
PATH(rmdir)
PATH(chdir)
PATH(system)
PATH(unsetenv)
PATH(remove)

int mkdir (const char *path, mode_t mode) {
  note("mkdir", path);
  return CALL(int, "mkdir", (const char *, mode_t), (path, mode));
}

int rename (const char *from, const char *to) {
  note("rename", from);
  return CALL(int, "rename", (const char *, const char *), (from, to));
}

int setenv (const char *name, const char *value, int replace) {
  note("setenv", name);
  return CALL(int, "setenv", (const char *, const char *, int),
              (name, value, replace));
}

char *setlocale (int category, const char *name) {
  note("setlocale", name != NULL ? name : "");
  return CALL(char *, "setlocale", (int, const char *), (category, name));
}

pid_t fork (void) {
  note("fork", "");
  return CALL(pid_t, "fork", (void), ());
}

/* ==} */

/* The other state: things of each type, and a check that they still work. */
static const char others[] = OBJECTS
  "local array = tide.arange(1000)\n"
  "local word, dtype = tide.sync_debug(), tide.get_default_dtype()\n"
  "local stats = tide.memory_stats()\n"
  "function CHECK ()\n"
  "  assert(array:sum():item() == 499500, 'its array changed')\n"
  "  h:fill(7)\n"
  "  a:copy_from(h)\n"
  "  s:with(function () a:add_(1) end)\n"
  "  assert(a[100000] == 8)\n"
  "  tide.Stream.null:record():synchronize()\n"
  "  tide.capture(function () a:mul_(2) end):launch(s)\n"
  "  assert(a[1] == 16)\n"
  "  assert(tide.sync_debug() == word and tide.get_default_dtype() == dtype)\n"
  "  assert(tide.get_current_stream() == tide.Stream.null)\n"
  "  local now = tide.memory_stats()\n"
  "  assert(now.limit == stats.limit and now.live >= 808000)\n"
  "  assert(tide.random.uniform(3):min():item() >= 0)\n"
  "  collectgarbage()\n"
  "end\n";

static int other (lua_State *L) {
  lua_State *it = lua_touserdata(L, lua_upvalueindex(1));
  if (luaL_dostring(it, luaL_checkstring(L, 1)) == LUA_OK)
    return 0;
  lua_pushstring(L, lua_tostring(it, -1));
  lua_pop(it, 1);
  return lua_error(L);
}

static int watch (lua_State *L) {
  pthread_mutex_lock(&lock);
  watching = lua_toboolean(L, 1);
  pthread_mutex_unlock(&lock);
  lua_pushstring(L, seen);
  seen[0] = '\0';
  return 1;
}

int main (int argc, char **argv) {
  if (argc != 3)
    return bad("limitsweep", "GROUPS CODE");
  keep_context();
  tide_Limits limits = {.leave_out = (unsigned)strtoul(argv[1], NULL, 0)};
  lua_State *it = open_state(), *L = open_state();
  int failed = run(it, others);
  tide_setlimits(L, &limits);
  lua_register(L, "watch", watch);
  lua_pushlightuserdata(L, it);
  lua_pushcclosure(L, other, 1);
  lua_setglobal(L, "other");
  failed = failed || run(L, argv[2]) || run(it, "CHECK()");
  lua_close(L);
  failed = failed || run(it, "CHECK()");
  lua_close(it);
  if (!failed)
    puts("ok");
  return failed;
}
