/*
** imports.c - a host program that hands over the same memory more than once, or
** tide's own memory to it: see interop_spec.lua. Argument: which part, of
** 'parts' at the end.
*/
#include <pthread.h>
#include <unistd.h>

#include "host.h"

static int32_t memory[64];
static int64_t shape[1] = {64};
static int released;

static void release (void *ud) { ++*(int *)ud; }

/* A library's view of what tide has handed out: its deleter gives that back. */
static void end_view (tide_Managed *view) {
  tide_Managed *m = view->manager;
  m->deleter(m);
  free(view);
  released++;
}

static tide_Managed *view_of (tide_Managed *m) {
  tide_Managed *view = malloc(sizeof *view);
  CHECK(view != NULL);
  *view = *m;
  view->manager = m;
  view->deleter = end_view;
  return view;
}

/* Memory of ours goes out and comes back as another's. */
static int home (void) {
  int told = 0;
  lua_State *L = open_tide();
  tide_Tensor t = tensor(memory, 1, shape);
  api->wrap(L, &t, 0, release, &told);
  api->fromdlpack(L, view_of(api->todlpack(L, 1, NULL)), NULL, 0);
  lua(L, 1,
      "local a, b = ...\n"
      "local s = tide.Stream{ non_blocking = true }\n"
      "s:with(function () a:fill(7) end)\n"
      "assert(b[64] == 7)\n"
      "a:close()\n"
      "return b");
  collect(L);
  CHECK(told == 1 && released == 1);
  finish(L);

  /* across the end of the state */
  told = released = 0;
  L = open_tide();
  api->wrap(L, &t, 0, release, &told);
  tide_Managed *view = view_of(api->todlpack(L, 1, NULL));
  finish(L);
  CHECK(told == 0);
  view->deleter(view);
  CHECK(told == 1);
  return 0;
}

/* The next array comes before the last one goes. */
static int pile (void) {
  int told = 0;
  lua_State *L = open_tide();
  tide_Tensor t = tensor(memory, 1, shape);
  for (int i = 0; i < 5000; i++) {
    api->wrap(L, &t, 0, release, &told);
    CHECK(luaL_dostring(L, "return ...") == LUA_OK);
    lua_settop(L, (i == 0) ? 1 : 2);
    if (i > 0) {
      lua_pushvalue(L, 1);
      lua_pushvalue(L, 2);
      lua(L, 3, "local old, new = ... new:add_(1) old:close() return new");
      lua_replace(L, 1);
      lua_settop(L, 1);
    }
    CHECK(told <= i && told + 200 > i - 1000);
  }
  CHECK(run(L, "sync() tide.poll()") == 0 && told == 4999);
  CHECK(memory[63] == 4999);
  return finish(L);
}

static int give_memory (lua_State *L) {
  tide_Tensor t;
  lua_getglobal(L, "lent");
  api->tensor(L, -1, &t);
  t.device.id = (int32_t)lua_tointeger(L, lua_upvalueindex(1));
  t.data = (char *)t.data + lua_tointeger(L, lua_upvalueindex(2));
  api->wrap(L, &t, 0, release, &released);
  lua_setglobal(L, "again");
  return 0;
}

/* tide's own memory, which a host program knows by its address. */
static int own (void) {
  lua_State *L = open_tide();
  CHECK(run(L, "lent = tide.zeros(64, 'int32')") == 0);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, give_memory, 2);
  CHECK(lua_pcall(L, 0, 0, 0) == LUA_OK);
  CHECK(run(L, "local s, t = tide.Stream(), tide.Stream()\n"
               "for i = 1, 100 do\n"
               "  s:with(function () lent:fill(i) end)\n"
               "  t:with(function () assert(again[64] == i) end)\n"
               "end\n"
               "lent:close()\n" /* its block is there as long as 'again' is */
               "again:fill(3)\n"
               "tide.ones(64, 'int32')\n"
               "assert(again[1] == 3)\n") == 0);
  CHECK(released == 0);
  CHECK(run(L, "again:close() sync() tide.poll()") == 0 && released == 1);

  /* a part beyond its end cannot be imported */
  CHECK(run(L, "lent = tide.zeros(64, 'int32')") == 0);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, 384); /* of the 512 that it has */
  lua_pushcclosure(L, give_memory, 2);
  CHECK(lua_pcall(L, 0, 0, 0) != LUA_OK &&
        strstr(lua_tostring(L, -1), "a part of this memory") != NULL);
  CHECK(released == 1);
  return finish(L);
}

