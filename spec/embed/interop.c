/*
** interop.c - a host program with memory, streams, events and work of its own,
** which it shares with scripts by tide.h: see interop_spec.lua. Argument:
** which part, of 'parts' at the end. It runs on the host device.
*/
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "host.h"

static int released;

static void release (void *ud) { ++*(int *)ud; }

/* {== finding tide ==================================================== */

static int find_tide (void) {
  lua_State *L = luaL_newstate();
  CHECK(tide_api(L) == NULL && lua_isstring(L, -1));
  lua_close(L);
  L = open_state();
  CHECK(run(L, "package.path, package.cpath = '', ''") == 0);
  CHECK(tide_api(L) == NULL);
  CHECK(strstr(lua_tostring(L, -1), "module 'tide' not found") != NULL);
  lua_close(L);
  L = open_state();
  api = tide_api(L); /* loads it */
  CHECK(api != NULL && api == tide_checkapi(L) && lua_gettop(L) == 0);
  CHECK(api->version == TIDE_API_VERSION && api->size == sizeof *api);
  CHECK(strcmp(api->release, TIDE_VERSION) == 0);
  tide_Api old = *api;
  old.size -= sizeof(void *);
  lua_pushlightuserdata(L, &old);
  lua_setfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY);
  CHECK(tide_api(L) == NULL);
  CHECK(strstr(lua_tostring(L, -1), "has other functions for C") != NULL);
  lua_close(L);
  return 0;
}

/* ==} */

/* {== what values are ================================================= */

static int check_stream (lua_State *L) {
  lua_pushinteger(L, 3);
  api->check(L, 1, TIDE_STREAM);
  return 0;
}

static int check_closed (lua_State *L) {
  CHECK(run(L, "a = tide.zeros(3) a:close()") == 0);
  lua_getglobal(L, "a");
  api->check(L, 1, TIDE_ARRAY);
  return 0;
}

static int tensor_closed (lua_State *L) {
  tide_Tensor t;
  lua_getglobal(L, "a");
  api->tensor(L, 1, &t);
  return 0;
}

static int tensor_of_table (lua_State *L) {
  tide_Tensor t;
  lua_newtable(L);
  api->tensor(L, 1, &t);
  return 0;
}

/* Upvalues of other functions than tide's. */
static int call_closure (lua_State *L) {
  lua_pushlightuserdata(L, (void *)8);
  lua_pushlightuserdata(L, (void *)16);
  lua_pushcclosure(L, lua_tocfunction(L, 1), 2);
  lua_call(L, 0, 0);
  return 0;
}

static void fails_in_closure (lua_State *L, lua_CFunction f, const char *why) {
  lua_pushcfunction(L, call_closure);
  lua_pushcfunction(L, f);
  CHECK(lua_pcall(L, 1, 0, 0) == LUA_ERRRUN);
  CHECK(strstr(lua_tostring(L, -1), why) != NULL);
  lua_settop(L, 0);
}

static int look_at_values (void) {
  static const char *const made[] = {
    "3",
    "tide.Device('host')",
    "tide.Stream()",
    "tide.Event()",
    "tide.capture(function () tide.zeros(3) end)",
    "tide.zeros(3)",
    "tide.HostArray(3)"};
  lua_State *L = open_tide();
  char code[100];
  tide_Tensor t;
  for (int kind = TIDE_NONE; kind <= TIDE_HOSTARRAY; kind++) {
    snprintf(code, sizeof code, "return %s", made[kind]);
    lua(L, lua_gettop(L) + 1, code);
    CHECK(api->kind(L, -1) == kind);
    CHECK((tide_apiof(L, -1) == api) == (kind != TIDE_NONE));
    if (kind == TIDE_NONE)
      continue;
    api->check(L, -1, kind);
    CHECK(api->device(L, -1).type == TIDE_CPU && api->device(L, -1).id == 0);
    if (kind != TIDE_DEVICE)
      CHECK(api->handle(L, -1) != NULL);
  }
  lua_settop(L, 0);
  lua_newuserdatauv(L, 0, 0);
  CHECK(api->kind(L, 1) == TIDE_NONE && tide_apiof(L, 1) == NULL);
  lua_settop(L, 0);
  lua(L, 1, "return tide.arange(24):reshape(2, 3, 4)[{ 2, {}, {4, 1, -2} }]");
  api->tensor(L, 1, &t);
  CHECK(t.ndim == 2 && t.shape[0] == 3 && t.shape[1] == 2);
  CHECK(t.strides[0] == 4 && t.strides[1] == -2 && t.dtype.bits == 64);
  CHECK(api->wait(L, 1, -1) == 1);
  CHECK(((int64_t *)t.data)[0] == 15 && ((int64_t *)t.data)[-2] == 13);
  CHECK(api->handle(L, 1) == t.data);
  fails(L, check_stream, "tide.Stream expected, got number");
  fails(L, check_closed, "tide.Array is closed");
  fails(L, tensor_closed, "array is closed");
  fails(L, tensor_of_table, "tide.Array or tide.HostArray expected, got table");
  fails_in_closure(L, check_stream, "tide.Stream expected, got number");
  fails_in_closure(L, check_closed, "tide.Array is closed");
  fails_in_closure(L, tensor_of_table, "tide.HostArray expected, got table");
  return finish(L);
}

