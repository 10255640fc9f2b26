/*
** await.c - x:await([seconds]): in a coroutine, others run until the work is
** done; elsewhere it blocks.
**
** DESIGN. A call asks first, unless its goal was queued a moment ago. If that
** is not reached, its ticket, which has the awaited points in turn, goes to the
** code that runs the coroutines: a Lua function, the scheduler hook, notes its
** number and returns how the coroutine yields. The call itself yields, until
** next_over has found the ticket. So a coroutine has only its own frame and the
** call's, because it would pay for each further frame anew. next_over spins
** when no coroutine can go on. Nothing is put on the streams, and no thread is
** needed.
**
** A ticket that may sleep has a number, which is reused. Lua allocates a table
** anew if a key comes for which it has no room: if each wait had a new key, 64
** tasks that wait in turn would cause that each time. A coroutine that is woken
** through a reused number goes back to sleep. The ticket of a wait that is over
** is kept, with its number, for the next wait, unless one is kept already;
** otherwise each ticket would be garbage with a finalizer.
**
** The call has its API entry until it has asked all it must. After that it has
** none, since a coroutine that sleeps may never come back, and others call
** meanwhile. It asks anew for the results that it returns.
*/
#include "await.h"

#include <math.h>
#include <stddef.h>

#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/compat.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/type.h"
#include "current.h"
#include "drain.h"
#include "host_error.h"
#include "hostfunc.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/os/clock.h"
#include "rt/queue/kept.h"
#include "rt/wait/inbox.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "rt/wait/waitlist.h"
#include "rt/wait/watcher.h"
#include "service.h"

/* Slots on the stack of a call. In a coroutine of a loop YIELD is a function,
** which gets the VALUE; in a task it is the value to yield. */
enum { OBJECT = 1, SECONDS, TICKET, GUARD, YIELD, VALUE };

typedef struct Ticket {
  State *st;
  const char *what;
  int id; /* its number, or LUA_NOREF */
  unsigned generation;
  RtTicket t; /* for point 'at' or, behind the last one, for 'r' */
  Recording r;
  double until; /* clock; INFINITY: no end */
  bool found;   /* next_over has found it */
  bool joined;  /* a loop knows its number */
  bool odd;     /* 'r' is no point of a stream of this State */
  bool mute;    /* the call returns nothing */
  void (*check)(lua_State *L);
  int n, at, room;
  Point points[];
} Ticket;

/* {== life ============================================================ */

static int ticket__close (lua_State *L);
static int ticket__gc (lua_State *L);

static const Guard guard = {"ticket", ticket__gc, ticket__close};

/* Comes before the ticket asks, because memory may run finalizers. */
static void take_number (lua_State *L, Ticket *t) {
  state_push_uv(L, UV_NUMBERS);
  lua_pushboolean(L, 1);
  t->id = luaL_ref(L, -2);
  lua_pop(L, 1);
}

static void give_number (lua_State *L, Ticket *t) {
  state_push_uv(L, UV_NUMBERS);
  luaL_unref(L, -1, t->id);
  t->id = LUA_NOREF;
  lua_pop(L, 1);
}

/* Called when the coroutine of a loop goes on, is closed where it sleeps, or is
** collected. */
static int ticket__close (lua_State *L) {
  Ticket *t = guard_check(L, &guard);
  if (t->st->rt == NULL)
    return 0;
  waitlist_remove(&t->t);
  if (t->joined) {
    t->joined = false;
    state_push_uv(L, UV_LEAVER);
    lua_pushinteger(L, t->id);
    lua_call(L, 1, 0);
  }
  return 0;
}

static int ticket__gc (lua_State *L) {
  ticket__close(L);
  give_number(L, lua_touserdata(L, 1));
  return 0;
}

static Ticket *of_ticket (RtTicket *t) {
  return (Ticket *)((char *)t - offsetof(Ticket, t));
}

static Status ask_recording (RtTicket *t) {
  const Ticket *ticket = of_ticket(t);
  if (context_is_stale(t->dev, ticket->generation))
    return 0; /* the event is gone as well */
  return event_query(&ticket->r, ticket->what);
}

/* Adds a point; only the latest one of each stream counts. */
static void add_point (Ticket *t, Point p) {
  int i = 0;
  while (i < t->n && t->points[i].s != p.s)
    i++;
  if (i == t->n)
    t->points[t->n++] = p;
  else if (p.seq > t->points[i].seq)
    t->points[i].seq = p.seq;
}

