/*
** current.c - the current device and stream, per coroutine, and the scopes
** that restore them. A weak table maps a coroutine to its Current; addresses
** of dead coroutines are used again, so nothing is keyed by pointer.
*/
#include "current.h"

#include "class.h"
#include "device.h"
#include "error.h"
#include "rt/streams.h"
#include "stream.h"

/*
** One coroutine's choice. User value i+1 is the Stream object that is current
** on device i (nil: the default one); 'held' keeps its stream alive even if
** that object is closed meanwhile. After those come the innermost scope, the
** coroutine itself and the spare scope.
*/
typedef struct Current {
  Object object;
  RtDevice *dev;        /* NULL: the default device */
  struct Scope *scope;  /* the innermost open one */
  struct Scope *spare;  /* one that with_stream may use again */
  struct ArrayScope *arrays;  /* the innermost tide.scope: see scope.c */
  int ndevices;
  uint64_t nulls;       /* bit i: on device i it is the null stream */
  RtStream *held[];     /* by device index; NULL: a singleton or default */
} Current;

/*
** What a scope restores. User values: 1 the Stream that was current, 2 the
** Current, 3 streams of other devices changed inside, 4 the scope around it.
*/
typedef struct Scope {
  Object object;
  Current *current;
  struct Scope *parent;
  RtDevice *dev;        /* the device that was current */
  int index;            /* whose stream was changed; -1: none */
  bool open;
  bool hidden;          /* Lua never sees it: used again when closed */
} Scope;

static int uv_scope (const Current *c) { return c->ndevices + 1; }

static int uv_thread (const Current *c) { return c->ndevices + 2; }

static int uv_spare (const Current *c) { return c->ndevices + 3; }

static int current__gc (lua_State *L) {
  State *st = tide_state(L);
  Current *c = lua_touserdata(L, 1);
  if (st->rt == NULL)
    return 0;
  for (int i = 0; i < c->ndevices; i++) {
    RtStream *s = c->held[i];
    c->held[i] = NULL;
    if (s != NULL)
      rt_dropstream(s);
  }
  return 0;
}

static const luaL_Reg current_meta[] = {
  {"__gc", current__gc},
  {NULL, NULL}
};

static const Class current_class = {
  "tide.Current", NULL, NULL, current_meta, NULL
};

/* {== a coroutine's Current =========================================== */

/* Pushes a new Current for the thread at 'thread' and enters it. */
static Current *new_current (lua_State *L, int thread) {
  Runtime *rt = tide_rt(L);
  size_t size = sizeof(Current) + (size_t)rt->ndevices * sizeof(RtStream *);
  Current *c = tide_newobject(L, size, &current_class, rt->ndevices + 3);
  c->ndevices = rt->ndevices;
  lua_pushvalue(L, thread);
  lua_setiuservalue(L, -2, uv_thread(c));
  tide_pushuv(L, UV_CURRENT);
  lua_pushvalue(L, thread);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  return c;
}

/* Finds the running coroutine's Current, made on first use, and pushes it. */
static Current *find_current (lua_State *L) {
  tide_pushuv(L, UV_CURRENT);
  lua_pushthread(L);
  lua_rawget(L, -2);
  Current *c = lua_touserdata(L, -1);
  lua_remove(L, -2);
  if (c != NULL)
    return c;
  lua_pop(L, 1);
  lua_pushthread(L);
  c = new_current(L, lua_gettop(L));
  lua_remove(L, -2);
  return c;
}

/*
** Pushes the running coroutine's Current. The one found last is kept with its
** coroutine, so an equal address is the same coroutine and not one made later
** in its place.
*/
static Current *push_current (lua_State *L) {
  State *st = tide_state(L);
  if (st->latest == L) {
    tide_pushuv(L, UV_LATEST);
    return st->current;
  }
  Current *c = find_current(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(1), UV_LATEST);
  st->latest = L;
  st->current = c;
  return c;
}

/* The running coroutine's Current. */
static Current *get_current (lua_State *L) {
  State *st = tide_state(L);
  if (st->latest != L) {
    push_current(L);
    lua_pop(L, 1);
  }
  return st->current;
}