/* ==} */

/* {== memory of ours ================================================== */

static int32_t memory[64];
static int64_t shape[2] = {4, 8}, strides[2] = {8, 1};
static tide_Tensor bad_tensor;
static unsigned bad_flags;

static int wrap_bad (lua_State *L) {
  api->wrap(L, &bad_tensor, bad_flags, release, &released);
  return 0;
}

static void refuses (lua_State *L, const char *why) {
  fails(L, wrap_bad, why);
  collect(L);
  CHECK(released == 0);
  bad_tensor = tensor(memory, 2, shape);
}

static int refuse_tensors (lua_State *L) {
  int64_t negative[1] = {-1}, far[2] = {(int64_t)1 << 62, 1};
  bad_tensor = tensor(memory, 33, shape);
  refuses(L, "a tensor of 33 axes");
  bad_tensor.ndim = 1;
  bad_tensor.shape = negative;
  refuses(L, "axis 1 of the tensor has a negative length");
  bad_tensor.shape = NULL;
  refuses(L, "a tensor of 2 axes whose shape is NULL");
  bad_tensor.dtype.lanes = 4;
  refuses(L, "an element here has one");
  bad_tensor.dtype.bits = 24;
  refuses(L, "there is no such dtype here");
  bad_tensor.device.type = 10;
  refuses(L, "there is no such device here");
  bad_tensor.device.type = TIDE_CUDA;
  bad_tensor.device.id = 99;
  refuses(L, "device");
  bad_tensor.data = NULL;
  refuses(L, "has elements and no memory");
  bad_tensor.byte_offset = 2;
  refuses(L, "not aligned");
  bad_tensor.strides = far;
  refuses(L, "beyond all memory");
  return 0;
}

static void readonly_fails (lua_State *L, const char *code) {
  char text[200];
  snprintf(text, sizeof text,
           "local ok, e = pcall(function () %s end) "
           "assert(not ok and e:find 'read%%-only', e)",
           code);
  CHECK(run(L, text) == 0);
}

