/*
** array_scope.c - tide.scope: closes the arrays that were made inside and are
** not returned.
**
** The arrays of a scope are in a list through the arrays themselves, so that
** garbage is collected inside as it is outside; an array that is closed leaves
** the list. The scope belongs to a coroutine: its Current points to it, and a
** slot of tide.scope's own frame, to be closed, keeps it alive.
*/
#include "array.h"
#include "base/class.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"

typedef struct ArrayScope {
  Object object;
  struct ArrayScope *parent;  /* around it, in the same coroutine */
  struct ArrayScope **slot;   /* where the coroutine keeps its innermost */
  Array *first;
  uint32_t number;            /* not 0 */
  bool finalizing;            /* a finalizer has opened it */
  bool open;
} ArrayScope;

/* {== the list ======================================================== */

static void link_array (ArrayScope *sc, Array *a) {
  a->scope = sc->number;
  a->next = sc->first;
  a->at = &sc->first;
  if (a->next != NULL)
    a->next->at = &a->next;
  sc->first = a;
}

void tide_leavescope (Array *a) {
  *a->at = a->next;
  if (a->next != NULL)
    a->next->at = a->at;
  a->scope = 0;
  a->next = NULL;
  a->at = NULL;
}

static bool in_finalizer (lua_State *L) {
  return lua_gc(L, LUA_GCISRUNNING) < 0;
}

/* A finalizer runs in whatever coroutine Lua allocates: its arrays are not of
** the scope that happens to be open there. */
void tide_enterscope (lua_State *L, Array *a) {
  ArrayScope *sc = *tide_arrayscope(L);
  if (sc != NULL && sc->finalizing == in_finalizer(L))
    link_array(sc, a);
}

/* ==} */

/* {== what is kept ==================================================== */

/* Where a look through the results stands: two tables on the stack. */
typedef struct Look {
  ArrayScope *scope;
  int seen;         /* table -> true */
  int todo;         /* tables to be looked into */
  lua_Integer n;    /* how many those are */
} Look;

/* An array goes to the scope around, if any; a table is looked into later. */
static void keep (lua_State *L, Look *k, int idx) {
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
  Array *a = tide_testobject(L, idx, &tide_arrayclass);
  if (a == NULL)
    a = tide_testobject(L, idx, &tide_hostarrayclass);
  if (a == NULL || a->scope != k->scope->number)
    return;
  tide_leavescope(a);
  ArrayScope *parent = k->scope->parent;
  if (parent != NULL && parent->finalizing == k->scope->finalizing)
    link_array(parent, a);
}

static void keep_contents (lua_State *L, Look *k) {
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

/* Keeps the arrays among the values from 'first' on, and in tables there. */
static void keep_results (lua_State *L, ArrayScope *sc, int first) {
  int last = lua_gettop(L);
  Look k = {sc, last + 1, last + 2, 0};
  if (sc->first == NULL)
    return;
  luaL_checkstack(L, 10, "results of tide.scope");
  lua_newtable(L);
  lua_newtable(L);
  for (int i = first; i <= last; i++)
    keep(L, &k, i);
  keep_contents(L, &k);
  lua_settop(L, last);
}

/* ==} */

/* {== the scope ======================================================= */

/* On every way out: whatever is left in the list is closed. */
static int arrayscope__close (lua_State *L) {
  State *st = tide_state(L);
  ArrayScope *sc = lua_touserdata(L, 1);
  if (!sc->open)
    return 0;
  sc->open = false;
  st->nscopes--;
  *sc->slot = sc->parent;
  while (sc->first != NULL)
    tide_closearray(sc->first);
  return 0;
}

/* A coroutine that nobody will resume: its arrays are left to the collector,
** and its Current is as dead as it is. */
static int arrayscope__gc (lua_State *L) {
  ArrayScope *sc = lua_touserdata(L, 1);
  while (sc->first != NULL)
    tide_leavescope(sc->first);
  if (sc->open)
    tide_state(L)->nscopes--;
  sc->open = false;
  return 0;
}

static const Function metamethods[] = {
  {"__gc", arrayscope__gc, 1},
  {"__close", arrayscope__close, 2},
  {NULL, NULL, 0}
};

static const Class arrayscope_class = {
  .name = "tide.ArrayScope", .metamethods = metamethods
};

/* Only those of open scopes are ever compared. */
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

/*
** scope(fn, ...) -> what fn(...) returns. Arrays that this coroutine makes
** meanwhile are closed at the end, however it comes, but for those among the
** results and in tables there. fn may yield.
*/
static int core_scope (lua_State *L) {
  tide_checkrt(L);
  tide_checkmodule(L);
  tide_checktype(L, 1, LUA_TFUNCTION);
  ArrayScope *sc = tide_newobject(L, sizeof *sc, &arrayscope_class, 0);
  lua_insert(L, 1);
  sc->slot = tide_arrayscope(L);
  sc->number = next_number(tide_state(L));
  sc->finalizing = in_finalizer(L);
  lua_toclose(L, 1);
  sc->parent = *sc->slot;
  *sc->slot = sc;
  sc->open = true;
  tide_state(L)->nscopes++;
  lua_callk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, finish);
  return finish(L, LUA_OK, 0);
}

static const Function functions[] = {
  {CALLS_BACK "scope", core_scope, ANY},
  {NULL, NULL, 0}
};

void tide_openscope (lua_State *L) {
  tide_newclass(L, &arrayscope_class);
  tide_setfuncs(L, functions);
}

/* ==} */
