/*
** several.c - a program with several lua_States. Runs the Lua code of its first
** argument, which may use, besides tide:
**
**   run(i, code)         runs code in lua_State i, on this thread
**   start(i, code)       ... on another thread; finish() waits for that to end
**   sleep(seconds)
**   fork() -> 0 in the child; wait(pid) -> its status; leave(status)
*/
#include "embed.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 4 };

static lua_State *states[MOST];
static pthread_t thread;

static void add_functions (lua_State *L);

static lua_State *state (int i) {
  if (states[i] == NULL) {
    states[i] = open_state();
    add_functions(states[i]);
  }
  return states[i];
}

static int l_run (lua_State *L) {
  lua_State *other = state((int)luaL_checkinteger(L, 1));
  if (luaL_dostring(other, luaL_checkstring(L, 2)) != LUA_OK)
    return luaL_error(L, "%s", lua_tostring(other, -1));
  return 0;
}

/* Its code is the global CODE. */
static void *run_code (void *ud) {
  lua_State *L = ud;
  lua_getglobal(L, "CODE");
  if (luaL_dostring(L, lua_tostring(L, -1)) != LUA_OK)
    exit(bad("thread", lua_tostring(L, -1)));
  return NULL;
}

static int l_start (lua_State *L) {
  lua_State *other = state((int)luaL_checkinteger(L, 1));
  lua_pushstring(other, luaL_checkstring(L, 2));
  lua_setglobal(other, "CODE");
  if (pthread_create(&thread, NULL, run_code, other) != 0)
    return luaL_error(L, "no thread");
  return 0;
}

static int l_finish (lua_State *L) {
  (void)L;
  pthread_join(thread, NULL);
  return 0;
}

static int l_sleep (lua_State *L) {
  usleep((useconds_t)(luaL_checknumber(L, 1) * 1e6));
  return 0;
}

static int l_fork (lua_State *L) {
  fflush(NULL);
  let_sanitizer_fork();
  lua_pushinteger(L, fork());
  return 1;
}

static int l_wait (lua_State *L) {
  int status = -1;
  waitpid((pid_t)luaL_checkinteger(L, 1), &status, 0);
  lua_pushinteger(L, status);
  return 1;
}

static int l_leave (lua_State *L) { _exit((int)luaL_checkinteger(L, 1)); }

static void add_functions (lua_State *L) {
  lua_register(L, "run", l_run);
  lua_register(L, "start", l_start);
  lua_register(L, "finish", l_finish);
  lua_register(L, "sleep", l_sleep);
  lua_register(L, "fork", l_fork);
  lua_register(L, "wait", l_wait);
  lua_register(L, "leave", l_leave);
}

int main (int argc, char **argv) {
  if (argc < 2 || run(state(0), argv[1]) != 0)
    return 1;
  for (int i = MOST - 1; i >= 0; i--)
    if (states[i] != NULL)
      lua_close(states[i]);
  puts("ok");
  return 0;
}