static int wrap_memory (void) {
  lua_State *L = open_tide();
  refuse_tensors(L);
  for (int i = 0; i < 64; i++)
    memory[i] = i;
  tide_Tensor t = tensor(memory, 2, shape);
  api->wrap(L, &t, 0, release, &released);
  CHECK(number(L, 1, "return (...):sum():item()") == 31 * 16);
  CHECK(number(L, 1, "(...):add_(1) sync() return 1"));
  CHECK(memory[0] == 1 && memory[31] == 32 && memory[32] == 32);
  lua(L, 1, "return (...)[{ 2 }]"); /* a view is left */
  collect(L);
  CHECK(released == 1);
  released = 0;
  api->wrap(L, &t, 0, release, &released);
  lua(L, 1, "VIEW = (...)[{ 2 }]");
  collect(L);
  CHECK(released == 0);
  CHECK(run(L, "VIEW:close() tide.poll()") == 0 && released == 1);

  /* the same memory again is the same block: in order on two streams */
  released = 0;
  api->wrap(L, &t, 0, release, &released);
  api->wrap(L, &t, 0, release, &released);
  lua(L, 1,
      "local a, b = ...\n"
      "local s, t = tide.Stream(), tide.Stream()\n"
      "for i = 1, 100 do\n"
      "  s:with(function () a:add_(1) end)\n"
      "  t:with(function () b:mul_(3) b:sub_(3) b:floordiv_(3) end)\n"
      "end\n"
      "a:close()\n"
      "sync() tide.poll()");
  CHECK(memory[0] == 1 && released == 1); /* for 'a' */
  collect(L);
  CHECK(released == 2);

  /* a part of another array's, and more: behind it, and before it */
  released = 0;
  tide_Tensor whole = tensor(memory + 8, 2, shape);
  api->wrap(L, &whole, 0, NULL, NULL);
  lua_setglobal(L, "whole");
  whole.data = memory + 16;
  api->wrap(L, &whole, 0, release, &released);
  lua(L, 1, "MORE = ...");
  CHECK(run(L, "local s, t = tide.Stream(), tide.Stream()\n"
               "for i = 1, 100 do\n"
               "  s:with(function () whole:fill(i) end)\n"
               "  t:with(function () MORE:fill(2 * i) end)\n"
               "end\n"
               "sync()") == 0);
  CHECK(memory[8] == 100 && memory[16] == 200 && memory[47] == 200);
  bad_tensor = tensor(memory, 2, shape);
  refuses(L, "a part of this memory is an array's already");
  bad_tensor.data = memory + 8;
  CHECK(run(L, "whole:close() MORE:close() whole, MORE = nil") == 0);
  collect(L);
  CHECK(released == 1);

  /* strides: backwards, and with elements in common */
  int64_t back[2] = {-8, -1}, rows[2] = {1, 1};
  released = 0;
  for (int i = 0; i < 64; i++)
    memory[i] = i;
  t = tensor(memory, 2, shape);
  t.strides = back;
  t.byte_offset = 31 * sizeof *memory;
  api->wrap(L, &t, 0, release, &released);
  CHECK(number(L, 1, "return (...)[{ 1, 1 }]") == 31);
  CHECK(number(L, 1, "return (...)[{ 4, 8 }]") == 0);
  CHECK(number(L, 1, "(...):add_(100) sync() return 1"));
  CHECK(memory[0] == 100 && memory[31] == 131 && memory[32] == 32);
  collect(L);
  t = tensor(memory, 2, shape);
  t.strides = rows;
  api->wrap(L, &t, 0, release, &released);
  CHECK(number(L, 1, "return (...)[{ 4, 8 }]") == 110);
  CHECK(number(L, 1,
               "return pcall(function (a) a:fill(0) end, ...) and 1 or 2") ==
        2);
  collect(L);
  CHECK(released == 2);

  /* read-only; a HostArray; nothing at all */
  released = 0;
  t.strides = strides;
  api->wrap(L, &t, TIDE_READ_ONLY, release, &released);
  lua_setglobal(L, "a");
  readonly_fails(L, "a:fill(1)");
  readonly_fails(L, "a:add_(1)");
  readonly_fails(L, "a[1] = 3");
  readonly_fails(L, "a:reshape(8, 4)[1]:copy_from(tide.zeros(4, 'int32'))");
  readonly_fails(L, "tide.add(a, 1, { out = a })");
  CHECK(run(L, "assert(a:copy():fill(1):sum():item() == 32)") == 0);
  bad_tensor = t;
  bad_flags = TIDE_AS_HOSTARRAY;
  fails(L, wrap_bad, "is an array's already, of another type");
  bad_flags = 0;
  CHECK(run(L, "a = nil") == 0);
  collect(L);
  api->wrap(L, &t, TIDE_AS_HOSTARRAY | TIDE_READ_ONLY, release, &released);
  CHECK(api->kind(L, -1) == TIDE_HOSTARRAY);
  lua_setglobal(L, "a");
  readonly_fails(L, "a:fill(1)");
  readonly_fails(L, "a:set(('x'):rep(a.nbytes))");
  readonly_fails(L, "a[{ 1, 1 }] = 3");
  readonly_fails(L, "a:copy_from(tide.zeros({ 4, 8 }, 'int32'))");
  CHECK(run(L, "a = nil") == 0);
  collect(L);
  CHECK(released == 2);
  api->wrap(L, &t, TIDE_AS_HOSTARRAY, release, &released);
  CHECK(number(L, 1,
               "local h = ... h:fill(7) h:copy_from(h:to 'host' + 1)"
               " return h[{ 4, 8 }]") == 8);
  CHECK(memory[0] == 8 && memory[32] == 32);
  collect(L);
  int64_t none[1] = {0};
  t = tensor(NULL, 1, none);
  api->wrap(L, &t, 0, release, &released);
  CHECK(number(L, -1, "return (...).size") == 0);
  collect(L);
  CHECK(released == 4);

  /* a graph keeps it */
  released = 0;
  t = tensor(memory, 2, shape);
  api->wrap(L, &t, 0, release, &released);
  lua(L, 1, "local a = ... GRAPH = tide.capture(function () a:add_(1) end)");
  collect(L);
  CHECK(released == 0);
  CHECK(run(L, "GRAPH:launch() sync()") == 0);
  CHECK(memory[0] == 9);
  CHECK(run(L, "GRAPH:launch() GRAPH:close() GRAPH = nil") == 0);
  CHECK(run(L, "sync()") == 0);
  collect(L);
  CHECK(released == 1 && memory[0] == 10);

  /* the state goes first */
  released = 0;
  api->wrap(L, &t, 0, release, &released);
  lua_setglobal(L, "KEPT");
  CHECK(run(L, "for _ = 1, 50 do KEPT:add_(1) end") == 0);
  lua_close(L);
  CHECK(released == 1 && memory[0] == 60);
  return 0;
}

