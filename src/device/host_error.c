/*
** host_error.c - errors of host functions. Each belongs to its stream, and is
** kept until something waits for that stream, for work behind the function, or
** for the device. The failure of a communicator is raised by the next wait for
** anything. Errors that were never raised are reported when the lua_State
** closes.
*/
#include "host_error.h"

#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "index_error.h"
#include "rt/comm/comm.h"
#include "rt/driver/status.h"
#include "rt/queue/kept.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/error_order.h"
#include "rt/wait/progress.h"

/* How many errors are kept: see limit_stream and limit_abandoned. */
enum { STREAM_MOST = 32, ABANDONED_MOST = 100 };

void host_error_push (lua_State *L, int which) {
  state_push_uv(L, UV_PENDING);
  lua_rawgeti(L, -1, which);
  lua_remove(L, -2);
}

/* {== kept ============================================================ */

/* Adds the streams whose kept operations come after the error, each with the
** first of these. No finalizer runs in between. */
static void list_behind (lua_State *L, Runtime *rt, Point at) {
  int n = 3;
  deferral_find_after(rt, at);
  for (int i = 0; i < rt->nstreams; i++) {
    uint64_t from = rt->points[i].seq;
    if (rt->streams[i] == at.s || from == UINT64_MAX)
      continue;
    lua_pushlightuserdata(L, rt->streams[i]);
    lua_rawseti(L, -2, ++n);
    lua_pushinteger(L, (lua_Integer)from);
    lua_rawseti(L, -2, ++n);
  }
}

void host_error_count (State *st) {
  st->rt->errors = st->nerrors + st->nchecks + comm_any(st->rt) +
                   (st->rt->failed != NULL);
  st->rt->reported += (st->rt->errors == 0);
}

static Point read_point (lua_State *L, int at) {
  lua_rawgeti(L, -1, at);
  lua_rawgeti(L, -2, at + 1);
  Point p = {lua_touserdata(L, -2), (uint64_t)lua_tointeger(L, -1)};
  lua_pop(L, 2);
  return p;
}

/* Returns the length of the entry on the top. Its error may be nil, so that
** lua_rawlen does not tell. */
static int entry_length (lua_State *L) {
  int n = 3;
  while (lua_rawgeti(L, -1, n + 1) != LUA_TNIL) {
    lua_pop(L, 1);
    n += 2;
  }
  lua_pop(L, 1);
  return n;
}

/* Adds 'by' to the counts of errors of all streams in the entry on the top. */
static void count_names (lua_State *L, int by) {
  int n = entry_length(L);
  for (int i = 2; i < n; i += 2)
    read_point(L, i).s->errors += by;
}

/* Returns the place in the list, below the entry on the top, for an entry of
** that operation, and moves later ones up. */
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

/* Takes entry i off the list on the top, and pushes it. */
static void take_entry (lua_State *L, State *st, int i) {
  lua_rawgeti(L, -1, i);
  count_names(L, -1);
  for (; i < st->nerrors; i++) {
    lua_rawgeti(L, -2, i + 1);
    lua_rawseti(L, -3, i);
  }
  lua_pushnil(L);
  lua_rawseti(L, -3, st->nerrors--);
  host_error_count(st);
}

lua_Integer host_error_more (lua_State *L) {
  lua_getfield(L, -1, "more");
  lua_Integer more = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return more;
}

/* Takes entry 'from' off the list on the top, and counts it in entry 'to'. */
static void merge (lua_State *L, State *st, int from, int to) {
  lua_rawgeti(L, -1, to);
  lua_insert(L, -2);
  take_entry(L, st, from);
  lua_Integer more = host_error_more(L) + 1;
  lua_pop(L, 1);
  lua_insert(L, -2);
  lua_pushinteger(L, host_error_more(L) + more);
  lua_setfield(L, -2, "more");
  lua_pop(L, 1);
}

static Point point_of (lua_State *L, int i) {
  lua_rawgeti(L, -1, i);
  Point at = read_point(L, 2);
  lua_pop(L, 1);
  return at;
}

/*
** A stream keeps its oldest errors, because a wait raises the oldest first.
** The last of these counts those that came later, so that a wait that comes
** after them raises as well.
*/
static void limit_stream (lua_State *L, State *st, const RtStream *s) {
  int n = 0, before = 0, last = 0;
  for (int i = 1; i <= st->nerrors; i++) {
    Point at = point_of(L, i);
    if (at.s != s || at.seq == UINT64_MAX)
      continue;
    n++;
    before = last;
    last = i;
  }
  if (n > STREAM_MOST)
    merge(L, st, last, before);
}

