/*
** hostfunc.c - host functions: Lua functions that streams run. They are
** kept by key while they are on their way, and run at service points
** (service.c) as if the program had called them there, except for the current
** stream.
*/
#include "hostfunc.h"

#include <errno.h>
#include <string.h>

#include "await.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "current.h"
#include "drain.h"
#include "host_error.h"
#include "luahooks.h"
#include "openers.h"
#include "rt/driver/fault.h"
#include "rt/driver/status.h"
#include "rt/file/transfer.h"
#include "rt/graph/graph_exec.h"
#include "rt/memory/reclaim.h"
#include "rt/os/clock.h"
#include "rt/queue/kept.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/runtime.h"
#include "rt/submit/op.h"
#include "rt/wait/inbox.h"
#include "rt/wait/waitlist.h"
#include "rt/wait/watcher.h"
#include "service.h"
#include "stream.h"

/* {== functions on their way ========================================== */

/*
** Keeps the 'n' values on the top (popped), and the place where the program
** queues them; returns their key. A captured function runs when its graph does,
** or never; the mark says so to unhandled_report_all.
*/
static int keep (lua_State *L, int n, bool captured) {
  State *st = state_get(L);
  lua_createtable(L, n, 3);
  lua_insert(L, -n - 1);
  for (int i = n; i >= 1; i--)
    lua_rawseti(L, -i - 1, i);
  lua_pushinteger(L, n);
  lua_setfield(L, -2, "n");
  error_push_caller(L);
  lua_setfield(L, -2, "at");
  if (captured) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "captured");
  }
  state_push_uv(L, UV_CALLBACKS);
  lua_insert(L, -2);
  st->next_ref = (st->next_ref == INT32_MAX) ? 1 : st->next_ref + 1;
  lua_rawseti(L, -2, st->next_ref);
  lua_pop(L, 1);
  return st->next_ref;
}

void hostfunc_forget (lua_State *L, int ref) {
  state_push_uv(L, UV_CALLBACKS);
  lua_pushnil(L);
  lua_rawseti(L, -2, ref);
  lua_pop(L, 1);
}

/* Queues a host function. The function and its argument stay on the stack, in
** case the call begins again. */
static int queue (lua_State *L, RtStream *rs, int n, const char *name) {
  Op op;
  op_start(&op, OP_HOSTFN, name);
  entry_check_calls(L, state_get(L));
  int ref = op.u.hostfn.ref = keep(L, n, rs->capture != NULL);
  Status st = op_submit(rs, &op);
  if (st != 0) {
    hostfunc_forget(L, ref);
    return error_fail(L, st);
  }
  if (state_get(L)->debug_sync)
    service_wait_op(L, rs, &op);
  lua_settop(L, 1);
  return 1;
}

static RtStream *check_arguments (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  type_check_callable(L, 2);
  lua_settop(L, 3);
  drain_dropped(L);
  return rs;
}

/*
** s:launch_host_func(fn, arg) -> s: fn(arg) runs on the Lua thread, at a
** service point, when all work queued before is done. Work queued later starts
** only after fn has returned.
*/
int hostfunc_launch (lua_State *L) {
  RtStream *rs = check_arguments(L);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  return queue(L, rs, 2, "stream:launch_host_func");
}

/* s:add_callback(fn, arg) -> s: the same, as fn(s, status, arg). */
int hostfunc_add_callback (lua_State *L) {
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
  state_push_uv(L, k->body != NULL ? UV_INFLIGHT : UV_CALLBACKS);
  if (k->body != NULL) {
    lua_rawgetp(L, -1, k->body);
    lua_remove(L, -2);
  }
  if (lua_istable(L, -1))
    lua_rawgeti(L, -1, ref);
  lua_remove(L, -2);
  if (k->body == NULL)
    hostfunc_forget(L, ref);
}

static bool ends_in (const char *text, const char *end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

/* Message handler. Upvalue 1 is the State. Ctrl-C is no error of the function:
** it goes to the call that waits. */
static int traceback (lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING)
    return 1;
  const char *message = lua_tostring(L, 1);
  if (strcmp(message, "interrupted!") == 0 ||
      ends_in(message, ": interrupted!"))
    state_get(L)->interrupted = true;
  lua_pushliteral(L, "\n");
  luaL_traceback(L, L, NULL, 1); /* of a message, up to a zero */
  lua_concat(L, 3);
  return 1;
}

/* Raises the error on the top, with its origin in front. The function's table
** is at 'kept'. */
static int raise_named (lua_State *L, int kept, const RtStream *s) {
  char name[STREAM_NAME];
  if (lua_type(L, -1) != LUA_TSTRING || state_get(L)->interrupted)
    return lua_error(L);
  fault_stream_name(s, name);
  lua_getfield(L, kept, "at");
  lua_pushfstring(L, "host function of stream %s, queued at %s: ", name,
                  lua_tostring(L, -1));
  lua_pushvalue(L, -3);
  lua_concat(L, 2); /* there may be zeros in it */
  return lua_error(L);
}

/*
** Calls the function of a (light userdata) RtKept; called protected. The
** current stream in it is a non-blocking stream of its own, whatever is current
** around it.
*/
static int run_protected (lua_State *L) {
  const State *st = state_get(L);
  const RtStream *s = st->rt->at.s;
  push_kept(L, lua_touserdata(L, 1));
  if (!lua_istable(L, 2))
    return 0;
  lua_getfield(L, 2, "n");
  int n = (int)lua_tointeger(L, 3);
  luaL_checkstack(L, n + 8, "host function");
  class_push_function(L, traceback);
  current_enter_func(L, s->dev); /* at 5: what is current around it */
  for (int i = 1; i <= n; i++)   /* from here on nothing raises */
    lua_rawgeti(L, 2, i);
  int status = lua_pcall(L, n - 1, 0, 4);
  current_leave_func(L, 5);
  return (status != LUA_OK) ? raise_named(L, 2, s) : 0;
}

