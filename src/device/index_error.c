/*
** index_error.c - errors that only a kernel can find, because only it sees the
** elements: an index out of range. The kernel sets a word that the host can
** read, to the value that the message needs. A later wait raises the error,
** like that of a host function (host_error.c). This takes no extra wait and no
** copy. Errors that threads find while they read or write files are reported in
** the same way.
**
** UV_CHECKS is a list of the checks whose operation is on its way. Operations
** of a graph set the same words in each launch, and launches of a graph come
** one after the other. So a graph has one check for all of them, which is in
** the list while launches are on their way: what it finds is an error of the
** oldest of these. Until the capture ends UV_CAPTURED has its checks.
*/
#include "index_error.h"

#include <stdlib.h>
#include <string.h>

#include "base/class.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/state.h"
#include "host_error.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/driver/grow.h"
#include "rt/file/transfer.h"
#include "rt/graph/capture_types.h"
#include "rt/os/reading.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/flags.h"
#include "rt/wait/progress.h"
#include "rt/wait/timeline.h"

enum { LAUNCHES_FEW = 4 };

static int check__gc (lua_State *L);

static const Guard guard = {"check", check__gc, NULL};

static bool is_stale (const Check *c) {
  return context_is_stale(c->dev, c->generation);
}

static bool is_set (const Check *c) {
  if (c->transfers != NULL)
    return !is_stale(c) && transfer_failed(c->transfers) != NULL;
  if (c->report != NULL)
    return !is_stale(c) &&
           __atomic_load_n(&c->report->set, __ATOMIC_ACQUIRE) != 0;
  return c->word != NULL && !is_stale(c) &&
         __atomic_load_n(c->word, __ATOMIC_ACQUIRE) != 0;
}

/* Gives back the word, unless a reset has destroyed it. A transfer that is not
** queued yet stays: its call may be looking for memory, and this may be one of
** the finalizers that run then. */
static void give_back (Check *c) {
  if (c->word != NULL && !is_stale(c))
    flag_return_word(c->dev, c->word);
  c->word = NULL;
  for (RtTransfer *t; (t = c->transfers) != NULL;) {
    c->transfers = t->sibling;
    transfer_drop(t);
  }
}

