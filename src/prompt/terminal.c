/*
** terminal.c - tells whether there is a terminal, how wide it is, and whether
** something was typed. For the prompt, and for tide.progress.
*/
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/class.h"
#include "base/entry.h"
#include "openers.h"
#include "sigint.h"

static int check_stream (lua_State *L) {
  lua_Integer fd = luaL_checkinteger(L, 1);
  luaL_argcheck(L, fd >= 0 && fd <= 2, 1, "0, 1 or 2 expected");
  return (int)fd;
}

/* isatty(fd) -> whether input (0), output (1) or error (2) is a terminal. */
static int system_isatty (lua_State *L) {
  lua_pushboolean(L, isatty(check_stream(L)));
  return 1;
}

/* columns(fd) -> how many, or nil if the terminal does not say. */
static int system_columns (lua_State *L) {
  struct winsize size;
  bool known = ioctl(check_stream(L), TIOCGWINSZ, &size) == 0 &&
               size.ws_col > 0;
  entry_uncount(state_get(L));
  if (known)
    lua_pushinteger(L, size.ws_col);
  else
    lua_pushnil(L);
  return 1;
}

/* Waits so long, or for ever. SIGINT is let in here and not before. */
static const char *await_input (lua_Integer ms) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  bool taken = sigint_take();
  int n = taken ? 0 : ppoll(&input, 1, ms < 0 ? NULL : &time, &before);
  taken = taken || sigint_take();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return taken ? "interrupt" : n > 0 ? "input" : NULL;
}

/* wait(ms) -> "input", "interrupt" (Ctrl-C), or nil: neither came. ms < 0: no
** limit, but another signal ends it. */
static int system_wait (lua_State *L) {
  lua_pushstring(L, await_input(luaL_checkinteger(L, 1)));
  return 1;
}

/* clear_end(): lets standard input go on, as a terminal does after Ctrl-D.
** Lua's own prompt, if it reads without readline, would take that for the
** end. */
static int system_clear_end (lua_State *L) {
  (void)L;
  clearerr(stdin);
  return 0;
}

static const Function functions[] = {
  {"clear_end", system_clear_end, 0},
  {"columns", system_columns, 1},
  {"isatty", system_isatty, 1},
  {"wait", system_wait, 1},
  {NULL, NULL, 0},
};

void open_terminal (lua_State *L) { class_set_funcs(L, functions); }
