/*
** terminal.c - tells whether there is a terminal, how wide it is, and whether
** something was typed. For the prompt, and for tide.progress.
*/
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
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

static void mask_interrupt (int how, sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(how, &set, before);
}

/* Waits so long, or for ever. SIGINT is let in here and not before. */
static const char *await_input (lua_Integer ms) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
  sigset_t before;
  mask_interrupt(SIG_BLOCK, &before);
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

/*
** keep_input(on): Ctrl-C shall not drop what was typed before it. If it did,
** whoever was told by wait() that there is a key might find none, and readline
** would wait for the next one.
*/
static int system_keep_input (lua_State *L) {
  struct termios t;
  if (tcgetattr(STDIN_FILENO, &t) == 0) {
    t.c_lflag = lua_toboolean(L, 1) ? t.c_lflag | NOFLSH : t.c_lflag & ~NOFLSH;
    tcsetattr(STDIN_FILENO, TCSANOW, &t);
  }
  return 0;
}

/* without_interrupt(fn): calls it; SIGINT has to wait for its end. */
static int system_without_interrupt (lua_State *L) {
  sigset_t before;
  mask_interrupt(SIG_BLOCK, &before);
  int status = lua_pcall(L, 0, 0, 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return (status == LUA_OK) ? 0 : lua_error(L);
}

/* drop_input(): drops what was typed and not read. */
static int system_drop_input (lua_State *L) {
  (void)L;
  tcflush(STDIN_FILENO, TCIFLUSH);
  return 0;
}

static const Function functions[] = {
  {"clear_end", system_clear_end, 0},
  {"columns", system_columns, 1},
  {"drop_input", system_drop_input, 0},
  {"isatty", system_isatty, 1},
  {"keep_input", system_keep_input, 1},
  {"wait", system_wait, 1},
  {"without_interrupt", system_without_interrupt, 1},
  {NULL, NULL, 0},
};

void open_terminal (lua_State *L) { class_set_funcs(L, functions); }
