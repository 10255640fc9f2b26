/*
** array_scope.c - tide.scope: closes the arrays that were made inside and are
** not returned.
**
** The arrays of a scope are the keys of a weak table, so that garbage is
** collected inside as it is outside. The scope belongs to a coroutine, whose
** Current has the innermost scope, which has the one around it. No pointer from
** outside Lua leads to Lua's memory. So an array that Lua frees without its
** finalizer, as it does if that fails, is in no list. A scope that a hook has
** ended without its __close stays until a scope around it ends.
*/
#include "array.h"
#include "base/class.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "openers.h"

typedef struct ArrayScope {
  Object object;
  uint32_t number; /* not 0 */
  bool finalizing; /* a finalizer has opened it */
  bool any;        /* an array has been in it */
  bool open;
  bool ended; /* no longer its coroutine's */
} ArrayScope;

/* Its user values: the table; the scope around it, or nil; its Current. */
enum { ARRAYS = 1, AROUND, CURRENT };

/* {== the arrays ====================================================== */

static bool in_finalizer (lua_State *L) {
  return lua_gc(L, LUA_GCISRUNNING) < 0;
}

/*
** A finalizer runs in whatever coroutine Lua allocates. Its arrays do not
** belong to the scope that happens to be open there, and other arrays do not
** belong to a scope that it has left open. This replaces the scope on the top
** by the innermost one of its kind, beginning with itself; NULL: by nil, as
** there is none.
*/
static ArrayScope *find_open (lua_State *L, bool finalizing) {
  ArrayScope *sc;
  while ((sc = lua_touserdata(L, -1)) != NULL &&
         (!sc->open || sc->finalizing != finalizing)) {
    lua_getiuservalue(L, -1, AROUND);
    lua_remove(L, -2);
  }
  return sc;
}

/* Adds the array at 'idx' to the scope at 'at'. */
static void enter (lua_State *L, ArrayScope *sc, int at, int idx) {
  Array *a = lua_touserdata(L, idx);
  lua_pushvalue(L, idx);
  lua_getiuservalue(L, at, ARRAYS);
  lua_insert(L, -2);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  a->scope = sc->number;
  sc->any = true;
}

/* Adds the array on the top. */
void array_enter_scope (lua_State *L) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, "tide.scope");
  current_push_scope(L);
  ArrayScope *sc = find_open(L, in_finalizer(L));
  if (sc != NULL)
    enter(L, sc, top + 1, top);
  lua_settop(L, top);
}

/* Closes the arrays of the scope at 'at'. Runs no Lua code. */
static void close_arrays (lua_State *L, const ArrayScope *sc, int at) {
  lua_getiuservalue(L, at, ARRAYS);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    Array *a = lua_touserdata(L, -2);
    if (a->scope == sc->number)
      array_release(a);
  }
  lua_pop(L, 1);
}

/* ==} */

/* {== arrays that stay ================================================ */

/* State of a search through the results: two tables on the stack. */
typedef struct ScopeSearch {
  const ArrayScope *scope;
  ArrayScope *around; /* the new scope of arrays, or NULL; on the stack, */
  int at;             /* there */
  int seen;           /* table -> true */
  int todo;           /* tables to look into */
  lua_Integer n;      /* their number */
} ScopeSearch;

/* Moves an array to the scope around, if any; notes a table for later. */
static void keep (lua_State *L, ScopeSearch *k, int idx) {
  if (lua_istable(L, idx)) {
    idx = lua_absindex(L, idx);
    lua_pushvalue(L, idx);
    if (lua_rawget(L, k->seen) == LUA_TNIL) {
      lua_pushvalue(L, idx);
      lua_pushboolean(L, 1);
      lua_rawset(L, k->seen);
      lua_pushvalue(L, idx);
      lua_rawseti(L, k->todo, ++k->n);
    }
    lua_pop(L, 1);
    return;
  }
  Array *a = class_test(L, idx, &array_class);
  if (a == NULL)
    a = class_test(L, idx, &array_host_class);
  if (a == NULL || a->scope != k->scope->number)
    return;
  a->scope = 0;
  if (k->around != NULL)
    enter(L, k->around, k->at, lua_absindex(L, idx));
}

