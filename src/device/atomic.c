/*
** atomic.c - functions of tide's own Lua (lua/tide) that no hook interrupts.
**
** A hook may raise an error at any instruction, as Ctrl-C and instruction
** limits do. It would leave a function half done that changes the state of
** tasks, queues or streams in more than one step. So such a function runs in a
** coroutine of its own, which has no hooks: the hook raises before the call or
** after it. The coroutine is kept for the next call; a nested call makes
** another one. A function that runs for longer than any of tide's own is a
** script's, which has found its way here. It does not get away from the hooks
** of its caller: they are called now and then. In the coroutine of a task that
** has no hook the function runs where it is called, which is faster: signal
** handlers set their hooks on the main thread alone (luahooks.c).
**
** The functions must not yield, and must not call functions of the program.
** Functions of another coroutine, as coroutine.close() calls them, have that
** coroutine's hooks.
*/
#include "scheduler.h"
#include "base/class.h"
#include "base/compat.h"
#include "base/state.h"
#include "base/type.h"
#include "host_error.h"
#include "openers.h"

/* Upvalues, after the State. KEPT: nil while it runs; AGAIN: see
** core_atomic. */
enum { FUNCTION = 2, KEPT, AGAIN };

/* Slots of the stack, the most that a function takes. One that may be called
** again takes less; so a new coroutine, as of a task, gets 80 slots by it, and
** not 140. */
enum { ROOM = 100, ROOM_AGAIN = 50 };

/* Instructions, until the caller's hooks are called, and of theirs then. */
enum { LONG = 4000000, INSTRUCTIONS_MOST = 20000 };

/* A call: the coroutine that it came from, and the call around it. */
typedef struct Running {
  lua_State *from;
  struct Running *outer;
} Running;

static _Thread_local Running *running; /* the innermost of this thread */

/* Runs some instructions, and so the hook, where the outermost call came from.
*/
static void call_hook (lua_State *co, lua_Debug *ar) {
  (void)ar;
  const Running *r = running;
  while (lua_gethook(r->from) == call_hook && r->outer != NULL)
    r = r->outer;
  lua_State *L = r->from;
  const int count = lua_gethookcount(L);
  if (lua_gethookmask(L) == 0 || !lua_checkstack(L, 8))
    return;
  host_error_push(L, PENDING_INSTRUCTIONS);
  lua_pushinteger(L, count < INSTRUCTIONS_MOST ? count : INSTRUCTIONS_MOST);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK)
    return;
  lua_xmove(L, co, 1);
  lua_error(co);
}

/* Each call counts anew. A new coroutine has inherited the hooks of L. */
static int resume (lua_State *co, lua_State *L, int n, int *nresults) {
  Running here = {L, running};
  running = &here;
  lua_sethook(co, call_hook, LUA_MASKCOUNT, LONG);
  const int status = lua_resume(co, L, n, nresults);
  running = here.outer;
  return status;
}

/* Pushes the coroutine to run in. */
static lua_State *take_coroutine (lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(KEPT));
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newthread(L);
  }
  lua_pushnil(L);
  lua_replace(L, lua_upvalueindex(KEPT));
  return lua_tothread(L, -1);
}

static void keep_coroutine (lua_State *L, int at) {
  lua_pushvalue(L, at);
  lua_replace(L, lua_upvalueindex(KEPT));
}

/* Returns the n results of the coroutine at 'at', and keeps the coroutine. */
static int return_results (lua_State *L, lua_State *co, int at, int n) {
  luaL_checkstack(L, n + 1, "too many results");
  lua_xmove(co, L, n);
  keep_coroutine(L, at);
  return n;
}

static int call_here (lua_State *L, int n) {
  lua_settop(L, n);
  lua_pushvalue(L, lua_upvalueindex(FUNCTION));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

/* Calls the function where Lua resumes nothing, because the C stack is too deep
** or memory is short. A function that must not fail, because it ends something,
** is called all the same. */
static int call_unstarted (lua_State *L, lua_State *co, int n) {
  lua_settop(co, 0);
  keep_coroutine(L, n + 1);
  return call_here(L, n);
}

static bool is_unhooked (lua_State *L) {
  return state_get(L)->task == L && lua_gethookmask(L) == 0;
}

static void push_call (lua_State *L, int n) {
  lua_pushvalue(L, lua_upvalueindex(FUNCTION));
  for (int i = 1; i <= n; i++)
    lua_pushvalue(L, i);
}

static int call_unhooked (lua_State *L, int n, bool again) {
  if (!again)
    return call_here(L, n);
  push_call(L, n);
  int status = lua_pcall(L, n, LUA_MULTRET, 0);
  if (status == LUA_ERRMEM)
    return call_here(L, n);
  return (status == LUA_OK) ? lua_gettop(L) - n : lua_error(L);
}

/* Calls the function in its upvalue. */
static int call (lua_State *L) {
  bool again = lua_toboolean(L, lua_upvalueindex(AGAIN));
  int n = lua_gettop(L), room = n + (again ? ROOM_AGAIN : ROOM), nresults = 0;
  if (is_unhooked(L) && lua_checkstack(L, room))
    return call_unhooked(L, n, again);
  luaL_checkstack(L, n + 4, "too many arguments");
  lua_State *co = take_coroutine(L);
  if (!lua_checkstack(co, room))
    return call_unstarted(L, co, n);
  push_call(L, n);
  lua_xmove(L, co, n + 1);
  int status = resume(co, L, n, &nresults);
  if (status == LUA_OK)
    return return_results(L, co, n + 1, nresults);
  if (status == LUA_YIELD)
    return luaL_error(L, "attempt to yield across a C-call boundary");
  if (lua_status(co) == LUA_OK)
    return call_unstarted(L, co, n);
  lua_xmove(co, L, 1);
  compat_reset_thread(co, L); /* to be kept: a new one takes memory */
  keep_coroutine(L, n + 1);
  if (status == LUA_ERRMEM && again)
    return call_here(L, n);
  return lua_error(L);
}

/*
** atomic(fn [, again]) -> a function that calls fn, which no hook interrupts.
** 'again': fn may be called again after a memory error in it, because it
** changes nothing for good before its last allocation. A call of a function
** needs memory, as the coroutine's own may have been given back.
*/
static int core_atomic (lua_State *L) {
  type_check(L, 1, LUA_TFUNCTION);
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_newthread(L);
  lua_insert(L, KEPT);
  lua_pushcclosure(L, call, AGAIN);
  return 1;
}

static const Function functions[] = {
  {"atomic", core_atomic, 2},
  {NULL, NULL, 0},
};

void open_atomic (lua_State *L) { scheduler_add(L, functions); }
