/*
** allocations.c - a host program whose allocator fails, at every point there
** is: for states_spec.lua.
**
**   allocations [TASK]   all tasks, or that one
*/
#include "embed.h"
#include "heap.h"

static const struct {
  const char *name, *code;
} tasks[] = {
  {"require", "require 'tide'\n"}, /* the first */
  {"streams", "local tide = require 'tide'\n"
              "local s = tide.Stream{ non_blocking = true }\n"
              "s:record():synchronize()\n"
              "tide.with_stream(s, function () tide.Stream.null:use() end)\n"
              "local t = tide.Stream.from_external(s.ptr, {})\n"
              "local _ = tostring(s), tide.get_device().attributes\n"},
  {"arrays", "local tide = require 'tide'\n"
             "local a = tide.array{ { 1, 2 }, { 3, 4 } } + 1\n"
             "assert(a:sum():item() == 14 and a:totable()[1][1] == 2)\n"
             "local _ = tostring(a), a:tobytes(), a:tohost()[{ 1, 1 }]\n"},
  {"callbacks", "local tide = require 'tide'\n"
                "local s, n = tide.Stream{ non_blocking = true }, 0\n"
                "for i = 1, 3 do\n"
                "  s:launch_host_func(function (x) n = n + x end, i)\n"
                "  s:add_callback(function () n = n + 1 end)\n"
                "end\n"
                "s:synchronize()\n"
                "assert(n == 9)\n"},
  {"graphs",
   "local tide = require 'tide'\n"
   "local a, n = tide.zeros(4, 'int64'), 0\n"
   "local g = tide.capture(function ()\n"
   "  a:add_(1)\n"
   "  tide.get_current_stream():launch_host_func(function () n = n + 1 end)\n"
   "end)\n"
   "g:launch() g:launch()\n"
   "assert(a:sum():item() == 8 and n == 2)\n"},
  {"coroutines", "local tide = require 'tide'\n"
                 "local f = tide.wrap(function ()\n"
                 "  tide.with_stream(function () coroutine.yield() end)\n"
                 "end)\n"
                 "f() f()\n"},
  {"tasks", "local tide = require 'tide'\n"
            "local x = tide.zeros(1e5) + 1\n"
            "local s = tide.get_current_stream()\n"
            "local n = tide.run(function ()\n"
            "  local q, sum = tide.queue(1), 0\n"
            "  tide.spawn({ stream = 'inherit' }, function ()\n"
            "    s:await(10)\n"
            "    for i = 1, 3 do q:put(i) end\n"
            "    q:close()\n"
            "  end)\n"
            "  tide.race{ function () tide.sleep(10) end, function () end }\n"
            "  for i in q do sum = sum + i end\n"
            "  return sum\n"
            "end)\n"
            "assert(n == 6)\n"},
  {"loops", "local tide = require 'tide'\n"
            "require 'tide.loop'\n"
            "local x = tide.zeros(1e5) + 1\n"
            "local s, n = tide.get_current_stream(), 0\n"
            "local cos = {}\n"
            "for i = 1, 2 do\n"
            "  cos[i] = coroutine.create(function ()\n"
            "    s:await(i < 2 and 10 or nil)\n"
            "    tide.sleep(i < 2 and 0 or 1e-5)\n"
            "    n = n + 1\n"
            "  end)\n"
            "end\n"
            "local ok, err = pcall(function ()\n"
            "  for i = 1, 2 do\n"
            "    local ok, err = coroutine.resume(cos[i])\n"
            "    if not ok then error(err, 0) end\n"
            "  end\n"
            "  while n < 2 do tide.poll(1) end\n"
            "end)\n"
            "for i = 1, 2 do coroutine.close(cos[i]) end\n"
            "if not ok then error(err, 0) end\n"},
  {"kernels",
   "local tide = require 'tide'\n"
   "local x, ok, err = tide.ones(4)\n"
   "local f = tide.fuse(function (a) return a + 1, (a * 2):sum() end)\n"
   "local e = tide.ElementwiseKernel('T x', 'T z', 'z = x + 3', 'e')\n"
   "local r = tide.ReductionKernel('T x', 'T z', 'x', 'a + b', nil, 0)\n"
   "ok, err = pcall(f, x)\n"
   "if not ok and err:find('NVRTC', 1, true) then return end\n"
   "assert(ok, err)\n"
   "local g = tide.capture(function () return e(x) end)\n"
   "g:launch()\n"
   "assert(r(x):item() == 4 and select(2, f(x)):item() == 8)\n"},
};

