/*
** host_function.c - host functions: Lua functions that streams run. They are
** kept by key while they are on their way, and run at service points
** (service.c) as if the program had called them there, except for the current
** stream.
*/
#include "host_function.h"

#include <errno.h>
#include <string.h>

#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/clock.h"
#include "base/door.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/slip.h"
#include "base/state.h"
#include "current.h"
#include "hooks.h"
#include "host_error.h"
#include "openers.h"
#include "rt/driver/fault_trace.h"
#include "rt/driver/status.h"
#include "rt/file/transfer.h"
#include "rt/graph/graph_exec.h"
#include "rt/queue/kept.h"
#include "rt/reclaim.h"
#include "rt/runtime.h"
#include "rt/submit.h"
#include "rt/wait/inbox.h"
#include "rt/wait/tickets.h"
#include "rt/wait/watcher.h"
#include "service.h"
#include "stream.h"
#include "ticket.h"

/* {== functions on their way ========================================== */

/*
** Keeps the 'n' values on the top (popped), and the place where the program
** queues them; returns their key. A captured function runs when its graph does,
** or never; the mark says so to tide_reportunhandled.
*/
static int keep (lua_State *L, int n, bool captured) {
  State *st = tide_state(L);
  lua_createtable(L, n, 3);
  lua_insert(L, -n - 1);
  for (int i = n; i >= 1; i--)
    lua_rawseti(L, -i - 1, i);
  lua_pushinteger(L, n);
  lua_setfield(L, -2, "n");
  tide_pushcaller(L);
  lua_setfield(L, -2, "at");
  if (captured) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "captured");
  }
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

/* Queues a host function. The function and its argument stay on the stack, in
** case the call begins again. */
static int queue (lua_State *L, RtStream *rs, int n, const char *name) {
  Op op;
  rt_startop(&op, OP_HOSTFN, name);
  tide_checkcalm(L, tide_state(L));
  int ref = op.u.hostfn.ref = keep(L, n, rs->capture != NULL);
  Status st = rt_submit(rs, &op);
  if (st != 0) {
    forget(L, ref);
    return tide_fail(L, st);
  }
  if (tide_state(L)->debug_sync)
    tide_waitoperation(L, rs, &op);
  lua_settop(L, 1);
  return 1;
}

static RtStream *check_arguments (lua_State *L) {
  RtStream *rs = tide_rtstream(L, tide_checkstream(L, 1));
  tide_checkcallable(L, 2);
  lua_settop(L, 3);
  tide_drain(L);
  return rs;
}

/*
** s:launch_host_func(fn, arg) -> s: fn(arg) runs on the Lua thread, at a
** service point, when all work queued before is done. Work queued later starts
** only after fn has returned.
*/
int tide_launchhostfunc (lua_State *L) {
  RtStream *rs = check_arguments(L);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  return queue(L, rs, 2, "stream:launch_host_func");
}

/* s:add_callback(fn, arg) -> s: the same, as fn(s, status, arg). */
int tide_addcallback (lua_State *L) {
  RtStream *rs = check_arguments(L);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, CUDA_SUCCESS);
  lua_pushvalue(L, 3);
  return queue(L, rs, 4, "stream:add_callback");
}

/* ==} */

/* {== running them ==================================================== */

/* Pushes what was kept for a function: nil if there is nothing to run. */
static void push_kept (lua_State *L, const RtKept *k) {
  int ref = k->op.u.hostfn.ref;
  tide_pushuv(L, k->body != NULL ? UV_INFLIGHT : UV_CALLBACKS);
  if (k->body != NULL) {
    lua_rawgetp(L, -1, k->body);
    lua_remove(L, -2);
  }
  if (lua_istable(L, -1))
    lua_rawgeti(L, -1, ref);
  lua_remove(L, -2);
  if (k->body == NULL)
    forget(L, ref);
}