static int make_arrays (void) {
  lua_State *L = open_tide();
  tide_Tensor t = tensor(NULL, 2, shape), made;
  api->create(L, &t, 0);
  api->create(L, &t, TIDE_AS_HOSTARRAY);
  CHECK(api->kind(L, 1) == TIDE_ARRAY && api->kind(L, 2) == TIDE_HOSTARRAY);
  api->tensor(L, 1, &made);
  CHECK(made.ndim == 2 && made.shape[1] == 8 && made.dtype.bits == 32);
  CHECK(made.data != NULL);
  return finish(L);
}

/* ==} */

/* {== streams and events of ours ====================================== */

static int release_default (lua_State *L) {
  api->pushstream(L, (tide_Device){TIDE_CPU, 0}, NULL, release, &released);
  CHECK(number(L, -1, "return (...) == tide.Stream.null and 1 or 0") == 1);
  return released;
}

static int push_nonsense (lua_State *L) {
  api->pushstream(L, (tide_Device){TIDE_CPU, 7}, NULL, NULL, NULL);
  return 0;
}

static int share_streams (void) {
  lua_State *L = open_tide(), *M = open_tide();
  const tide_Device host = {TIDE_CPU, 0};
  lua(M, 1, "S = tide.Stream{ non_blocking = true } return S");
  void *stream = api->handle(M, 1);
  lua(M, 1, "E = S:record() return E");
  void *event = api->handle(M, 1);
  api->pushstream(L, host, stream, release, &released);
  CHECK(api->handle(L, 1) == stream);
  lua(L, 1,
      "local s = ... s:use() A = tide.ones(100000) A:add_(1)\n"
      "COPY = s:scope() return s");
  CHECK(api->current(L, host) == stream);
  api->pushcurrent(L, host);
  CHECK(api->handle(L, -1) == stream);
  lua_settop(L, 0);
  CHECK(run(L, "COPY:close() tide.Stream.null:use()") == 0);
  collect(L);
  CHECK(run(L, "sync() tide.poll() tide.poll()") == 0);
  CHECK(released == 1);
  CHECK(release_default(L) == 2);
  lua_settop(L, 0);
  fails(L, push_nonsense, "there is no such device here");
  released = 0;
  api->pushevent(L, host, event, release, &released);
  lua(L, 1,
      "local e = ... assert(e.done) e:synchronize()\n"
      "assert(tostring(e):find 'done', tostring(e))\n"
      "local s = tide.Stream() s:wait_event(e) s:record(e) e:synchronize()\n"
      "s:wait_event(e)");
  collect(L);
  CHECK(released == 1);
  CHECK(run(M, "assert(E.done) S:wait_event(E) S:synchronize()") == 0);
  finish(L);
  return finish(M);
}

