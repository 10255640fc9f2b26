/*
** sigint.c - Ctrl-C at the prompt: ends the running line at any time, and
** never the session.
**
** DESIGN. lua.c has a handler of SIGINT while a script runs, but removes it on
** first use, so a prompt in Lua would die of the second Ctrl-C. While a prompt
** is there, and only then, we have our own handler (`catch`, `release`). Like
** lua.c's it sets a hook, which raises in the running line; a wait for the
** device sees the hook as well (service.c). If no line runs, it leaves a note
** for the reader of lines.
**
** Lua hooks one coroutine, and looks at a hook only when control is back in
** Lua. If a second Ctrl-C comes before that, the user is notified; the next
** SIGINT has its default effect.
*/
#include "sigint.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/class.h"
#include "openers.h"

enum { EVERYTHING = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT };

/* The one prompt of a process: its owner, and what the handler looks at. */
static struct {
  State *owner;     /* NULL: there is none */
  pthread_t thread; /* which gets the signals */
  struct sigaction before;
  lua_State *volatile line;    /* the running line's coroutine, or NULL, */
  lua_State *volatile main;    /* and the main one: waits look at that */
  volatile sig_atomic_t taken; /* Ctrl-C came while no line ran */
  volatile sig_atomic_t notified;
} prompt;

static const char unseen[] =
  "\n(nobody has noticed yet: a coroutine, or a function in C, is busy;\n"
  " Ctrl-C once more ends the session)\n";

static void stop (lua_State *L, lua_Debug *ar) {
  (void)ar;
  lua_sethook(L, NULL, 0, 0);
  lua_pushliteral(L, "interrupted!");
  lua_error(L);
}

static void notify (void) {
  ssize_t written = write(STDERR_FILENO, unseen, sizeof unseen - 1);
  (void)written;
  prompt.notified = 1;
}

static void end_process (int sig) {
  signal(sig, SIG_DFL);
  raise(sig);
}

static void on_interrupt (int sig) {
  int saved = errno;
  if (!pthread_equal(pthread_self(), prompt.thread))
    pthread_kill(prompt.thread, sig); /* ends a wait there */
  else if (prompt.line == NULL)
    prompt.taken = 1;
  else if (lua_gethook(prompt.main) != stop) {
    lua_sethook(prompt.main, stop, EVERYTHING, 1);
    if (prompt.line != prompt.main)
      lua_sethook(prompt.line, stop, EVERYTHING, 1);
  } else if (!prompt.notified)
    notify();
  else
    end_process(sig);
  errno = saved;
}

bool sigint_take (void) {
  bool taken = (prompt.taken != 0);
  prompt.taken = 0;
  return taken;
}

static void unhook (lua_State *L) {
  if (lua_gethook(L) == stop)
    lua_sethook(L, NULL, 0, 0);
}

/* catch() -> true, or false if another prompt has it. */
static int system_catch (lua_State *L) {
  State *st = state_get(L);
  bool free = (prompt.owner == NULL);
  if (free) {
    struct sigaction action;
    memset(&action, 0, sizeof action); /* no SA_RESTART: reads shall end */
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    prompt.owner = st;
    prompt.thread = pthread_self();
    prompt.main = st->main;
    st->stop = stop;
    prompt.taken = 0;
    sigaction(SIGINT, &action, &prompt.before);
  }
  lua_pushboolean(L, free);
  return 1;
}

void sigint_restore (State *st) {
  if (prompt.owner != st)
    return;
  st->stop = NULL;
  sigaction(SIGINT, &prompt.before, NULL);
  prompt.owner = NULL;
  prompt.line = NULL;
}

/* release(): restores the SIGINT handler of before catch(). */
static int system_release (lua_State *L) {
  sigint_restore(state_get(L));
  return 0;
}

/* call(handler, fn, ...) -> as xpcall(fn, handler, ...), and Ctrl-C raises in
** it: from its first to its last instruction, and nowhere else. */
static int system_call (lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checkany(L, 2);
  lua_State *outer = prompt.line;
  prompt.notified = 0;
  prompt.line = (prompt.owner == state_get(L)) ? L : outer;
  int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
  prompt.line = outer;
  if (outer == NULL) {
    unhook(L);
    unhook(state_get(L)->main);
  }
  lua_pushboolean(L, status == LUA_OK);
  lua_replace(L, 1);
  return lua_gettop(L);
}

/* apart(fn) -> as pcall(fn), without a running line in it, so that Ctrl-C goes
** to the reader. For a session that a line of another session has started. */
static int system_apart (lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *outer = prompt.line;
  if (prompt.owner == state_get(L))
    prompt.line = NULL;
  int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  prompt.line = outer;
  lua_pushboolean(L, status == LUA_OK);
  lua_insert(L, 1);
  return lua_gettop(L);
}

static const Function functions[] = {
  {CALLS_BACK "apart", system_apart, ANY},
  {"catch", system_catch, 0},
  {"release", system_release, 0},
  {CALLS_BACK "call", system_call, ANY},
  {NULL, NULL, 0},
};

void open_sigint (lua_State *L) { class_set_funcs(L, functions); }
