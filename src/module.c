/*
** module.c - luaopen_tide_core: makes the State, opens every type, and closes
** everything when the lua_State closes.
*/
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array/openers.h"
#include "base/class.h"
#include "base/compat.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/field.h"
#include "base/limits.h"
#include "base/listing.h"
#include "base/owned.h"
#include "base/parts.h"
#include "base/state.h"
#include "comm/openers.h"
#include "device/host_error.h"
#include "device/openers.h"
#include "device/unhandled.h"
#include "include/tide.h"
#include "interop/openers.h"
#include "ipc/openers.h"
#include "ops/openers.h"
#include "prompt/openers.h"
#include "prompt/sigint.h"
#include "rt/driver/context.h"
#include "rt/os/clock.h"
#include "rt/queue/stream_types.h"
#include "rt/runtime.h"
#include "user_kernels/kernel_code.h"
#include "user_kernels/openers.h"
#if defined(TIDE_TESTING)
#include "testing/testing.h"
#endif

/*
** Finishes all streams, without calling a Lua function. The State is the first
** object of tide, so its finalizer runs last.
*/
static int state__gc (lua_State *L) {
  State *st = lua_touserdata(L, 1);
  Runtime *rt = st->rt;
  interruption_close(&st->interrupt);
  if (rt != NULL && !context_is_forked(rt)) {
    runtime_finish(rt, host_error_exists(st));
    lua_pushcfunction(L, unhandled_report_all);
    lua_pushvalue(L, 1);
    lua_pcall(L, 1, 0, 0); /* if memory is short there are no reports */
  }
  owned_end_all(st);
  st->closed = true;
  st->rt = NULL;
  deadlines_close(&st->deadlines);
  sigint_restore(st);
  runtime_close(rt);
  return 0;
}

static const char *const stream_defaults[] = {"null", "ptds", "own", NULL};

static int read_default_stream (lua_State *L) {
  static const int kinds[] = {STREAM_NULL, STREAM_PTDS, STREAM_OWNED};
  const char *name = getenv("TIDE_DEFAULT_STREAM");
  if (name == NULL || *name == '\0')
    return STREAM_NULL;
  for (int i = 0; stream_defaults[i] != NULL; i++)
    if (strcmp(stream_defaults[i], name) == 0)
      return kinds[i];
  return error_raise(
    L, "TIDE_DEFAULT_STREAM must be 'null', 'ptds' or 'own', got '%s'", name);
}

static void new_table (lua_State *L, int state, int which, const char *mode) {
  lua_newtable(L);
  if (mode != NULL) {
    lua_newtable(L);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  }
  lua_setiuservalue(L, state, which);
}

static void new_state (lua_State *L) {
  State *st = lua_newuserdatauv(L, sizeof *st, UV_COUNT);
  int self = lua_gettop(L);
  memset(st, 0, sizeof *st);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  st->main = lua_tothread(L, -1);
  lua_pop(L, 1);
  st->default_stream = read_default_stream(L);
  st->float_dtype = DTYPE_FLOAT64;
  limits_read(L, st);
  st->reports = &st->nreports;
  unhandled_read(L, st);
  lua_newtable(L);
  lua_pushcfunction(L, state__gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, self);
  interruption_open(&st->interrupt, st->main);
  state_register(L, self);
  new_table(L, self, UV_CURRENT, "k");
  new_table(L, self, UV_CALLBACKS, NULL);
  new_table(L, self, UV_INFLIGHT, NULL);
  new_table(L, self, UV_ERRORS, NULL);
  new_table(L, self, UV_CHECKS, NULL);
  new_table(L, self, UV_CAPTURED, NULL);
  new_table(L, self, UV_DEVICES, NULL);
  new_table(L, self, UV_PENDING, NULL);
}

/* clock() -> seconds of a clock that never goes back. */
static int core_clock (lua_State *L) {
  entry_uncount(state_get(L));
  lua_pushnumber(L, clock_seconds(CLOCK_MONOTONIC));
  return 1;
}

/* add_methods{ name = function }: adds methods of arrays that are written in
** Lua. init.lua calls it, and then removes it from the table. */
static int core_add_methods (lua_State *L) {
  entry_uncount(state_get(L));
  luaL_checktype(L, 1, LUA_TTABLE);
  class_add_lua_methods(L, &array_class, 1);
  return 0;
}

static const Function functions[] = {
  {"add_methods", core_add_methods, 1},
  {"clock", core_clock, 0},
  {NULL, NULL, 0},
};

/* The loader of tide.system where that is left out. */
static int refuse_system (lua_State *L) {
  return luaL_error(L, "tide.system, which the prompt and the command need, is "
                       "left out by the host program");
}

static void leave_system_out (lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, refuse_system);
  lua_setfield(L, -2, "tide.system");
  lua_pop(L, 1);
}

