/*
** states.c - a host program with many lua_States, for states_spec.lua.
**
**   states threads [N]   N threads, each with states of its own, at once
**   states kernels [N]   the same with kernels, which come and go
**   states pending       a state closed while its streams have work
**   states pending both  the same while another state's streams have work, too
**   states move          one state, driven by one thread after the other
**   states captures      captures of all modes, on the move and beside others
**   states closing NAME  a state closes while it captures, NAME fails
**   states kept          any number of functions with work behind them
**   states debug         sync_debug is each state's own
*/
#include <pthread.h>

#include "embed.h"

/* {== threads ========================================================= */

typedef struct Job {
  const char *code;
  int failed;
} Job;

static void *own_states (void *ud) {
  Job *job = ud;
  for (int i = 0; i < 8; i++) {
    lua_State *L = open_state();
    job->failed |= (L == NULL) || run(L, job->code);
    if (i % 2 == 0)
      job->failed |= run(L, job->code);
    lua_close(L);
  }
  return NULL;
}

static int threads (int n, const char *code) {
  pthread_t thread[64];
  Job job[64];
  int any = 0;
  if (n > 64)
    n = 64;
  for (int i = 0; i < n; i++) {
    job[i] = (Job){code, 0};
    if (pthread_create(&thread[i], NULL, own_states, &job[i]) != 0)
      return bad("threads", "pthread_create");
  }
  for (int i = 0; i < n; i++) {
    pthread_join(thread[i], NULL);
    any |= job[i].failed;
  }
  return any;
}

/*
** Kernels that all states make, and that each makes and drops: while they run,
** are in graphs, and stand behind host functions.
*/
static const char kernels[] =
  "local tide = require 'tide'\n"
  "local x, s = tide.ones(64, 'int64'), tide.Stream{ non_blocking = true }\n"
  "local function add (c)\n"
  "  return tide.fuse(function (a) return a + c end)\n"
  "end\n"
  "local ok, err = pcall(add(1), x)\n"
  "if not ok then return assert(err:find('NVRTC', 1, true), err) end\n"
  "CALLS = (CALLS or 0) + 1\n"
  "local own = CALLS * 1000003 + tonumber(('%p'):format(s):sub(3), 16)\n"
  "local many = tide.get_device().kind == 'host' and 120 or 5\n"
  "for i = 1, many do\n"
  "  local f, g, c = add(i % 10), add(own + i), own + i\n"
  "  local z = s:with(function () return g(f(x)) end)\n"
  "  local graph = tide.capture(function () z:copy_from(g(z)) end)\n"
  "  graph:launch(s)\n"
  "  if i % 20 == 0 then\n"
  "    local h = f\n"
  "    local y\n"
  "    s:launch_host_func(function () y = h(x) end)\n"
  "    s:synchronize()\n"
  "    assert(y[1] == 1 + i % 10)\n"
  "  end\n"
  "  f, g = nil, nil\n"
  "  graph = i % 3 > 0 and graph:close()\n"
  "  if i % 10 == 0 then collectgarbage() end\n"
  "  assert(z[64] == 1 + i % 10 + 2 * c)\n"
  "end\n"
  "s:with(function () add(own)(x) end)\n";

/* ==} */

/* {== pending ========================================================= */

/*
** The second state works on while the first goes. 'both': it has unfinished
** work as well, so functions wait that only this thread runs.
*/
static int pending (int both) {
  int failed = 0;
  for (int i = 0; i < 10 && !failed; i++) {
    lua_State *one = open_state(), *two = open_state();
    failed |= run(two, everything) || run(two, "function RAN () end") ||
              run(two, OBJECTS) || run(one, unfinished);
    if (both)
      failed |= run(two, SHUT);
    lua_close(one);
    if (both)
      failed |= run(two, "KEPT[1]:synchronize() KEPT[6]:end_capture()");
    failed |= run(two, everything);
    lua_close(two);
  }
  return failed;
}

/* ==} */

/* {== move ============================================================ */

typedef struct Step {
  lua_State *L;
  const char *code; /* NULL: close it */
  int failed;
} Step;

static void *take_step (void *ud) {
  Step *step = ud;
  if (step->code != NULL)
    step->failed = run(step->L, step->code);
  else
    lua_close(step->L);
  return NULL;
}

