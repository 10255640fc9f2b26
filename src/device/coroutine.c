/*
** coroutine.c - the coroutines of tasks (lua/tide/tasks.lua). They are made
** with their function, its arguments and their current streams, resumed so that
** Lua need not look at their results, and known to waits as tasks (await.c).
*/
#include "scheduler.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "base/type.h"
#include "current.h"
#include "openers.h"

/*
** create(inherits, fn, ...) -> a coroutine in which resume() will call fn(...).
** inherits: the current streams here are current there too, as after inherit().
*/
static int core_create (lua_State *L) {
  bool inherits = lua_toboolean(L, 1);
  type_check_callable(L, 2);
  int n = lua_gettop(L) - 1;
  if (inherits)
    current_push_token(L);
  lua_State *co = lua_newthread(L);
  if (!lua_checkstack(co, n))
    return error_raise(L, "too many arguments of a task");
  if (inherits)
    current_give_token(L, -1, -2);
  lua_replace(L, 1);
  lua_settop(L, n + 1);
  lua_xmove(L, co, n);
  return 1;
}

/* origin(fn) -> "file:line", the place where the program makes a task of fn; or
** false if fn has a line of its own. */
static int core_origin (lua_State *L) {
  type_check_callable(L, 1);
  if (!error_push_origin(L, 1))
    lua_pushboolean(L, 0);
  return 1;
}

/* callable(x) -> whether x can be called as a function. */
static int core_callable (lua_State *L) {
  lua_pushboolean(L, type_is_callable(L, 1));
  return 1;
}

/* Tells whether the coroutine has not begun: it is neither over nor running. */
static bool is_new (lua_State *co) {
  lua_Debug ar;
  return lua_status(co) == LUA_OK && lua_gettop(co) > 0 &&
         lua_getstack(co, 0, &ar) == 0;
}

/* Returns the coroutine's n results as true and a list with 'n', as table.pack
** makes it; or as true and false if there are none. */
static int return_results (lua_State *L, lua_State *co, int n) {
  lua_pushboolean(L, 1);
  if (n == 0) {
    lua_pushboolean(L, 0);
    return 2;
  }
  lua_createtable(L, n, 1);
  for (int i = n; i >= 1; i--) { /* one at a time: there may be many */
    lua_xmove(co, L, 1);
    lua_rawseti(L, -2, i);
  }
  lua_pushinteger(L, n);
  lua_setfield(L, -2, "n");
  return 2;
}

/* Returns the coroutine's error, while its frames are there for a traceback. A
** coroutine that could not be resumed, so deep in the C stack, has no error:
** that is raised here. */
static int return_error (lua_State *L, lua_State *co) {
  lua_pushnil(L);
  lua_xmove(co, L, 1);
  return (lua_status(co) > LUA_YIELD) ? 2 : lua_error(L);
}

/* Returns false and the first of n values that the coroutine has yielded. */
static int return_yielded (lua_State *L, lua_State *co, int n) {
  lua_pushboolean(L, 0);
  if (n == 0)
    return 1;
  lua_pop(co, n - 1);
  lua_xmove(co, L, 1);
  return 2;
}

/* Resumes a coroutine. The running task is that of the innermost resume(). */
static int resume (lua_State *L, State *st, lua_State *co, int nargs,
                   int *nresults) {
  lua_State *around = st->task;
  st->task = co;
  int status = lua_resume(co, L, nargs, nresults);
  st->task = around;
  return status;
}

/* resume(co) -> true and its results, false and the yielded value, or nil and
** its error: see above. A dead coroutine gives "dead". */
static int core_resume (lua_State *L) {
  type_check(L, 1, LUA_TTHREAD);
  lua_State *co = lua_tothread(L, 1);
  bool begins = is_new(co);
  int n = 0;
  if (!begins && lua_status(co) != LUA_YIELD) {
    lua_pushliteral(L, "dead");
    return 1;
  }
  int status = resume(L, state_get(L), co, begins ? lua_gettop(co) - 1 : 0, &n);
  if (status == LUA_OK)
    return return_results(L, co, n);
  if (status != LUA_YIELD)
    return return_error(L, co);
  return return_yielded(L, co, n);
}

static const Function functions[] = {
  {"callable", core_callable, 1},
  {"create", core_create, ANY},
  {"origin", core_origin, 1},
  {CALLS_BACK "resume", core_resume, ANY},
  {NULL, NULL, 0},
};

void open_coroutine (lua_State *L) { scheduler_add(L, functions); }