/* Each driver call fails in turn that keeps a wait for a host's event. */
static const char fail_in_turn[] =
  "local e, n, struck = ..., 0\n"
  "repeat\n"
  "  n = n + 1\n"
  "  S:launch_host_func(function () N = N + 1 end)\n"
  "  tide.T.failcall(n)\n"
  "  local ok, err = pcall(S.wait_event, S, e)\n"
  "  struck = tide.T.failed()\n"
  "  tide.T.failcall(0)\n"
  "  assert(ok == not struck, err)\n"
  "  A:add_(1)\n"
  "  S:with(function () A:add_(1) end)\n"
  "  S:synchronize()\n"
  "until not struck\n"
  "assert(n > 1 and A:sum():item() == 9 + 6 * n)\n"
  "e:close()\n";

/* An event and a stream of others, behind a host function: tide waits for what
** they have done by the time of the call, and runs no function for it. */
static int wait_behind_function (void) {
  lua_State *L = open_tide(), *M = open_tide();
  const tide_Device host = {TIDE_CPU, 0};
  lua(M, 1, "S = tide.Stream{ non_blocking = true } return S");
  void *stream = api->handle(M, 1);
  lua(M, 1, "K1 = tide.T.hold(S) E = S:record() return E");
  released = 0;
  api->pushevent(L, host, api->handle(M, 1), release, &released);
  lua(L, 1,
      "local e = ... A, N = tide.zeros(3), 0\n"
      "S, T = tide.Stream{ non_blocking = true }, tide.Stream()\n"
      "tide.get_device():synchronize()\n"
      "S:launch_host_func(function () N = N + 1 end)\n"
      "S:wait_event(e) S:with(function () A:add_(1) end)\n"
      "assert(N == 0) e:close()");
  collect(L); /* clears the stack */
  CHECK(released == 1);
  api->pushstream(L, host, stream, release, &released);
  lua(L, 1,
      "local s = ... T:launch_host_func(function () N = N + 10 end)\n"
      "T:wait_stream(s) T:with(function () A:add_(2) end)\n"
      "assert(N < 10) return A");
  CHECK(run(M, "K2 = tide.T.hold(S) S:record(E)") == 0);
  CHECK(number(L, 1, "tide.poll() return N") == 11);
  CHECK(api->wait(L, 1, 0.02) == 0);
  CHECK(run(M, "tide.T.release(K1)") == 0);
  CHECK(api->wait(L, 1, 10) == 1);
  CHECK(number(L, 1, "return A:sum():item()") == 9);
  CHECK(run(M, "tide.T.release(K2) S:synchronize()") == 0);
  lua_settop(L, 0);
  lua(M, 1, "return E");
  api->pushevent(L, host, api->handle(M, 1), release, &released);
  lua(L, 1, fail_in_turn);
  collect(L);
  CHECK(run(L, "tide.get_device():synchronize() tide.poll()") == 0);
  CHECK(released == 3);
  finish(L);
  return finish(M);
}

/* ==} */

/* {== work of ours ==================================================== */

typedef struct Job {
  int32_t *at;
  int n, times, by;
} Job;

static void do_job (void *ud) {
  const Job *j = ud;
  for (int i = 0; i < j->n; i++)
    j->at[i] = j->at[i] * j->times + j->by;
}

static int queue_job (void *stream, void *ud) {
  return api->onstream((tide_Device){TIDE_CPU, 0}, stream, do_job, ud);
}

static int queue_error (void *stream, void *ud) {
  (void)stream, (void)ud;
  return 2; /* CUDA_ERROR_OUT_OF_MEMORY */
}

static int submit_error (lua_State *L) {
  const tide_Access a = {1, 1};
  lua_getglobal(L, "a");
  api->submit(L, 0, &a, 1, queue_error, NULL);
  return 0;
}

static int submit_table (lua_State *L) {
  const tide_Access a = {1, 1};
  lua_newtable(L);
  api->submit(L, 0, &a, 1, queue_error, NULL);
  return 0;
}

