/*
** interrupts.c - a host program that ends what its scripts wait for: by
** api->interrupt from another thread and from a signal handler, by a deadline,
** and by hooks of its own. For interrupts_spec.lua.
**
**   interrupts thread|signal|early    each kind of wait
**   interrupts fd                     a message shows at the descriptor
**   interrupts back                   a message is taken back
**   interrupts others                 other states, and closed ones
**   interrupts closing                while the state closes
**   interrupts deadline|limit         a deadline
**   interrupts hooks                  hooks, of any mask
*/
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

static const char message[] = "the host says stop";

static lua_State *volatile target;

static void nap (long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&t, &t) != 0 && errno == EINTR) {
  }
}

/* {== each kind of wait =============================================== */

/* Each never ends by itself, or not for minutes. K runs until it is stopped, on
** S, and G cleans up. */
static const char prelude[] =
  "local tide = require 'tide'\n"
  "local S = tide.Stream{ non_blocking = true }\n"
  "local function new () return tide.Stream{ non_blocking = true } end\n"
  "local function again (s)\n"
  "  local function f () s:launch_host_func(f) end\n"
  "  f()\n"
  "end\n"
  "local spin = tide.ElementwiseKernel('T x', 'T z',\n"
  "                                    'while (true) z = x', 'spin')\n"
  "local function busy ()\n"
  "  return S:with(function () return spin(tide.ones(3)) end)\n"
  "end\n";

typedef struct Kind {
  const char *name, *code;
} Kind;

static const Kind kinds[] = {
  {"sleep", "tide.sleep(100)"},
  {"poll", "tide.poll(100)"},
  {"sleep in a coroutine", "coroutine.wrap(function () tide.sleep(100) end)()"},
  {"synchronize", "busy() S:synchronize()"},
  {"synchronize in a coroutine",
   "busy() coroutine.wrap(function () S:synchronize() end)()"},
  {"the device", "busy() tide.get_device():synchronize()"},
  {"an event", "busy() local e = S:record() e:synchronize()"},
  {"await", "busy() S:await()"},
  {"item", "local y = busy() S:with(function () return y[1]:item() end)"},
  {"totable", "local y = busy() S:with(function () y:totable() end)"},
  {"print", "local y = busy() S:with(function () tostring(y) end)"},
  {"a HostArray",
   "local h = tide.HostArray(3)\n"
   "local y = busy() S:with(function () h:copy_from(y) end) return h[1]"},
  {"save",
   "local y, name = busy(), os.tmpname()\n"
   "local ok, err = pcall(S.with, S, function () tide.save(name, y) end)\n"
   "os.remove(name) error(err, 0)"},
  {"a file",
   "local f <close> = tide.open('/dev/null', 'w')\n"
   "local y = busy() S:with(function () f:write(y) end) S:synchronize()"},
  {"a text file",
   "local name = os.tmpname()\n"
   "local f = io.open(name, 'w') f:write(('1 2\\n'):rep(1 << 22)) f:close()\n"
   "local ok, err = pcall(function ()\n"
   "  while true do tide.loadtxt(name, { dtype = 'int8' }) end\n"
   "end) os.remove(name) error(err, 0)"},
  {"host functions", "again(S) while true do S:synchronize() end"},
  {"a host function behind work",
   "busy() S:launch_host_func(type, 1) S:synchronize()"},
  {"an idle tide.run", "tide.run(function () tide.sleep(100) end)"},
  {"await in a task", "busy() tide.run(function () S:await() end)"},
  {"a task that computes",
   "tide.run(function () while true do tide.sleep(0) end end)"},
  {"a queue", "local q = tide.queue()\n"
              "tide.run(function ()\n"
              "  tide.spawn(function () tide.sleep(100) end) q:get()\n"
              "end)"},
  {"a semaphore", "local s = tide.semaphore(1)\n"
                  "tide.run(function ()\n"
                  "  tide.spawn(function () s:acquire() tide.sleep(100) end)\n"
                  "  tide.sleep(0) s:acquire()\n"
                  "end)"},
  {"another rank",
   "local dist, name = require 'tide.dist', os.tmpname()\n"
   "os.remove(name)\n"
   "local ok, err = pcall(dist.init, { file = name, rank = 0, size = 2,\n"
   "                                  device = 'host', timeout = 100 })\n"
   "os.remove(name) error(err, 0)"},
  {"calls", "local x = tide.ones(3) while true do x = x + 1 end"},
  {NULL, NULL},
};

