/*
** luahooks.c - hooks that a program sets by lua_sethook or debug.sethook also
** work in waits. A new hook is called at once, an older one a hundred times a
** second. It is the program's own: an error that it raises ends the wait,
** whatever its mask is.
**
** DESIGN. The wait runs some instructions of Lua, and these call the hook as
** usual. So the hook may do anything that it may do elsewhere, except yield.
** The wait calls the hook of its own coroutine. A new hook of the main thread,
** where lua.c and others set theirs in a signal handler, is called on that
** coroutine as well.
*/
#include "luahooks.h"

#include <string.h>

#include "base/error.h"
#include "host_error.h"
#include "rt/os/clock.h"
#include "rt/wait/wait.h"

static const double PERIOD = 0.01;

enum { INSTRUCTIONS_MOST = 20000 }; /* for a hook with a count */

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

/* Tells whether the main thread's hook is set as lua.c does on SIGINT. */
static bool is_interrupted (const State *st) {
  return lua_gethookmask(st->main) == ALL_EVENTS &&
         lua_gethookcount(st->main) == 1;
}

/* {== when ============================================================ */

static void note (lua_State *L, const State *st, Hooks *h) {
  h->main = lua_gethook(st->main);
  h->own = lua_gethook(L);
}

/* Begins a wait. Lua does not look at the main thread's hook in a coroutine.
** One may also have come since Lua's last look, but then lua.c's could not be
** distinguished from a debugger's. */
void luahook_start (lua_State *L, const State *st, Hooks *h) {
  note(L, st, h);
  if (h->main == st->stop || (L != st->main && is_interrupted(st)))
    h->main = NULL;
  h->next = 0;
}

bool luahook_is_new (lua_State *L, const State *st, const Hooks *h) {
  return lua_gethook(st->main) != h->main || lua_gethook(L) != h->own;
}

bool luahook_is_due (lua_State *L, const State *st, Hooks *h, bool ran) {
  bool any = (lua_gethookmask(L) != 0);
  if (ran && !is_interrupted(st))
    note(L, st, h);
  if (luahook_is_new(L, st, h))
    return true;
  if (!any)
    return false;
  double now = clock_seconds(CLOCK_MONOTONIC);
  if (h->next == 0)
    h->next = now + PERIOD;
  return now >= h->next;
}

/* ==} */

/* {== calling them ==================================================== */

/* Keeps the error on the top (popped). For an error of lua.c's hook or the
** prompt's, tide raises its own instead, which says more. */
static Status keep (lua_State *L, State *st) {
  const char *message = lua_tostring(L, -1);
  if (message == NULL || strcmp(message, "interrupted!") != 0) {
    (void)wait_interrupt(st->rt);
    return host_error_defer(L, RT_LUAERROR);
  }
  lua_pop(L, 1);
  return RT_INTERRUPTED;
}

static Status call_hook (lua_State *L, State *st, const Hook *h) {
  struct EntryCall *entry = st->entry;
  struct Trace *trace = st->trace;
  if (h->mask == 0 || !lua_checkstack(L, 8))
    return 0;
  st->entry = NULL;
  st->trace = NULL;
  host_error_push(L, PENDING_INSTRUCTIONS);
  lua_pushinteger(L,
                  h->count < INSTRUCTIONS_MOST ? h->count : INSTRUCTIONS_MOST);
  int status = lua_pcall(L, 1, 0, 0);
  st->entry = entry;
  st->trace = trace;
  return (status != LUA_OK) ? keep(L, st) : 0;
}

/* Calls the main thread's hook on L. If it removes itself from L, it is also
** removed from the main thread. */
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

/* Ends the wait for a hook of debug.sethook, which was not called because that
** knows its own coroutine only. */
static Status end_mains (State *st) {
  lua_sethook(st->main, NULL, 0, 0);
  return RT_INTERRUPTED;
}

Status luahook_call (lua_State *L, State *st, Hooks *h) {
  bool mains = (L != st->main && lua_gethook(st->main) != h->main);
  Status status = call_own(L, st);
  if (status == 0 && mains)
    status = call_mains(L, st);
  if (status == 0 && mains && is_interrupted(st))
    status = end_mains(st);
  note(L, st, h);
  h->next = clock_seconds(CLOCK_MONOTONIC) + PERIOD;
  return status;
}

/* Calls all hooks as new ones, for error_fail. */
static Status call_new (lua_State *L, State *st) {
  Hooks h = {NULL, NULL, 0};
  return luahook_call(L, st, &h);
}

/* ==} */

void open_hooks (lua_State *L) {
  static const char instructions[] = "for _ = 1, ... do end";
  state_get(L)->call_hooks = call_new;
  state_push_uv(L, UV_PENDING);
  if (luaL_loadbufferx(L, instructions, sizeof instructions - 1, "=tide",
                       "t") != LUA_OK)
    lua_error(L);
  lua_rawseti(L, -2, PENDING_INSTRUCTIONS);
  lua_pop(L, 1);
}
