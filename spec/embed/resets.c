/*
** resets.c - a host program in which one lua_State resets the device that
** others use, for reset_spec.lua.
**
**   resets healthy   on one thread
**   resets failed    after a fault
**   resets functions while others have host functions that have not run
**   resets threads   on threads that wait for each other
*/
#include <pthread.h>
#include <stdbool.h>

#include "embed.h"

enum { STATES = 4, THREADS = 4, ROUNDS = 8 };

/* After a fault CUDA may refuse, for good: see spec/support/apart.lua. */
static const char reset[] =
  "local dev = require 'tide'.get_device()\n"
  "local ok, err = pcall(dev.reset, dev)\n"
  "REFUSED = not ok and dev.kind == 'cuda' and\n"
  "          err:find('ILLEGAL_ADDRESS (700)', 1, true)\n"
  "assert(ok or REFUSED, err)\n";

static int is_refused (lua_State *L) {
  lua_getglobal(L, "REFUSED");
  int yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

static const char fault[] =
  "local tide = require 'tide'\n"
  "local s = tide.Stream{ non_blocking = true }\n"
  "tide.T.fault(s)\n"
  "local ok, err = pcall(s.synchronize, s)\n"
  "assert(not ok and err:find 'fault_i64 on stream 0x', err)\n";

/* Another state's fault is ours, but not our doing. */
static const char failed[] =
  "local ok, err = pcall(function () return require 'tide'.ones(3) + 1 end)\n"
  "assert(not ok and err:find('(700)', 1, true), err)\n"
  "assert(not err:find 'fault_i64', err)\n";

/* Everything of before is stale, and everything works. */
static const char stale[] =
  "local tide = require 'tide'\n"
  "local s, a, h, g, e, t = table.unpack(KEPT)\n"
  "for i, f in ipairs{ s.record, a.sum, h.totable, g.launch, e.record,\n"
  "                    t.end_capture } do\n"
  "  local ok, err = pcall(f, KEPT[i])\n"
  "  assert(not ok and err:find('device was reset', 1, true), err)\n"
  "end\n"
  "KEPT = nil\n"
  "collectgarbage()\n"
  "tide.poll()\n";

/* Checks the counts that each state has for itself. */
static const char empty[] =
  "local held = require 'tide'.T.held()\n"
  "for _, k in ipairs{ 'bytes', 'pinned', 'captures', 'callbacks' } do\n"
  "  assert(held[k] == 0, k .. '=' .. held[k])\n"
  "end\n";

/* {== on one thread =================================================== */

static lua_State *states[STATES];

static int open_all (const char *code) {
  int bad = 0;
  for (int i = 0; i < STATES; i++) {
    states[i] = open_state();
    bad |= run(states[i], code);
  }
  return bad;
}

/* The first one resets; the last one is closed without hearing of it. */
static int check_all (void) {
  int bad = run(states[0], reset);
  for (int i = 0; i < STATES - 1; i++)
    bad |= run(states[i], stale) || run(states[i], empty) ||
           (!is_refused(states[0]) && run(states[i], everything));
  return bad;
}

static int close_all (void) {
  for (int i = STATES - 1; i >= 0; i--)
    lua_close(states[i]);
  lua_State *L = open_state();
  int bad = run(L, nothing_lives);
  lua_close(L);
  return bad;
}

static int healthy (void) {
  return open_all("do\n" OBJECTS "KEPT[1]:record()\n end\n") || check_all() ||
         close_all();
}

static int after_fault (void) {
  int bad = open_all("do\n" OBJECTS "end\n") || run(states[1], fault);
  for (int i = 2; i < STATES; i++)
    bad = bad || run(states[i], failed);
  return bad || check_all() || close_all();
}

/* A reset drops the operations behind host functions of other states, and these
** functions never run. */
static int with_functions (void) {
  int bad = open_all("do\n" OBJECTS "end\n");
  for (int i = 1; i < STATES; i++)
    bad = bad || run(states[i], "function RAN () end\n") ||
          run(states[i], SHUT);
  return bad || check_all() || close_all();
}

/* ==} */

/* {== on threads ====================================================== */

static pthread_barrier_t barrier;

static bool may_refuse (void) {
  const char *device = getenv("TIDE_DEVICE");
  return device != NULL && strcmp(device, "cuda") == 0;
}

/* All stop, one resets, all go on. */
static void *use_device (void *number) {
  lua_State *L = open_state();
  int me = (int)(size_t)number;
  int bad = 0;
  for (int i = 0; i < ROUNDS; i++) {
    bad = bad || run(L, everything);
    bad = bad || run(L, "do\n" OBJECTS "end\n");
    pthread_barrier_wait(&barrier);
    if (i % 2 == 0 && i % THREADS == me && !may_refuse())
      bad = bad || run(L, fault);
    pthread_barrier_wait(&barrier);
    if (i % THREADS == me)
      bad = bad || run(L, reset);
    pthread_barrier_wait(&barrier);
    bad = bad || run(L, stale);
  }
  lua_close(L);
  return (void *)(size_t)bad;
}

static int on_threads (void) {
  pthread_t threads[THREADS];
  int bad = 0;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, use_device, (void *)(size_t)i);
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    bad |= (int)(size_t)result;
  }
  pthread_barrier_destroy(&barrier);
  lua_State *L = open_state();
  bad |= run(L, nothing_lives);
  lua_close(L);
  return bad;
}

/* ==} */

int main (int argc, char **argv) {
  const char *task = (argc > 1) ? argv[1] : "";
  int failed = 1;
  if (strcmp(task, "healthy") == 0)
    failed = healthy();
  else if (strcmp(task, "failed") == 0)
    failed = after_fault();
  else if (strcmp(task, "functions") == 0)
    failed = with_functions();
  else if (strcmp(task, "threads") == 0)
    failed = on_threads();
  else
    bad("resets", "healthy, failed, functions or threads");
  if (!failed)
    puts("ok");
  return failed;
}