/* Opens tide.system, for the prompt and the command, which are the user's own.
** A host program that leaves something out has neither, because they would be a
** way around that. */
static void open_system (lua_State *L) {
  if (state_get(L)->left_out != 0) {
    leave_system_out(L);
    return;
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_newtable(L);
  open_terminal(L);
  open_editor(L);
  open_sigint(L);
  open_device_use(L);
  open_progress_tick(L);
  open_about(L);
  open_synonyms(L);
  open_exit(L);
  lua_setfield(L, -2, "tide.system");
  lua_pop(L, 1);
}

/* Upvalue 1 is the State, as in every function of tide. */
static int open_types (lua_State *L) {
  lua_newtable(L);
  class_set_funcs(L, functions);
  open_parts(L);
  open_listing(L);
  lua_pushliteral(L, "tide " TIDE_VERSION);
  lua_setfield(L, -2, "_VERSION");
  open_callback(L);
  open_scheduler(L);
  open_coroutine(L);
  open_atomic(L);
  open_options(L);
  open_host_threads(L);
  open_unhandled(L);
  open_current(L);
  open_devices(L);
  open_stream(L);
  open_with(L);
  open_scope_token(L);
  open_event(L);
  open_graph(L);
  open_hostarray(L);
  open_array(L);
  open_index(L);
  open_shape(L);
  open_view(L);
  open_axes(L);
  open_diagonal(L);
  open_concatenate(L);
  open_roll(L);
  open_tile(L);
  open_split(L);
  open_meshgrid(L);
  open_triangle(L);
  open_pad(L);
  open_insert(L);
  open_one_hot(L);
  open_differences(L);
  open_gradient(L);
  open_polyval(L);
  open_covariance(L);
  open_nanfolds(L);
  open_quantile(L);
  open_unique(L);
  open_sets(L);
  open_topk(L);
  open_search(L);
  open_isin(L);
  open_bincount(L);
  open_histogram(L);
  open_memory(L);
  open_array_scope(L);
  open_dtype(L);
  open_dtype_info(L);
  open_complex(L);
  open_create(L);
  open_upload(L);
  open_transfer(L);
  open_elementwise(L);
  open_complex_math(L);
  open_cast(L);
  open_reduce(L);
  open_cumulative(L);
  open_matmul(L);
  open_products(L);
  open_norm(L);
  open_lapack(L);
  open_recursion(L);
  open_softmax(L);
  open_einsum(L);
  open_convolve(L);
  open_fft(L);
  open_sort(L);
  open_partition(L);
  open_mask(L);
  open_put(L);
  open_scatter(L);
  open_along(L);
  open_nonzero(L);
  open_unravel(L);
  open_where_clip(L);
  open_compare(L);
  open_modf_frexp(L);
  open_composed(L);
  open_print(L);
  open_patterns(L);
  open_random(L);
  open_npy(L);
  open_text_file(L);
  open_text_write(L);
  open_image(L);
  open_file(L);
  open_file_transfer(L);
  open_small_files(L);
  open_statistics(L);
  open_argminmax(L);
  open_kernel_code(L);
  open_rawmodule(L);
  open_rawkernel(L);
  open_elementwisekernel(L);
  open_reductionkernel(L);
  open_symbol(L);
  open_fuse(L);
  open_dlpack(L);
  open_carray(L);
  open_dist(L);
  open_ipc(L);
  open_api(L);
#if defined(TIDE_TESTING)
  open_testing(L);
#endif
  field_set_strict(L, "tide");
  open_system(L);
  return 1;
}

/* {== does this Lua tell when a finalizer runs? ======================== */

static void *allocate (void *ud, void *p, size_t before, size_t size) {
  (void)ud, (void)before;
  if (size > 0)
    return realloc(p, size);
  free(p);
  return NULL;
}

static int ask__gc (lua_State *L) {
  void *tells;
  lua_getallocf(L, &tells);
  *(bool *)tells = (lua_gc(L, LUA_GCISRUNNING) < 0);
  return 0;
}

static int collect_one (lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, ask__gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_settop(L, 0);
  return lua_gc(L, LUA_GCCOLLECT), 0;
}

/* Raises unless the collector tells when a finalizer runs, which Lua does from
** 5.4.4 on. API entries rely on it: see entry.c. The test is of the library
** that the program runs with, because the header may be of another version. */
static void check_collector (lua_State *L) {
  bool tells = false;
  int status = LUA_ERRMEM;
  lua_State *own = compat_newstate(allocate, &tells);
  if (own != NULL) {
    lua_pushcfunction(own, collect_one);
    status = lua_pcall(own, 0, 0, 0);
    lua_close(own);
  }
  if (status != LUA_OK)
    error_check(L, RT_NOMEM);
  if (!tells)
    luaL_error(L, "tide needs Lua 5.4.4 or later: before that, the collector "
                  "does not tell when a finalizer runs");
}

/* ==} */

/* Makes one State for a lua_State, however often the module is loaded. */
__attribute__((visibility("default"))) int luaopen_tide_core (lua_State *L) {
  static const char key = 0;
  luaL_checkversion(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE)
    return 1;
  check_collector(L);
  new_state(L);
  lua_pushcclosure(L, open_types, 1);
  lua_call(L, 0, 1);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
  limits_freeze(L);
  return 1;
}