static int queue_work (void) {
  lua_State *L = open_tide();
  tide_Tensor t = tensor(memory, 2, shape);
  Job twice = {memory, 32, 2, 1};
  const tide_Access writes = {1, 1}, ends[2] = {{1, 1}, {-1, 0}};
  memset(memory, 0, sizeof memory);
  api->wrap(L, &t, 0, NULL, NULL);
  lua(L, lua_gettop(L) + 1, "s, t = tide.Stream(), tide.Stream() return s");
  lua_pushvalue(L, 1);
  lua_setglobal(L, "a");
  for (int i = 0; i < 8; i++) {
    api->submit(L, i % 2 == 0 ? 2 : 0, &writes, 1, queue_job, &twice);
    CHECK(run(L, "t:with(function () a:add_(1) end)") == 0);
  }
  CHECK(api->wait(L, 1, -1) == 1 && memory[0] == 510 && memory[31] == 510);

  /* the pair; an array twice, and others */
  lua(L, lua_gettop(L) + 1, "return a[{ 1 }]");
  CHECK(api->before(L, 2, ends, 2) == api->handle(L, 2));
  CHECK(api->onstream((tide_Device){TIDE_CPU, 0}, api->handle(L, 2), do_job,
                      &twice) == 0);
  api->after(L, 2, ends, 2);
  CHECK(number(L, 1, "return (...):sum():item()") == 32 * 1021);

  /* in a graph */
  lua_settop(L, 2);
  lua(L, 3,
      "g = tide.Stream{ non_blocking = true } g:begin_capture()\n"
      "return g");
  api->submit(L, 3, &writes, 1, queue_job, &twice);
  CHECK(run(L, "g:with(function () a:add_(1) end) G = g:end_capture()\n"
               "a:fill(0)\n"
               "for i = 1, 3 do G:launch(i % 2 == 0 and s or t) end") == 0);
  CHECK(number(L, 1, "return (...)[{ 4, 8 }]") == 14);
  CHECK(run(L, "G:close() g:close()") == 0);

  fails(L, submit_error, "tide_Api.submit: CUDA_ERROR_OUT_OF_MEMORY (2)");
  fails(L, submit_table, "tide.Array or tide.HostArray expected, got table");
  CHECK(number(L, 1, "return (...)[{ 4, 8 }]") == 14);
  api->submit(L, 0, NULL, 0, queue_job, &twice);
  CHECK(run(L, "sync()") == 0 && memory[0] == 29);
  return finish(L);
}

/* ==} */

/* {== waiting ========================================================= */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void pass_lock (void *ud) {
  (void)ud;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

static int queue_lock (void *stream, void *ud) {
  return api->onstream((tide_Device){TIDE_CPU, 0}, stream, pass_lock, ud);
}

static int wait_for_number (lua_State *L) {
  lua_pushinteger(L, 1);
  api->wait(L, 1, 0);
  return 0;
}

static int wait_for_work (void) {
  lua_State *L = open_tide();
  const tide_Access writes = {2, 1};
  lua(L, 1, "s = tide.Stream{ non_blocking = true } return s");
  lua(L, 2, "a = tide.zeros(3) return a");
  lua(L, 3, "e = tide.Event() return e");
  lua(L, 4, "return tide.Device('host')");
  lua(L, 5, "return tide.HostArray(3)");
  for (int i = 1; i <= 5; i++)
    CHECK(i == 3 || api->wait(L, i, -1) == 1);
  pthread_mutex_lock(&lock);
  api->submit(L, 1, &writes, 1, queue_lock, NULL);
  CHECK(run(L, "s:record(e)") == 0);
  for (int i = 1; i <= 4; i++)
    CHECK(api->wait(L, i, 0) == 0 && api->wait(L, i, 0.002) == 0);
  CHECK(api->wait(L, 5, 0) == 1);
  pthread_mutex_unlock(&lock);
  for (int i = 1; i <= 4; i++)
    CHECK(api->wait(L, i, i == 1 ? -1 : 10) == 1);
  fails(L, wait_for_number, "expected, got number");

  struct pollfd p = {.fd = api->pollfd(L), .events = POLLIN};
  CHECK(p.fd >= 0 && p.fd == api->pollfd(L) && poll(&p, 1, 0) == 0);
  CHECK(run(L, "n = 0 for _ = 1, 3 do\n"
               "s:launch_host_func(function () n = n + 1 end) end") == 0);
  while (number(L, 1, "return n") < 3) {
    CHECK(poll(&p, 1, 10000) == 1);
    api->poll(L);
  }
  CHECK(poll(&p, 1, 0) == 0 && api->poll(L) == 0);
  CHECK(run(L, "s:launch_host_func(error, 'oops')") == 0);
  CHECK(poll(&p, 1, 10000) == 1);
  CHECK(run(L, "local ok, e = pcall(tide.poll)\n"
               "assert(not ok and e:find 'oops')") == 0);
  return finish(L);
}

/* ==} */

/* {== DLPack ========================================================== */

static int deleted;

static void delete_own (tide_Managed *m) {
  deleted++;
  m->deleter = NULL;
}

static void *delete_elsewhere (void *ud) {
  tide_Managed *m = ud;
  m->deleter(m);
  return NULL;
}

static void in_thread (tide_Managed *m) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, delete_elsewhere, m) == 0);
  pthread_join(thread, NULL);
}