static const char ends_work[] =
  "collectgarbage() collectgarbage()\n"
  "local tide = package.loaded.tide\n"
  "if tide and tide.T then\n"
  "  pcall(tide.run, function () end)\n" /* ends a run left behind */
  "  for _ = 1, 10 do\n"
  "    pcall(function () tide.get_device():synchronize() end)\n"
  "    pcall(tide.poll)\n"
  "  end\n"
  "end\n";

static const char no_leaks[] =
  "collectgarbage() collectgarbage()\n"
  "local tide = package.loaded.tide\n"
  "local T = tide and tide.T\n"
  "if T then\n"
  "  tide.poll()\n"
  "  for k, v in pairs(T.held()) do assert(v == 0, k .. '=' .. v) end\n"
  "end\n";

static const char loads_all[] =
  "local tide = require 'tide', require 'tide.loop'\n"
  "tide.run(function ()\n"
  "  tide.queue(1):close()\n"
  "  tide.race{ function () end }\n"
  "end)\n";

/*
** One try: did the task end well? *failed: it went wrong in another way. The
** tasks find tide and its modules loaded: that has a task of its own, and
** thousands of tries, which open no device.
*/
static int try (Heap *heap, const char *code, int close_armed, int *failed) {
  const int works = (code != tasks[0].code);
  heap->armed = heap->count = 0;
  lua_State *L = compat_newstate(heap_alloc, heap);
  luaL_openlibs(L);
  if (works)
    *failed |= run(L, loads_all);
  int status = luaL_loadstring(L, code);
  heap->armed = 1;
  status = (status == LUA_OK) ? lua_pcall(L, 0, 0, 0) : status;
  heap->armed = 0;
  const char *message = lua_tostring(L, -1);
  if (status != LUA_OK &&
      (message == NULL ||
       (strstr(message, "not enough memory") == NULL &&
        strstr(message, "not found") == NULL && /* require could not look */
        strstr(message, "error loading") == NULL)))
    *failed = bad("allocations", message != NULL ? message : "no message");
  lua_settop(L, 0);
  if (!close_armed)
    *failed |= (works && run(L, ends_work)) || run(L, no_leaks);
  heap->armed = close_armed;
  lua_close(L);
  return status == LUA_OK;
}

static int sweep (lua_State *monitor, const char *name, const char *code,
                  int all, int close_armed) {
  Heap heap = {.all = all};
  int done = 0, failed = 0;
  while (!done && !failed) {
    heap.n++;
    done = try(&heap, code, close_armed, &failed) && heap.count < heap.n;
    failed |= run(monitor, nothing_lives);
  }
  if (failed)
    fprintf(stderr, "task '%s', allocation %ld%s\n", name, heap.n,
            all ? " and all later ones" : "");
  return failed;
}

static int sweep_all (const char *only) {
  lua_State *monitor = open_state();
  int failed = run(monitor, nothing_lives);
  for (size_t i = 0; i < sizeof tasks / sizeof tasks[0] && !failed; i++) {
    if (only != NULL && strcmp(only, tasks[i].name) != 0)
      continue;
    for (int how = 0; how < 3 && !failed; how++)
      failed = sweep(monitor, tasks[i].name, tasks[i].code, how > 0, how > 1);
  }
  lua_close(monitor);
  return failed;
}

int main (int argc, char **argv) {
  keep_context();
  int failed = sweep_all(argc > 1 ? argv[1] : NULL);
  if (!failed)
    puts("ok");
  return failed;
}