static bool ends_in (const char *text, const char *end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

/* Message handler. Upvalue 1 is the State. Ctrl-C is no error of the function:
** it goes to the call that waits. */
static int traceback (lua_State *L) {
  const char *message = lua_tostring(L, 1);
  if (message == NULL)
    return 1;
  if (strcmp(message, "interrupted!") == 0 ||
      ends_in(message, ": interrupted!"))
    tide_state(L)->interrupted = true;
  luaL_traceback(L, L, message, 1);
  return 1;
}

/* Raises the error on the top, with its origin in front. The function's table
** is at 'kept'. */
static int raise_named (lua_State *L, int kept, const RtStream *s) {
  char name[STREAM_NAME];
  if (lua_type(L, -1) != LUA_TSTRING || tide_state(L)->interrupted)
    return lua_error(L);
  rt_streamname(s, name);
  lua_getfield(L, kept, "at");
  lua_pushfstring(L, "host function of stream %s, queued at %s: %s", name,
                  lua_tostring(L, -1), lua_tostring(L, -2));
  return lua_error(L);
}

/*
** Calls the function of a (light userdata) RtKept; called protected. The
** current stream in it is a non-blocking stream of its own, whatever is current
** around it.
*/
static int run_protected (lua_State *L) {
  const State *st = tide_state(L);
  const RtStream *s = st->rt->at.s;
  push_kept(L, lua_touserdata(L, 1));
  if (!lua_istable(L, 2))
    return 0;
  lua_getfield(L, 2, "n");
  int n = (int)lua_tointeger(L, 3);
  luaL_checkstack(L, n + 8, "host function");
  tide_pushfunction(L, traceback);
  tide_enterfunction(L, s->dev); /* at 5: what is current around it */
  for (int i = 1; i <= n; i++)   /* from here on nothing raises */
    lua_rawgeti(L, 2, i);
  int status = lua_pcall(L, n - 1, 0, 4);
  tide_leavefunction(L, 5);
  return (status != LUA_OK) ? raise_named(L, 2, s) : 0;
}

/* ==} */

/* {== service ========================================================= */

/* Operations behind the function are sent even if it fails. */
Status tide_runfunction (lua_State *L, State *st, RtKept *k) {
  if (!lua_checkstack(L, 8)) /* the function stays queued */
    return rt_fail(st->rt, RT_NOMEM, NULL);
  Door *door = st->door;
  struct Trace *trace = st->trace;
  Status result = 0;
  st->served++;
  st->door = NULL;
  st->trace = NULL;
  st->interrupted = false;
  rt_beginfunction(k);
  tide_pushpending(L, PENDING_RUN);
  lua_pushlightuserdata(L, k);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    result = tide_keeperror(L, st);
    if (k->body == NULL) /* memory was too short to call it */
      forget(L, k->op.u.hostfn.ref);
  }
  rt_endfunction(k);
  st->door = door;
  st->trace = trace;
  return result;
}

/* ==} */

/* {== freeing ========================================================= */

/* Drops functions of abandoned captures, which can never run. */
static void drop_unref (lua_State *L, Runtime *rt) {
  for (const RtKept *k = rt->unref; k != NULL; k = k->next)
    forget(L, k->op.u.hostfn.ref);
  rt_freefunctions(rt);
}

/* Drops the functions of graphs whose launches have passed. */
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

static void drain (lua_State *L, bool all) {
  State *st = tide_state(L);
  if (st->rt->finalizing)
    return;
  if (st->ninflight > 0)
    drop_inflight(L, st);
  rt_drain(st->rt, all);
  if (st->rt->unref != NULL)
    drop_unref(L, st->rt);
}

void tide_drain (lua_State *L) { drain(L, false); }

void tide_drainall (lua_State *L) { drain(L, true); }

Status tide_awaitmemory (lua_State *L, RtDevice *dev, bool pinned, size_t bytes,
                         bool graphs) {
  RtSearch x = {.serves = tide_mayserve(L, tide_state(L))};
  Status st = rt_startsearch(&x, dev, pinned, bytes, graphs);
  if (st == CUDA_ERROR_NOT_READY)
    st = tide_awaitquietly(L, dev, rt_search, &x, x.serves, "out of memory");
  if (st == 0)
    tide_drainall(L);
  return st;
}

bool tide_makeroom (lua_State *L, Status st) {
  if (st != RT_LIMIT || tide_state(L)->pressure.left)
    return false;
  lua_gc(L, LUA_GCCOLLECT);
  tide_drainall(L);
  return true;
}

bool tide_finddescriptor (lua_State *L, Descriptors *d, int error) {
  State *st = tide_state(L);
  if ((error != EMFILE && error != ENFILE) || st->rt == NULL)
    return false;
  Status status = rt_awaitclosed(st->rt, d->what);
  if (status != 0 && tide_mayserve(L, st))
    tide_check(L, status);
  switch (d->tries++) {
    case 0: return true;
    case 1: return tide_makeroom(L, RT_LIMIT);
    default: return false;
  }
}

/* ==} */

/* {== poll ============================================================ */

typedef struct Due {
  const State *st;
  uint64_t served;
  double until; /* clock */
} Due;

/* Tells whether a function has run, or there is something else to look at. */
static Status is_due (void *ud) {
  const Due *d = ud;
  bool due = (d->st->served != d->served || rt_isalerted(d->st->rt->inbox) ||
              tide_seconds(CLOCK_MONOTONIC) >= d->until);
  return due ? 0 : CUDA_ERROR_NOT_READY;
}

/* Waits until something is due. A device that has failed ends it: the error is
** for calls that wait for the device. */
static void wait_until_due (lua_State *L, Due *due, bool serves) {
  tide_check(L, tide_announce(L, due->st->rt, "tide.poll"));
  RtDevice *dev = tide_currentdevice(L);
  Status st = tide_awaitquietly(L, dev, is_due, due, serves, NULL);
  tide_check(L, st == RT_INTERRUPTED || st == RT_LUAERROR ? st : 0);
}