static tide_Managed own;

static int take_own (lua_State *L) {
  api->fromdlpack(L, &own, NULL, 0);
  return 1;
}

static int exchange_tensors (void) {
  lua_State *L = open_tide();
  own.tensor = tensor(memory, 2, shape);
  own.version.major = 2;
  own.deleter = delete_own;
  fails(L, take_own, "the tensor is of DLPack 2.0");
  CHECK(deleted == 0);
  own.version.major = 1;
  own.flags = TIDE_READ_ONLY;
  memory[0] = 5;
  api->fromdlpack(L, &own, NULL, 0);
  CHECK(number(L, 1, "return (...)[{ 1, 1 }]") == 5);
  CHECK(number(L, 1,
               "return pcall(function (a) a:fill(0) end, ...) and 1 or 2") ==
        2);
  collect(L);
  CHECK(deleted == 1);

  /* out and back from another thread; home; and after the state's end */
  lua(L, 1, "return tide.arange(12):reshape(3, 4).T");
  tide_Managed *m = api->todlpack(L, 1, NULL);
  CHECK(m->tensor.ndim == 2 && m->tensor.shape[0] == 4 && m->flags == 0);
  CHECK(m->tensor.strides[0] == 1 && m->tensor.dtype.bits == 64);
  CHECK(((int64_t *)m->tensor.data)[11] == 11);
  collect(L);
  CHECK(((int64_t *)m->tensor.data)[11] == 11);
  in_thread(m);
  lua(L, 1, "return tide.zeros(1000)");
  m = api->todlpack(L, 1, NULL);
  api->fromdlpack(L, m, NULL, 0);
  CHECK(number(L, 2, "(...):fill(3) return 1") == 1);
  CHECK(number(L, 1, "return (...)[1000]") == 3);
  lua_settop(L, 0);
  lua(L, 1, "return tide.zeros(3):broadcast_to{ 2, 3 }");
  m = api->todlpack(L, 1, TIDE_NO_STREAM);
  CHECK(m->flags == TIDE_READ_ONLY);
  m->deleter(m);
  collect(L);
  CHECK(number(L, 1, "return tide.memory_stats().live") == 0);
  tide_Managed *kept[4];
  lua(L, 1, "return tide.full(5000, 7.0)");
  lua(L, 2, "return tide.HostArray(5000):fill(8)");
  for (int i = 0; i < 4; i++)
    kept[i] = api->todlpack(L, 1 + i % 2, NULL);
  own.deleter = delete_own;
  deleted = 0;
  api->fromdlpack(L, &own, NULL, 0);
  tide_Managed *again = api->todlpack(L, -1, NULL);
  lua_close(L);
  CHECK(deleted == 0);
  again->deleter(again);
  CHECK(deleted == 1);
  for (int i = 0; i < 4; i++) {
    CHECK(((double *)kept[i]->tensor.data)[4999] == 7 + i % 2);
    in_thread(kept[i]);
  }
  return 0;
}