RtDevice *tide_currentdevice (lua_State *L) {
  Current *c = get_current(L);
  if (c->dev == NULL)
    c->dev = tide_defaultdevice(L);
  return c->dev;
}

struct ArrayScope **tide_arrayscope (lua_State *L) {
  return &get_current(L)->arrays;
}

/* Devices past the 64th are not remembered. */
static uint64_t bit_of (int index) {
  return index < 64 ? (uint64_t)1 << index : 0;
}

/* Puts the Stream object on the top (popped) into a slot of the Current at
** 'at': the object, and the stream it stands for. */
static void set_slot (lua_State *L, Current *c, int at, int index) {
  Stream *s = tide_testobject(L, -1, &tide_streamclass);
  RtStream *held = (s != NULL) ? s->rs : NULL, *old = c->held[index];
  lua_setiuservalue(L, at, index + 1);
  if (held != NULL)
    rt_retainstream(held);
  c->held[index] = held;
  c->nulls &= ~bit_of(index);
  if (old != NULL)
    rt_dropstream(old);
}

/* Pushes the default Stream object for a coroutine on 'dev'. */
static void push_default (lua_State *L, Current *c, int at, RtDevice *dev) {
  State *st = tide_state(L);
  if (st->default_stream != STREAM_OWNED) {
    tide_pushuv(L, st->default_stream == STREAM_PTDS ? UV_PTDS : UV_NULL);
    return;
  }
  tide_newstream(L, dev, CU_STREAM_DEFAULT, 0);
  lua_pushvalue(L, -1);
  set_slot(L, c, at, dev->index);
}

/* Pushes the Stream object that is current on 'dev'; 'at' is the Current. */
static void push_stream (lua_State *L, Current *c, int at, RtDevice *dev) {
  if (lua_getiuservalue(L, at, dev->index + 1) != LUA_TNIL)
    return;
  lua_pop(L, 1);
  push_default(L, c, at, dev);
}

void tide_pushcurrent (lua_State *L, RtDevice *dev) {
  Current *c = push_current(L);
  push_stream(L, c, lua_gettop(L), dev);
  lua_remove(L, -2);
}

/* What is not held: the default stream, not yet made, or a singleton. */
static RtStream *find_stream (lua_State *L, RtDevice *dev) {
  Current *c = push_current(L);
  push_stream(L, c, lua_gettop(L), dev);
  Stream *s = lua_touserdata(L, -1);
  RtStream *rs = s->rs;
  StreamKind kind = s->kind;
  lua_pop(L, 2);
  if (rs != NULL)
    return rs;
  rs = tide_singleton(L, kind, dev);
  if (kind == STREAM_NULL)
    c->nulls |= bit_of(dev->index);
  return rs;
}

RtStream *tide_currentstream (lua_State *L, RtDevice *dev) {
  Current *c = get_current(L);
  if (c->held[dev->index] != NULL)
    return c->held[dev->index];
  if ((c->nulls & bit_of(dev->index)) != 0 && dev->null != NULL)
    return dev->null;
  return find_stream(L, dev);
}

static void remember (lua_State *L, Current *c, int at, int index);

static void use (lua_State *L, Current *c, int at, int arg) {
  Stream *s = tide_checkstream(L, arg);
  RtDevice *dev = (s->rs != NULL) ? s->rs->dev : c->dev;
  if (dev == NULL)
    dev = tide_defaultdevice(L);
  remember(L, c, at, dev->index);
  lua_pushvalue(L, arg);
  set_slot(L, c, at, dev->index);
  c->dev = dev;
}

void tide_usestream (lua_State *L, int arg) {
  Current *c = push_current(L);
  use(L, c, lua_gettop(L), arg);
  lua_pop(L, 1);
}

void tide_usedevice (lua_State *L, RtDevice *dev) {
  push_current(L)->dev = dev;
  lua_pop(L, 1);
}

