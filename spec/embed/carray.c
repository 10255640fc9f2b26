/*
** carray.c - another C module of Lua, which knows arrays by the functions of
** carray.h alone: see carray_spec.lua. Argument: which part, of 'parts' at
** the end. It has arrays of its own, of a type that Lua calls "box".
*/
#include <pthread.h>
#include <stdint.h>

#include "embed.h"
#include "heap.h"
#include "interop/carray.h"

#define CHECK(x) \
  do { \
    if (!(x)) { \
      fprintf(stderr, "carray.c:%d: %s\n", __LINE__, #x); \
      exit(1); \
    } \
  } while (0)

/* {== boxes =========================================================== */

struct Carray {
  int refs; /* atomic */
  CarrayInfo info;
  char data[64];
};

static int freed; /* atomic */

static void box_retain (const Carray *x) {
  __atomic_fetch_add((int *)&x->refs, 1, __ATOMIC_SEQ_CST);
}

static void box_release (const Carray *x) {
  if (__atomic_sub_fetch((int *)&x->refs, 1, __ATOMIC_SEQ_CST) == 0) {
    free((Carray *)x);
    __atomic_fetch_add(&freed, 1, __ATOMIC_SEQ_CST);
  }
}

static Carray *box_at (lua_State *L, int arg, CarrayInfo *info) {
  Carray **p = luaL_testudata(L, arg, "box");
  if (p != NULL && info != NULL)
    *info = (*p)->info;
  return (p != NULL) ? *p : NULL;
}

static const Carray *box_toreadable (lua_State *L, int arg, CarrayInfo *info) {
  return box_at(L, arg, info);
}

static Carray *box_towritable (lua_State *L, int arg, CarrayInfo *info) {
  Carray *x = box_at(L, arg, info);
  return (x != NULL && x->info.attr == CARRAY_READONLY) ? NULL : x;
}

static void *box_writable (Carray *x, size_t offset, size_t count) {
  (void)count;
  return x->data + offset * x->info.size;
}

static const void *box_readable (const Carray *x, size_t offset, size_t count) {
  return box_writable((Carray *)x, offset, count);
}

static const CarrayApi newer = {.major = 2};

static const CarrayApi boxes = {
  .major = CARRAY_MAJOR,
  .minor = 3,
  .toreadable = box_toreadable,
  .towritable = box_towritable,
  .retain = box_retain,
  .release = box_release,
  .writable = box_writable,
  .readable = box_readable,
};

static CarrayApi first; /* of a version that tide does not know */

static int box_gc (lua_State *L) {
  box_release(*(Carray **)lua_touserdata(L, 1));
  return 0;
}

/* box(type, bytes of an element, count, read only) */
static int box (lua_State *L) {
  CarrayInfo info = {(CarrayType)luaL_checkinteger(L, 1),
                     lua_toboolean(L, 4) ? CARRAY_READONLY : CARRAY_DEFAULT,
                     (size_t)luaL_checkinteger(L, 2),
                     (size_t)luaL_checkinteger(L, 3),
                     (size_t)luaL_checkinteger(L, 3)};
  Carray **p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = calloc(1, sizeof **p);
  CHECK(*p != NULL && info.size * info.count <= sizeof(*p)->data);
  (*p)->refs = 1;
  (*p)->info = info;
  for (size_t i = 0; i < sizeof(*p)->data; i++)
    (*p)->data[i] = (char)(i % info.size == 0 ? i / info.size + 1 : 0);
  if (luaL_newmetatable(L, "box")) {
    const void *api = &first;
    char *field = lua_newuserdatauv(L, sizeof api + sizeof CARRAY_KEY, 0);
    memcpy(field, &api, sizeof api);
    memcpy(field + sizeof api, CARRAY_KEY, sizeof CARRAY_KEY);
    lua_setfield(L, -2, CARRAY_KEY);
    lua_pushcfunction(L, box_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return 1;
}

/* ==} */

static const char settle[] =
  "for _ = 1, 3 do collectgarbage() tide.poll() tide.zeros(1) end\n";

static lua_State *set_up (lua_State *L) {
  first = newer;
  first.next = &boxes;
  lua_register(L, "box", box);
  CHECK(run(L, "tide = require 'tide'\n"
               "function fails (why, f, ...)\n"
               "  local ok, err = pcall(f, ...)\n"
               "  assert(not ok and err:find(why, 1, true), err)\n"
               "end\n") == 0);
  return L;
}

static lua_State *open_tide (void) { return set_up(open_state()); }

static int finish (lua_State *L) {
  lua_settop(L, 0);
  CHECK(run(L, settle) == 0);
  lua_close(L);
  return 0;
}

/* Finds the API of the value that the code returns; the value stays. */
static const CarrayApi *find (lua_State *L, const char *code) {
  CHECK(luaL_dostring(L, code) == LUA_OK);
  CHECK(luaL_getmetafield(L, -1, CARRAY_KEY) == LUA_TUSERDATA);
  const char *field = lua_touserdata(L, -1);
  const CarrayApi *api;
  CHECK(lua_rawlen(L, -1) >= sizeof api + sizeof CARRAY_KEY);
  CHECK(strcmp(field + sizeof api, CARRAY_KEY) == 0);
  memcpy(&api, field, sizeof api);
  CHECK(api->major == CARRAY_MAJOR && api->minor >= CARRAY_MINOR);
  lua_pop(L, 1);
  return api;
}

/* {== from tide ======================================================= */

static int elements (void) {
  lua_State *L = open_tide();
  CarrayInfo info;
  const CarrayApi *api = find(L, "h = tide.HostArray({ 2, 3 }, 'float32')\n"
                                 "h:copy_from(tide.arange(1, 7, 'float32')"
                                 ":reshape(2, 3))\n"
                                 "return h");
  Carray *x = api->towritable(L, -1, &info); /* waits for the copy */
  CHECK(x != NULL && info.type == CARRAY_FLOAT && info.size == 4);
  CHECK(info.attr == CARRAY_DEFAULT && info.count == 6 && info.capacity == 6);
  float *f = api->writable(x, 0, 6);
  CHECK(f != NULL && f[0] == 1 && f[5] == 6);
  f[5] = 60;
  CHECK(run(L, "assert(h[{ 2, 3 }] == 60)") == 0);
  CHECK(api->toreadable(L, -1, NULL) == x);
  CHECK(api->readable(x, 5, 1) == f + 5);
  CHECK(api->readable(x, 6, 1) == NULL && api->readable(x, 0, 7) == NULL);
  CHECK(api->readable(x, 0, 0) == NULL && api->readable(x, 1, 6) == NULL);
  CHECK(api->readable(x, (size_t)-1, 2) == NULL);
  CHECK(api->resize(x, 7, 0) == NULL && api->resize(x, 6, 0) == f);
  CHECK(api->insert(x, 0, 1, 0) == NULL);
  api->remove(x, 0, 1, 0);
  CHECK(f[0] == 1);
  CHECK(api->towritable(L, LUA_REGISTRYINDEX, NULL) == NULL);
  return finish(L);
}

/* Types that it has not, and views that are no run. */
static int refused (void) {
  lua_State *L = open_tide();
  static const struct {
    const char *code;
    int type;
  } cases[] = {
    {"'bool'", 0},
    {"'float16'", 0},
    {"'complex64'", 0},
    {"'int8'", CARRAY_SCHAR},
    {"'uint8'", CARRAY_UCHAR},
    {"'int16'", CARRAY_SHORT},
    {"'uint16'", CARRAY_USHORT},
    {"'int32'", CARRAY_INT},
    {"'uint32'", CARRAY_UINT},
    {"'int64'", CARRAY_LONG},
    {"'uint64'", CARRAY_ULONG},
    {"'float64'", CARRAY_DOUBLE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char code[64];
    CarrayInfo info = {0};
    snprintf(code, sizeof code, "return tide.HostArray(3, %s)", cases[i].code);
    const CarrayApi *api = find(L, code);
    CHECK((api->toreadable(L, -1, &info) != NULL) == (cases[i].type != 0));
    CHECK((int)info.type == cases[i].type);
  }
  const CarrayApi *api = find(L, "return tide.HostArray{ 2, 3 }.T");
  CHECK(api->toreadable(L, -1, NULL) == NULL);
  CHECK(luaL_dostring(L, "return tide.zeros(3)") == LUA_OK);
  CHECK(luaL_getmetafield(L, -1, CARRAY_KEY) == LUA_TNIL);
  CHECK(api->toreadable(L, -1, NULL) == NULL);
  find(L, "h = tide.HostArray(3) h:close() return h");
  CHECK(api->toreadable(L, -1, NULL) == NULL);
  find(L, "return tide.HostArray(0)");
  CarrayInfo info;
  const Carray *x = api->toreadable(L, -1, &info);
  CHECK(x != NULL && info.count == 0 && api->readable(x, 0, 0) == NULL);
  return finish(L);
}

typedef struct Held {
  const CarrayApi *api;
  const Carray *x;
  double sum;
} Held;

static void *give_back (void *ud) {
  Held *held = ud;
  const double *d = held->api->readable(held->x, 0, 1000);
  for (int i = 0; i < 1000; i++)
    held->sum += d[i];
  held->api->release(held->x);
  return NULL;
}

/* One that is kept stays, whatever becomes of the HostArray and its state. */
static int kept (void) {
  lua_State *L = open_tide();
  pthread_t threads[4];
  Held held[4];
  const CarrayApi *api = find(L, "h = tide.HostArray(1000) h:fill(2)\n"
                                 "return h");
  for (int i = 0; i < 4; i++) {
    held[i] = (Held){api, api->toreadable(L, -1, NULL), 0};
    api->retain(held[i].x);
  }
  lua_settop(L, 0);
  CHECK(run(L, "h:close() h = nil") == 0 && run(L, settle) == 0);
  for (int i = 0; i < 4; i++) {
    CHECK(pthread_create(&threads[i], NULL, give_back, &held[i]) == 0);
    if (i == 1) {
      CHECK(run(L, "assert(tide.memory_stats('pinned').live > 0)") == 0);
      lua_close(L);
    }
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    CHECK(held[i].sum == 2000);
  }
  return 0;
}

static int told;
static size_t told_count;

static void tell (void *data, size_t count) {
  told += (data != NULL);
  told_count = count;
}

/* Others make HostArrays without knowing. */
static int made (void) {
  static long theirs[5] = {1, 2, 3, 4, 5};
  lua_State *L = open_tide();
  void *p = NULL;
  const CarrayApi *api = find(L, "return tide.HostArray(1)");
  Carray *x = api->create(L, CARRAY_SHORT, CARRAY_READONLY, 3, &p);
  CHECK(x != NULL && p != NULL && api->writable(x, 0, 1) == NULL);
  memcpy(p, (short[3]){4, 5, 6}, 6);
  lua_setglobal(L, "a");
  CHECK(api->create(L, CARRAY_LLONG, CARRAY_DEFAULT, 7, NULL) != NULL);
  lua_setglobal(L, "b");
  x = api->wrap(L, CARRAY_LONG, CARRAY_DEFAULT, theirs, 5, tell);
  CHECK(x != NULL && api->writable(x, 0, 5) == theirs);
  lua_setglobal(L, "c");
  CHECK(api->create(L, (CarrayType)99, CARRAY_DEFAULT, 1, NULL) == NULL);
  CHECK(api->create(L, CARRAY_INT, CARRAY_DEFAULT, (size_t)-1, NULL) == NULL);
  CHECK(api->wrap(L, CARRAY_INT, CARRAY_DEFAULT, NULL, 1, tell) == NULL);
  lua_settop(L, 0);
  CHECK(run(L, "assert(a.dtype == 'int16' and a[3] == 6)\n"
               "fails('read-only', function () a[1] = 1 end)\n"
               "assert(b.dtype == 'int64' and b.size == 7 and b[7] == 0)\n"
               "c:copy_from(tide.arange(10, 15))\n"
               "assert(c[5] == 14)\n"
               "a, b, c = nil\n") == 0);
  CHECK(theirs[0] == 10 && told == 0);
  CHECK(run(L, settle) == 0 && told == 1 && told_count == 5);
  return finish(L);
}

static int ask (lua_State *L) {
  const CarrayApi *api = lua_touserdata(L, 2);
  lua_pushboolean(L, api->toreadable(L, 1, NULL) != NULL);
  return 1;
}

/* Reading waits, and a host function that the wait runs may close the array. */
static int rules (void) {
  lua_State *L = open_tide();
  const CarrayApi *api = find(L, "h = tide.HostArray(8) return h");
  CHECK(run(L, "s = tide.Stream{ non_blocking = true }\n"
               "s:launch_host_func(function () ran = true end)\n"
               "s:with(function () h:copy_from(tide.ones(8)) end)\n") == 0);
  const Carray *x = api->toreadable(L, -1, NULL); /* serves it */
  CHECK(*(const double *)api->readable(x, 7, 1) == 1);
  CHECK(run(L, "assert(ran)") == 0);
  CHECK(run(L, "s:launch_host_func(function () h:close() end)\n"
               "s:with(function () h:copy_from(tide.ones(8)) end)\n") == 0);
  lua_pushcfunction(L, ask);
  lua_getglobal(L, "h");
  lua_pushlightuserdata(L, (void *)api);
  CHECK(lua_pcall(L, 2, 1, 0) != LUA_OK);
  CHECK(strstr(lua_tostring(L, -1), "closed") != NULL);
  return finish(L);
}

/* ==} */

/* {== into tide ======================================================= */

static int taken (void) {
  lua_State *L = open_tide();
  CHECK(run(L, "local b = box(5, 4, 6)\n"
               "local h = tide.from_carray(b)\n"
               "assert(h.dtype == 'int32' and h.size == 6 and h[6] == 6)\n"
               "local a = h:to(tide.get_device()) * 2\n"
               "h:copy_from(a)\n"
               "assert(tide.from_carray(b)[6] == 12)\n" /* the same memory */
               "local r = tide.from_carray(box(10, 8, 2, true))\n"
               "fails('read-only', function () r[1] = 1 end)\n"
               "assert(tide.from_carray(box(11, 8, 3)).dtype == 'int64')\n"
               "assert(tide.from_carray(box(3, 2, 0)).size == 0)\n"
               "assert(tide.from_carray(h) == h)\n"
               "fails('no dtype', tide.from_carray, box(77, 8, 3))\n"
               "for _, x in ipairs{ 3, {}, 'x', io.stdout, tide.zeros(3) } do\n"
               "  fails('_capi_carray expected, got', tide.from_carray, x)\n"
               "end\n"
               "fails('expected, got no value', tide.from_carray)\n"
               "h:close()\n"
               "fails('closed', tide.from_carray, h)\n") == 0);
  first.next = NULL;
  CHECK(run(L,
            "fails('_capi_carray expected', tide.from_carray, box(5, 4, 1))") ==
        0);
  finish(L);
  CHECK(freed == 6);
  return 0;
}

/* Beyond the box's own end, and the state's. */
static int outlives (void) {
  lua_State *L = open_tide();
  CHECK(run(L, "h = tide.from_carray(box(10, 8, 8))\n"
               "for _ = 1, 3 do collectgarbage() end\n"
               "s = tide.Stream{ non_blocking = true }\n"
               "s:with(function () a = h:to(tide.get_device()) end)\n"
               "h:close() h = nil\n") == 0);
  CHECK(freed == 0 || run(L, "assert(s:query())") == 0);
  CHECK(run(L, settle) == 0 && run(L, "s:synchronize()") == 0);
  CHECK(run(L, settle) == 0 && freed == 1);
  CHECK(run(L, "h = tide.from_carray(box(10, 8, 8))") == 0);
  lua_close(L);
  CHECK(freed == 2);
  return 0;
}

/* ==} */

/* {== no memory ======================================================= */

static long nothing[4];
static const CarrayApi *tide;

static int ask_and_make (lua_State *L) {
  lua_settop(L, 0);
  lua_getglobal(L, "h");
  CHECK(tide->towritable(L, 1, NULL) != NULL);
  CHECK(tide->create(L, CARRAY_INT, CARRAY_DEFAULT, 4, NULL) != NULL);
  CHECK(tide->wrap(L, CARRAY_LONG, CARRAY_DEFAULT, nothing, 4, tell) != NULL);
  lua_getglobal(L, "tide");
  lua_getfield(L, -1, "from_carray");
  lua_getglobal(L, "b");
  lua_call(L, 1, 1);
  return 0;
}

/* Allocations of Lua fail from the n-th on: nothing is told twice, or too soon,
** or never. */
static int scarce (void) {
  Heap heap = {.all = 1};
  lua_State *L = compat_newstate(heap_alloc, &heap);
  luaL_openlibs(L);
  set_up(L);
  tide = find(L, "h, b = tide.HostArray(4), box(10, 8, 8) return h");
  int wrapped = 0, failed = 1;
  for (long n = 1; failed; n++) {
    CHECK(run(L, "h = tide.HostArray(4)") == 0);
    lua_settop(L, 0);
    lua_pushcfunction(L, ask_and_make);
    int before = told;
    heap.n = n;
    heap.count = heap.struck = 0;
    heap.armed = 1;
    failed = lua_pcall(L, 0, 0, 0) != LUA_OK;
    heap.armed = 0;
    if (failed)
      CHECK(heap.struck && strstr(lua_tostring(L, -1), "not enough memory"));
    lua_settop(L, 0);
    CHECK(run(L, settle) == 0);
    CHECK(told == before || told == before + 1);
    wrapped += told - before;
    CHECK(n < 1000 && freed == 0);
  }
  CHECK(wrapped > 1);
  CHECK(run(L, "b = nil") == 0);
  finish(L);
  CHECK(freed == 1);
  return 0;
}

/* ==} */

static const struct {
  const char *name;
  int (*run)(void);
} parts[] = {
  {"elements", elements}, {"refused", refused}, {"kept", kept},
  {"made", made},         {"rules", rules},     {"taken", taken},
  {"outlives", outlives}, {"scarce", scarce},
};

int main (int argc, char **argv) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (argc > 1 && strcmp(argv[1], parts[i].name) == 0)
      return parts[i].run() != 0 || puts("ok") < 0;
  return bad("carray", "which part?");
}
