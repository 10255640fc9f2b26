/*
** stream_scope.c - with_stream, with_device and capture: scopes, which restore
** what was current. Lua never sees a scope: blocks have tokens (scope_token.c).
**
** The open scopes of a coroutine are a list, the innermost first, which hangs
** on its Current. In front of them there may be a closed one, the spare, which
** the next scope to open uses again. A scope that closes also keeps the spare
** inside it. So a block that is entered repeatedly moves the streams and hardly
** another Lua value.
*/
#include "stream_scope.h"

#include "base/argerror.h"
#include "base/class.h"
#include "base/state.h"
#include "base/type.h"
#include "current.h"
#include "device.h"
#include "graph.h"
#include "openers.h"
#include "stream.h"

/*
** A scope: what it restores. User values: 1 the Stream that was current, 2 the
** Current, 3 streams of other devices changed inside, 4 the next of the list,
** SCOPE_WATCH, SCOPE_INNER.
*/
struct Scope {
  Object object;
  Current *current;
  struct Scope *parent; /* the open scope around it */
  struct Scope *inner;  /* SCOPE_INNER: the spare inside it */
  int depth;            /* scopes around it */
  RtDevice *dev;        /* the device that was current */
  int index;            /* of the device whose stream was changed; -1: none */
  bool others;          /* there is a user value 3 */
  bool open;
  uint64_t opened; /* how often, because closed scopes are reused */
};

enum { SCOPE_INNER = SCOPE_WATCH + 1, SCOPE_UVS = SCOPE_INNER };
enum { KEPT_DEPTH = 16 }; /* spares are kept up to there */

/* {== the list ======================================================== */

/* Pushes the first of the list of the Current at 'at', or nil. */
static Scope *push_first (lua_State *L, const Current *c, int at) {
  lua_getiuservalue(L, at, c->ndevices + CURRENT_SCOPE);
  return lua_touserdata(L, -1);
}

/* Replaces the scope on the top by the next of the list. */
static Scope *next_scope (lua_State *L) {
  lua_getiuservalue(L, -1, 4);
  lua_replace(L, -2);
  return lua_touserdata(L, -1);
}

/* Makes the scope on the top (popped) the first of the list. */
static void set_first (lua_State *L, Current *c, int at, Scope *sc) {
  lua_setiuservalue(L, at, c->ndevices + CURRENT_SCOPE);
  c->first = sc;
}

/* ==} */

/* {== other devices =================================================== */

void stream_scope_save (lua_State *L, Current *c, int at, int index) {
  Scope *sc = c->scope;
  if (sc == NULL || sc->index == index)
    return;
  for (Scope *x = push_first(L, c, at); x != sc;)
    x = next_scope(L);
  if (lua_getiuservalue(L, -1, 3) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, -3, 3);
    sc->others = true;
  }
  if (lua_rawgeti(L, -1, index) == LUA_TNIL) {
    if (lua_getiuservalue(L, at, index + 1) == LUA_TNIL) {
      lua_pop(L, 1);
      lua_pushboolean(L, 0);
    }
    lua_rawseti(L, -3, index);
  }
  lua_pop(L, 3);
}

/* Puts back what stream_scope_save saved in the scope at 'self'. */
static void put_back (lua_State *L, Current *c, int at, int self) {
  lua_getiuservalue(L, self, 3);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    int index = (int)lua_tointeger(L, -2);
    if (!lua_toboolean(L, -1)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    current_set_slot(L, c, at, index);
  }
  lua_pushnil(L);
  lua_setiuservalue(L, self, 3);
  lua_pop(L, 1);
  c->scope->others = false;
}

/* ==} */

/* {== life ============================================================ */

static const Class scope_class;

/* Closes the innermost scope of the Current at 'at'; it is at 'self'. Lets go
** of values that it needs no more. */
static void end_scope (lua_State *L, Current *c, int at, int self) {
  Scope *sc = c->scope;
  sc->open = false;
  if (sc->others)
    put_back(L, c, at, self);
  if (sc->index >= 0) {
    bool kept = (lua_getiuservalue(L, self, 1) != LUA_TNIL);
    current_set_slot(L, c, at, sc->index);
    if (kept) {
      lua_pushnil(L);
      lua_setiuservalue(L, self, 1);
    }
  }
  c->dev = sc->dev;
  c->scope = sc->parent;
}

/* Keeps the spare at 'inner', or NULL, in the scope at 'self', around it. */
static void keep_spare (lua_State *L, Scope *sc, int self, Scope *spare,
                        int inner) {
  if (sc->inner == spare)
    return;
  if (spare != NULL)
    lua_pushvalue(L, inner);
  else
    lua_pushnil(L);
  lua_setiuservalue(L, self, SCOPE_INNER);
  sc->inner = spare;
}