static void *send (void *ud) {
  nap(30);
  CHECK(api->interrupt((lua_State *)ud, message) == 1);
  return NULL;
}

static void on_signal (int sig) {
  (void)sig;
  api->interrupt(target, message);
}

static void *raise_signal (void *ud) {
  nap(30);
  pthread_kill(*(pthread_t *)ud, SIGUSR1);
  return NULL;
}

static const char works[] = "local tide = require 'tide'\n"
                            "assert((tide.ones(10) + 1):sum():item() == 20)\n"
                            "local s, ran = tide.Stream()\n"
                            "s:launch_host_func(function () ran = true end)\n"
                            "s:synchronize()\n"
                            "assert(ran)\n"
                            "tide.run(function () tide.sleep(0) end)\n"
                            "tide.poll(0)\n"
                            "s:close()\n";

/* Runs it, which must fail with that message. */
static void must_fail (lua_State *L, const char *code, const char *why) {
  if (luaL_dostring(L, code) == LUA_OK)
    exit(bad(code, "no error"));
  if (strstr(luaL_tolstring(L, -1, NULL), why) == NULL)
    exit(bad(code, lua_tostring(L, -1)));
  lua_settop(L, 0);
}

/* Each has a state of its own, because work queued behind a host function that
** queues another one never ends. */
static void each_kind (void *(*fn)(void *ud), bool early) {
  for (const Kind *k = kinds; k->name != NULL; k++) {
    pthread_t self = pthread_self(), thread;
    lua_State *L = open_tide();
    char code[4096];
    snprintf(code, sizeof code, "%s%s", prelude, k->code);
    target = L;
    if (early)
      CHECK(api->interrupt(L, message) == 1);
    else
      CHECK(pthread_create(&thread, NULL, fn,
                           fn == send ? (void *)L : (void *)&self) == 0);
    must_fail(L, code, message);
    if (!early)
      pthread_join(thread, NULL);
    CHECK(run(L, works) == 0);
    finish(L);
  }
}

static int by_thread (void) { return each_kind(send, false), 0; }

static int by_signal (void) {
  signal(SIGUSR1, on_signal);
  return each_kind(raise_signal, false), 0;
}

/* Before the script waits. */
static int early (void) { return each_kind(NULL, true), 0; }

/* ==} */

/* {== the message ===================================================== */

static bool is_readable (int fd) {
  struct pollfd p = {fd, POLLIN, 0};
  return poll(&p, 1, 0) > 0;
}

/* Sent before there is a descriptor, and after. */
static int fd (void) {
  lua_State *L = open_tide();
  int in = api->pollfd(L);
  CHECK(!is_readable(in));
  for (int i = 0; i < 3; i++) {
    CHECK(api->interrupt(L, message) == 1);
    CHECK(is_readable(in));
    must_fail(L, "tide.poll()", message);
    CHECK(!is_readable(in));
    CHECK(run(L, works) == 0);
  }
  return finish(L);
}

static int back (void) {
  lua_State *L = open_tide();
  CHECK(api->interrupt(L, message) == 1);
  CHECK(api->interrupt(L, NULL) == 1);
  CHECK(run(L, works) == 0);
  CHECK(api->interrupt(L, message) == 1);
  CHECK(api->interrupt(L, "another") == 1);
  must_fail(L, "tide.poll()", "another");
  CHECK(run(L, works) == 0);
  return finish(L);
}

static int others (void) {
  lua_State *a = open_tide(), *b = open_tide(), *none = luaL_newstate();
  CHECK(api->interrupt(none, message) == 0);
  CHECK(api->interrupt(a, message) == 1);
  CHECK(run(b, works) == 0);
  must_fail(a, "tide.poll()", message);
  CHECK(api->interrupt(b, message) == 1);
  lua_close(b);
  CHECK(api->interrupt(b, message) == 0);
  CHECK(run(a, works) == 0);
  lua_close(none);
  return finish(a);
}

static int ends;

static void *send_always (void *ud) {
  while (!__atomic_load_n(&ends, __ATOMIC_ACQUIRE))
    api->interrupt((lua_State *)ud, message);
  return NULL;
}