/* No launch sets the checks in the list on the top (or nil) any more. */
static void release (lua_State *L) {
  if (lua_isnil(L, -1))
    return;
  for (int i = 1; lua_rawgeti(L, -1, i) == LUA_TUSERDATA; i++) {
    ((Check *)lua_touserdata(L, -1))->captured = false;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Ends a check whose operation was never queued, or that was looked at. All
** other checks are in UV_CHECKS, or of a graph. */
static int check__gc (lua_State *L) {
  Check *c = guard_check(L, &guard);
  if ((c->s != NULL || c->captured) && c->state->rt != NULL)
    return 0;
  free(c->launches);
  c->launches = NULL;
  if (c->state->rt == NULL)
    return 0;
  if (c->graph) {
    lua_getiuservalue(L, 1, 1);
    release(L);
  }
  give_back(c);
  if (c->next != NULL)
    transfer_drop(c->next);
  return 0;
}

/* Pushes the message of the check at 'idx', whose word is set. Reads the word
** first, because finalizers that run meanwhile may give it back. */
static void push_message (lua_State *L, int idx) {
  const Check *c = lua_touserdata(L, idx);
  int64_t found = (c->word != NULL) ? __atomic_load_n(c->word, __ATOMIC_ACQUIRE)
                                    : 0;
  lua_getiuservalue(L, idx, 1);
  if (c->report != NULL) {
    lua_pushfstring(L, "%s: %s", lua_tostring(L, -1), c->report->why);
    lua_remove(L, -2);
  }
  if (c->explain != NULL)
    c->explain(L, found);
  if (c->transfers == NULL)
    return;
  const RtTransfer *t = transfer_failed(c->transfers);
  if (t->error == READING_ENDED)
    lua_pushfstring(L, "%s: it ended at byte %I, and was longer before",
                    lua_tostring(L, -1), (LUAI_UACINT)t->error_at);
  else
    lua_pushfstring(L, "%s: %s, at byte %I", lua_tostring(L, -1),
                    strerror(t->error), (LUAI_UACINT)t->error_at);
  lua_remove(L, -2);
}

/* {== kept ============================================================ */

static void count (State *st, int nchecks) {
  st->nchecks = nchecks;
  host_error_count(st);
}

static const Check *check_at (lua_State *L, int list, int i) {
  lua_rawgeti(L, list, i);
  const Check *c = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return c;
}

/* Returns the number of checks in the list of a capture on the top. A place may
** be reserved behind them. */
static int count_captured (lua_State *L) {
  int n = (int)lua_rawlen(L, -1);
  for (bool found = false; n > 0 && !found; n -= !found) {
    found = (lua_rawgeti(L, -1, n) == LUA_TUSERDATA);
    lua_pop(L, 1);
  }
  return n;
}

/* Takes the check off the list, where it was at i. The last one takes its
** place, and the last place becomes false, not nil, so that writing it cannot
** fail. */
static void take_off (lua_State *L, State *st, int list, int i,
                      const Check *c) {
  while (check_at(L, list, i) != c)
    i = (i > 1) ? i - 1 : st->nchecks;
  lua_rawgeti(L, list, st->nchecks);
  lua_rawseti(L, list, i);
  lua_pushboolean(L, 0);
  lua_rawseti(L, list, st->nchecks);
  count(st, st->nchecks - 1);
}

/* Adds the error of the check on the top. Finalizers may run before that.
** Returns false if one of them has waited, and the check is off the list. */
static bool tell (lua_State *L, State *st, const Check *c) {
  int idx = lua_gettop(L);
  lua_createtable(L, 3, 0);
  push_message(L, idx);
  if (c->s == NULL)
    return false;
  host_error_add(L, st, (Point){c->s, c->seq});
  return true;
}

/* Clears a check of a graph, unless another launch has set it since it was
** read. */
static bool clear (const Check *c, int64_t found) {
  uint32_t set = 1;
  if (c->report == NULL)
    return __atomic_compare_exchange_n(c->word, &found, 0, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return __atomic_compare_exchange_n(&c->report->set, &set, 0, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Adds the error of the captured check on the top (popped) to the oldest launch
** of the graph. Finalizers may run before that, and look as well. */
static void tell_captured (lua_State *L, State *st, const Check *graph) {
  const Check *c = lua_touserdata(L, -1);
  int idx = lua_gettop(L);
  if (!c->dropped && is_set(c)) {
    int64_t found = (c->word != NULL)
                      ? __atomic_load_n(c->word, __ATOMIC_ACQUIRE)
                      : 0;
    lua_createtable(L, 3, 0);
    push_message(L, idx);
    if (graph->s != NULL && is_set(c) && clear(c, found))
      host_error_add(L, st, (Point){graph->s, graph->seq});
  }
  lua_settop(L, idx - 1);
}

/* The oldest launch of graph check 'c' is done, which is below the list on the
** top, where it was at i. Returns false if there is no later one. */
static bool settle_launch (lua_State *L, State *st, int i, Check *c) {
  int list = lua_gettop(L);
  const Point at = {c->s, c->seq};
  lua_getiuservalue(L, list - 1, 1);
  for (int k = 1; !is_stale(c) && lua_rawgeti(L, list + 1, k) == LUA_TUSERDATA;
       k++)
    tell_captured(L, st, c);
  lua_settop(L, list);
  if (c->s != at.s || c->seq != at.seq)
    return c->s != NULL; /* a finalizer has waited */
  at.s->errors--;
  if (c->nlaunches == 0) {
    take_off(L, st, list, i, c);
    c->s = NULL;
    return false;
  }
  c->s = c->launches[0].s;
  c->seq = c->launches[0].seq;
  c->nlaunches--;
  memmove(c->launches, c->launches + 1,
          (size_t)c->nlaunches * sizeof *c->launches);
  return true;
}

static bool is_done (const Check *c) {
  return is_stale(c) || progress_passed(c->s, c->seq) == 0;
}

/* Takes check i off the list on the top if its operation is done. */
static void settle (lua_State *L, State *st, int i) {
  int list = lua_gettop(L);
  lua_rawgeti(L, list, i);
  Check *c = lua_touserdata(L, -1);
  if (c->graph) {
    lua_insert(L, list); /* the check stays on the stack, and so lives */
    while (is_done(c) && settle_launch(L, st, i, c)) {
    }
    lua_remove(L, list);
  } else if (is_done(c)) {
    timeline_settle_waits(st->rt);
    if (c->dropped || !is_set(c) || tell(L, st, c)) {
      c->s->errors--;
      take_off(L, st, list, i, c);
      give_back(c);
      c->s = NULL;
    }
  }
  lua_settop(L, list);
}

static void drop_since (Check *c, uint64_t since) {
  c->dropped |= c->born >= since && c->transfers == NULL;
}

void index_error_drop (lua_State *L, uint64_t since) {
  const State *st = state_get(L);
  int top = lua_gettop(L);
  state_push_uv(L, UV_CHECKS);
  for (int i = 1; i <= st->nchecks; i++)
    drop_since((Check *)check_at(L, top + 1, i), since);
  state_push_uv(L, UV_CAPTURED);
  for (lua_pushnil(L); lua_next(L, top + 2) != 0; lua_pop(L, 1))
    for (int i = count_captured(L); i > 0; i--)
      drop_since((Check *)check_at(L, lua_gettop(L), i), since);
  lua_settop(L, top);
}

void index_error_settle_some (lua_State *L) {
  State *st = state_get(L);
  state_push_uv(L, UV_CHECKS);
  for (int n = 0; n < 2 && st->nchecks > 0; n++) {
    st->next_check = st->next_check % st->nchecks + 1;
    settle(L, st, st->next_check);
  }
  lua_pop(L, 1);
}

/* ==} */

/* {== of captures ==================================================== */

/* Pushes the list of a capture's checks, or nil. */
static void push_captured (lua_State *L, const RtCapture *c) {
  state_push_uv(L, UV_CAPTURED);
  lua_rawgeti(L, -1, (lua_Integer)c->id);
  lua_remove(L, -2);
}

/* Makes room for one more check of the capture. */
static void reserve_captured (lua_State *L, const RtCapture *c) {
  push_captured(L, c);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 1, 0);
    state_push_uv(L, UV_CAPTURED);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)c->id);
    lua_pop(L, 1);
  }
  int n = count_captured(L);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, n + 1);
  lua_pop(L, 1);
}

