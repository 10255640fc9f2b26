/*
** host_error.c - errors of host functions: each belongs to its stream, and is
** kept until somebody waits for that, for what comes behind the function, or
** for the device. That a communicator has failed is for whoever waits first,
** for whatever it is. What nobody has asked for is told when the lua_State
** closes.
*/
#include "host_error.h"

#include "base/class.h"
#include "base/state.h"
#include "index_error.h"
#include "rt/comm/comm.h"
#include "rt/driver/status.h"
#include "rt/queue/stream_order.h"
#include "rt/wait/hurdles.h"
#include "rt/wait/timeline.h"

enum { KEPT_MOST = 100 };

void tide_pushpending (lua_State *L, int which) {
  tide_pushuv(L, UV_PENDING);
  lua_rawgeti(L, -1, which);
  lua_remove(L, -2);
}

/* {== kept ============================================================ */

/* What is behind that gate now comes after the error: stream, from, ... */
static void list_behind (lua_State *L, const Runtime *rt, Point gate) {
  int n = 3;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *t = rt->streams[i];
    uint64_t from = rt_behindfrom(t, gate);
    if (t == gate.s || from == UINT64_MAX)
      continue;
    lua_pushlightuserdata(L, t);
    lua_rawseti(L, -2, ++n);
    lua_pushinteger(L, (lua_Integer)from);
    lua_rawseti(L, -2, ++n);
  }
}

void tide_counterrors (State *st) {
  st->rt->errors = st->nerrors + st->nchecks + rt_hascomms(st->rt);
}

static Point read_point (lua_State *L, int at) {
  lua_rawgeti(L, -1, at);
  lua_rawgeti(L, -2, at + 1);
  Point p = {lua_touserdata(L, -2), (uint64_t)lua_tointeger(L, -1)};
  lua_pop(L, 2);
  return p;
}

/* The streams that the entry on the top names are named once more, or less. */
static void count_names (lua_State *L, int by) {
  int n = (int)lua_rawlen(L, -1);
  for (int i = 2; i < n; i += 2)
    read_point(L, i).s->errors += by;
}

/* The place in the list, below the entry on the top, for one of that operation:
** those of later ones make room. */
static int place_of (lua_State *L, const State *st, uint64_t seq) {
  int i = st->nerrors;
  for (; i > 0; i--) {
    lua_rawgeti(L, -2, i);
    if (read_point(L, 2).seq <= seq)
      return lua_pop(L, 1), i + 1;
    lua_rawseti(L, -3, i + 1);
  }
  return 1;
}

/* Adds {error, stream, operation, ...} to the list, the oldest first: a program
** that never asks has so many, those that came first. */
void tide_adderror (lua_State *L, State *st, Point at) {
  if (st->nerrors >= KEPT_MOST) {
    lua_pop(L, 2);
    st->nlost++;
    return;
  }
  lua_rawseti(L, -2, 1);
  tide_pushuv(L, UV_ERRORS);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, at.s);
  lua_rawseti(L, -2, 2);
  lua_pushinteger(L, (lua_Integer)at.seq);
  lua_rawseti(L, -2, 3);
  list_behind(L, st->rt, at);
  int i = place_of(L, st, at.seq);
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, i);
  count_names(L, 1);
  lua_pop(L, 2);
  st->nerrors++;
  tide_counterrors(st);
}

/* Protected: (error), of the host function that runs. */
static int keep_error (lua_State *L) {
  State *st = tide_state(L);
  lua_newtable(L);
  lua_insert(L, -2);
  tide_adderror(L, st, st->rt->at);
  return 0;
}

Status tide_raiselater (lua_State *L, Status st) {
  tide_pushuv(L, UV_PENDING);
  lua_insert(L, -2);
  lua_rawseti(L, -2, PENDING_ERROR);
  lua_pop(L, 1);
  return st;
}

Status tide_keeperror (lua_State *L, State *st) {
  if (st->interrupted) {
    lua_pop(L, 1);
    return rt_fail(st->rt, RT_INTERRUPTED, NULL);
  }
  tide_pushpending(L, PENDING_KEEP);
  lua_pushvalue(L, -2);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) {
    lua_pop(L, 1);
    return 0;
  }
  lua_pop(L, 1);
  return tide_raiselater(L, RT_LUAERROR);
}

/* ==} */

/* {== asked for ======================================================= */

/* Pushes error i, and takes it off the list. */
static void take_error (lua_State *L, State *st, int i) {
  tide_pushuv(L, UV_ERRORS);
  lua_rawgeti(L, -1, i);
  count_names(L, -1);
  lua_rawgeti(L, -1, 1);
  lua_insert(L, -3);
  lua_pop(L, 1);
  for (; i < st->nerrors; i++) {
    lua_rawgeti(L, -1, i + 1);
    lua_rawseti(L, -2, i);
  }
  lua_pushnil(L);
  lua_rawseti(L, -2, st->nerrors--);
  tide_counterrors(st);
  lua_pop(L, 1);
}

