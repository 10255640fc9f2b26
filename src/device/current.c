/*
** current.c - the current device and stream, per coroutine. A weak table maps
** a coroutine to its Current. Nothing is keyed by pointer, because addresses of
** dead coroutines are reused.
**
** Coroutines that inherit share one Current, which never changes: a coroutine
** that chooses another stream or opens a scope gets a Current of its own first.
** So ten thousand coroutines that begin with one stream are ten thousand
** entries, and no objects.
*/
#include "current.h"

#include "base/class.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/state.h"
#include "base/type.h"
#include "device.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/queue/stream_pool.h"
#include "rt/queue/stream_types.h"
#include "stream.h"
#include "stream_scope.h"

static int current__gc (lua_State *L) {
  State *st = state_get(L);
  Current *c = lua_touserdata(L, 1);
  if (st->rt == NULL)
    return 0;
  for (int i = 0; i < c->ndevices; i++) {
    RtStream *s = c->held[i];
    c->held[i] = NULL;
    if (s != NULL)
      stream_pool_drop(s);
  }
  return 0;
}

static const Function current_meta[] = {
  {"__gc", current__gc, 1},
  {NULL, NULL, 0},
};

static const Class current_class = {
  .name = "tide.Current",
  .metamethods = current_meta,
};

/* {== a coroutine's Current =========================================== */

/* Pushes a new Current, which belongs to no coroutine yet. */
static Current *new_current (lua_State *L) {
  Runtime *rt = state_rt(L);
  size_t size = sizeof(Current) + (size_t)rt->ndevices * sizeof(RtStream *);
  Current *c = class_new_object(L, size, &current_class,
                                rt->ndevices + CURRENT_UVS);
  c->ndevices = rt->ndevices;
  return c;
}

/* Makes the Current on the top (popped; or nil) the running coroutine's. */
static void enter_current (lua_State *L) {
  State *st = state_get(L);
  state_push_uv(L, UV_CURRENT);
  lua_pushthread(L);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 2);
  st->latest = NULL; /* it may be this coroutine, with another Current */
}

/* Pushes the running coroutine's Current, or nil. */
static Current *push_entry (lua_State *L) {
  state_push_uv(L, UV_CURRENT);
  lua_pushthread(L);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  return lua_touserdata(L, -1);
}

/* Finds the running coroutine's Current, made on first use, and pushes it. */
static Current *find_current (lua_State *L) {
  Current *c = push_entry(L);
  if (c != NULL)
    return c;
  lua_pop(L, 1);
  c = new_current(L);
  lua_pushvalue(L, -1);
  enter_current(L);
  return c;
}

static void forget_latest (lua_State *L) {
  lua_pushnil(L);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LATEST);
  lua_pushnil(L);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LATEST_THREAD);
  state_get(L)->latest = NULL;
}

static int reminder__gc (lua_State *L);

/* Garbage from birth: its finalizer shows that the collector did a cycle. */
static const Guard reminder = {"reminder", reminder__gc, NULL};

/* Sets its metatable again, which gives it a finalizer for the next cycle and
** needs no memory. */
static int reminder__gc (lua_State *L) {
  guard_check(L, &reminder);
  forget_latest(L);
  lua_getmetatable(L, 1);
  lua_setmetatable(L, 1);
  return 0;
}

/*
** Keeps the Current found last with its coroutine, so that an equal address is
** the same coroutine and not a later one in its place. Each cycle of the
** collector forgets both; otherwise the last coroutine that used tide would
** stay for ever, with all that it holds.
*/
static Current *find_latest (lua_State *L, State *st) {
  if (st->latest == L) {
    state_push_uv(L, UV_LATEST);
    return st->current;
  }
  Current *c = find_current(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LATEST);
  lua_pushthread(L);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LATEST_THREAD);
  st->latest = L;
  st->current = c;
  return c;
}

/* Makes 'dev' current in 'c', which is new and at 'at', with the Stream on the
** top (popped), which may be closed. Takes the RtStream from 'from'. */
static void copy_choice (lua_State *L, Current *c, int at, const Current *from,
                         RtDevice *dev) {
  RtStream *held = from->held[dev->index];
  lua_setiuservalue(L, at, dev->index + 1);
  if (held != NULL)
    stream_pool_retain(held);
  c->held[dev->index] = held;
  c->dev = dev;
}

/* Replaces the shared Current on the top by a copy, the coroutine's own. */
static Current *make_own (lua_State *L) {
  const Current *shared = lua_touserdata(L, -1);
  int at = lua_gettop(L);
  Current *c = new_current(L);
  lua_getiuservalue(L, at, shared->dev->index + 1);
  copy_choice(L, c, at + 1, shared, shared->dev);
  lua_pushvalue(L, -1);
  enter_current(L);
  lua_replace(L, at);
  return c;
}

Current *current_find (lua_State *L, State *st) {
  Current *c = find_latest(L, st);
  return c->shared ? make_own(L) : c;
}

