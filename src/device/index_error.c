/*
** index_error.c - errors that only a kernel can find, because only it sees the
** elements: an index out of range. The kernel sets a word that the host can
** read, to the value that the message needs. A later wait raises the error,
** like that of a host function (host_error.c). This takes no extra wait and no
** copy. Errors that threads find while they read or write files are reported in
** the same way.
**
** UV_CHECKS is a list of the checks whose operation is on its way. By their
** messages it also has the checks of graphs, so that a line that captures again
** and again needs one word.
*/
#include "index_error.h"

#include <string.h>

#include "base/class.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/state.h"
#include "host_error.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/file/transfer.h"
#include "rt/os/reading.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/flags.h"
#include "rt/wait/progress.h"
#include "rt/wait/timeline.h"

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

/* Ends a check whose operation was never queued, or that was looked at. All
** other checks are in UV_CHECKS. */
static int check__gc (lua_State *L) {
  Check *c = guard_check(L, &guard);
  if (c->state->rt == NULL || c->s != NULL)
    return 0;
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

/* Takes check i off the list on the top if its operation is done. */
static void settle (lua_State *L, State *st, int i) {
  int list = lua_gettop(L);
  lua_rawgeti(L, list, i);
  Check *c = lua_touserdata(L, -1);
  if (is_stale(c) || progress_passed(c->s, c->seq) == 0) {
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

void index_error_drop (lua_State *L, uint64_t since) {
  const State *st = state_get(L);
  if (st->nchecks == 0)
    return;
  state_push_uv(L, UV_CHECKS);
  for (int i = 1; i <= st->nchecks; i++) {
    Check *c = (Check *)check_at(L, lua_gettop(L), i);
    c->dropped |= c->born >= since && c->transfers == NULL;
  }
  lua_pop(L, 1);
}

/* Settles a few checks, so that programs that never wait do not collect
** them. */
static void settle_some (lua_State *L, State *st) {
  state_push_uv(L, UV_CHECKS);
  for (int n = 0; n < 2 && st->nchecks > 0; n++) {
    st->next_check = st->next_check % st->nchecks + 1;
    settle(L, st, st->next_check);
  }
  lua_pop(L, 1);
}

/* ==} */

/* {== of graphs ======================================================= */

/* Clears the word, so that the next launch of the graph may set it again. */
static void clear (const Check *c) {
  if (c->report != NULL)
    flag_set(&c->report->set, 0);
  else
    flag_clear_word(c->word);
}

/* Raises the error of a captured operation that has set its word. */
static void look_at_graphs (lua_State *L, const RtDevice *dev) {
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    Check *c = lua_touserdata(L, -1);
    if (lua_type(L, -2) != LUA_TSTRING || !is_set(c) ||
        (dev != NULL && c->dev != dev))
      continue;
    push_message(L, lua_gettop(L));
    clear(c);
    lua_error(L);
  }
}

/* Pushes the check that graphs of the device have for the message on the top,
** or returns NULL. */
static Check *push_captured (lua_State *L, const RtDevice *dev) {
  state_push_uv(L, UV_CHECKS);
  lua_pushvalue(L, -2);
  lua_rawget(L, -2);
  Check *c = lua_touserdata(L, -1);
  lua_remove(L, -2);
  if (c != NULL && c->dev == dev && !is_stale(c))
    return c;
  lua_pop(L, 1);
  return NULL;
}

/* Adds the check at 'idx' to the list on the top. If another device has a check
** for the same message, that stays with it, as graphs there may set its
** word. */
static void list_captured (lua_State *L, int idx) {
  lua_getiuservalue(L, idx, 1);
  lua_pushvalue(L, -1);
  lua_rawget(L, -3);
  if (lua_rawequal(L, -1, idx)) {
    lua_pop(L, 2);
    return;
  }
  lua_setiuservalue(L, idx, 2);
  lua_pushvalue(L, idx);
  lua_rawset(L, -3);
}

/* ==} */

/* Its user values: the message; for graphs, the earlier check of the
** message. */
static Check *new_check (lua_State *L, RtDevice *dev, bool word, bool report) {
  size_t more = report ? sizeof(DriverReport) : 0;
  Check *c = guard_new(L, sizeof *c + more, 2, &guard);
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

void index_error_reserve (lua_State *L, const State *st) {
  state_push_uv(L, UV_CHECKS);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, st->nchecks + 1);
  lua_pop(L, 1);
}

static Check *push_check (lua_State *L, const RtStream *s, bool report) {
  State *st = state_get(L);
  settle_some(L, st);
  Check *c = (s->capture != NULL) ? push_captured(L, s->dev) : NULL;
  if (c == NULL) {
    c = new_check(L, s->dev, !report, report);
    lua_pushvalue(L, -2);
    lua_setiuservalue(L, -2, 1);
  }
  lua_remove(L, -2);
  return c;
}

Check *index_error_push (lua_State *L, const RtStream *s, Explain *explain) {
  Check *c = push_check(L, s, false);
  c->explain = explain;
  return c;
}

Check *index_error_push_report (lua_State *L, const RtStream *s) {
  if (s->dev->D->why != NULL)
    return push_check(L, s, true);
  lua_pop(L, 1);
  return NULL;
}

Check *index_error_push_file (lua_State *L, const RtStream *s) {
  State *st = state_get(L);
  settle_some(L, st);
  Check *c = new_check(L, s->dev, false, false);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  return c;
}

void index_error_set (lua_State *L, int idx, RtStream *s) {
  State *st = state_get(L);
  Check *c = lua_touserdata(L, idx);
  bool listed = (c->s != NULL && s->capture == NULL);
  if (c->next != NULL) {
    c->next->sibling = c->transfers;
    c->transfers = c->next;
    c->next = NULL;
  }
  c->s = s; /* from now on it must be looked at before it is given back */
  c->seq = s->seq;
  if (listed)
    return;
  state_push_uv(L, UV_CHECKS);
  if (s->capture != NULL) {
    list_captured(L, idx);
    st->graph_checks = true;
  } else {
    lua_pushvalue(L, idx);
    lua_rawseti(L, -2, st->nchecks + 1);
    s->errors++;
    count(st, st->nchecks + 1);
  }
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

void index_error_poll (lua_State *L, const RtDevice *dev) {
  index_error_settle(L);
  if (!state_get(L)->graph_checks)
    return;
  state_push_uv(L, UV_CHECKS);
  look_at_graphs(L, dev);
  lua_pop(L, 1);
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
