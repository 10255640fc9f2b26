/*
** callback.c - Lua functions that streams run: kept by key while they are on
** their way, run at service points on a coroutine of their own, and what a
** wait needs of Lua (Ctrl-C, sync_debug).
**
** Nothing here may longjmp out of the runtime: service, tick and before are
** called from its wait loop, so whatever can raise runs in a protected call.
*/
#include "callback.h"

#include <stdio.h>

#include "class.h"
#include "current.h"
#include "error.h"
#include "rt/gate.h"
#include "rt/graphs.h"
#include "rt/inbox.h"
#include "rt/runtime.h"
#include "rt/submit.h"
#include "rt/trace.h"
#include "rt/wait.h"
#include "stream.h"

/* {== functions on their way ========================================== */

/* Keeps the 'n' values on the top (popped); returns their key. */
static int keep (lua_State *L, int n) {
  State *st = tide_state(L);
  lua_createtable(L, n, 1);
  lua_insert(L, -n - 1);
  for (int i = n; i >= 1; i--)
    lua_rawseti(L, -i - 1, i);
  lua_pushinteger(L, n);
  lua_setfield(L, -2, "n");
  tide_pushuv(L, UV_CALLBACKS);
  lua_insert(L, -2);
  st->next_ref = (st->next_ref == INT32_MAX) ? 1 : st->next_ref + 1;
  lua_rawseti(L, -2, st->next_ref);
  lua_pop(L, 1);
  return st->next_ref;
}

static void forget (lua_State *L, int ref) {
  tide_pushuv(L, UV_CALLBACKS);
  lua_pushnil(L);
  lua_rawseti(L, -2, ref);
  lua_pop(L, 1);
}

static int queue (lua_State *L, RtStream *rs, int n, const char *name) {
  Op op;
  rt_startop(&op, OP_HOSTFN, name);
  op.u.hostfn.ref = keep(L, n);
  Status st = rt_submit(rs, &op);
  if (st != 0) {
    forget(L, op.u.hostfn.ref);
    return tide_fail(L, st);
  }
  lua_settop(L, 1);
  return 1;
}

/*
** s:launch_host_func(fn, arg) -> s: fn(arg) runs on the Lua thread, at a
** service point, when all work queued before is done; work queued after it
** starts only after fn returned.
*/
int tide_launchhostfunc (lua_State *L) {
  tide_rt(L);
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 3);
  tide_drain(L);
  return queue(L, rs, 2, "stream:launch_host_func");
}

/* s:add_callback(fn, arg) -> s: the same, as fn(s, status, arg). */
int tide_addcallback (lua_State *L) {
  tide_rt(L);
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 3);
  tide_drain(L);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, CUDA_SUCCESS);
  lua_rotate(L, 3, -1);  /* s, fn, s, status, arg */
  return queue(L, rs, 4, "stream:add_callback");
}

/* ==} */

/* {== running them ==================================================== */

static int traceback (lua_State *L) {
  const char *message = lua_tostring(L, 1);
  if (message != NULL)
    luaL_traceback(L, L, message, 1);
  return 1;
}

/* Pushes the coroutine for host functions at this depth. */
static lua_State *push_thread (lua_State *L, int depth) {
  tide_pushuv(L, UV_THREADS);
  if (lua_rawgeti(L, -1, depth) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newthread(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, depth);
  }
  lua_remove(L, -2);
  return lua_tothread(L, -1);
}

/* Pushes what was kept for a node: nil if there is nothing to run. */
static void push_kept (lua_State *L, RtHostNode *node) {
  tide_pushuv(L, node->body != NULL ? UV_INFLIGHT : UV_CALLBACKS);
  if (node->body != NULL) {
    lua_rawgetp(L, -1, node->body);
    lua_remove(L, -2);
  }
  if (lua_istable(L, -1))
    lua_rawgeti(L, -1, node->ref);
  lua_remove(L, -2);
  if (node->body == NULL)
    forget(L, node->ref);
}