/*
** Takes the scopes in front of 'sc', at 'self', out of the list. Open scopes
** end, because they may not later bring back what 'sc' undoes. An open scope
** does not become a spare: the frame or token that owns it has not let go.
*/
static void end_inner (lua_State *L, Current *c, int at, int self, Scope *sc) {
  int inner = lua_gettop(L) + 1;
  Scope *next;
  for (Scope *x = push_first(L, c, at); x != sc; x = next) {
    Scope *spare = (!x->open && x->depth < KEPT_DEPTH) ? x : NULL;
    if (x->open)
      end_scope(L, c, at, inner);
    lua_getiuservalue(L, inner, 4);
    next = lua_touserdata(L, -1);
    if (next == sc)
      keep_spare(L, sc, self, spare, inner);
    if (next != sc || spare == NULL) {
      lua_pushnil(L);
      lua_setiuservalue(L, inner, 4);
    }
    lua_replace(L, inner);
  }
  lua_settop(L, inner - 1);
  lua_pushvalue(L, self);
  set_first(L, c, at, sc);
}

int stream_scope_leave (lua_State *L, Scope *sc, int self) {
  Current *c = sc->current;
  int at = lua_gettop(L) + 1;
  lua_getiuservalue(L, self, 2);
  if (c->first != sc)
    end_inner(L, c, at, self, sc);
  end_scope(L, c, at, self);
  return 0;
}

/* Silent and idempotent. */
static int scope__close (lua_State *L) {
  Scope *sc = class_check_gc(L, &scope_class, NULL);
  return (sc->open && sc->object.state->rt != NULL)
           ? stream_scope_leave(L, sc, 1)
           : 0;
}

/* No __gc: an open scope is held by its coroutine, and owns nothing else. */
static const Function scope_meta[] = {
  {"__close", scope__close, 2},
  {NULL, NULL, 0},
};

static const Class scope_class = {
  .name = "tide.Scope",
  .metamethods = scope_meta,
};

/* Puts a closed scope in front of the list of the Current at 'at': the spare
** that the innermost scope has kept, or a new one. */
static void add_spare (lua_State *L, Current *c, int at) {
  if (c->scope != NULL && c->scope->inner != NULL) {
    push_first(L, c, at);
    lua_getiuservalue(L, -1, SCOPE_INNER);
    lua_replace(L, -2);
    set_first(L, c, at, c->scope->inner);
    return;
  }
  Scope *sc = class_new_object(L, sizeof *sc, &scope_class, SCOPE_UVS);
  sc->current = c;
  lua_pushvalue(L, at);
  lua_setiuservalue(L, -2, 2);
  push_first(L, c, at);
  lua_setiuservalue(L, -2, 4);
  set_first(L, c, at, sc); /* pops it */
}

uint64_t stream_scope_id (const Scope *sc) { return sc->open ? sc->opened : 0; }

Scope *stream_scope_take (lua_State *L, State *st) {
  Current *c = current_find(L, st);
  if (c->first == c->scope)
    add_spare(L, c, lua_gettop(L));
  lua_getiuservalue(L, -1, c->ndevices + CURRENT_SCOPE);
  return c->first;
}

/* Saves, in the scope above the Current at 'at', the Stream that is current on
** device 'index'. */
static void save (lua_State *L, int at, int index) {
  if (lua_getiuservalue(L, at, index + 1) != LUA_TNIL)
    lua_setiuservalue(L, at + 1, 1);
  else
    lua_pop(L, 1);
}

void stream_scope_begin (lua_State *L, Scope *sc, int arg, RtDevice *dev) {
  int at = lua_gettop(L) - 1;
  Current *c = sc->current;
  if (arg != 0)
    dev = current_device_of(L, c, stream_check_again(L, arg));
  sc->index = (arg != 0) ? dev->index : -1;
  sc->dev = c->dev;
  sc->parent = c->scope;
  sc->depth = (c->scope != NULL) ? c->scope->depth + 1 : 0;
  sc->open = true;
  sc->opened++;
  c->scope = sc;
  c->dev = dev;
  if (arg == 0)
    return;
  save(L, at, dev->index);
  lua_pushvalue(L, arg);
  current_set_slot(L, c, at, dev->index);
}

void stream_scope_push (lua_State *L, int arg, RtDevice *dev) {
  stream_scope_begin(L, stream_scope_take(L, state_get(L)), arg, dev);
  lua_remove(L, -2);
}

/* ==} */

/* Returns all values above the 'below' first slots. Returning closes those. */
static int finish (lua_State *L, int status, lua_KContext below) {
  (void)status;
  return lua_gettop(L) - (int)below;
}

