/*
** scheduler.c - what schedulers use to run coroutines that wait: tide.run and
** the event loops (lua/tide/waiting.lua). A wait has a number, by which they
** know the coroutine: of its ticket if it is an x:await(), which awaits work
** and may have a deadline; of a timer, which is only a deadline, if Lua code
** may end it as well. Both are found here.
**
** Timers are in C so that no hook of the program comes in between, which may
** raise an error, or do anything with tasks.
*/
#include "scheduler.h"

#include <math.h>

#include "await.h"
#include "base/arg.h"
#include "base/blocking.h"
#include "base/error.h"
#include "base/type.h"
#include "current.h"
#include "drain.h"
#include "hostfunc.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/os/clock.h"
#include "rt/queue/kept.h"
#include "rt/wait/inbox.h"
#include "rt/wait/waitlist.h"
#include "service.h"

/* {== finding waits that are over ===================================== */

enum { FOUND_MOST = 32 }; /* numbers found in one call */

typedef struct Search {
  State *st;
  uint64_t served;
  double until; /* clock */
  bool ends;    /* it is over once there is no work to wait for */
  int n;
  int found[FOUND_MOST];
} Search;

/* await_next that also takes the wakeup if no other ticket is over. Tickets
** that were queued in between were not asked. */
static int take_next (State *st, bool some) {
  Runtime *rt = st->rt;
  int id = await_next(st, some);
  if (id != 0 || some || !inbox_has_wakeup(rt->inbox))
    return id;
  inbox_take_wakeup(rt->inbox);
  if ((id = await_next(st, false)) != 0 ||
      kept_next_function(rt, UINT64_MAX) != NULL)
    inbox_post_wakeup(rt->inbox);
  return id;
}

/* Tells whether there is no work to wait for. */
static bool is_idle (const Runtime *rt) {
  return !waitlist_has_tickets(rt) && rt->nkept == 0;
}

/* Finds tickets. No Lua runs here, so the context is made current once. */
static bool find_over (Search *l, int (*next)(State *st, bool some)) {
  int id;
  bool starts = context_start_polls(l->st->rt);
  while (l->n < FOUND_MOST && (id = next(l->st, l->n > 0)) != 0)
    l->found[l->n++] = id;
  context_end_polls(l->st->rt, starts);
  return l->n > 0;
}

/* Finds what is late, and tells whether the search is. */
static bool find_late (Search *l) {
  RtDeadlines *d = &l->st->deadlines;
  if (d->n == 0 && l->until == INFINITY)
    return false;
  double now = clock_seconds(CLOCK_MONOTONIC);
  int id;
  while (l->n < FOUND_MOST && (id = deadlines_next(d, now)) != 0)
    l->found[l->n++] = id;
  return now >= l->until;
}

/* Tells whether to go on. A host function that has run may have woken a
** task. */
static Status look (void *ud) {
  Search *l = ud;
  find_over(l, take_next);
  if (find_late(l) || l->n > 0 || l->st->served != l->served ||
      (l->ends && is_idle(l->st->rt)))
    return 0;
  return CUDA_ERROR_NOT_READY;
}

/*
** next_over(seconds, name, list) -> whether there is no work to wait for, and
** how many waits are over, FOUND_MOST at most, not always all of them. It puts
** their numbers in 'list', the first one last. The list has had FOUND_MOST
** elements before, so no memory is needed. It finds none if none was over
** within so many seconds, or a host function has run. Without 'seconds' it
** waits for as long as there is work to wait for. Runs host functions. 'name'
** is the function that the program has called.
*/
static int core_next_over (lua_State *L) {
  static const char *const names[] = {"tide.run", "tide.sleep", "tide.poll",
                                      NULL};
  const char *what = names[luaL_checkoption(L, 2, NULL, names)];
  State *st = state_get(L);
  Runtime *rt = state_rt(L);
  bool ends = lua_isnoneornil(L, 1);
  double until = ends ? INFINITY
                      : clock_seconds(CLOCK_MONOTONIC) + arg_check_number(L, 1);
  RtDevice *dev = current_get_device(L);
  blocking_check(L, dev, what);
  Search l = {.st = st, .served = st->served, .until = until, .ends = ends};
  type_check(L, 3, LUA_TTABLE);
  bool serves = blocking_serves(L, st);
  if (!serves && ends && rt->nkept > 0)
    error_check(L, blocking_refuse(L, rt, what));
  if (serves)
    hostfunc_run_due(L, st);
  Status status = look(&l);
  if (status == CUDA_ERROR_NOT_READY)
    status = service_wait_quiet(L, dev, look, &l, serves, NULL);
  if (status != 0 && status != RT_INTERRUPTED && find_over(&l, await_next))
    status = 0; /* a device has failed: waits for it raise the error */
  drain_dropped(L);
  error_check(L, status);
  await_show_deadline(st);
  lua_pushboolean(L, is_idle(rt));
  lua_pushinteger(L, l.n);
  for (int i = 0; i < l.n; i++) {
    lua_pushinteger(L, l.found[i]);
    lua_rawseti(L, 3, l.n - i);
  }
  return 2;
}

