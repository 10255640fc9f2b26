/*
** atomic.c - functions of tide's own Lua (lua/tide) that no hook interrupts.
**
** A hook may raise an error at any instruction, as Ctrl-C and instruction
** limits do. A function that changes the state of tasks, queues or streams in
** more than one step would be left half done, so it runs in a coroutine of its
** own, which has no hooks: the hook raises before the call or after it. The
** coroutine is kept for the next call; a call inside of the call makes another.
**
** Such functions must not yield, and must not call functions of the program:
** those of another coroutine, as coroutine.close() calls them, have its hooks.
*/
#include "base/class.h"
#include "base/slip.h"
#include "openers.h"
#include "ticket.h"

enum { FUNCTION = 1, KEPT };  /* upvalues; KEPT: nil while it runs */

static void push_coroutine (lua_State *L) {
  lua_State *co = lua_newthread(L);
  lua_sethook(co, NULL, 0, 0);  /* it has those of L */
}

/* Pushes the coroutine to run in. */
static lua_State *take_coroutine (lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(KEPT));
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    push_coroutine(L);
  }
  lua_pushnil(L);
  lua_replace(L, lua_upvalueindex(KEPT));
  return lua_tothread(L, -1);
}

static void keep_coroutine (lua_State *L, int at) {
  lua_pushvalue(L, at);
  lua_replace(L, lua_upvalueindex(KEPT));
}

/* The coroutine, which is at 'at', has n results. */
static int return_results (lua_State *L, lua_State *co, int at, int n) {
  luaL_checkstack(L, n + 1, "too many results");
  lua_xmove(co, L, n);
  keep_coroutine(L, at);
  return n;
}

/* So far down the C stack Lua resumes nothing. A function that must not fail,
** as it ends something, is called all the same. */
static int call_here (lua_State *L, lua_State *co, int n) {
  lua_settop(co, 0);
  keep_coroutine(L, n + 1);
  lua_settop(L, n);
  lua_pushvalue(L, lua_upvalueindex(FUNCTION));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

/* Calls the function in upvalue 1. */
static int call (lua_State *L) {
  int n = lua_gettop(L), nresults = 0;
  luaL_checkstack(L, n + 4, "too many arguments");
  lua_State *co = take_coroutine(L);
  if (!lua_checkstack(co, n + 1))
    return luaL_error(L, "too many arguments");
  lua_pushvalue(L, lua_upvalueindex(FUNCTION));
  for (int i = 1; i <= n; i++)
    lua_pushvalue(L, i);
  lua_xmove(L, co, n + 1);
  int status = lua_resume(co, L, n, &nresults);
  if (status == LUA_OK)
    return return_results(L, co, n + 1, nresults);
  if (status == LUA_YIELD)
    return luaL_error(L, "attempt to yield across a C-call boundary");
  if (lua_status(co) == LUA_OK)
    return call_here(L, co, n);
  lua_xmove(co, L, 1);
  return lua_error(L);
}

/* atomic(fn) -> a function that calls fn, and that no hook interrupts. */
static int core_atomic (lua_State *L) {
  tide_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  push_coroutine(L);
  lua_pushcclosure(L, call, KEPT);
  return 1;
}

static const Function functions[] = {
  {"atomic", core_atomic, 1},
  {NULL, NULL, 0}
};

void tide_openatomic (lua_State *L) {
  tide_addscheduler(L, functions);
}
