/*
** hooks.c - what a program sets by lua_sethook or debug.sethook holds in waits
** as well: a hook that is new is called at once, one that was there before a
** hundred times a second. It is the program's own: what it raises ends the
** wait, whatever its mask is.
**
** DESIGN. The wait runs some instructions of Lua, and these call the hook as
** any others do, so it may do what it may do anywhere: but it cannot yield. Of
** coroutines it is that of the one that waits; what is new on the main thread,
** where lua.c and others set theirs in a signal handler, is called on that one.
*/
#include "hooks.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "host_error.h"
#include "rt/wait/wait.h"

static const double PERIOD = 0.01;

enum { INSTRUCTIONS_MOST = 20000 };  /* for a hook that counts so far */

enum { ALL_EVENTS = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT };

typedef struct Hook {
  lua_Hook f;
  int mask, count;
} Hook;

static Hook get_hook (lua_State *L) {
  return (Hook){lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L)};
}

static void set_hook (lua_State *L, const Hook *h) {
  lua_sethook(L, h->f, h->mask, h->count);
}

/* As lua.c's handler of SIGINT sets it, on the main thread alone. */
static bool is_interrupted (const State *st) {
  return lua_gethookmask(st->main) == ALL_EVENTS &&
         lua_gethookcount(st->main) == 1;
}

/* {== when ============================================================ */

static void note (lua_State *L, const State *st, Hooks *h) {
  h->main = lua_gethook(st->main);
  h->own = lua_gethook(L);
}

/* A coroutine does not look at the main thread's; and it may have come since
** Lua's last look, which of lua.c's nobody could tell from a debugger's. */
void tide_starthooks (lua_State *L, const State *st, Hooks *h) {
  note(L, st, h);
  if (h->main == st->stop || (L != st->main && is_interrupted(st)))
    h->main = NULL;
  h->next = 0;
}

bool tide_arehooksnew (lua_State *L, const State *st, const Hooks *h) {
  return lua_gethook(st->main) != h->main || lua_gethook(L) != h->own;
}

bool tide_arehooksdue (lua_State *L, const State *st, Hooks *h, bool ran) {
  bool any = (lua_gethookmask(L) != 0);
  if (ran && !is_interrupted(st))
    note(L, st, h);
  if (tide_arehooksnew(L, st, h))
    return true;
  if (!any)
    return false;
  double now = tide_seconds(CLOCK_MONOTONIC);
  if (h->next == 0)
    h->next = now + PERIOD;
  return now >= h->next;
}

/* ==} */

/* {== calling them ==================================================== */

/* The error on the top (popped). lua.c's and the prompt's is raised as one of
** tide's, which says more. */
static Status keep (lua_State *L, State *st) {
  const char *message = lua_tostring(L, -1);
  if (message == NULL || strcmp(message, "interrupted!") != 0) {
    (void)rt_interrupt(st->rt);
    return tide_raiselater(L, RT_LUAERROR);
  }
  lua_pop(L, 1);
  return RT_INTERRUPTED;
}

static Status call_hook (lua_State *L, State *st, const Hook *h) {
  struct Door *door = st->door;
  struct Trace *trace = st->trace;
  if (h->mask == 0 || !lua_checkstack(L, 8))
    return 0;
  st->door = NULL;
  st->trace = NULL;
  tide_pushpending(L, PENDING_INSTRUCTIONS);
  lua_pushinteger(L, h->count < INSTRUCTIONS_MOST ? h->count
                                                  : INSTRUCTIONS_MOST);
  int status = lua_pcall(L, 1, 0, 0);
  st->door = door;
  st->trace = trace;
  return (status != LUA_OK) ? keep(L, st) : 0;
}

/* That of the main thread, on L. One that takes itself off is off there. */
static Status call_mains (lua_State *L, State *st) {
  Hook own = get_hook(L), h = get_hook(st->main);
  set_hook(L, &h);
  Status status = call_hook(L, st, &h);
  if (lua_gethook(L) == NULL && lua_gethook(st->main) == h.f)
    lua_sethook(st->main, NULL, 0, 0);
  set_hook(L, &own);
  return status;
}

static Status call_own (lua_State *L, State *st) {
  Hook h = get_hook(L);
  Status status = call_hook(L, st, &h);
  if (lua_gethook(L) == NULL && lua_gethook(st->main) == h.f)
    lua_sethook(st->main, NULL, 0, 0);
  return status;
}

/* One of debug.sethook knows its own coroutine alone: nobody has called it. */
static Status end_mains (State *st) {
  lua_sethook(st->main, NULL, 0, 0);
  return RT_INTERRUPTED;
}

Status tide_callhooks (lua_State *L, State *st, Hooks *h) {
  bool mains = (L != st->main && lua_gethook(st->main) != h->main);
  Status status = call_own(L, st);
  if (status == 0 && mains)
    status = call_mains(L, st);
  if (status == 0 && mains && is_interrupted(st))
    status = end_mains(st);
  note(L, st, h);
  h->next = tide_seconds(CLOCK_MONOTONIC) + PERIOD;
  return status;
}

/* For tide_fail: all are new. */
static Status call_new (lua_State *L, State *st) {
  Hooks h = {NULL, NULL, 0};
  return tide_callhooks(L, st, &h);
}

/* ==} */

void tide_openhooks (lua_State *L) {
  static const char instructions[] = "for _ = 1, ... do end";
  tide_state(L)->call_hooks = call_new;
  tide_pushuv(L, UV_PENDING);
  if (luaL_loadbufferx(L, instructions, sizeof instructions - 1, "=tide",
                       "t") != LUA_OK)
    lua_error(L);
  lua_rawseti(L, -2, PENDING_INSTRUCTIONS);
  lua_pop(L, 1);
}