/* Memory cannot be imported by another device, because nothing would keep
** order. */
static int devices (void) {
  lua_State *L = open_tide();
  tide_Tensor t = tensor(memory, 1, shape);
  api->wrap(L, &t, 0, release, &released);
  lua_setglobal(L, "lent");
  lua_pushinteger(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, give_memory, 2);
  CHECK(lua_pcall(L, 0, 0, 0) != LUA_OK &&
        strstr(lua_tostring(L, -1), "of another device") != NULL);
  CHECK(run(L, "lent:close() lent = nil") == 0);
  collect(L);
  CHECK(released == 1);
  t.device.id = 1;
  api->wrap(L, &t, 0, release, &released);
  return finish(L) != 0 || released != 2;
}

/* Graphs hold the memory, whichever program handed it over. */
static int graphs (void) {
  lua_State *L = open_tide();
  tide_Tensor t = tensor(memory, 1, shape);
  api->wrap(L, &t, 0, release, &released);
  lua(L, 1,
      "local a = ...\n"
      "g = tide.capture(function () a:add_(1) end)\n"
      "a:close()\n"
      "g:launch() sync() tide.poll()");
  CHECK(released == 0);
  CHECK(run(L, "g:launch() g:close() g = nil") == 0);
  collect(L);
  CHECK(run(L, "sync() tide.poll()") == 0 && released == 1);
  CHECK(memory[0] == 2);
  return finish(L);
}

static void count (void *ud) { __atomic_fetch_sub((int *)ud, 1, 5); }

/* Programs that make nothing of tide's own, and never wait. */
static int streaming (void) {
  int live = 0, most = 0;
  lua_State *L = open_tide();
  for (int i = 0; i < 3000; i++) {
    int64_t n[1] = {1};
    tide_Tensor t = tensor(memory + i % 64, 1, n);
    live++;
    api->wrap(L, &t, 0, count, &live);
    lua(L, 1, "local a = ... a:fill(1) local x = a[1] a:close()");
    lua_settop(L, 0);
    most = (live > most) ? live : most;
  }
  CHECK(most < 2000);

  /* left to the collector: it feels their bytes */
  int64_t many[1] = {1 << 20};
  int32_t *big = calloc(1 << 20, sizeof *big);
  CHECK(big != NULL);
  CHECK(run(L, "sync() tide.poll()") == 0 && live == 0);
  most = 0;
  for (int i = 0; i < 10000; i++) {
    tide_Tensor t = tensor(big, 1, many);
    live++;
    api->wrap(L, &t, 0, count, &live);
    lua_settop(L, 0);
    most = (live > most) ? live : most;
  }
  CHECK(most < 5000);
  finish(L);
  CHECK(live == 0);
  free(big);
  return 0;
}

static void *give_back (void *ud) {
  tide_Managed **m = ud;
  for (int i = 0; i < 100; i++) {
    m[i]->deleter(m[i]);
    if (i % 10 == 0)
      usleep(1);
  }
  return NULL;
}

/* They come back while the state closes. */
static int closing (void) {
  for (int round = 0; round < 20; round++) {
    tide_Managed *out[300];
    pthread_t threads[3];
    int told = 0;
    lua_State *L = open_tide();
    tide_Tensor t = tensor(memory, 1, shape);
    api->wrap(L, &t, 0, release, &told);
    lua(L, 1, "return ...");
    CHECK(run(L, "own = tide.ones(64, 'int32')") == 0);
    lua_getglobal(L, "own");
    for (int i = 0; i < 300; i++)
      out[i] = api->todlpack(L, i % 2 == 0 ? 1 : 2, TIDE_NO_STREAM);
    for (int i = 0; i < 3; i++)
      CHECK(pthread_create(&threads[i], NULL, give_back, out + 100 * i) == 0);
    lua_close(L);
    for (int i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
    CHECK(told == 1);
  }
  return 0;
}

static const Part parts[] = {
  {"home", home},       {"pile", pile},     {"own", own},
  {"devices", devices}, {"graphs", graphs}, {"streaming", streaming},
  {"closing", closing}, {NULL, NULL},
};

int main (int argc, char **argv) {
  return run_part(parts, argc > 1 ? argv[1] : "");
}