static Ticket *new_ticket (lua_State *L, State *st, int room) {
  Ticket *t = guard_new(L, sizeof *t + (size_t)room * sizeof(Point), 1, &guard);
  *t = (Ticket){.st = st, .id = LUA_NOREF, .room = room};
  return t;
}

/* Pushes the kept ticket, if it has room, or a new one. */
static Ticket *take_ticket (lua_State *L, State *st, int room) {
  state_push_uv(L, UV_TICKET);
  Ticket *t = lua_touserdata(L, -1);
  if (t == NULL || t->room < room) {
    lua_pop(L, 1);
    return new_ticket(L, st, room);
  }
  lua_pushnil(L);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_TICKET);
  return t;
}

static bool is_better (lua_State *L, const Ticket *t) {
  state_push_uv(L, UV_TICKET);
  const Ticket *kept = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return kept == NULL || kept->room < t->room;
}

/* Keeps a ticket that has no wait any more, unless one is kept already. */
static void keep_ticket (lua_State *L, Ticket *t) {
  lua_pushnil(L);
  lua_setiuservalue(L, TICKET, 1);
  if (!is_better(L, t)) {
    give_number(L, t);
    return;
  }
  lua_pushvalue(L, TICKET);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_TICKET);
}

/* Pushes a ticket, which keeps the object at 1. A finalizer may use the
** block. */
static Ticket *push_ticket (lua_State *L, const Awaited *w, double until) {
  State *st = state_get(L);
  int room = w->n + ((w->marks != NULL) ? w->marks->n : 0);
  Ticket *t = take_ticket(L, st, room > 0 ? room : 1);
  *t = (Ticket){.st = st,
                .what = w->what,
                .until = until,
                .id = t->id,
                .generation = w->dev->generation,
                .t = {.dev = w->dev},
                .room = t->room,
                .odd = w->odd,
                .mute = w->mute,
                .check = w->check};
  if (w->marks != NULL && w->marks->n > t->room)
    entry_retry(L, st);
  for (int i = 0; w->marks != NULL && i < w->marks->n; i++)
    add_point(t, (Point){w->marks->at[i].s, w->marks->at[i].seq});
  for (int i = 0; i < w->n; i++)
    add_point(t, w->points[i]);
  if (w->point.s != NULL)
    add_point(t, w->point);
  if (w->r != NULL)
    t->r = *w->r;
  lua_pushvalue(L, OBJECT);
  lua_setiuservalue(L, -2, 1);
  if (t->id == LUA_NOREF && lua_isyieldable(L))
    take_number(L, t);
  return t;
}

/* ==} */

/* {== asking ========================================================== */

static bool is_stale (const Ticket *t) {
  return context_is_stale(t->t.dev, t->generation);
}

typedef Status Reached (RtStream *s, uint64_t seq);

/* Returns 0 if all points have passed, or were lost in a reset. Else the ticket
** is for the first that has not. */
static Status ask_by (Ticket *t, Reached *reached) {
  if (is_stale(t))
    return 0;
  for (; t->at < t->n; t->at++) {
    t->t.s = t->points[t->at].s;
    t->t.seq = t->points[t->at].seq;
    Status st = reached(t->t.s, t->t.seq);
    if (st != 0)
      return st;
  }
  if (t->r.e == NULL)
    return 0;
  t->t.s = t->odd ? NULL : t->r.s;
  t->t.seq = t->r.seq;
  t->t.ask = ask_recording;
  t->t.event = &t->r.e->re;
  return waitlist_ask(&t->t);
}

static Status ask (Ticket *t) { return ask_by(t, progress_passed); }

/* Tells whether the status is final. A driver that cannot say now is asked
** again. */
static bool is_over (Status st) {
  return st != CUDA_ERROR_NOT_READY && st != RT_BLOCKED;
}

static bool is_late (const Ticket *t) {
  return t->until < INFINITY && clock_seconds(CLOCK_MONOTONIC) >= t->until;
}

typedef struct TicketWait {
  Ticket *t;
  bool late;
  uint64_t stamp; /* host functions up to it run first, if they are due */
} TicketWait;

static Status is_ready (void *ud) {
  TicketWait *w = ud;
  Status st = ask(w->t);
  w->late = (st == CUDA_ERROR_NOT_READY && is_late(w->t) &&
             kept_next_function(w->t->st->rt, w->stamp) == NULL);
  return w->late ? 0 : st;
}

/* ==} */

/* {== the call ======================================================== */