/* ==} */

/* {== timers ========================================================== */

enum { WHO = 1, FIELD, TIME }; /* on the stack */

/* Returns the number of the timer in the waiter's field, or 0. */
static int timer_of (lua_State *L) {
  type_check(L, WHO, LUA_TTABLE);
  lua_rawgeti(L, WHO, arg_check_integer(L, FIELD));
  int id = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return id;
}

static void set_field (lua_State *L) {
  lua_rawseti(L, WHO, lua_tointeger(L, FIELD));
}

static void stop_timer (lua_State *L, int id) {
  lua_pushboolean(L, 0);
  set_field(L);
  state_push_uv(L, UV_TICKETS);
  lua_pushnil(L);
  lua_rawseti(L, -2, id);
  deadlines_give(&state_get(L)->deadlines, id);
}

/* stop_timer(who, field) */
static int core_stop_timer (lua_State *L) {
  int id = timer_of(L);
  if (id != 0)
    stop_timer(L, id);
  return 0;
}

/* timer_runs(who, field) -> whether the time of its timer has not come. */
static int core_timer_runs (lua_State *L) {
  lua_pushboolean(L, deadlines_has(&state_get(L)->deadlines, timer_of(L)));
  return 1;
}

/* start_timer(who, field, seconds): next_over finds the number that it stores
** in who[field], after so many seconds, unless stop_timer comes first. Starts
** no timer for math.huge. If it fails, stop_timer gives the number back. */
static int core_start_timer (lua_State *L) {
  int id = timer_of(L);
  double seconds = arg_check_number(L, TIME);
  State *st = state_get(L);
  state_rt(L);
  if (id != 0)
    stop_timer(L, id);
  if (seconds == INFINITY)
    return 0;
  await_watch(L);
  if ((id = deadlines_take(&st->deadlines)) == 0)
    error_check(L, RT_NOMEM);
  lua_pushinteger(L, id);
  set_field(L);
  state_push_uv(L, UV_TICKETS);
  lua_pushvalue(L, WHO);
  lua_rawseti(L, -2, id);
  await_set_deadline(st, id, clock_seconds(CLOCK_MONOTONIC) + seconds);
  return 0;
}

/* ==} */

/* {== the module ====================================================== */

/* set_hook(begin, leave). begin(co, id, in_task, place) -> yield, value: a
** coroutine waits by yield(value), again and again until next_over has given
** the number. If value is nil, yield gets no argument. In a task, which
** resume() of coroutine.c runs, yield is coroutine.yield. begin puts its
** scheduler in tickets[id], or returns nil if nothing runs the coroutine. Waits
** with a common 'place' are over together. leave(scheduler, id): it waits no
** more, or never did. */
static int core_set_hook (lua_State *L) {
  lua_settop(L, 2);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LEAVER);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_HOOK);
  state_get(L)->schedules = true;
  return 0;
}

/*
** set_poll_callback(fn): tide.poll() calls fn(). From now on the descriptor of
** tide.pollfd() is readable when next_over may find something, and after
** post_wakeup().
*/
static int core_set_poll_callback (lua_State *L) {
  State *st = state_get(L);
  st->watches = true;
  if (st->rt != NULL)
    await_watch(L);
  lua_settop(L, 1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_POLL);
  return 0;
}

/* post_wakeup(): the poll callback has something to do. */
static int core_post_wakeup (lua_State *L) {
  inbox_post_wakeup(state_rt(L)->inbox);
  return 0;
}

static const Function functions[] = {
  {"next_over", core_next_over, 3},
  {"post_wakeup", core_post_wakeup, 0},
  {"set_hook", core_set_hook, 2},
  {"set_poll_callback", core_set_poll_callback, 1},
  {"start_timer", core_start_timer, 3},
  {"stop_timer", core_stop_timer, 2},
  {"timer_runs", core_timer_runs, 2},
  {NULL, NULL, 0},
};

static void push_module (lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_getsubtable(L, -1, "tide.scheduler");
  lua_remove(L, -2);
}

void scheduler_add (lua_State *L, const Function *more) {
  push_module(L);
  class_set_funcs(L, more);
  lua_pop(L, 1);
}

void open_scheduler (lua_State *L) {
  scheduler_add(L, functions);
  push_module(L);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_TICKETS);
  lua_setfield(L, -2, "tickets");
  lua_pushinteger(L, FOUND_MOST);
  lua_setfield(L, -2, "FOUND_MOST");
  lua_pop(L, 1);
}

/* ==} */