static void keep_contents (lua_State *L, ScopeSearch *k) {
  while (k->n > 0) {
    lua_rawgeti(L, k->todo, k->n--);
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      keep(L, k, -2);
      keep(L, k, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

/* Keeps the arrays among the values from 'first' on, and those in tables there.
** The scope is at 1. */
static void keep_results (lua_State *L, const ArrayScope *sc, int first) {
  int last = lua_gettop(L);
  ScopeSearch k = {
    .scope = sc, .at = last + 1, .seen = last + 2, .todo = last + 3};
  if (!sc->any)
    return;
  luaL_checkstack(L, 16, "results of tide.scope");
  lua_getiuservalue(L, 1, AROUND);
  k.around = find_open(L, sc->finalizing);
  lua_newtable(L);
  lua_newtable(L);
  for (int i = first; i <= last; i++)
    keep(L, &k, i);
  keep_contents(L, &k);
  lua_settop(L, last);
}

/* ==} */

/* {== the scope ======================================================= */

static void shut (lua_State *L, ArrayScope *sc) {
  if (sc->open)
    state_get(L)->nscopes--;
  sc->open = false;
}

/* Called on every way out. Inner scopes that were left never got here. */
static int arrayscope__close (lua_State *L) {
  ArrayScope *sc = lua_touserdata(L, 1), *inner = NULL;
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, CURRENT);
  while (!sc->ended && inner != sc) {
    current_push_scope_of(L, 2);
    inner = lua_touserdata(L, 3);
    lua_getiuservalue(L, 3, AROUND);
    current_set_scope_of(L, 2);
    inner->ended = true;
    if (inner->open)
      close_arrays(L, inner, 3);
    shut(L, inner);
    lua_settop(L, 2);
  }
  return 0;
}

/* Its coroutine can no longer be resumed, except by a finalizer, so its arrays
** are left to the collector. */
static int arrayscope__gc (lua_State *L) {
  shut(L, lua_touserdata(L, 1));
  return 0;
}

static const Function metamethods[] = {
  {"__gc", arrayscope__gc, 1},
  {"__close", arrayscope__close, 2},
  {NULL, NULL, 0},
};

static const Class arrayscope_class = {
  .name = "tide.ArrayScope",
  .metamethods = metamethods,
};

/* Numbers may repeat: only those of open scopes are ever compared. */
static uint32_t next_number (State *st) {
  if (++st->scope == 0)
    st->scope = 1;
  return st->scope;
}

static int finish (lua_State *L, int status, lua_KContext ctx) {
  (void)status, (void)ctx;
  keep_results(L, lua_touserdata(L, 1), 2);
  return lua_gettop(L) - 1;
}

/* Pushes a new scope for the running coroutine. */
static ArrayScope *push_scope (lua_State *L) {
  ArrayScope *sc = class_new_object(L, sizeof *sc, &arrayscope_class, CURRENT);
  int at = lua_gettop(L);
  luaL_checkstack(L, 8, "tide.scope");
  State *st = state_get(L);
  sc->number = next_number(st);
  sc->finalizing = in_finalizer(L);
  sc->ended = true; /* until it belongs to a Current */
  lua_newtable(L);
  state_push_uv(L, UV_CURRENT); /* for its metatable: weak keys */
  lua_getmetatable(L, -1);
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
  lua_setiuservalue(L, at, ARRAYS);
  current_find(L, st);
  current_push_scope_of(L, at + 1);
  lua_setiuservalue(L, at, AROUND);
  lua_setiuservalue(L, at, CURRENT);
  return sc;
}

/*
** scope(fn, ...) -> the results of fn(...). At the end, on any way out, closes
** the arrays that this coroutine made meanwhile, except those among the results
** and in tables there. fn may yield.
*/
static int core_scope (lua_State *L) {
  state_check_rt(L);
  type_check_module(L);
  type_check_callable(L, 1);
  ArrayScope *sc = push_scope(L);
  lua_insert(L, 1);
  lua_toclose(L, 1);
  lua_getiuservalue(L, 1, CURRENT);
  lua_pushvalue(L, 1);
  current_set_scope_of(L, -2);
  lua_pop(L, 1);
  sc->ended = false;
  sc->open = true;
  state_get(L)->nscopes++;
  lua_callk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, finish);
  return finish(L, LUA_OK, 0);
}

static const Function functions[] = {
  {CALLS_BACK "scope", core_scope, ANY},
  {NULL, NULL, 0},
};

void open_array_scope (lua_State *L) {
  class_define(L, &arrayscope_class);
  class_set_funcs(L, functions);
}

/* ==} */