/* Gives entry i of the list on the top to the device: no operation comes after
** it, so only a wait for the whole device raises it. */
static void give_to_device (lua_State *L, int i) {
  lua_rawgeti(L, -1, i);
  count_names(L, -1);
  for (int k = entry_length(L); k > 3; k--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, k);
  }
  lua_pushinteger(L, (lua_Integer)UINT64_MAX);
  lua_rawseti(L, -2, 3);
  count_names(L, 1);
  lua_pop(L, 1);
}

/*
** Errors of a closed stream can still be raised through the arrays that its
** work has written. The structs of streams with errors are not reused, so only
** a limited number of such errors is kept for all streams. The oldest then
** become errors of the device.
*/
static void limit_abandoned (lua_State *L, State *st) {
  int n = 0, oldest = 0, devices = 0;
  for (int i = 1; i <= st->nerrors; i++) {
    Point at = point_of(L, i);
    if (!at.s->live && at.seq != UINT64_MAX && n++ == 0)
      oldest = i;
  }
  if (n <= ABANDONED_MOST)
    return;
  const RtDevice *dev = point_of(L, oldest).s->dev;
  for (int i = 1; i <= st->nerrors; i++) {
    Point at = point_of(L, i);
    if (at.seq == UINT64_MAX && at.s->dev == dev)
      devices = i;
  }
  if (devices > 0)
    merge(L, st, oldest, devices);
  else
    give_to_device(L, oldest);
}

/* Adds {error, stream, operation, ...} to the list, the oldest first. */
void host_error_add (lua_State *L, State *st, Point at) {
  lua_rawseti(L, -2, 1);
  state_push_uv(L, UV_ERRORS);
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
  lua_pop(L, 1);
  st->nerrors++;
  host_error_count(st);
  limit_stream(L, st, at.s);
  limit_abandoned(L, st);
  lua_pop(L, 1);
}

/* Keeps an error of the host function that runs; called protected. */
static int keep_error (lua_State *L) {
  State *st = state_get(L);
  lua_newtable(L);
  lua_insert(L, -2);
  host_error_add(L, st, st->rt->at);
  return 0;
}

static void push_failure (lua_State *L, const RtKept *k) {
  if (k->status == RT_NOMEM)
    lua_pushliteral(L, "not enough memory");
  else
    error_push_failure(L, k->call, k->status, k->detail);
  lua_pushfstring(L,
                  "%s, which came after a host function, could not be queued: "
                  "%s",
                  k->op.name, lua_tostring(L, -1));
  lua_remove(L, -2);
}

/* Keeps the error of an operation that could not be sent; called protected
** with a light userdata RtKept. */
static int keep_failure (lua_State *L) {
  const RtKept *k = lua_touserdata(L, 1);
  lua_newtable(L);
  push_failure(L, k);
  host_error_add(L, state_get(L), (Point){k->s, k->seq});
  return 0;
}

/* Each operation is off the list while finalizers run, because they may wait.
** A wait for a device that has failed raises its error anyway. */
static void keep_failures (lua_State *L, Runtime *rt) {
  for (RtKept *k; (k = rt->failed) != NULL;) {
    bool reported = (k->s->dev->fault.code != 0);
    rt->failed = k->next;
    host_error_push(L, PENDING_FAILURE);
    lua_pushlightuserdata(L, k);
    if (reported) {
      lua_pop(L, 2);
    } else if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
      k->next = rt->failed;
      rt->failed = k;
      lua_error(L);
    }
    k->s->errors--;
    kept_free(k);
  }
}

Status host_error_defer (lua_State *L, Status st) {
  state_push_uv(L, UV_PENDING);
  lua_insert(L, -2);
  lua_rawseti(L, -2, PENDING_ERROR);
  lua_pop(L, 1);
  return st;
}

Status host_error_keep (lua_State *L, State *st) {
  if (st->interrupted) {
    lua_pop(L, 1);
    return status_fail(st->rt, RT_INTERRUPTED, NULL);
  }
  host_error_push(L, PENDING_KEEP);
  lua_pushvalue(L, -2);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) {
    lua_pop(L, 1);
    return 0;
  }
  lua_pop(L, 1);
  return host_error_defer(L, RT_LUAERROR);
}

/* ==} */

/* {== raised ========================================================== */

/* Raises error i, and takes it off the list. A value that is no string has no
** place for the number of later ones, which is reported when the State
** closes. */
static int raise_entry (lua_State *L, State *st, int i) {
  state_push_uv(L, UV_ERRORS);
  take_entry(L, st, i);
  lua_Integer more = host_error_more(L);
  lua_rawgeti(L, -1, 1);
  if (more > 0 && lua_type(L, -1) == LUA_TSTRING)
    lua_pushfstring(L,
                    "%s\n(%I more errors that nobody asked for were not kept)",
                    lua_tostring(L, -1), (LUAI_UACINT)more);
  else
    st->nlost += (int)more;
  return lua_error(L);
}