static void add_captured (lua_State *L, int idx, const RtCapture *c) {
  ((Check *)lua_touserdata(L, idx))->captured = true;
  push_captured(L, c);
  int n = count_captured(L);
  lua_pushvalue(L, idx);
  lua_rawseti(L, -2, n + 1);
  lua_pop(L, 1);
}

void index_error_forget_captures (lua_State *L, const Runtime *rt) {
  state_push_uv(L, UV_CAPTURED);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    const RtCapture *c = rt->captures;
    while (c != NULL && (lua_Integer)c->id != lua_tointeger(L, -2))
      c = c->next;
    if (c != NULL)
      continue;
    release(L);
    lua_pushvalue(L, -2);
    lua_pushnil(L);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
}

/* ==} */

/* Its user value is the message; for a graph, the list of its checks. */
static Check *new_check (lua_State *L, RtDevice *dev, bool word, bool report) {
  size_t more = report ? sizeof(DriverReport) : 0;
  Check *c = guard_new(L, sizeof *c + more, 1, &guard);
  *c = (Check){.state = state_get(L), .dev = dev};
  c->generation = dev->generation;
  c->born = state_get(L)->calls;
  if (report) {
    c->report = (DriverReport *)(c + 1);
    memset(c->report, 0, sizeof *c->report);
  }
  if (word)
    error_check(L, flag_take_word(dev, &c->word));
  return c;
}

void index_error_reserve (lua_State *L, const State *st, const RtStream *s) {
  if (s->capture != NULL) {
    reserve_captured(L, s->capture);
    return;
  }
  state_push_uv(L, UV_CHECKS);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, st->nchecks + 1);
  lua_pop(L, 1);
}