/* ==} */

/* {== service ========================================================= */

/* Operations behind the function are sent even if it fails. */
Status hostfunc_run (lua_State *L, State *st, RtKept *k) {
  if (!lua_checkstack(L, 8)) /* the function stays queued */
    return status_fail(st->rt, RT_NOMEM, NULL);
  EntryCall *entry = st->entry;
  struct Trace *trace = st->trace;
  Status result = 0;
  st->served++;
  st->entry = NULL;
  st->trace = NULL;
  st->interrupted = false;
  kept_begin_function(k);
  host_error_push(L, PENDING_RUN);
  lua_pushlightuserdata(L, k);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    result = host_error_keep(L, st);
    if (k->body == NULL) /* memory was too short to call it */
      hostfunc_forget(L, k->op.u.hostfn.ref);
  }
  kept_end_function(k);
  st->entry = entry;
  st->trace = trace;
  return result;
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
  bool due = (d->st->served != d->served ||
              inbox_has_wakeup(d->st->rt->inbox) ||
              clock_seconds(CLOCK_MONOTONIC) >= d->until);
  return due ? 0 : CUDA_ERROR_NOT_READY;
}

/* Waits until something is due. A device that has failed ends it: the error is
** for calls that wait for the device. */
static void wait_until_due (lua_State *L, Due *due, bool serves) {
  error_check(L, service_announce(L, due->st->rt, "tide.poll"));
  RtDevice *dev = current_get_device(L);
  Status st = service_wait_quiet(L, dev, is_due, due, serves, NULL);
  error_check(L, st == RT_INTERRUPTED || st == RT_LUAERROR ? st : 0);
}

/* Runs the due functions that were queued before the call, so that a function
** which queues another one does not keep the call from ending. */
void hostfunc_run_due (lua_State *L, State *st) {
  const uint64_t upto = st->rt->stamp;
  RtKept *k;
  while ((k = kept_next_function(st->rt, upto)) != NULL)
    error_check(L, hostfunc_run(L, st, k));
}

/* Resumes coroutines that wait in a loop. The running API entry is put aside,
** because they may call anything. */
static void poll_loops (lua_State *L, State *st) {
  state_push_uv(L, UV_POLL);
  if (lua_isnil(L, -1)) {
    inbox_take_wakeup(st->rt->inbox);
    lua_pop(L, 1);
    return;
  }
  EntryCall *entry = st->entry;
  st->entry = NULL;
  lua_call(L, 0, 0);
  st->entry = entry;
}

/*
** Runs the host functions that are due, and waits up to 'seconds' for one or
** for other work of the poll callback. Frees what was dropped. Raises the error
** of a function, on any stream. Returns how many functions ran.
*/
lua_Integer hostfunc_poll (lua_State *L, double seconds) {
  State *st = state_get(L);
  if (state_is_unused(st) && seconds == 0)
    return 0; /* nothing can be due */
  state_rt(L);
  bool serves = blocking_serves(L, st);
  Due due = {st, st->served, clock_seconds(CLOCK_MONOTONIC) + seconds};
  if (serves)
    hostfunc_run_due(L, st);
  if (seconds > 0 && is_due(&due) != 0)
    wait_until_due(L, &due, serves);
  if (serves) {
    hostfunc_run_due(L, st);
    poll_loops(L, st);
  }
  drain_all(L);
  host_error_raise(L, NULL, NULL, 0);
  return (lua_Integer)(st->served - due.served);
}

/* poll([seconds]) -> how many host functions it ran. */
static int core_poll (lua_State *L) {
  double seconds = 0;
  if (!lua_isnoneornil(L, 1)) {
    seconds = arg_check_number(L, 1);
    argerror_check(L, seconds >= 0, 1, "seconds must not be negative");
    blocking_check(L, current_get_device(L), "tide.poll");
  }
  lua_pushinteger(L, hostfunc_poll(L, seconds));
  return 1;
}

int hostfunc_pollfd (lua_State *L) {
  int fd;
  Runtime *rt = state_rt(L);
  error_check(L, watcher_open(rt));
  for (RtStream *s = rt->keepers; s != NULL; s = s->next_keeper)
    waitlist_watch(s); /* functions that were queued before this call */
  waitlist_watch_others(rt);
  error_check(L, inbox_fd(rt, &fd));
  interruption_set_fd(&state_get(L)->interrupt, fd);
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
  State *st = state_get(L);
  SyncDebug old = st->sync_debug;
  if (!lua_isnoneornil(L, 1))
    st->sync_debug = (SyncDebug)option_choice(L, 1, -1, names);
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
  State *st = state_get(L);
  bool old = st->debug_sync;
  if (!lua_isnoneornil(L, 1)) {
    type_check(L, 1, LUA_TBOOLEAN);
    st->debug_sync = lua_toboolean(L, 1);
  }
  lua_pushboolean(L, old);
  return 1;
}

static const Function functions[] = {
  {"debug_sync", core_debug_sync, 1},
  {"poll", core_poll, 1},
  {"pollfd", hostfunc_pollfd, 0},
  {"sync_debug", core_sync_debug, 1},
  {NULL, NULL, 0},
};

void open_callback (lua_State *L) {
  state_get(L)->await = service_wait_for;
  open_host_error(L);
  open_hooks(L);
  state_push_uv(L, UV_PENDING);
  class_push_function(L, run_protected);
  lua_rawseti(L, -2, PENDING_RUN);
  lua_pop(L, 1);
  class_set_funcs(L, functions);
}