void tide_startcoroutine (lua_State *L, lua_State *co, RtDevice *dev) {
  lua_pushthread(co);
  lua_xmove(co, L, 1);
  Current *c = new_current(L, lua_gettop(L));
  rt_retainstream(dev->fn);
  tide_pushstream(L, dev->fn);
  set_slot(L, c, lua_gettop(L) - 1, dev->index);
  c->dev = dev;
  lua_pop(L, 2);
}

/* ==} */

/* {== scopes ========================================================== */

/*
** Inside a scope, 'use' may change the stream of another device than the
** scope's own: the first time it does, the scope remembers what was there.
** The Scope and its Current (user value 2) are at 'self' and 'at'.
*/
static void remember (lua_State *L, Current *c, int at, int index) {
  Scope *sc = c->scope;
  if (sc == NULL || sc->index == index)
    return;
  lua_getiuservalue(L, at, uv_scope(c));
  if (lua_getiuservalue(L, -1, 3) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, -3, 3);
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

/* Puts back what 'remember' saved in the table on the top (popped). */
static void put_back (lua_State *L, Current *c, int at) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    int index = (int)lua_tointeger(L, -2);
    if (!lua_toboolean(L, -1)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    set_slot(L, c, at, index);
  }
  lua_pop(L, 1);
}

static int scope__close (lua_State *L) {
  State *st = tide_state(L);
  Scope *sc = lua_touserdata(L, 1);
  if (!sc->open || st->rt == NULL)
    return 0;
  sc->open = false;
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, 2);
  if (lua_getiuservalue(L, 1, 3) != LUA_TNIL) {
    put_back(L, sc->current, 2);
    lua_pushnil(L);
    lua_setiuservalue(L, 1, 3);
  }
  lua_settop(L, 2);
  if (sc->index >= 0) {
    lua_getiuservalue(L, 1, 1);
    set_slot(L, sc->current, 2, sc->index);
  }
  sc->current->dev = sc->dev;
  sc->current->scope = sc->parent;
  if (sc->parent != NULL)
    lua_getiuservalue(L, 1, 4);
  else
    lua_pushnil(L);
  lua_setiuservalue(L, 2, uv_scope(sc->current));
  if (sc->hidden) {
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 2, uv_spare(sc->current));
    sc->current->spare = sc;
  }
  return 0;
}

static const luaL_Reg scope_meta[] = {
  {"__close", scope__close},
  {NULL, NULL}
};

static const Class scope_class = {
  "tide.Scope", NULL, NULL, scope_meta, NULL
};

/* Opens the scope at 'self' over the Current at 'at'. */
static void open_scope (lua_State *L, Scope *sc, int self, Current *c,
                        int at) {
  sc->dev = c->dev;
  if (sc->current == NULL) {
    sc->current = c;
    lua_pushvalue(L, at);
    lua_setiuservalue(L, self, 2);
  }
  if (sc->index >= 0) {
    lua_getiuservalue(L, at, sc->index + 1);
    lua_setiuservalue(L, self, 1);
  }
  sc->parent = c->scope;
  if (sc->parent != NULL) {
    lua_getiuservalue(L, at, uv_scope(c));
    lua_setiuservalue(L, self, 4);
  }
  lua_pushvalue(L, self);
  lua_setiuservalue(L, at, uv_scope(c));
  c->scope = sc;
  sc->open = true;
}

/* Pushes a Scope that is not open: the spare one of 'c', if it may be. */
static Scope *new_scope (lua_State *L, Current *c, int at, bool hidden) {
  if (hidden && c->spare != NULL) {
    Scope *sc = c->spare;
    c->spare = NULL;
    lua_getiuservalue(L, at, uv_spare(c));
    return sc;
  }
  Scope *sc = tide_newobject(L, sizeof *sc, &scope_class, 4);
  sc->hidden = hidden;
  return sc;
}