static int new_stream (lua_State *L) {
  stream_create(L, current_get_device(L), CU_STREAM_NON_BLOCKING, 0);
  return 1;
}

static int find_default (lua_State *L) {
  device_default(L);
  return 0;
}

/* Opens the default device by an API entry, where a wait is possible: the
** caller may have none. */
static void open_default (lua_State *L) {
  if (state_get(L)->device != NULL)
    return;
  class_push_entry(L, find_default, 0);
  lua_call(L, 0, 0);
}

/*
** Closes the object on the top at the end, from the slot 'at'. A hook that
** raises as __close is called keeps that from running, so where there is a hook
** a second slot does the same. Returns the last slot.
*/
static int close_from (lua_State *L, int at) {
  int last = at + (lua_gethookmask(L) != 0);
  lua_insert(L, at);
  lua_toclose(L, at);
  if (last > at) {
    lua_pushvalue(L, at);
    lua_insert(L, last);
    lua_toclose(L, last);
  }
  return last;
}

static int push_newstream (lua_State *L) {
  luaL_checkstack(L, 8, "too many arguments");
  class_push_entry(L, new_stream, 0);
  lua_call(L, 0, 1);
  return close_from(L, 1);
}

/* Runs fn(s, ...) with s current; s is at 1, fn above 'below'. fn may yield. */
static int run_with (lua_State *L, int below) {
  stream_scope_push(L, 1, NULL);
  below = close_from(L, below + 1);
  lua_pushvalue(L, 1);
  lua_insert(L, below + 2); /* fn, stream, ... */
  lua_callk(L, lua_gettop(L) - below - 1, LUA_MULTRET, below, finish);
  return finish(L, LUA_OK, below);
}

/* s:with(fn, ...) -> the results of fn(s, ...). */
static int stream_with (lua_State *L) {
  state_check_rt(L);
  const Stream *s = stream_check(L, 1);
  type_check_callable(L, 2);
  if (s->rs == NULL)
    open_default(L);
  return run_with(L, 1);
}

/* with_stream(s, fn, ...) is s:with(fn, ...); with_stream(fn, ...) makes a
** non-blocking stream that is closed at the end of the scope. */
static int core_with_stream (lua_State *L) {
  state_check_rt(L);
  if (!type_is_callable(L, 1)) {
    type_check_module(L);
    return stream_with(L);
  }
  return run_with(L, push_newstream(L));
}

/* with_device(dev, fn, ...): runs fn(dev, ...) with dev current. */
static int core_with_device (lua_State *L) {
  state_check_rt(L);
  type_check_module(L);
  RtDevice *dev = device_check(L, 1);
  type_check_callable(L, 2);
  stream_scope_push(L, 0, dev);
  int below = close_from(L, 2);
  device_push(L, dev);
  lua_insert(L, below + 2); /* fn, device, ... */
  lua_callk(L, lua_gettop(L) - below - 1, LUA_MULTRET, below, finish);
  return finish(L, LUA_OK, below);
}

/* Calls method 'f' of the Stream at 1 as an API entry. */
static void call_of_stream (lua_State *L, lua_CFunction f, int nresults) {
  class_push_entry(L, f, 1);
  lua_pushvalue(L, 1);
  lua_call(L, 1, nresults);
}

/* Puts the graph in front of the results. */
static int finish_capture (lua_State *L, int status, lua_KContext below) {
  call_of_stream(L, graph_end_capture, 1);
  lua_insert(L, (int)below + 1);
  return finish(L, status, below);
}

/*
** capture(fn, ...) -> Graph, and the results of fn(...). Captures the work that
** fn queues on a fresh current stream. The capture ends on every way out:
** return, error, coroutine.close; after a failure, together with its stream. fn
** may yield.
*/
static int core_capture (lua_State *L) {
  state_check_rt(L);
  type_check_module(L);
  type_check_callable(L, 1);
  int below = push_newstream(L);
  stream_scope_push(L, 1, NULL);
  below = close_from(L, below + 1);
  call_of_stream(L, graph_begin_capture, 0);
  lua_callk(L, lua_gettop(L) - below - 1, LUA_MULTRET, below, finish_capture);
  return finish_capture(L, LUA_OK, below);
}

static const Function functions[] = {
  {CALLS_BACK "capture", core_capture, ANY},
  {CALLS_BACK "with_stream", core_with_stream, ANY},
  {CALLS_BACK "with_device", core_with_device, ANY},
  {NULL, NULL, 0},
};

static const Function stream_methods[] = {
  {CALLS_BACK "with", stream_with, ANY},
  {NULL, NULL, 0},
};

void open_with (lua_State *L) {
  class_define(L, &scope_class);
  class_add_methods(L, &stream_class, stream_methods);
  class_set_funcs(L, functions);
}