/* Pushes the Current for a look-up on 'dev'. A shared one knows the stream of
** its own device only: for another device a copy is made. */
static Current *find_for (lua_State *L, RtDevice *dev) {
  Current *c = find_latest(L, state_get(L));
  const RtStream *rs = c->held[dev->index];
  bool known = (dev == c->dev && (rs == NULL || !life_is_stale(&rs->life)));
  return (c->shared && !known) ? make_own(L) : c;
}

/* Returns the running coroutine's Current. */
static Current *get_current (lua_State *L, State *st) {
  if (st->latest != L) {
    find_latest(L, st);
    lua_pop(L, 1);
  }
  return st->current;
}

RtDevice *current_get_device (lua_State *L) {
  Current *c = get_current(L, state_get(L));
  if (c->dev == NULL)
    c->dev = device_default(L);
  return c->dev;
}

void current_push_scope_of (lua_State *L, int at) {
  const Current *c = lua_touserdata(L, at);
  lua_getiuservalue(L, at, c->ndevices + CURRENT_ARRAYS);
}

void current_set_scope_of (lua_State *L, int at) {
  const Current *c = lua_touserdata(L, at);
  lua_setiuservalue(L, at, c->ndevices + CURRENT_ARRAYS);
}

void current_push_scope (lua_State *L) {
  find_latest(L, state_get(L));
  current_push_scope_of(L, -1);
  lua_remove(L, -2);
}

/* Devices past the 64th are not remembered. */
static uint64_t bit_of (int index) {
  return index < 64 ? (uint64_t)1 << index : 0;
}

/* Drops the token, which would keep a stream that is no longer current. */
static void drop_token (lua_State *L, Current *c, int at) {
  lua_pushnil(L);
  lua_setiuservalue(L, at, c->ndevices + CURRENT_TOKEN);
  c->has_token = false;
}

/* Keeps both the object and the stream that it stands for. */
void current_set_slot (lua_State *L, Current *c, int at, int index) {
  const Stream *s = lua_touserdata(L, -1);
  RtStream *held = (s != NULL) ? s->rs : NULL, *old = c->held[index];
  lua_setiuservalue(L, at, index + 1);
  if (held != NULL)
    stream_pool_retain(held);
  c->held[index] = held;
  c->nulls &= ~bit_of(index);
  if (old != NULL)
    stream_pool_drop(old);
  if (c->has_token)
    drop_token(L, c, at);
}

/* Pushes the default Stream object for a coroutine on 'dev'. */
static void push_default (lua_State *L, Current *c, int at, RtDevice *dev) {
  State *st = state_get(L);
  if (st->default_stream != STREAM_OWNED) {
    state_push_uv(L, st->default_stream == STREAM_PTDS ? UV_PTDS : UV_NULL);
    return;
  }
  stream_create(L, dev, CU_STREAM_DEFAULT, 0)->rs->unasked = true;
  lua_pushvalue(L, -1);
  current_set_slot(L, c, at, dev->index);
}

/*
** Tells whether the current stream of 'dev' was destroyed by a reset. A stream
** that tide itself had made for the coroutine is forgotten.
*/
static bool is_lost (lua_State *L, Current *c, int at, RtDevice *dev) {
  RtStream *rs = c->held[dev->index];
  if (rs == NULL || !life_is_stale(&rs->life))
    return false;
  if (!rs->unasked)
    return true;
  lua_pushnil(L);
  current_set_slot(L, c, at, dev->index);
  return false;
}

/* Pushes the Stream object that is current on 'dev'; 'at' is the Current. */
static void push_stream (lua_State *L, Current *c, int at, RtDevice *dev) {
  is_lost(L, c, at, dev);
  if (lua_getiuservalue(L, at, dev->index + 1) != LUA_TNIL)
    return;
  lua_pop(L, 1);
  push_default(L, c, at, dev);
}

/* Returns 's', or another stream in a finalizer that runs inside a capture on
** 's', because its work must not become part of the graph. */
static RtStream *outside_capture (lua_State *L, RtStream *s) {
  bool inside = (s->capture != NULL && lua_gc(L, LUA_GCISRUNNING) < 0);
  return inside ? s->dev->fn : s;
}

void current_push_stream (lua_State *L, RtDevice *dev) {
  Current *c = find_for(L, dev);
  RtStream *rs = c->held[dev->index];
  if (rs != NULL && outside_capture(L, rs) != rs) {
    stream_pool_retain(dev->fn);
    stream_push(L, dev->fn);
  } else {
    push_stream(L, c, lua_gettop(L), dev);
  }
  lua_remove(L, -2);
}

/* Finds a stream that is not held: the default stream, not yet made, or a
** singleton. */
static RtStream *find_stream (lua_State *L, RtDevice *dev) {
  Current *c = find_for(L, dev);
  if (is_lost(L, c, lua_gettop(L), dev))
    error_raise(L, "the current stream is gone: device was reset");
  push_stream(L, c, lua_gettop(L), dev);
  Stream *s = lua_touserdata(L, -1);
  RtStream *rs = s->rs;
  StreamKind kind = s->kind;
  lua_pop(L, 2);
  if (rs != NULL)
    return rs;
  rs = stream_default(L, kind, dev);
  if (kind == STREAM_NULL)
    c->nulls |= bit_of(dev->index);
  return rs;
}