static int time_out (lua_State *L, Ticket *t) {
  waitlist_remove(&t->t);
  keep_ticket(L, t);
  lua_pushnil(L);
  lua_pushliteral(L, "timeout");
  return 2;
}

/* Returns the results, after all has passed or failed. Asks anew, since the
** text of an error may be another's by now. */
static int finish (lua_State *L, Ticket *t) {
  waitlist_remove(&t->t);
  if (is_stale(t))
    return error_raise(L, "%s: device was reset", t->what);
  t->at = 0;
  t->t.ask = NULL;
  error_check(L, ask(t));
  for (int i = 0; i < t->n; i++)
    host_error_raise(L, NULL, t->points[i].s, t->points[i].seq);
  if (t->r.s != NULL)
    host_error_raise(L, NULL, t->r.s, t->r.seq);
  host_error_raise_comm(L, NULL, 0);
  if (t->check != NULL)
    t->check(L);
  bool mute = t->mute;
  keep_ticket(L, t);
  lua_pushboolean(L, 1);
  return mute ? 0 : 1;
}

/* Ends a sleep. It is no timeout if all was over by the time it was late. */
static int wake (lua_State *L, Ticket *t, bool found) {
  return (found || is_over(ask(t))) ? finish(L, t) : time_out(L, t);
}

void await_watch (lua_State *L) {
  const State *st = state_get(L);
  if (st->watches)
    error_check(L, watcher_open(st->rt));
}

/* Ends the wait. The scheduler hook is informed before anything is raised. */
static void leave (lua_State *L) {
  compat_close_slot(L, GUARD);
  lua_settop(L, TICKET);
}

static void push_left (lua_State *L, const Ticket *t) {
  if (t->until < INFINITY)
    lua_pushnumber(L, fmax(0, t->until - clock_seconds(CLOCK_MONOTONIC)));
  else
    lua_pushnil(L);
}

/* Pushes the value that the coroutine of a task is to yield. */
static void park_task (lua_State *L, const Ticket *t) {
  state_push_uv(L, UV_TASK_HOOK);
  lua_pushinteger(L, t->id);
  push_left(L, t);
  lua_call(L, 2, 1);
}

/* Goes on after a yield. Others may have resumed the coroutine; or the
** scheduler has, for a reused number, and then it is no longer parked. */
static int wake_task (lua_State *L, int status, lua_KContext ctx) {
  (void)status;
  (void)ctx;
  Ticket *t = lua_touserdata(L, TICKET);
  bool scheduled = (t->st->task == L);
  if (scheduled && (t->found || is_late(t))) {
    leave(L);
    return wake(L, t, t->found);
  }
  lua_settop(L, scheduled ? GUARD : YIELD);
  if (scheduled)
    park_task(L, t);
  lua_pushvalue(L, YIELD);
  return lua_yieldk(L, 1, 0, wake_task);
}

static int sleep_task (lua_State *L, Ticket *t) {
  t->st->entry = NULL;
  lua_pushvalue(L, TICKET);
  lua_toclose(L, GUARD);
  park_task(L, t);
  waitlist_add(&t->t);
  lua_pushvalue(L, YIELD);
  return lua_yieldk(L, 1, 0, wake_task);
}

/* Yields as its loop says, repeatedly, as others may resume the coroutine
** too. */
static int sleep_in_loop (lua_State *L, int status, lua_KContext ctx) {
  (void)status;
  (void)ctx;
  Ticket *t = lua_touserdata(L, TICKET);
  while (!t->found && !is_late(t)) {
    int nargs = !lua_isnil(L, VALUE);
    lua_pushvalue(L, YIELD);
    if (nargs > 0)
      lua_pushvalue(L, VALUE);
    lua_callk(L, nargs, 0, 0, sleep_in_loop);
  }
  leave(L);
  return wake(L, t, t->found);
}

/* Pushes a number that is the same for tickets that are over together, or nil.
** It does no harm if other tickets have it as well. */
static void push_place (lua_State *L, const Ticket *t) {
  if (t->n + (t->r.e != NULL) == 1 && t->t.s != NULL)
    lua_pushinteger(L, (lua_Integer)((uint64_t)(uintptr_t)t->t.s *
                                       UINT64_C(0x9e3779b97f4a7c15) +
                                     t->t.seq));
  else
    lua_pushnil(L);
}