static Check *push_check (lua_State *L, const RtStream *s, bool word,
                          bool report) {
  index_error_settle_some(L);
  Check *c = new_check(L, s->dev, word, report);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  return c;
}

Check *index_error_push (lua_State *L, const RtStream *s, Explain *explain) {
  Check *c = push_check(L, s, true, false);
  c->explain = explain;
  return c;
}

Check *index_error_push_report (lua_State *L, const RtStream *s) {
  if (s->dev->D->why != NULL)
    return push_check(L, s, false, true);
  lua_pop(L, 1);
  return NULL;
}

Check *index_error_push_file (lua_State *L, const RtStream *s) {
  return push_check(L, s, false, false);
}

uint64_t index_error_push_graph (lua_State *L, const RtStream *s) {
  uint64_t id = (s->capture != NULL) ? s->capture->id : 0;
  lua_pushnil(L);
  if (s->capture == NULL)
    return id;
  push_captured(L, s->capture);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return id;
  }
  lua_pop(L, 1);
  push_check(L, s, false, false)->graph = true;
  return id;
}

void index_error_adopt (lua_State *L, uint64_t id) {
  if (lua_isnil(L, -1))
    return;
  state_push_uv(L, UV_CAPTURED);
  lua_rawgeti(L, -1, (lua_Integer)id);
  lua_setiuservalue(L, -3, 1);
  lua_pushnil(L);
  lua_rawseti(L, -2, (lua_Integer)id);
  lua_pop(L, 1);
}

/* Adds a launch to the check of a graph. Without memory it takes the place of
** the launch before, which it comes after. */
static void add_launch (Check *c, RtStream *s) {
  const Point at = {s, s->seq};
  Point front = {c->s, c->seq};
  s->errors++;
  if (grow_list(&c->launches, &c->room, c->nlaunches + 1, sizeof *c->launches,
                LAUNCHES_FEW)) {
    c->launches[c->nlaunches++] = at;
    return;
  }
  Point *last = (c->nlaunches > 0) ? &c->launches[c->nlaunches - 1] : &front;
  last->s->errors--;
  *last = at;
  c->s = front.s;
  c->seq = front.seq;
}

static void add_transfers (Check *c) {
  if (c->next == NULL)
    return;
  c->next->sibling = c->transfers;
  c->transfers = c->next;
  c->next = NULL;
}

void index_error_set (lua_State *L, int idx, RtStream *s) {
  State *st = state_get(L);
  Check *c = lua_touserdata(L, idx);
  add_transfers(c);
  if (s->capture != NULL) {
    add_captured(L, idx, s->capture);
    return;
  }
  if (c->s != NULL && c->graph) {
    add_launch(c, s);
    return;
  }
  bool listed = (c->s != NULL);
  c->s = s; /* from now on it must be looked at before it is given back */
  c->seq = s->seq;
  if (listed)
    return;
  state_push_uv(L, UV_CHECKS);
  lua_pushvalue(L, idx);
  lua_rawseti(L, -2, st->nchecks + 1);
  s->errors++;
  count(st, st->nchecks + 1);
  lua_pop(L, 1);
}

void index_error_settle (lua_State *L) {
  State *st = state_get(L);
  state_push_uv(L, UV_CHECKS);
  for (int i = st->nchecks; i > 0; i--)
    if (i <= st->nchecks)
      settle(L, st, i);
  lua_pop(L, 1);
}

bool index_error_is_graph (lua_State *L) {
  const Check *c = lua_touserdata(L, -1);
  if (c == NULL || !c->graph)
    return false;
  lua_getiuservalue(L, -1, 1);
  return true;
}

const char *index_error_unreported (lua_State *L) {
  Check *c = lua_touserdata(L, -1);
  if (c == NULL || c->dropped || !is_set(c))
    return NULL;
  push_message(L, lua_gettop(L));
  c->explain = NULL;
  const char *message = lua_tostring(L, -1);
  lua_setiuservalue(L, -2, 1); /* the check holds the message */
  return message;
}