RtStream *current_get_stream (lua_State *L, RtDevice *dev) {
  Current *c = get_current(L, state_of_rt(dev->rt));
  RtStream *rs = c->held[dev->index];
  if (rs != NULL && !life_is_stale(&rs->life))
    return outside_capture(L, rs);
  if (rs == NULL && (c->nulls & bit_of(dev->index)) != 0 && dev->null != NULL)
    return dev->null;
  return outside_capture(L, find_stream(L, dev));
}

RtDevice *current_device_of (lua_State *L, const Current *c, const Stream *s) {
  RtDevice *dev = (s->rs != NULL) ? s->rs->dev : c->dev;
  return (dev != NULL) ? dev : device_default(L);
}

void current_use_stream (lua_State *L, int arg) {
  State *st = stream_check(L, arg)->object.state;
  Current *c = current_find(L, st);
  int at = lua_gettop(L);
  RtDevice *dev = current_device_of(L, c, stream_check_again(L, arg));
  stream_scope_save(L, c, at, dev->index);
  stream_check_again(L, arg);
  lua_pushvalue(L, arg);
  current_set_slot(L, c, at, dev->index);
  c->dev = dev;
  lua_pop(L, 1);
}

void current_use_device (lua_State *L, RtDevice *dev) {
  current_find(L, state_get(L))->dev = dev;
  lua_pop(L, 1);
}

void current_enter_func (lua_State *L, RtDevice *dev) {
  push_entry(L);
  Current *c = new_current(L);
  stream_pool_retain(dev->fn);
  stream_push(L, dev->fn);
  current_set_slot(L, c, lua_gettop(L) - 1, dev->index);
  c->dev = dev;
  enter_current(L);
}

/* Needs no memory, so it cannot fail: the coroutine's entry is there. */
void current_leave_func (lua_State *L, int around) {
  Current *c = push_entry(L);
  for (int i = 0; i < c->ndevices; i++) {
    lua_pushnil(L);
    current_set_slot(L, c, lua_gettop(L) - 1, i);
  }
  lua_pop(L, 1);
  lua_pushvalue(L, around);
  enter_current(L);
  forget_latest(L);
}

/* ==} */

/* get_device() -> the current Device. */
static int core_get_device (lua_State *L) {
  state_rt(L);
  device_push(L, current_get_device(L));
  return 1;
}

/* get_current_stream([device]) -> the Stream current there. */
static int core_get_current_stream (lua_State *L) {
  current_push_stream(L, lua_isnoneornil(L, 1) ? current_get_device(L)
                                               : device_check(L, 1));
  return 1;
}

/* {== what coroutines inherit ========================================= */

/* The coroutine's Current keeps the token until it chooses another stream. */
void current_push_token (lua_State *L) {
  state_rt(L);
  RtDevice *dev = current_get_device(L);
  Current *c = find_for(L, dev);
  int at = lua_gettop(L);
  if (c->shared)
    return;
  is_lost(L, c, at, dev); /* if so, drops its token as well */
  lua_getiuservalue(L, at, c->ndevices + CURRENT_TOKEN);
  const Current *known = lua_touserdata(L, -1);
  if (known != NULL && known->dev == dev)
    return;
  Current *token = new_current(L);
  push_stream(L, c, at, dev); /* a finalizer may just have chosen it */
  copy_choice(L, token, at + 2, c, dev);
  token->shared = true;
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, at, c->ndevices + CURRENT_TOKEN);
  c->has_token = true;
}

void current_give_token (lua_State *L, int co, int token) {
  co = lua_absindex(L, co);
  token = lua_absindex(L, token);
  state_push_uv(L, UV_CURRENT);
  lua_pushvalue(L, co);
  lua_pushvalue(L, token);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/*
** inherit(token) makes current what was current where token = inherit() was
** called: tide.wrap's two halves. A coroutine that has set no other device uses
** the token itself.
*/
static int core_inherit (lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    current_push_token(L);
    return 1;
  }
  state_rt(L);
  const Current *token = class_check(L, 1, &current_class);
  lua_getiuservalue(L, 1, token->dev->index + 1);
  lua_insert(L, 1); /* errors then name the argument */
  stream_check(L, 1);
  const Current *c = push_entry(L);
  if (c != NULL && !c->shared) {
    current_use_device(L, token->dev);
    current_use_stream(L, 1);
  } else {
    lua_pushvalue(L, 2);
    enter_current(L);
  }
  return 0;
}

/* ==} */

static const Function functions[] = {
  {"get_device", core_get_device, 0},
  {"get_current_stream", core_get_current_stream, 1},
  {"inherit", core_inherit, 1},
  {NULL, NULL, 0},
};

void open_current (lua_State *L) {
  class_define(L, &current_class);
  guard_new(L, 1, 0, &reminder);
  lua_pop(L, 1);
  class_set_funcs(L, functions);
}