/* Tells whether it is a coroutine of a loop. If so, the loop knows its number
** until the guard is closed, and has returned how it yields. */
static bool join_loop (lua_State *L, Ticket *t) {
  lua_pushvalue(L, TICKET);
  lua_toclose(L, GUARD);
  t->joined = true;
  state_push_uv(L, UV_LOOP_HOOK);
  lua_pushthread(L);
  lua_pushinteger(L, t->id);
  lua_pushvalue(L, SECONDS);
  push_place(L, t);
  lua_call(L, 4, 2);
  t->joined = lua_toboolean(L, YIELD);
  if (!t->joined)
    leave(L);
  return t->joined;
}

static int block (lua_State *L, Ticket *t) {
  TicketWait w = {t, false, t->st->rt->stamp};
  service_wait(L, t->t.dev, is_ready, &w, t->what);
  return w.late ? time_out(L, t) : finish(L, t);
}

/* Lets other coroutines run meanwhile, if a task or loop can do so. */
static int await (lua_State *L, Ticket *t) {
  State *st = t->st;
  if (!lua_isyieldable(L))
    return block(L, t);
  await_watch(L);
  if (st->task == L)
    return sleep_task(L, t);
  if (!st->loops || !join_loop(L, t))
    return block(L, t);
  waitlist_add(&t->t);
  st->entry = NULL;
  return sleep_in_loop(L, LUA_OK, 0);
}

int await_all (lua_State *L, const Awaited *w) {
  blocking_check(L, w->dev, w->what);
  lua_settop(L, SECONDS);
  double until = INFINITY;
  if (!lua_isnil(L, SECONDS)) {
    lua_Number seconds = arg_check_number(L, SECONDS);
    argerror_check(L, seconds >= 0, SECONDS, "seconds from 0 on expected");
    until = clock_seconds(CLOCK_MONOTONIC) + seconds;
  }
  Ticket *t = push_ticket(L, w, until);
  Status st = ask_by(t, wait_peek);
  if (st != CUDA_ERROR_NOT_READY) {
    error_check(L, st);
    return finish(L, t);
  }
  return await(L, t);
}

/* ==} */

/* {== for code that runs coroutines ==================================== */

enum { FOUND_MOST = 32 }; /* tickets found in one call */

typedef struct TicketSearch {
  Runtime *rt;
  const State *st;
  uint64_t served;
  double until; /* clock; INFINITY: until there is nothing to wait for */
  int n;
  lua_Integer found[FOUND_MOST];
} TicketSearch;

/* Returns the next ticket that is over: all of its points have passed, or one
** never will. 'some': see waitlist_next. */
static Ticket *next_over (Runtime *rt, bool some) {
  RtTicket *t;
  Status st;
  while ((t = waitlist_next(rt, some, &st)) != NULL) {
    Ticket *ticket = of_ticket(t);
    if (is_over(ask(ticket)))
      return ticket;
    waitlist_add(t);
  }
  return NULL;
}

/* next_over that also takes the wakeup if no other ticket is over. Tickets that
** were queued in between were not asked. */
static Ticket *take_over (Runtime *rt, bool some) {
  Ticket *t = next_over(rt, some);
  if (t != NULL || some || !inbox_has_wakeup(rt->inbox))
    return t;
  inbox_take_wakeup(rt->inbox);
  if ((t = next_over(rt, false)) != NULL ||
      kept_next_function(rt, UINT64_MAX) != NULL)
    inbox_post_wakeup(rt->inbox);
  return t;
}

/* Tells whether there is nothing to wait for. */
static bool is_idle (const Runtime *rt) {
  return !waitlist_has_tickets(rt) && rt->nkept == 0;
}

/* Finds tickets. No Lua runs here, so the context is made current once. */
static bool find_over (TicketSearch *l,
                       Ticket *(*next)(Runtime *rt, bool some)) {
  Ticket *t;
  bool starts = context_start_polls(l->rt);
  while (l->n < FOUND_MOST && (t = next(l->rt, l->n > 0)) != NULL) {
    t->found = true;
    l->found[l->n++] = t->id;
  }
  context_end_polls(l->rt, starts);
  return l->n > 0;
}

/* Tells whether to go on. A host function that has run may have woken a
** task. */
static Status look (void *ud) {
  TicketSearch *l = ud;
  if (find_over(l, take_over) || l->st->served != l->served ||
      (l->until == INFINITY ? is_idle(l->rt)
                            : clock_seconds(CLOCK_MONOTONIC) >= l->until))
    return 0;
  return CUDA_ERROR_NOT_READY;
}

