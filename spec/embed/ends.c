/*
** ends.c - a host program that ends in every way, for ends_spec.lua. All ends
** come with work pending, gates shut and a capture open.
**
**   ends return       main returns with its states open
**   ends atexit       they are closed by a handler of atexit
**   ends thread       another thread calls exit while main is inside tide
**   ends quick        _exit, with no handler at all
**   ends reload       100 states open and close, and so does the module
**   ends fork before  fork between require and first use
**   ends fork after   fork with everything in use
**   ends fork busy    the same while other threads are inside tide
*/
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "embed.h"

enum { STATES = 2, RELOADS = 100, CONTEXTS = 5, FORKS = 10, THREADS = 3 };

/* {== the end of the process ========================================== */

static lua_State *left[STATES]; /* a leak checker finds them here */

static int leave_open (void) {
  int failed = 0;
  for (int i = 0; i < STATES; i++) {
    left[i] = open_state();
    failed |= run(left[i], OBJECTS);
  }
  for (int i = 0; i < STATES; i++)
    failed |= run(left[i], SHUT);
  return failed;
}

static void close_left (void) {
  for (int i = 0; i < STATES; i++)
    lua_close(left[i]);
}

static int end_atexit (void) {
  if (atexit(close_left) != 0)
    return bad("ends", "atexit");
  return leave_open();
}

static atomic_int ending;

static void *end_process (void *unused) {
  (void)unused;
  usleep(50000);
  puts("ok");
  ending = 1;
  exit(0);
}

/* The driver may refuse calls while the process ends: that is all right. */
static int end_by_thread (void) {
  pthread_t thread;
  lua_State *L = open_state();
  int failed = leave_open();
  if (failed || pthread_create(&thread, NULL, end_process, NULL) != 0)
    return bad("ends", "pthread_create");
  while (luaL_dostring(L, "local a = require 'tide'.ones(1000)\n"
                          "assert((a + 1):sum():item() == 2000)\n") == LUA_OK)
    lua_settop(L, 0);
  if (!ending)
    return bad("lua", lua_tostring(L, -1));
  for (;;)
    pause();
}

static int end_quickly (void) {
  int failed = leave_open();
  puts(failed ? "failed" : "ok");
  fflush(stdout);
  _exit(failed);
}

/* ==} */

/* {== the module goes and comes ======================================= */

/* Lua closes its handle of the library at lua_close; so does the host. */
static int reload_once (const char *path) {
  lua_State *L = open_state();
  void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    return bad("dlopen", dlerror());
  lua_pushstring(L, path);
  lua_setglobal(L, "PATH");
  int failed =
    run(L, "local open = assert(package.loadlib(PATH, 'luaopen_tide_core'))\n"
           "local core = open()\n"
           "assert(core == open() and core == require 'tide')\n"
           "package.loaded.tide, package.loaded['tide.core'] = nil\n"
           "assert(core == require 'tide')\n") ||
    run(L, unfinished);
  dlclose(lib);
  lua_close(L);
  return failed;
}

static int reload (void) {
  lua_State *L = open_state();
  int failed =
    run(L, "PATH = assert(package.searchpath('tide.core', package.cpath))\n");
  lua_getglobal(L, "PATH");
  const char *path = lua_tostring(L, -1);
  for (int i = 0; i < RELOADS && !failed; i++) {
    if (i == CONTEXTS)
      keep_context(); /* so many new ones will do */
    failed = reload_once(path);
  }
  failed = failed || run(L, nothing_lives);
  lua_close(L);
  return failed;
}

/* ==} */

/* {== fork ============================================================ */

/* In the child: everything says why it cannot be; nothing hangs or crashes. */
static const char refused[] =
  "local tide = require 'tide'\n"
  "local function refuses (fn, ...)\n"
  "  local ok, err = pcall(fn, ...)\n"
  "  assert(not ok and tostring(err):find('before fork', 1, true), err)\n"
  "end\n"
  "local function get (x, name) return x[name] end\n"
  "for fn, n in pairs{ ones = 1, zeros = 1, full = 2, HostArray = 1,\n"
  "                    Event = 0, Stream = 0, Device = 1, with_stream = 2,\n"
  "                    poll = 0, pollfd = 0, get_current_stream = 0,\n"
  "                    get_device = 0, devices = 0 } do\n"
  "  refuses(tide[fn], table.unpack({ 3, 3 }, 1, n))\n"
  "end\n"
  "refuses(tide.capture, print)\n"
  "refuses(tide.Stream.null.synchronize, tide.Stream.null)\n"
  "if KEPT then\n"
  "  local s, a, h, g, e, t, f = table.unpack(KEPT)\n"
  "  for _, name in ipairs{ 'synchronize', 'record', 'use', 'close',\n"
  "                         'scope', 'is_capturing' } do\n"
  "    refuses(s[name], s)\n"
  "  end\n"
  "  refuses(s.wait_event, s, e) refuses(s.wait_stream, s, t)\n"
  "  refuses(s.launch_host_func, s, print) refuses(s.with, s, print)\n"
  "  refuses(get, s, 'done') refuses(get, e, 'done')\n"
  "  refuses(e.synchronize, e) refuses(e.record, e) refuses(e.close, e)\n"
  "  refuses(g.launch, g) refuses(g.upload, g) refuses(g.close, g)\n"
  "  refuses(t.end_capture, t)\n"
  "  refuses(a.sum, a) refuses(a.close, a) refuses(a.tohost, a)\n"
  "  refuses(function () return a + 1 end)\n"
  "  refuses(f.read, f, h) refuses(f.close, f) refuses(get, f, 'size')\n"
  "  refuses(tide.open, '/proc/self/exe')\n"
  "  refuses(h.fill, h, 1) refuses(function () h[1] = 1 end)\n"
  "  do\n"
  "    local _ <close> = s\n"
  "    local _ <close> = g\n"
  "    local _ <close> = a\n"
  "    local _ <close> = f\n"
  "  end\n"
  "  KEPT = nil\n"
  "  s, a, h, g, e, t, f = nil\n"
  "end\n"
  "collectgarbage() collectgarbage()\n";