static const char *const steps[] = {
  "tide = require 'tide'\n"
  "s, n = tide.Stream{ non_blocking = true }, 0\n"
  "a = tide.zeros(64, 'int64')\n"
  "tide.Stream.ptds:use()\n"
  "a:add_(1)\n"
  "s:launch_host_func(function () n = n + 1 end)\n"
  "s:with(function () a:add_(1) end)\n",
  "a:add_(1)\n" /* on this thread's stream */
  "s:launch_host_func(function () n = n + 1 end)\n"
  "g = tide.capture(function () a:add_(1) end)\n"
  "g:launch()\n",
  "local sum = a:sum():item()\n"
  "assert(sum == 64 * 4 and n >= 1, sum .. ' ' .. n)\n"
  "s:synchronize()\n"
  "assert(n == 2)\n"
  "g:launch(s)\n"
  "s:launch_host_func(function () n = n + 1 end)\n",
  NULL};

/* One step on a thread of its own. */
static int step_elsewhere (lua_State *L, const char *code) {
  Step step = {L, code, 0};
  pthread_t thread;
  if (pthread_create(&thread, NULL, take_step, &step) != 0)
    return bad("states", "pthread_create");
  pthread_join(thread, NULL);
  return step.failed;
}

static int move (void) {
  lua_State *L = open_state();
  int failed = 0;
  for (int i = 0; steps[i] != NULL && !failed; i++)
    failed = step_elsewhere(L, steps[i]);
  return step_elsewhere(L, NULL) || failed;
}

/* ==} */

/* {== captures ======================================================== */

static const char begin_all[] =
  "tide, list, arrays = require 'tide', {}, {}\n"
  "for i, mode in ipairs{ 'relaxed', 'thread_local', 'global' } do\n"
  "  local s = tide.Stream{ non_blocking = true }:begin_capture(mode)\n"
  "  arrays[i] = tide.zeros(64, 'int64')\n"
  "  s:with(function () arrays[i]:add_(1) end)\n"
  "  list[i] = s\n"
  "end\n";

/* Makes calls that a driver forbids in a capture that is not relaxed. */
static const char go_on[] =
  "for i, s in ipairs(list) do\n"
  "  s:with(function () arrays[i]:add_(tide.ones(64, 'int64') * 10) end)\n"
  "  local _ = tide.HostArray(1000), tide.Stream(), tide.Event()\n"
  "  assert(tide.Stream{ non_blocking = true }:record():synchronize() == nil)\n"
  "  tide.ones(3):sum():item()\n"
  "end\n";

static const char end_elsewhere[] =
  "graphs = { list[1]:end_capture() }\n"
  "for i = 2, 3 do\n"
  "  local ok, err = pcall(list[i].end_capture, list[i])\n"
  "  assert(not ok and err:find('WRONG_THREAD', 1, true), err)\n"
  "  assert(list[i]:is_capturing())\n"
  "end\n";

static const char end_all[] =
  "for i, s in ipairs(list) do\n"
  "  graphs = graphs or {}\n"
  "  graphs[i] = graphs[i] or s:end_capture()\n"
  "  graphs[i]:launch(s)\n"
  "  assert(arrays[i]:sum():item() == 64 * RESULT)\n"
  "end\n"
  "list[1]:begin_capture('global')\n";

static int captures (void) {
  lua_State *L = open_state(), *other = open_state(), *third = open_state();
  int failed = run(third, "require 'tide'") || run(L, begin_all) ||
               run(L, go_on) || step_elsewhere(third, everything) ||
               run(other, begin_all) || step_elsewhere(L, go_on) ||
               step_elsewhere(L, end_elsewhere) || run(L, "RESULT = 21") ||
               run(L, end_all) || run(other, go_on) || run(third, everything) ||
               run(other, "RESULT = 11") || run(other, end_all);
  failed |= step_elsewhere(L, NULL);
  failed |= run(third, everything);
  lua_close(other);
  failed |= run(third, everything);
  lua_close(third);
  return failed;
}