static int closing (void) {
  for (int i = 0; i < 30; i++) {
    pthread_t thread;
    lua_State *L = open_tide();
    api->pollfd(L);
    CHECK(run(L, "s = tide.Stream()\n"
                 "for _ = 1, 9 do s:launch_host_func(type, 1) end") == 0);
    __atomic_store_n(&ends, 0, __ATOMIC_RELEASE);
    CHECK(pthread_create(&thread, NULL, send_always, L) == 0);
    nap(1);
    lua_close(L);
    __atomic_store_n(&ends, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
  }
  return 0;
}

/* ==} */

/* {== deadlines ======================================================= */

static const char over[] = "limit of time";

static int deadline (void) {
  lua_State *L = open_tide();
  api->deadline(L, 0.02);
  must_fail(L, "tide.sleep(100)", over);
  must_fail(L, "tide.ones(3)", over);
  must_fail(L, "tide.run(function () tide.sleep(100) end)", over);
  api->deadline(L, 1000);
  CHECK(run(L, works) == 0);
  api->deadline(L, 0);
  CHECK(run(L, works) == 0);
  return finish(L);
}

static int limit (void) {
  lua_State *L = open_state();
  tide_Limits limits = {.deadline = 1}; /* a busy machine opens it in that */
  tide_setlimits(L, &limits);
  must_fail(L,
            "tide = require 'tide'\n"
            "while true do tide.sleep(100) end",
            over);
  must_fail(L, "tide.ones(3)", over);
  api = tide_checkapi(L);
  api->deadline(L, 0);
  CHECK(run(L, works) == 0);
  return finish(L);
}

/* ==} */

/* {== hooks =========================================================== */

static int mask, calls;

static void raise_once (lua_State *L, lua_Debug *ar) {
  (void)ar;
  lua_sethook(L, NULL, 0, 0);
  lua_pushlightuserdata(L, &calls); /* an error object of the host's */
  lua_error(L);
}

static void set_hook (int sig) {
  (void)sig;
  lua_sethook(target, raise_once, mask, 1);
}

static void raise_tenth (lua_State *L, lua_Debug *ar) {
  (void)ar;
  if (++calls == 10)
    raise_once(L, ar);
}

static void stopped (lua_State *L, const char *code) {
  if (luaL_dostring(L, code) == LUA_OK)
    exit(bad(code, "no error"));
  CHECK(lua_touserdata(L, -1) == &calls);
  CHECK(lua_gethook(L) == NULL);
  lua_settop(L, 0);
  CHECK(run(L, works) == 0);
}

/* From a signal handler, on the main thread or on the coroutine that waits. */
static void by_handler (lua_State *L, const char *code) {
  pthread_t self = pthread_self(), thread;
  target = L;
  CHECK(pthread_create(&thread, NULL, raise_signal, &self) == 0);
  stopped(L, code);
  pthread_join(thread, NULL);
}

static int set_target (lua_State *L) {
  target = L;
  return 0;
}

static int hooks (void) {
  static const int masks[] = {LUA_MASKCOUNT,
                              LUA_MASKLINE,
                              LUA_MASKCALL,
                              LUA_MASKRET,
                              LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT,
                              LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE |
                                LUA_MASKCOUNT};
  signal(SIGUSR1, set_hook);
  lua_State *L = open_tide();
  lua_register(L, "me", set_target);
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    mask = masks[i];
    by_handler(L, "tide.sleep(100)");
    by_handler(L, "coroutine.wrap(function () tide.sleep(100) end)()");
    by_handler(L, "coroutine.wrap(function () me() tide.sleep(100) end)()");
    by_handler(L, "tide.run(function () tide.sleep(100) end)");
    calls = 0;
    lua_sethook(L, raise_tenth, mask, 1000);
    stopped(L, "while true do tide.sleep(100) end");
  }
  return finish(L);
}

/* ==} */

int main (int argc, char **argv) {
  static const Part parts[] = {
    {"thread", by_thread}, {"signal", by_signal},
    {"early", early},      {"fd", fd},
    {"back", back},        {"others", others},
    {"closing", closing},  {"deadline", deadline},
    {"limit", limit},      {"hooks", hooks},
    {NULL, NULL},
  };
  return run_part(parts, argc > 1 ? argv[1] : "");
}
