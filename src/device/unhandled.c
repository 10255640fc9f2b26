/*
** unhandled.c - errors that were never reported, and host functions that never
** ran: they are reported when the lua_State closes, on stderr, by `warn`, or
** not at all. Scopes that were never closed are reported when they are
** collected, since in a program that runs on their streams stay current. The
** code that ends the process may ask how many reports there were.
*/
#include "unhandled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "host_error.h"
#include "index_error.h"
#include "openers.h"
#include "rt/comm/comm.h"
#include "rt/wait/timeline.h"

enum { REPORTS = 8 }; /* of each kind */

static const char error_text[] = "nobody asked for this error: ";

static const char *const modes[] = {"stderr", "warn", "off", NULL};

void unhandled_read (lua_State *L, State *st) {
  const char *name = getenv("TIDE_UNHANDLED_ERRORS");
  if (name == NULL || *name == '\0')
    return;
  for (int i = 0; modes[i] != NULL; i++)
    if (strcmp(modes[i], name) == 0) {
      st->unhandled = (Unhandled)i;
      return;
    }
  error_raise(L,
              "TIDE_UNHANDLED_ERRORS must be 'stderr', 'warn' or 'off', got "
              "'%s'",
              name);
}

/* {== reports ========================================================= */

void unhandled_report (lua_State *L, State *st, const char *text) {
  const char *what = lua_tostring(L, -1);
  if (what == NULL)
    what = "(no string)";
  if (st->unhandled == UNHANDLED_STDERR) {
    fprintf(stderr, "tide: %s%s\n", text, what);
  } else if (st->unhandled == UNHANDLED_WARN) {
    lua_warning(L, "tide: ", 1);
    lua_warning(L, text, 1);
    lua_warning(L, what, 0);
  }
  if (st->unhandled != UNHANDLED_OFF)
    ++*st->reports;
  lua_pop(L, 1);
}

void unhandled_report_scope (lua_State *L, State *st) {
  if (st->unclosed++ < REPORTS)
    unhandled_report(L, st, "a scope was never closed, opened at ");
  else
    lua_pop(L, 1);
}

/* Reports how many of 'n' got no report of their own, and 'more' than those. */
static void report_more (lua_State *L, State *st, int n, lua_Integer more) {
  more += (n > REPORTS) ? n - REPORTS : 0;
  if (more > 0) {
    lua_pushinteger(L, more);
    unhandled_report(L, st, "further reports of this kind: ");
  }
}

static void report_errors (lua_State *L, State *st) {
  int n = (int)lua_rawlen(L, -1);
  lua_Integer more = st->nlost;
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, -1, i);
    more += host_error_more(L);
    lua_rawgeti(L, -1, 1);
    if (i <= REPORTS)
      unhandled_report(L, st, error_text);
    else
      lua_pop(L, 1);
    lua_pop(L, 1);
  }
  report_more(L, st, n, more);
}

/* Reports errors of the checks in the table on the top. Returns their number,
** with 'n' before. */
static int report_each (lua_State *L, State *st, int n) {
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    if (index_error_is_graph(L)) {
      n = report_each(L, st, n);
      lua_pop(L, 1);
      continue;
    }
    const char *message = index_error_unreported(L);
    if (message == NULL || n++ >= REPORTS)
      continue;
    lua_pushstring(L, message);
    unhandled_report(L, st, error_text);
  }
  return n;
}

/* Reports errors of kernels and files, once their work is done. */
static void report_checks (lua_State *L, State *st) {
  report_more(L, st, report_each(L, st, 0), 0);
}

static void report_comms (lua_State *L, State *st) {
  LIST_EACH (RtComm, c, &st->rt->held[LIFE_COMM]) {
    if (!comm_is_unreported(c))
      continue;
    comm_note_reported(st->rt, c->family);
    lua_pushstring(L, c->why);
    unhandled_report(L, st, error_text);
  }
}

static void report_functions (lua_State *L, State *st) {
  int n = 0;
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    bool captured = (lua_getfield(L, -1, "captured") != LUA_TNIL);
    lua_pop(L, 1);
    if (captured || n++ >= REPORTS)
      continue;
    lua_getfield(L, -1, "at");
    unhandled_report(L, st, "a host function never ran, queued at ");
  }
  report_more(L, st, n, 0);
}

int unhandled_report_all (lua_State *L) {
  State *st = lua_touserdata(L, 1);
  timeline_settle_waits(st->rt);
  lua_getiuservalue(L, 1, UV_ERRORS);
  report_errors(L, st);
  lua_getiuservalue(L, 1, UV_CHECKS);
  report_checks(L, st);
  report_comms(L, st);
  lua_getiuservalue(L, 1, UV_CALLBACKS);
  report_functions(L, st);
  report_more(L, st, st->unclosed, 0);
  return 0;
}

/* ==} */

/* {== from Lua ======================================================== */

/* unhandled_errors([mode]) -> the mode before. */
static int core_unhandled_errors (lua_State *L) {
  State *st = state_get(L);
  Unhandled before = st->unhandled;
  if (!lua_isnoneornil(L, 1))
    st->unhandled = (Unhandled)option_choice(L, 1, -1, modes);
  lua_pushstring(L, modes[before]);
  return 1;
}

/* exit(status): as os.exit(status, true); status 0 becomes 1 if the State has
** reported something by the time it is closed. */
static int system_exit (lua_State *L) {
  State *st = state_get(L);
  int status = (int)luaL_checkinteger(L, 1), reports = *st->reports;
  st->reports = &reports;
  lua_close(L);
  exit(status == 0 && reports > 0 ? EXIT_FAILURE : status);
}

static const Function functions[] = {
  {"unhandled_errors", core_unhandled_errors, 1},
  {NULL, NULL, 0},
};

static const Function exits[] = {
  {CALLS_BACK "exit", system_exit, 1},
  {NULL, NULL, 0},
};

void open_unhandled (lua_State *L) { class_set_funcs(L, functions); }

void open_exit (lua_State *L) { class_set_funcs(L, exits); }

/* ==} */