/*
** Protected: (light userdata node). Calls the node's function on a coroutine
** whose current stream is a non-blocking one of its own, so that it never
** waits for the stream that waits for it. Raises the error with its traceback.
*/
static int run_protected (lua_State *L) {
  State *st = tide_state(L);
  RtHostNode *node = lua_touserdata(L, 1);
  push_kept(L, node);
  if (!lua_istable(L, 2))
    return 0;
  tide_check(L, rt_renewfn(node->s->dev, st->rt->running.at.seq));
  lua_State *co = push_thread(L, st->rt->running.depth);
  lua_getfield(L, 2, "n");
  int n = (int)lua_tointeger(L, -1);
  lua_settop(co, 0);
  if (!lua_checkstack(L, n + 8) || !lua_checkstack(co, n + 4))
    return luaL_error(L, "not enough memory");
  tide_startcoroutine(L, co, node->s->dev);
  lua_pushcfunction(co, traceback);
  for (int i = 1; i <= n; i++)
    lua_rawgeti(L, 2, i);
  lua_xmove(L, co, n);
  int status = lua_pcall(co, n - 1, 0, 1);
  tide_endcoroutine(L, co);
  if (status != LUA_OK) {
    lua_xmove(co, L, 1);
    lua_settop(co, 0);
    return lua_error(L);
  }
  lua_settop(co, 0);
  return 0;
}

static void begin_running (Runtime *rt, RtHostNode *node,
                           const RtRunning *around) {
  Point at = {node->s, node->seq};
  if (node->body != NULL)
    at = rt_launchof(node);
  RtRunning running = {around->depth + 1, node, at, at.seq, rt->stamp + 1,
                       {NULL, 0}, around};
  rt->running = running;
}

/* The error on the top (popped) is raised when the service point ends. */
static Status keep_error (lua_State *L) {
  tide_pushuv(L, UV_PENDING);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 1);
  return RT_LUAERROR;
}

/* Runs one host function; the gate opens whatever happens in it. */
static Status run_node (State *st, RtHostNode *node) {
  lua_State *L = st->L;
  Runtime *rt = st->rt;
  RtRunning around = rt->running;
  Status result = 0;
  begin_running(rt, node, &around);
  if (node->ref != 0 && !lua_checkstack(L, 8)) {
    result = rt_fail(rt, RT_NOMEM, NULL);
  } else if (node->ref != 0) {
    tide_pushuv(L, UV_PENDING);
    lua_rawgeti(L, -1, 2);
    lua_remove(L, -2);
    lua_pushlightuserdata(L, node);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
      result = keep_error(L);
      if (node->body == NULL)
        forget(L, node->ref);  /* without memory, it was not even called */
    }
  }
  Point pending = rt->running.pending;
  rt->running = around;
  st->L = L;
  rt_endnode(node, pending);
  return result;
}

static Status service (void *ud, uint64_t last) {
  State *st = ud;
  RtHostNode *node;
  while ((node = rt_takeposted(st->rt->inbox, last)) != NULL) {
    Status status = run_node(st, node);
    if (status != 0)
      return status;
  }
  return 0;
}

/* ==} */

/* {== waiting ========================================================= */

/* lua.c's SIGINT handler sets a hook on the main thread: seen here, it means
** stop. Its own action, which is to clear the hook and raise, is ours now. */
static Status tick (void *ud) {
  State *st = ud;
  if (lua_gethook(st->main) == st->hook)
    return 0;
  lua_sethook(st->main, NULL, 0, 0);
  return RT_INTERRUPTED;
}

/*
** The innermost Lua function that is inside the running call: true, and its
** name and line are in *ar. Neither allocates nor raises.
*/
static bool find_caller (lua_State *L, lua_Debug *ar) {
  for (int level = 1; lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline > 0)
      return true;
  }
  return false;
}

/* Where Lua is, for the trace of an operation. */
static void place (void *ud, RtName **source, int *line) {
  State *st = ud;
  lua_Debug ar;
  if (!find_caller(st->L, &ar))
    return;
  *source = rt_source(st->rt, ar.short_src);
  *line = ar.currentline;
}

/* The same as text. */
static void where (lua_State *L, char *text, size_t size) {
  lua_Debug ar;
  text[0] = '\0';
  if (find_caller(L, &ar))
    snprintf(text, size, "%s:%d: ", ar.short_src, ar.currentline);
}