/* A state closes while it captures on the thread's default stream, and a driver
** call fails at that: NAME. 'other' goes on with that stream. */
static const char begin_default[] =
  "local tide = require 'tide'\n"
  "local a, s = tide.zeros(64), tide.Stream.ptds\n"
  "s:begin_capture():with(function () a:add_(1) end)\n"
  "tide.T.failcall(1, 999, NAME)\n";

static int closing (const char *name) {
  lua_State *L = open_state(), *other = open_state();
  int failed = run(other, everything);
  lua_pushstring(L, name);
  lua_setglobal(L, "NAME");
  failed |= run(L, begin_default);
  lua_close(L);
  failed |= run(other, everything);
  lua_close(other);
  return failed;
}

/* ==} */

/* {== kept ============================================================ */

/* Each state of a thread, and of other threads, has as many functions with work
** behind them as it queues, and waits for none of another state. */
static const char queue[] =
  "local tide = require 'tide'\n"
  "n, s, a = 0, {}, tide.zeros(64, 'int64')\n"
  "function queue (i)\n"
  "  s[i] = s[i] or tide.Stream{ non_blocking = true }\n"
  "  s[i]:launch_host_func(function () n = n + 1 end)\n"
  "  s[i]:with(function () a:add_(1) end)\n"
  "end\n"
  "for i = 1, 200 do queue(i) end\n";

static const char serve[] = "assert(n == 0)\n"
                            "assert(a:sum():item() == 64 * 200 and n == 200)\n";

static void *queue_many (void *failed) {
  lua_State *L = open_state();
  *(int *)failed = run(L, queue) || run(L, serve);
  lua_close(L);
  return NULL;
}

static int kept (void) {
  lua_State *one = open_state(), *two = open_state();
  pthread_t thread[3];
  int bad_thread[3] = {0};
  int failed = run(one, queue) || run(two, queue);
  for (int i = 0; i < 3; i++)
    pthread_create(&thread[i], NULL, queue_many, &bad_thread[i]);
  failed = failed || run(two, serve) || run(one, serve);
  for (int i = 0; i < 3; i++) {
    pthread_join(thread[i], NULL);
    failed |= bad_thread[i];
  }
  lua_close(one);
  lua_close(two);
  return failed;
}

/* ==} */

/* {== debug =========================================================== */

static int debug (void) {
  static const char waits[] = "TIDE.ones(9):sum():item()\n";
  lua_State *one = open_state(), *two = open_state();
  int failed =
    run(one, "TIDE = require 'tide' TIDE.sync_debug 'error'\n"
             "s = TIDE.Stream{ non_blocking = true } key = TIDE.T.hold(s)\n"
             "assert(not pcall(s.synchronize, s))\n") ||
    run(two, "TIDE = require 'tide' assert(TIDE.sync_debug() == 'off')\n") ||
    run(two, waits) ||
    run(one, "assert(not pcall(s.synchronize, s)) TIDE.T.release(key)\n"
             "assert(TIDE.sync_debug 'off' == 'error') s:synchronize()\n") ||
    run(one, waits);
  lua_close(one);
  lua_close(two);
  return failed;
}

/* ==} */

int main (int argc, char **argv) {
  keep_context();
  const char *what = argc > 1 ? argv[1] : "";
  const char *arg = argc > 2 ? argv[2] : NULL;
  int failed = 1;
  if (strcmp(what, "threads") == 0)
    failed = threads(arg != NULL ? atoi(arg) : 4, everything);
  else if (strcmp(what, "kernels") == 0)
    failed = threads(arg != NULL ? atoi(arg) : 4, kernels);
  else if (strcmp(what, "pending") == 0)
    failed = pending(arg != NULL);
  else if (strcmp(what, "move") == 0)
    failed = move();
  else if (strcmp(what, "captures") == 0)
    failed = captures();
  else if (strcmp(what, "closing") == 0 && arg != NULL)
    failed = closing(arg);
  else if (strcmp(what, "kept") == 0)
    failed = kept();
  else if (strcmp(what, "debug") == 0)
    failed = debug();
  else
    fputs("usage: states threads [N] | kernels [N] | pending [both] | move | "
          "captures | closing NAME | kept | debug\n",
          stderr);
  if (!failed)
    puts("ok");
  return failed;
}