/* Returns a rank that has failed while it had something to do, if that was not
** reported yet: one that (s, seq) comes after, else any. In a finalizer only
** the former, because a wait in the middle of a call should not raise
** unrelated failures. */
static RtComm *find_unreported (Runtime *rt, const RtStream *s, uint64_t seq) {
  RtComm *any = NULL;
  LIST_EACH (RtComm, c, &rt->held[LIFE_COMM]) {
    if (!comm_is_unreported(c))
      continue;
    const Point at = c->poisoned;
    if (s != NULL &&
        (error_order_has(s, seq, at) || progress_has_waited(s, at.s, at.seq)))
      return c;
    any = c;
  }
  return rt->finalizing ? NULL : any;
}

/* Returns an unreported failure as find_unreported does, or NULL. */
static RtComm *failed_comm (Runtime *rt, const RtStream *s, uint64_t seq) {
  if (!comm_any(rt))
    return NULL;
  comm_poll(rt);
  if (s != NULL)
    error_order_find(s, seq);
  return find_unreported(rt, s, seq);
}

static void raise_comm (lua_State *L, Runtime *rt, const RtComm *c) {
  if (c == NULL)
    return;
  lua_pushstring(L, c->why);
  comm_note_reported(rt, c->family);
  lua_error(L);
}

void host_error_raise_comm (lua_State *L, const RtStream *s, uint64_t seq) {
  Runtime *rt = state_get(L)->rt;
  raise_comm(L, rt, failed_comm(rt, s, seq));
}

/* Tells whether (s, seq), which error_order_find was called for, comes after
** the entry on the top. For 's' NULL see host_error_raise. */
static bool concerns (lua_State *L, const RtDevice *dev, const RtStream *s,
                      uint64_t seq) {
  int n = entry_length(L);
  Point at = read_point(L, 2);
  if (s == NULL)
    return dev == NULL || at.s->dev == dev;
  if (error_order_has(s, seq, at))
    return true;
  for (int i = 4; i < n; i += 2) {
    Point from = read_point(L, i);
    if (from.s == s && from.seq <= seq)
      return true;
  }
  return false;
}

FoundError host_error_update (lua_State *L, const RtDevice *dev) {
  State *st = state_get(L);
  if (st->rt->failed != NULL)
    keep_failures(L, st->rt);
  if (st->nchecks > 0)
    index_error_settle(L);
  return (FoundError){.dev = dev};
}

void host_error_find (lua_State *L, FoundError *f, const RtStream *s,
                      uint64_t seq) {
  State *st = state_get(L);
  int end = (f->entry > 0) ? f->entry : st->nerrors + 1;
  if (s != NULL && st->nerrors > 0)
    error_order_find(s, seq);
  for (int i = 1; i < end; i++) {
    state_push_uv(L, UV_ERRORS);
    lua_rawgeti(L, -1, i);
    if (concerns(L, f->dev, s, seq))
      f->entry = end = i;
    lua_pop(L, 2);
  }
  if (f->entry == 0 && f->comm == NULL)
    f->comm = failed_comm(st->rt, s, seq);
}

void host_error_raise_found (lua_State *L, const FoundError *f) {
  State *st = state_get(L);
  if (f->entry > 0)
    raise_entry(L, st, f->entry);
  raise_comm(L, st->rt, f->comm);
}

/* Looks for errors of other devices that work of this one comes after. */
static void find_elsewhere (lua_State *L, FoundError *f, const Runtime *rt) {
  for (int i = 0; i < rt->nstreams && rt->errors > 0; i++)
    if (rt->streams[i]->dev == f->dev)
      host_error_find(L, f, rt->streams[i], rt->streams[i]->seq);
}

void host_error_raise (lua_State *L, const RtDevice *dev, const RtStream *s,
                       uint64_t seq) {
  FoundError f = host_error_update(L, dev);
  host_error_find(L, &f, s, seq);
  if (s == NULL && dev != NULL && dev->rt->ndevices > 1)
    find_elsewhere(L, &f, dev->rt);
  host_error_raise_found(L, &f);
}

/* ==} */

void open_host_error (lua_State *L) {
  state_get(L)->drop_checks = index_error_drop;
  state_push_uv(L, UV_PENDING);
  lua_pushboolean(L, 0); /* the place of an error: setting it cannot fail */
  lua_rawseti(L, -2, PENDING_ERROR);
  class_push_function(L, keep_error);
  lua_rawseti(L, -2, PENDING_KEEP);
  class_push_function(L, keep_failure);
  lua_rawseti(L, -2, PENDING_FAILURE);
  lua_pop(L, 1);
}
