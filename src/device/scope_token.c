/*
** scope_token.c - tide.Scope: what s:scope() returns, to close a stream's scope
** at the end of a block or by hand. The coroutine holds the scope, and not the
** token: the collector finds a token that the program has lost, and reports a
** scope that was never closed (unhandled.c).
*/
#include <string.h>

#include "base/blame.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "openers.h"
#include "stream.h"
#include "stream_scope.h"
#include "unhandled.h"

typedef struct Token {
  Object object;
  Scope *scope;
  uint64_t opening;     /* of that scope, which is used again; 0: none yet */
  bool told;
  int line;             /* where the program has opened it; 0: not known */
  char source[LUA_IDSIZE];
} Token;

/* User values: the Scope, and the coroutine that it is open in. */
enum { TOKEN_SCOPE = 1, TOKEN_THREAD };

static const Class token_class;

static bool is_open (const Token *t) {
  return t->opening != 0 && tide_opening(t->scope) == t->opening;
}

/* Silent and idempotent. */
static int token__close (lua_State *L) {
  Token *t = tide_endobject(L, &token_class, NULL);
  if (!is_open(t) || tide_state(L)->rt == NULL)
    return 0;
  lua_settop(L, 1);
  lua_pushnil(L);
  lua_setiuservalue(L, 1, TOKEN_THREAD);
  lua_getiuservalue(L, 1, TOKEN_SCOPE);
  lua_replace(L, 1);
  return tide_leavescope(L, t->scope);
}

/* scope:close(): what was current when it was opened is current again. */
static int token_close (lua_State *L) {
  const Token *t = tide_checkobject(L, 1, &token_class);
  tide_argcheck(L, is_open(t), 1, "scope is closed");
  return token__close(L);
}

static int token__tostring (lua_State *L) {
  const Token *t = tide_checkobject(L, 1, &token_class);
  lua_pushstring(L, is_open(t) ? "tide.Scope (open)" : "tide.Scope (closed)");
  return 1;
}

/*
** Tells whether a function of the token's coroutine holds the token at 1, as a
** block does that the program has left suspended for ever. It then has not
** forgotten to close the scope. In a coroutine that runs on, only this
** finalizer holds the token.
*/
static bool is_suspended (lua_State *L, const Token *t) {
  lua_Debug ar;
  lua_getiuservalue(L, 1, TOKEN_THREAD);
  lua_State *co = lua_tothread(L, -1);
  if (co == NULL || co == L || !lua_checkstack(co, 1))
    return false;
  for (int level = 0; lua_getstack(co, level, &ar); level++)
    for (int n = 1; lua_getlocal(co, &ar, n) != NULL; n++) {
      bool held = (lua_touserdata(co, -1) == t);
      lua_pop(co, 1);
      if (held)
        return true;
    }
  return false;
}

/* Only reports: to change what is current whenever garbage is collected would
** be worse than to leave it. */
static int token__gc (lua_State *L) {
  State *st = tide_state(L);
  Token *t = tide_endobject(L, &token_class, NULL);
  if (st->rt == NULL || rt_forked(st->rt) || t->told || !is_open(t) ||
      is_suspended(L, t))
    return 0;
  t->told = true;
  lua_pushfstring(L, "%s:%d", t->source, t->line);
  tide_reportscope(L, st);
  return 0;
}

static const Function token_methods[] = {
  {"close", token_close, 1},
  {NULL, NULL, 0}
};

static const Function token_meta[] = {
  {"__gc", token__gc, 1},
  {"__close", token__close, 2},
  {"__tostring", token__tostring, 1},
  {NULL, NULL, 0}
};

static const Class token_class = {
  .name = "tide.Scope", .methods = token_methods, .metamethods = token_meta
};

static void note_place (lua_State *L, Token *t) {
  lua_Debug ar;
  if (tide_findcaller(L, &ar)) {
    memcpy(t->source, ar.short_src, sizeof t->source);
    t->line = ar.currentline;
  } else {
    t->source[0] = '?';
  }
}

/* s:scope() -> a token for 'local _ <close> = s:scope()'. */
static int stream_scope (lua_State *L) {
  tide_checkstream(L, 1);
  Token *t = tide_newobject(L, sizeof *t, &token_class, 2);
  note_place(L, t);
  lua_pushthread(L);
  lua_setiuservalue(L, 2, TOKEN_THREAD);
  t->scope = tide_pushscope(L, 1, NULL);
  t->opening = tide_opening(t->scope);
  lua_setiuservalue(L, 2, TOKEN_SCOPE);
  return 1;
}

static const Function methods[] = {
  {"scope", stream_scope, 1},
  {NULL, NULL, 0}
};

void tide_openscopetoken (lua_State *L) {
  tide_newclass(L, &token_class);
  tide_addmethods(L, &tide_streamclass, methods);
}