/* Runs the due functions that were queued before the call, so that a function
** which queues another one does not keep the call from ending. */
void tide_runfunctions (lua_State *L, State *st) {
  const uint64_t upto = st->rt->stamp;
  RtKept *k;
  while ((k = rt_nextfunction(st->rt, upto)) != NULL)
    tide_check(L, tide_runfunction(L, st, k));
}

/* Resumes coroutines that wait in a loop. The call leaves its door, because
** they may call anything. */
static void pump (lua_State *L, State *st) {
  tide_pushuv(L, UV_PUMP);
  if (lua_isnil(L, -1)) {
    rt_takealert(st->rt->inbox);
    lua_pop(L, 1);
    return;
  }
  Door *door = st->door;
  st->door = NULL;
  lua_call(L, 0, 0);
  st->door = door;
}

/*
** Runs the host functions that are due, and waits up to 'seconds' for one or
** for other work of the pump. Frees what was dropped. Raises the error of a
** function, on any stream. Returns how many functions ran.
*/
lua_Integer tide_poll (lua_State *L, double seconds) {
  State *st = tide_state(L);
  if (tide_isunused(st) && seconds == 0)
    return 0; /* nothing can be due */
  tide_rt(L);
  bool serves = tide_mayserve(L, st);
  Due due = {st, st->served, tide_seconds(CLOCK_MONOTONIC) + seconds};
  if (serves)
    tide_runfunctions(L, st);
  if (seconds > 0 && is_due(&due) != 0)
    wait_until_due(L, &due, serves);
  if (serves) {
    tide_runfunctions(L, st);
    pump(L, st);
  }
  tide_drainall(L);
  tide_raiseerrors(L, NULL, NULL, 0);
  return (lua_Integer)(st->served - due.served);
}

/* poll([seconds]) -> how many host functions it ran. */
static int core_poll (lua_State *L) {
  double seconds = 0;
  if (!lua_isnoneornil(L, 1)) {
    seconds = tide_checknumber(L, 1);
    tide_argcheck(L, seconds >= 0, 1, "seconds must not be negative");
    tide_checkmaywait(L, tide_currentdevice(L), "tide.poll");
  }
  lua_pushinteger(L, tide_poll(L, seconds));
  return 1;
}

int tide_pollfd (lua_State *L) {
  int fd;
  Runtime *rt = tide_rt(L);
  tide_check(L, rt_openwatcher(rt));
  for (RtStream *s = rt->keepers; s != NULL; s = s->next_keeper)
    rt_lookafter(s); /* functions that were queued before this call */
  tide_check(L, rt_inboxfd(rt, &fd));
  rt_showinterrupts(&tide_state(L)->interrupt, fd);
  lua_pushinteger(L, fd);
  return 1;
}

/* ==} */

/*
** sync_debug([mode]) -> the mode before, and how often the host has blocked.
** The mode says what happens when a call blocks: "off", "warn" (through warn),
** "error".
*/
static int core_sync_debug (lua_State *L) {
  static const char *const names[] = {"off", "warn", "error", NULL};
  State *st = tide_state(L);
  SyncDebug old = st->sync_debug;
  if (!lua_isnoneornil(L, 1))
    st->sync_debug = (SyncDebug)tide_checkchoice(L, 1, -1, names);
  lua_pushstring(L, names[old]);
  lua_pushinteger(L, (lua_Integer)st->waits);
  return 2;
}

/*
** debug_sync([on]) -> whether it was on. While on, each call that queues an
** operation waits for it (not in a capture, where nothing runs), so that the
** call whose work fails raises the error itself.
*/
static int core_debug_sync (lua_State *L) {
  State *st = tide_state(L);
  bool old = st->debug_sync;
  if (!lua_isnoneornil(L, 1)) {
    tide_checktype(L, 1, LUA_TBOOLEAN);
    st->debug_sync = lua_toboolean(L, 1);
  }
  lua_pushboolean(L, old);
  return 1;
}

static const Function functions[] = {
  {"debug_sync", core_debug_sync, 1},
  {"poll", core_poll, 1},
  {"pollfd", tide_pollfd, 0},
  {"sync_debug", core_sync_debug, 1},
  {NULL, NULL, 0},
};

void tide_opencallback (lua_State *L) {
  tide_state(L)->await = tide_awaitwant;
  tide_openhosterror(L);
  tide_openhooks(L);
  tide_pushuv(L, UV_PENDING);
  tide_pushfunction(L, run_protected);
  lua_rawseti(L, -2, PENDING_RUN);
  lua_pop(L, 1);
  tide_setfuncs(L, functions);
}