/* A rank that has failed while it had something to do, and nobody was told of
** it: the one that (s, seq) comes after, else any. What waits for nothing of it
** in the middle of a call, as finalizers may, is not who should know. */
static RtComm *find_untold (Runtime *rt, const RtStream *s, uint64_t seq) {
  RtComm *any = NULL;
  for (RtComm *c = rt->comms; c != NULL; c = c->next) {
    if (!rt_isuntold(c))
      continue;
    if (s != NULL && rt_comesafter(s, seq, c->lost))
      return c;
    any = c;
  }
  return rt->finalizing ? NULL : any;
}

void tide_raiselost (lua_State *L, const RtStream *s, uint64_t seq) {
  Runtime *rt = tide_state(L)->rt;
  if (!rt_hascomms(rt))
    return;
  rt_askcomms(rt);
  RtComm *c = find_untold(rt, s, seq);
  if (c == NULL)
    return;
  lua_pushstring(L, c->why);
  rt_notetold(rt, c->family);
  lua_error(L);
}

/* Does (s, seq) come after the entry on the top? NULL: see tide_raiseerrors. */
static bool concerns (lua_State *L, const RtDevice *dev, const RtStream *s,
                      uint64_t seq) {
  int n = (int)lua_rawlen(L, -1);
  Point at = read_point(L, 2);
  if (s == NULL)
    return dev == NULL || at.s->dev == dev;
  if (rt_comesafter(s, seq, at))
    return true;
  for (int i = 4; i < n; i += 2) {
    Point from = read_point(L, i);
    if (from.s == s && from.seq <= seq)
      return true;
  }
  return false;
}

void tide_raiseerrors (lua_State *L, const RtDevice *dev, const RtStream *s,
                       uint64_t seq) {
  State *st = tide_state(L);
  if (st->nchecks > 0 || st->graph_checks)
    tide_lookatchecks(L, dev);
  for (int i = 1; i <= st->nerrors; i++) {
    tide_pushuv(L, UV_ERRORS);
    lua_rawgeti(L, -1, i);
    bool found = concerns(L, dev, s, seq);
    lua_pop(L, 2);
    if (found) {
      take_error(L, st, i);
      lua_error(L);
    }
  }
  tide_raiselost(L, s, seq);
}

/* ==} */

/* {== at the end ====================================================== */

enum { WARNINGS = 8 };  /* of a kind */

/* 'text', and the string on the top (popped). */
static void warn (lua_State *L, const char *text) {
  const char *what = lua_tostring(L, -1);
  lua_warning(L, text, 1);
  lua_warning(L, what != NULL ? what : "(no string)", 0);
  lua_pop(L, 1);
}

/* Of 'n', how many were not named? */
static void warn_more (lua_State *L, int n) {
  if (n > WARNINGS) {
    lua_pushinteger(L, n - WARNINGS);
    warn(L, "tide: of the same there are more: ");
  }
}

static void warn_errors (lua_State *L, const State *st) {
  int n = (int)lua_rawlen(L, -1);
  for (int i = 1; i <= n && i <= WARNINGS; i++) {
    lua_rawgeti(L, -1, i);
    lua_rawgeti(L, -1, 1);
    warn(L, "tide: nobody asked for this error: ");
    lua_pop(L, 1);
  }
  warn_more(L, n + st->nlost);
}

/* What kernels have found, as far as they have come. */
static void warn_checks (lua_State *L) {
  int n = 0;
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    const char *message = tide_unaskedcheck(L);
    if (message == NULL || n++ >= WARNINGS)
      continue;
    lua_pushstring(L, message);
    warn(L, "tide: nobody asked for this error: ");
  }
  warn_more(L, n);
}

static void warn_comms (lua_State *L, Runtime *rt) {
  for (RtComm *c = rt->comms; c != NULL; c = c->next) {
    if (!rt_isuntold(c))
      continue;
    rt_notetold(rt, c->family);
    lua_pushstring(L, c->why);
    warn(L, "tide: nobody asked for this error: ");
  }
}

static void warn_functions (lua_State *L) {
  int n = 0;
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    bool captured = (lua_getfield(L, -1, "captured") != LUA_TNIL);
    lua_pop(L, 1);
    if (captured || n++ >= WARNINGS)
      continue;
    lua_getfield(L, -1, "at");
    warn(L, "tide: a host function never ran, queued at ");
  }
  warn_more(L, n);
}

int tide_warnerrors (lua_State *L) {
  const State *st = lua_touserdata(L, 1);
  rt_settlewaits(st->rt);
  lua_getiuservalue(L, 1, UV_ERRORS);
  warn_errors(L, st);
  lua_getiuservalue(L, 1, UV_CHECKS);
  warn_checks(L);
  warn_comms(L, st->rt);
  lua_getiuservalue(L, 1, UV_CALLBACKS);
  warn_functions(L);
  return 0;
}

/* ==} */

void tide_openhosterror (lua_State *L) {
  tide_pushuv(L, UV_PENDING);
  lua_pushboolean(L, 0);  /* the place of an error: to set it cannot fail */
  lua_rawseti(L, -2, PENDING_ERROR);
  tide_pushfunction(L, keep_error);
  lua_rawseti(L, -2, PENDING_KEEP);
  lua_pop(L, 1);
}