/* ==} */

/* {== a device that is not current ==================================== */

static int return_none (void *stream, void *ud) {
  (void)stream, (void)ud;
  return 0;
}

/* host:0 becomes current, whatever stands on the streams of host:1. */
static void leave_device (lua_State *L) {
  CHECK(run(L, "if stands then S:launch_host_func(function () end) end\n"
               "X:add_(1)") == 0);
}

/* S, A and E, which are at 1 to 3, are of host:1. */
static void use_other (lua_State *L) {
  const tide_Device other = {TIDE_CPU, 1};
  const tide_Access writes = {2, 1};
  int64_t n[1] = {10};
  tide_Tensor t = tensor(memory, 1, n);
  void *stream = api->handle(L, 1);
  CHECK(stream != NULL);
  leave_device(L);
  CHECK(api->handle(L, 2) != NULL && api->handle(L, 3) != NULL);
  CHECK(api->device(L, 2).id == 1);
  leave_device(L);
  api->submit(L, 1, &writes, 1, return_none, NULL);
  leave_device(L);
  CHECK(api->before(L, 1, &writes, 1) == stream);
  leave_device(L);
  api->after(L, 1, &writes, 1);
  for (int i = 1; i <= 3; i++) {
    leave_device(L);
    CHECK(api->wait(L, i, -1) == 1);
  }
  leave_device(L);
  api->pushdevice(L, other);
  CHECK(api->wait(L, -1, -1) == 1);
  leave_device(L);
  api->pushcurrent(L, other);
  CHECK(api->current(L, other) != NULL);
  api->pushstream(L, other, stream, NULL, NULL);
  api->pushevent(L, other, api->handle(L, 3), NULL, NULL);
  leave_device(L);
  lua(L, lua_gettop(L),
      "local e = ... S:wait_event(e) S:record(E)\n"
      "tide.Stream.null:wait_event(E) return 0");
  t.device = other;
  leave_device(L);
  api->create(L, &t, 0);
  leave_device(L);
  api->wrap(L, &t, 0, NULL, NULL);
  leave_device(L);
  api->fromdlpack(L, api->todlpack(L, 2, stream), stream, 0);
  lua(L, lua_gettop(L),
      "local b = ... S:with(function () b:add_(1) end)\n"
      "X:add_(1) assert(A[1] >= 1 and X[1] > 1) b:close() return 0");
}

/* TIDE_HOST_DEVICES=2 */
static int use_devices (void) {
  lua_State *L = open_tide();
  for (int i = 0; i < 2; i++) {
    lua(L, 1,
        "X, S, A, E = tide.zeros(10), tide.with_device('host:1',\n"
        "function ()\n"
        "  return tide.Stream{ non_blocking = true }, tide.zeros(10),\n"
        "         tide.Event():record()\n"
        "end)\n"
        "S:with(function () A:add_(1) end) return S");
    lua(L, 2, "return A");
    lua(L, 3, "return E");
    use_other(L);
    lua_settop(L, 0);
    CHECK(run(L, "sync() S:synchronize() A:close() stands = true") == 0);
  }
  return finish(L);
}

/* ==} */

static int leave_collector (void) {
  lua_State *L = open_state();
  const tide_Limits limits = {.leave_gc = 1};
  tide_setlimits(L, &limits);
  CHECK(run(L, "tide = require 'tide'\n"
               "for _ = 1, 20000 do tide.zeros(10000) end\n"
               "assert(tide.memory_stats().collections == 0)\n") == 0);
  CHECK(lua_gc(L, LUA_GCINC, 0, 0, 0) == LUA_GCINC);
  return finish(L);
}

static const Part parts[] = {
  {"find", find_tide},
  {"values", look_at_values},
  {"wrap", wrap_memory},
  {"create", make_arrays},
  {"streams", share_streams},
  {"behind", wait_behind_function},
  {"work", queue_work},
  {"wait", wait_for_work},
  {"dlpack", exchange_tensors},
  {"devices", use_devices},
  {"collector", leave_collector},
  {NULL, NULL},
};

int main (int argc, char **argv) {
  return run_part(parts, argc == 2 ? argv[1] : "");
}