/* A child never frees the objects of its parent, which is no leak. */
static int in_child;

__attribute__((visibility("default"))) int __lsan_is_turned_off (void);

int __lsan_is_turned_off (void) { return in_child; }

/* Other threads are in the midst of reading files at the fork. */
static int others_read;

/*
** CUDA's driver (580, on an H200) sometimes crashes in its own exit handlers,
** even if no other code has anything to end. And exit() puts back bytes that
** other threads' streams have read ahead, in files that a parent shares with
** its child: the beginning of a Lua file was read again in its middle.
*/
static void end_child (int failed) {
  const char *device = getenv("TIDE_DEVICE");
  if (others_read || (device != NULL && strcmp(device, "cuda") == 0))
    _exit(failed);
  exit(failed);
}

/* Forks; the child runs 'code' in all states, closes them, and exits well. */
static int child_runs (lua_State **list, int n, const char *code) {
  int status = -1;
  fflush(stdout);
  let_sanitizer_fork();
  pid_t child = fork();
  if (child == 0) {
    int failed = 0;
    in_child = 1;
    alarm(60); /* then it hangs */
    for (int i = 0; i < n; i++) {
      failed |= run(list[i], code);
      lua_close(list[i]);
    }
    end_child(failed);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "the child ended with status %d\n", status);
    return 1;
  }
  return 0;
}

static int fork_before (void) {
  lua_State *L = open_state();
  int failed = run(L, "require 'tide'") || child_runs(&L, 1, everything) ||
               run(L, everything) || run(L, unfinished);
  lua_close(L);
  return failed;
}

/* One state in use, and one that has only loaded the module. */
static int fork_after (int times) {
  lua_State *list[2] = {open_state(), open_state()};
  int failed = run(list[0], "function RAN () end") ||
               run(list[0], unfinished) || run(list[1], "require 'tide'");
  for (int i = 0; i < times && !failed; i++)
    failed = child_runs(list, 2, refused) || run(list[0], everything);
  failed = failed || run(list[1], everything) ||
           run(list[0], "KEPT[6]:end_capture():launch(KEPT[1])\n"
                        "KEPT[1]:synchronize()\n");
  lua_close(list[0]);
  lua_close(list[1]);
  return failed;
}

static atomic_int stop;

static void *keep_busy (void *failed) {
  while (!stop && !*(int *)failed) {
    lua_State *L = open_state();
    *(int *)failed = run(L, "function RAN () end") || run(L, everything) ||
                     run(L, unfinished);
    lua_close(L);
  }
  return NULL;
}

static int fork_busy (void) {
  pthread_t thread[THREADS];
  int failed[THREADS] = {0}, any;
  others_read = 1;
  keep_context();
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, keep_busy, &failed[i]) != 0)
      return bad("fork", "pthread_create");
  any = fork_after(FORKS);
  stop = 1;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    any |= failed[i];
  }
  return any;
}

/* ==} */

static int usage (void) {
  fputs("usage: ends return | atexit | thread | quick | reload | "
        "fork before|after|busy\n",
        stderr);
  return 1;
}

int main (int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const char *when = argc > 2 ? argv[2] : "";
  int failed;
  if (strcmp(what, "return") == 0)
    failed = leave_open();
  else if (strcmp(what, "atexit") == 0)
    failed = end_atexit();
  else if (strcmp(what, "thread") == 0)
    failed = end_by_thread();
  else if (strcmp(what, "quick") == 0)
    failed = end_quickly();
  else if (strcmp(what, "reload") == 0)
    failed = reload();
  else if (strcmp(what, "fork") == 0 && strcmp(when, "before") == 0)
    failed = fork_before();
  else if (strcmp(what, "fork") == 0)
    failed = strcmp(when, "busy") == 0 ? fork_busy() : fork_after(1);
  else
    failed = usage();
  if (!failed)
    puts("ok");
  return failed;
}
