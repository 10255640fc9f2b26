/*
** scope_token.c - tide.Scope: what s:scope() returns, to close a stream's scope
** at the end of a block or by hand. The coroutine holds the scope, and not the
** token: the program may lose the token, and then the scope is never closed,
** which is reported (unhandled.c).
**
** A finalizer costs as much as the whole scope, so a token has none. An open
** token holds a watch that only it holds; the collector finds the watch when
** the program has lost the token. Closing the token gives the watch back to its
** scope, and both are used again.
*/
#include <string.h>

#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/state.h"
#include "openers.h"
#include "stream.h"
#include "stream_scope.h"
#include "unhandled.h"

/* Finds out that an open token was lost. */
typedef struct Watch {
  Scope *scope;
  uint64_t opening; /* of that scope, which is used again */
  bool ended;       /* the collector has found it: it is not reused */
  int line;         /* where the program has opened it; 0: not known */
  char source[LUA_IDSIZE];
} Watch;

/* User values: the Scope, and the coroutine that it is open in. */
enum { WATCH_SCOPE = 1, WATCH_THREAD };

/* User value 1 is the watch. */
typedef struct Token {
  Object object;
  Watch *watch; /* NULL: not open yet, or closed */
} Token;

static const Class token_class;

static bool is_watching (const Watch *w) {
  return w->opening != 0 && stream_scope_id(w->scope) == w->opening;
}

static bool is_open (const Token *t) {
  return t->watch != NULL && is_watching(t->watch);
}

/* Silent and idempotent. */
static int token__close (lua_State *L) {
  Token *t = class_check_gc(L, &token_class, NULL);
  if (!is_open(t) || t->object.state->rt == NULL)
    return 0;
  Scope *sc = t->watch->scope;
  t->watch = NULL;
  int watch = lua_gettop(L) + 1;
  lua_getiuservalue(L, 1, 1);
  lua_pushnil(L);
  lua_setiuservalue(L, 1, 1);
  lua_getiuservalue(L, watch, WATCH_SCOPE);
  lua_pushvalue(L, watch);
  lua_setiuservalue(L, watch + 1, SCOPE_WATCH);
  return stream_scope_leave(L, sc, watch + 1);
}

/* scope:close(): restores what was current when the scope was opened. */
static int token_close (lua_State *L) {
  const Token *t = class_check(L, 1, &token_class);
  argerror_check(L, is_open(t), 1, "scope is closed");
  return token__close(L);
}

static int token__tostring (lua_State *L) {
  const Token *t = class_check(L, 1, &token_class);
  lua_pushstring(L, is_open(t) ? "tide.Scope (open)" : "tide.Scope (closed)");
  return 1;
}

/* {== watches ========================================================= */

/*
** Tells whether a function of the scope's coroutine holds the token of the
** watch at 1, as a block does that the program has left suspended for ever. The
** program then has not forgotten to close the scope. In a coroutine that runs
** on, nothing but this finalizer holds the watch.
*/
static bool is_suspended (lua_State *L, const Watch *w) {
  lua_Debug ar;
  lua_getiuservalue(L, 1, WATCH_THREAD);
  lua_State *co = lua_tothread(L, -1);
  if (co == NULL || co == L || !lua_checkstack(co, 1))
    return false;
  for (int level = 0; lua_getstack(co, level, &ar); level++)
    for (int n = 1; lua_getlocal(co, &ar, n) != NULL; n++) {
      const Token *t = class_as_object(co, -1, &token_class);
      lua_pop(co, 1);
      if (t != NULL && t->watch == w)
        return true;
    }
  return false;
}

static int watch__gc (lua_State *L);

static const Guard guard = {"watch", watch__gc, NULL};

/* Reports only. Changing the current stream whenever garbage is collected would
** be worse than leaving it. */
static int watch__gc (lua_State *L) {
  State *st = state_get(L);
  Watch *w = guard_check(L, &guard);
  if (st->rt == NULL || context_is_forked(st->rt) || w->ended)
    return 0;
  w->ended = true;
  if (!is_watching(w) || is_suspended(L, w))
    return 0;
  lua_pushfstring(L, "%s:%d", w->source, w->line);
  unhandled_report_scope(L, st);
  return 0;
}

/* Gives the scope at 'at' a new watch. */
static void add_watch (lua_State *L, int at, Scope *sc) {
  Watch *w = guard_new(L, sizeof *w, 2, &guard);
  w->scope = sc;
  lua_pushvalue(L, at);
  lua_setiuservalue(L, -2, WATCH_SCOPE);
  lua_pushthread(L);
  lua_setiuservalue(L, -2, WATCH_THREAD);
  lua_setiuservalue(L, at, SCOPE_WATCH);
}

/* Pushes a Current, a scope that is not open, and its watch. To make one may
** run finalizers, so the scope is taken again after that. */
static Watch *take_watch (lua_State *L, State *st) {
  int top = lua_gettop(L);
  for (;;) {
    Scope *sc = stream_scope_take(L, st);
    lua_getiuservalue(L, top + 2, SCOPE_WATCH);
    Watch *w = lua_touserdata(L, -1);
    if (w != NULL && !w->ended)
      return w;
    add_watch(L, top + 2, sc);
    lua_settop(L, top);
  }
}

static void note_place (lua_State *L, Watch *w) {
  lua_Debug ar;
  if (error_find_caller(L, &ar)) {
    memcpy(w->source, ar.short_src, sizeof w->source);
    w->line = ar.currentline;
  } else {
    strcpy(w->source, "?");
    w->line = 0;
  }
}

/* ==} */

static const Function token_methods[] = {
  {"close", token_close, 1},
  {NULL, NULL, 0},
};

static const Function token_meta[] = {
  {"__close", token__close, 2},
  {"__tostring", token__tostring, 1},
  {NULL, NULL, 0},
};

static const Class token_class = {
  .name = "tide.Scope",
  .methods = token_methods,
  .metamethods = token_meta,
};

/* s:scope() -> a token for 'local _ <close> = s:scope()'. */
static int stream_scope (lua_State *L) {
  State *st = stream_check(L, 1)->object.state;
  Token *t = class_new_object_in(L, st, sizeof *t, &token_class, 1);
  Watch *w = take_watch(L, st);
  note_place(L, w);
  lua_setiuservalue(L, 2, 1);
  lua_pushnil(L);
  lua_setiuservalue(L, 4, SCOPE_WATCH); /* only the token holds the watch */
  stream_scope_begin(L, w->scope, 1, NULL);
  w->opening = stream_scope_id(w->scope);
  t->watch = w;
  lua_pushvalue(L, 2);
  return 1;
}

static const Function methods[] = {
  {"scope", stream_scope, 1},
  {NULL, NULL, 0},
};

void open_scope_token (lua_State *L) {
  class_define(L, &token_class);
  class_add_methods(L, &stream_class, methods);
}