static Status before (void *ud, const char *what) {
  State *st = ud;
  char at[LUA_IDSIZE + 32], text[LUA_IDSIZE + 128];
  st->hook = lua_gethook(st->main);
  if (st->sync_debug == SYNC_OFF || what == NULL)
    return 0;
  if (st->sync_debug == SYNC_ERROR)
    return rt_explain(st->rt, RT_MISUSE, what, "sync_debug: %s blocks", what);
  where(st->L, at, sizeof at);
  snprintf(text, sizeof text, "%ssync_debug: %s blocks", at, what);
  lua_warning(st->L, text, 0);
  return 0;
}

/* ==} */

/* Functions of abandoned captures, which nobody will run. */
static void drop_unref (lua_State *L, Runtime *rt) {
  while (rt->unref != NULL) {
    RtHostNode *node = rt->unref;
    rt->unref = node->next;
    forget(L, node->ref);
    rt_returnnode(rt, node);
  }
}

/* Graphs whose launches have passed need their functions no longer. */
static void drop_inflight (lua_State *L, State *st) {
  tide_pushuv(L, UV_INFLIGHT);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    RtBody *body = lua_touserdata(L, -1);
    if (!rt_bodydone(body))
      continue;
    body->anchored = false;
    st->ninflight--;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
}

void tide_sethooks (State *st) {
  RtHooks hooks = {st, service, tick, before, place};
  st->rt->hooks = hooks;
}

static void drain (lua_State *L, bool all) {
  State *st = tide_state(L);
  if (st->ninflight > 0)
    drop_inflight(L, st);
  rt_drain(st->rt, all);
  if (st->rt->unref != NULL)
    drop_unref(L, st->rt);
}

void tide_drain (lua_State *L) { drain(L, false); }

void tide_drainall (lua_State *L) { drain(L, true); }

/*
** poll() -> how many host functions it ran. Runs those that are due and frees
** what was dropped; never blocks.
*/
static int core_poll (lua_State *L) {
  RtHostNode *node;
  Runtime *rt = tide_rt(L);
  lua_Integer n = 0;
  while ((node = rt_takeposted(rt->inbox, UINT64_MAX)) != NULL) {
    tide_check(L, run_node(tide_state(L), node));
    n++;
  }
  tide_drainall(L);
  lua_pushinteger(L, n);
  return 1;
}

/*
** sync_debug([mode]) -> the mode before, and how often the host has blocked.
** "off", "warn" (through warn), "error": what happens when a call blocks.
*/
static int core_sync_debug (lua_State *L) {
  static const char *const names[] = {"off", "warn", "error", NULL};
  Runtime *rt = tide_rt(L);
  State *st = tide_state(L);
  SyncDebug old = st->sync_debug;
  if (!lua_isnoneornil(L, 1))
    st->sync_debug = (SyncDebug)luaL_checkoption(L, 1, NULL, names);
  tide_drain(L);
  lua_pushstring(L, names[old]);
  lua_pushinteger(L, (lua_Integer)rt->waits);
  return 2;
}

/*
** debug_sync([on]) -> whether it was on. While on, each operation is waited
** for by the call that queues it (not in a capture, where nothing runs), so
** that the call whose work fails is the one that raises.
*/
static int core_debug_sync (lua_State *L) {
  Runtime *rt = tide_rt(L);
  bool old = rt->debug_sync;
  if (!lua_isnoneornil(L, 1)) {
    luaL_checktype(L, 1, LUA_TBOOLEAN);
    rt->debug_sync = lua_toboolean(L, 1);
  }
  lua_pushboolean(L, old);
  return 1;
}

static const luaL_Reg functions[] = {
  {"debug_sync", core_debug_sync},
  {"poll", core_poll},
  {"sync_debug", core_sync_debug},
  {NULL, NULL}
};

void tide_opencallback (lua_State *L) {
  tide_pushuv(L, UV_PENDING);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 1);  /* a place for an error: keep_error cannot fail */
  tide_pushfunction(L, run_protected);
  lua_rawseti(L, -2, 2);
  lua_pop(L, 1);
  tide_setfuncs(L, functions);
}