/*
** tide.scheduler is for tide/waiting.lua and tide/loop.lua:
** next_over(seconds, name, list) -> whether there is nothing to wait for, and
** how many tickets are over, FOUND_MOST at most, not always all of them. It
** puts their numbers in 'list', the first one last. The list has had FOUND_MOST
** elements before, so no memory is needed. It finds none if none was over
** within so many seconds, or a host function has run. Without 'seconds' it
** waits for as long as there is something to wait for. Runs host functions.
** 'name' is the function that the program has called.
*/
static int core_next_over (lua_State *L) {
  static const char *const names[] = {"tide.run", "tide.sleep", "tide.poll",
                                      NULL};
  const char *what = names[luaL_checkoption(L, 2, NULL, names)];
  State *st = state_get(L);
  Runtime *rt = state_rt(L);
  double until = lua_isnoneornil(L, 1)
                   ? INFINITY
                   : clock_seconds(CLOCK_MONOTONIC) + arg_check_number(L, 1);
  RtDevice *dev = current_get_device(L);
  blocking_check(L, dev, what);
  TicketSearch l = {.rt = rt, .st = st, .served = st->served, .until = until};
  type_check(L, 3, LUA_TTABLE);
  bool serves = blocking_serves(L, st);
  if (!serves && until == INFINITY && rt->nkept > 0)
    error_check(L, blocking_refuse(rt, what));
  if (serves)
    hostfunc_run_due(L, st);
  Status status = look(&l);
  if (status == CUDA_ERROR_NOT_READY)
    status = service_wait_quiet(L, dev, look, &l, serves, NULL);
  if (status != 0 && status != RT_INTERRUPTED && find_over(&l, next_over))
    status = 0; /* a device has failed: waits for it raise the error */
  drain_dropped(L);
  error_check(L, status);
  lua_pushboolean(L, is_idle(rt));
  lua_pushinteger(L, l.n);
  for (int i = 0; i < l.n; i++) {
    lua_pushinteger(L, l.found[i]);
    lua_rawseti(L, 3, l.n - i);
  }
  return 2;
}

/* set_loop_hook(begin, leave). begin(co, id, seconds, place) -> yield, value: a
** coroutine of a loop waits by yield(value), again and again until next_over
** has given the number, or so many seconds are over. If value is nil, yield
** gets no argument. begin returns nil if the coroutine is in no loop. Waits
** with a common 'place' are over together. leave(id): it waits no more, or
** never did. */
static int core_set_loop_hook (lua_State *L) {
  lua_settop(L, 2);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LEAVER);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LOOP_HOOK);
  state_get(L)->loops = true;
  return 0;
}

/* set_task_hook(fn): a coroutine that resume() of coroutine.c runs sleeps by
** yielding the result of fn(id, seconds). Resume it once next_over has given
** the number, or after so many seconds. */
static int core_set_task_hook (lua_State *L) {
  lua_settop(L, 1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_TASK_HOOK);
  return 0;
}

/*
** set_poll_callback(fn): tide.poll() calls fn(). From now on the descriptor of
** tide.pollfd() is readable when next_over may find something, after
** post_wakeup(), and when the deadline has come.
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

/* set_deadline([clock]): sets the deadline of the watcher to a time of
** tide.clock(), or to never. */
static int core_set_deadline (lua_State *L) {
  lua_Number at = lua_isnoneornil(L, 1) ? 0 : arg_check_number(L, 1);
  Runtime *rt = state_rt(L);
  await_watch(L);
  watcher_set_deadline(rt, (at < 9e9) ? (int64_t)(at * 1e9) : 0);
  return 0;
}

static const Function functions[] = {
  {"post_wakeup", core_post_wakeup, 0},
  {"next_over", core_next_over, 3},
  {"set_deadline", core_set_deadline, 1},
  {"set_poll_callback", core_set_poll_callback, 1},
  {"set_loop_hook", core_set_loop_hook, 2},
  {"set_task_hook", core_set_task_hook, 1},
  {NULL, NULL, 0},
};

/* Pushes the module. */
static void push_scheduler (lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_getsubtable(L, -1, "tide.scheduler");
  lua_remove(L, -2);
}

void await_add_scheduler (lua_State *L, const Function *more) {
  push_scheduler(L);
  class_set_funcs(L, more);
  lua_pop(L, 1);
}

void open_await (lua_State *L) {
  lua_newtable(L);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_NUMBERS);
  push_scheduler(L);
  class_set_funcs(L, functions);
  lua_pushinteger(L, FOUND_MOST);
  lua_setfield(L, -2, "FOUND_MOST");
  lua_pop(L, 1);
}

/* ==} */
