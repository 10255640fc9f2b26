/*
** await.c - x:await([seconds]): in a coroutine, others run until the work is
** done; elsewhere it blocks.
**
** DESIGN. A call asks first, unless its goal was queued a moment ago. If that
** is not reached, its ticket, which has the awaited points in turn, joins the
** scheduler of its coroutine: the run of a task, or that of an event loop. A
** Lua function, the scheduler hook, notes the ticket's number there and returns
** how the coroutine yields. The call itself yields, until its ticket was found
** or its deadline has come (scheduler.c). So a coroutine has only its own frame
** and the call's, because it would pay for each further frame anew. Nothing is
** put on the streams, and no thread is needed.
**
** A number is reused (deadlines.c), so a coroutine may be woken for another's
** wait: it goes back to sleep. The ticket of a wait that is over is kept, with
** its number, for the next wait, unless one is kept already; otherwise each
** ticket would be garbage with a finalizer.
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
#include "base/compat.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/guard.h"
#include "host_error.h"
#include "rt/driver/context.h"
#include "rt/memory/block_types.h"
#include "rt/os/clock.h"
#include "rt/queue/kept.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "rt/wait/waitlist.h"
#include "rt/wait/watcher.h"
#include "service.h"

/* Slots on the stack of a call. The coroutine yields by YIELD(VALUE). */
enum { OBJECT = 1, SECONDS, TICKET, GUARD, YIELD, VALUE };

typedef struct Ticket {
  State *st;
  const char *what;
  int id; /* its number, or 0 */
  unsigned generation;
  RtTicket t; /* for point 'at' or, behind the last one, for 'r' */
  Recording r;
  double until; /* clock; INFINITY: no end */
  bool found;   /* it is over, and its scheduler was told */
  bool joined;  /* a scheduler knows its number, */
  bool in_task; /* which is a run */
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

static void give_number (Ticket *t) {
  deadlines_give(&t->st->deadlines, t->id);
  t->id = 0;
}

/* Leaves the scheduler. Whatever fails, that is not held any more. */
static void leave_scheduler (lua_State *L, const Ticket *t) {
  state_push_uv(L, UV_LEAVER);
  state_push_uv(L, UV_TICKETS);
  bool known = (lua_rawgeti(L, -1, t->id) != LUA_TNIL);
  lua_pushnil(L);
  lua_rawseti(L, -3, t->id);
  lua_remove(L, -2);
  lua_pushinteger(L, t->id);
  if (known)
    lua_call(L, 2, 0);
}

/* Called when the coroutine goes on, is closed where it sleeps, or is
** collected. */
static int ticket__close (lua_State *L) {
  Ticket *t = guard_check(L, &guard);
  if (t->st->rt == NULL)
    return 0;
  waitlist_remove(&t->t);
  if (t->joined) {
    t->joined = false;
    deadlines_clear(&t->st->deadlines, t->id);
    leave_scheduler(L, t);
  }
  return 0;
}

static int ticket__gc (lua_State *L) {
  ticket__close(L);
  give_number(lua_touserdata(L, 1));
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
  *t = (Ticket){.st = st, .room = room};
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
    give_number(t);
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
  if (t->id == 0 && lua_isyieldable(L) &&
      (t->id = deadlines_take(&st->deadlines)) == 0)
    error_check(L, RT_NOMEM);
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
  FoundError f = host_error_update(L, NULL);
  for (int i = 0; i < t->n; i++)
    host_error_find(L, &f, t->points[i].s, t->points[i].seq);
  if (t->r.s != NULL)
    host_error_find(L, &f, t->r.s, t->r.seq);
  host_error_raise_found(L, &f);
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

/* Ends the wait. The scheduler hook is informed before anything is raised. */
static void leave (lua_State *L) {
  compat_close_slot(L, GUARD);
  lua_settop(L, TICKET);
}

/* Tells whether the wait is over. In a task only for the run: others may resume
** its coroutine too. */
static bool may_go_on (lua_State *L, const Ticket *t) {
  return (t->found || is_late(t)) && (!t->in_task || t->st->task == L);
}

/* Yields until the wait is over. A task yields here, which is the same as by
** YIELD, but faster. */
static int sleep_until_over (lua_State *L, int status, lua_KContext ctx) {
  (void)status;
  (void)ctx;
  Ticket *t = lua_touserdata(L, TICKET);
  while (!may_go_on(L, t)) {
    lua_settop(L, VALUE);
    if (t->in_task)
      return lua_yieldk(L, 1, 0, sleep_until_over);
    int nargs = !lua_isnil(L, VALUE);
    lua_pushvalue(L, YIELD);
    if (nargs > 0)
      lua_pushvalue(L, VALUE);
    lua_callk(L, nargs, 0, 0, sleep_until_over);
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

/* Joins the scheduler of the coroutine, until the guard is closed, and stores
** how it yields. Returns false if it has none. */
static bool join (lua_State *L, Ticket *t) {
  lua_pushvalue(L, TICKET);
  lua_toclose(L, GUARD);
  t->joined = true;
  t->in_task = (t->st->task == L);
  state_push_uv(L, UV_HOOK);
  lua_pushthread(L);
  lua_pushinteger(L, t->id);
  lua_pushboolean(L, t->in_task);
  if (t->until < INFINITY)
    lua_pushnil(L);
  else
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

/* Lets other coroutines run meanwhile, if there is a scheduler. */
static int await (lua_State *L, Ticket *t) {
  State *st = t->st;
  if (!st->schedules || !lua_isyieldable(L))
    return block(L, t);
  await_watch(L);
  if (!join(L, t))
    return block(L, t);
  if (t->until < INFINITY)
    await_set_deadline(st, t->id, t->until);
  waitlist_add(&t->t);
  st->entry = NULL;
  return sleep_until_over(L, LUA_OK, 0);
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

/* {== for schedulers ================================================== */

/* Asks without Lua, so the ticket is over only for its scheduler. */
int await_next (State *st, bool some) {
  RtTicket *t;
  Status status;
  while ((t = waitlist_next(st->rt, some, &status)) != NULL) {
    Ticket *ticket = of_ticket(t);
    if (is_over(ask(ticket))) {
      ticket->found = true;
      deadlines_clear(&st->deadlines, ticket->id);
      return ticket->id;
    }
    waitlist_add(t);
  }
  return 0;
}

void await_watch (lua_State *L) {
  const State *st = state_get(L);
  if (st->watches)
    error_check(L, watcher_open(st->rt));
}

/* Times of the distant future are no time of the watcher. */
void await_show_deadline (const State *st) {
  double at = deadlines_first(&st->deadlines);
  if (st->watches && at < INFINITY)
    watcher_set_deadline(st->rt, (at < 9e9) ? (int64_t)(at * 1e9) : 0);
}

void await_set_deadline (State *st, int id, double at) {
  deadlines_set(&st->deadlines, id, at);
  if (deadlines_first(&st->deadlines) == at)
    await_show_deadline(st);
}

/* ==} */