void tide_pushscope (lua_State *L, int arg, RtDevice *dev, bool hidden) {
  Current *c = push_current(L);
  int at = lua_gettop(L), self = at + 1;
  Scope *sc = new_scope(L, c, at, hidden);
  Stream *s = (arg != 0) ? tide_checkstream(L, arg) : NULL;
  RtDevice *of = (s != NULL && s->rs != NULL) ? s->rs->dev : c->dev;
  if (of == NULL)
    of = tide_defaultdevice(L);
  sc->index = (s != NULL) ? of->index : -1;
  open_scope(L, sc, self, c, at);
  if (s != NULL)
    use(L, c, at, arg);
  else
    c->dev = dev;
  lua_settop(L, self);
  lua_remove(L, at);
}

/* 'below': how many slots lie under the results. Returning closes them. */
static int finish (lua_State *L, int status, lua_KContext below) {
  (void)status;
  return lua_gettop(L) - (int)below;
}

/*
** with_stream(s, fn, ...), with_stream(fn, ...), s:with(fn, ...): runs
** fn(s, ...) with s current; the second form makes a non-blocking stream that
** is closed at the end of the scope. Returns what fn returns. fn may yield.
*/
int tide_withstream (lua_State *L) {
  tide_rt(L);
  bool own = (lua_type(L, 1) == LUA_TFUNCTION);
  if (own) {
    tide_newstream(L, tide_currentdevice(L), CU_STREAM_NON_BLOCKING, 0);
    lua_insert(L, 1);
    lua_toclose(L, 1);
  } else {
    tide_checkstream(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
  }
  tide_pushscope(L, 1, NULL, true);
  lua_insert(L, 2);
  lua_toclose(L, 2);
  lua_pushvalue(L, 1);
  lua_insert(L, 4);  /* stream, scope, fn, stream, ... */
  lua_callk(L, lua_gettop(L) - 3, LUA_MULTRET, 2, finish);
  return finish(L, LUA_OK, 2);
}

/* with_device(dev, fn, ...): runs fn(dev, ...) with dev current. */
static int core_with_device (lua_State *L) {
  tide_rt(L);
  RtDevice *dev = tide_checkdevice(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  tide_pushscope(L, 0, dev, true);
  lua_replace(L, 1);
  lua_toclose(L, 1);
  tide_pushdevice(L, dev);
  lua_insert(L, 3);  /* scope, fn, device, ... */
  lua_callk(L, lua_gettop(L) - 2, LUA_MULTRET, 1, finish);
  return finish(L, LUA_OK, 1);
}

/* ==} */

/* get_device() -> the current Device. */
static int core_get_device (lua_State *L) {
  tide_rt(L);
  tide_pushdevice(L, tide_currentdevice(L));
  return 1;
}

/* get_current_stream([device]) -> the Stream current there. */
static int core_get_current_stream (lua_State *L) {
  tide_rt(L);
  if (!lua_isnoneornil(L, 1)) {
    tide_pushcurrent(L, tide_checkdevice(L, 1));
    return 1;
  }
  Current *c = push_current(L);
  if (c->dev == NULL)
    c->dev = tide_defaultdevice(L);
  push_stream(L, c, lua_gettop(L), c->dev);
  return 1;
}

/*
** inherit(token) makes current what was current where token = inherit() was
** called: tide.wrap's two halves.
*/
static int core_inherit (lua_State *L) {
  tide_rt(L);
  if (lua_isnoneornil(L, 1)) {
    lua_createtable(L, 2, 0);
    RtDevice *dev = tide_currentdevice(L);
    tide_pushdevice(L, dev);
    lua_rawseti(L, -2, 1);
    tide_pushcurrent(L, dev);
    lua_rawseti(L, -2, 2);
    return 1;
  }
  lua_rawgeti(L, 1, 1);
  tide_usedevice(L, tide_checkdevice(L, 2));
  lua_rawgeti(L, 1, 2);
  tide_usestream(L, 3);
  return 0;
}

static const luaL_Reg functions[] = {
  {"with_stream", tide_withstream},
  {"with_device", core_with_device},
  {"get_device", core_get_device},
  {"get_current_stream", core_get_current_stream},
  {"inherit", core_inherit},
  {NULL, NULL}
};

void tide_opencurrent (lua_State *L) {
  tide_newclass(L, &current_class);
  tide_newclass(L, &scope_class);
  tide_setfuncs(L, functions);
}
