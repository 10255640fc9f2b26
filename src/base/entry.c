/*
** entry.c - the API entry: every function of tide that may queue work is called
** through it.
**
** DESIGN. A call either goes through without running any Lua, or is begun again
** from its arguments. Code below the wall never calls up: an operation that
** cannot be queued before a host function has run returns RT_BLOCKED. Then the
** entry waits, which runs host functions, while nothing is half done. It calls
** the function anew, so the usual checks find what was closed meanwhile. The
** arrays that the first try made for itself are closed.
**
** Lua also runs where Lua allocates: the collector calls finalizers, and those
** may call tide. So every try has a number. Before a call queues another
** operation it looks whether other calls have come in between (State.calls has
** gone on). If some came after it had queued its first operation, it begins
** again, so that it reads everything at one time. After a few retries it is
** called with the collector held.
**
** The collector is off in finalizers, which is how the entry knows a call that
** a finalizer makes in the middle of another call. This call does not begin
** again, frees nothing that the call around it may hold, and does not wait for
** host functions. It is protected, so that the call around it is always found.
**
** The entry goes back by longjmp, over our own C functions only, within one
** call of Lua's: the same way as an error, but not as far.
*/
#include "entry.h"

#include <string.h>

#include "argerror.h"
#include "blocking.h"
#include "class.h"
#include "error.h"
#include "rt/rt.h"
#include "state.h"
#include "stop.h"
#include "type.h"

enum {
  PATIENCE = 3, /* retries before the collector is held, */
  MOST = 1000   /* and before the call is given up */
};

/* {== errors ========================================================== */

/* Tells whether there is a "file:line:" in it. */
static bool has_place (const char *s) {
  while ((s = strchr(s, ':')) != NULL) {
    size_t n = strspn(++s, "0123456789");
    if (n > 0 && s[n] == ':')
      return true;
  }
  return false;
}

/* Raises the error on the top, with the place of the caller in front, because
** code that C called cannot tell where in Lua it is. The prompt's Ctrl-C gets
** no place, because it may come anywhere. */
static int raise_here (lua_State *L) {
  const char *s = (lua_type(L, -1) == LUA_TSTRING) ? lua_tostring(L, -1) : NULL;
  if (s == NULL || has_place(s) || strcmp(s, "interrupted!") == 0)
    return lua_error(L);
  return error_raise(L, "%s", s);
}

/* ==} */

/* {== in finalizers =================================================== */

/* The upvalues are those of the entry, by which errors find its name. */
static int call_nested (lua_State *L, State *st, lua_CFunction f) {
  EntryCall *around = st->entry;
  Runtime *rt = st->rt;
  bool was = (rt != NULL && rt->finalizing);
  int n = lua_gettop(L);
  if (rt != NULL && context_is_forked(rt))
    state_check(L, st);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushcclosure(L, f, 2);
  lua_insert(L, 1);
  st->calls++;
  st->entry = NULL;
  if (rt != NULL)
    rt->finalizing = true;
  int status = lua_pcall(L, n, LUA_MULTRET, 0);
  if (rt != NULL)
    rt->finalizing = was;
  st->entry = around;
  return (status != LUA_OK) ? raise_here(L) : lua_gettop(L);
}

/* ==} */

/* {== again =========================================================== */

#if defined(TIDE_TESTING)
/* T.again: keeps the arguments of the call, to check that they are still there
** when it begins again. */
static void watch (lua_State *L, State *st, EntryCall *d) {
  d->inner = st->inner;
  st->inner = false;
  if (st->again == 0)
    return;
  luaL_checkstack(L, d->nargs + 2, NULL);
  lua_createtable(L, d->nargs, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode"); /* the call itself holds them */
  lua_setmetatable(L, -2);
  for (int i = 1; i <= d->nargs; i++) {
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, i);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, d);
}

static void check_arguments (lua_State *L, const State *st,
                             const EntryCall *d) {
  bool same = (lua_gettop(L) >= d->nargs);
  if (st->again == 0 || lua_rawgetp(L, LUA_REGISTRYINDEX, d) != LUA_TTABLE)
    return;
  for (int i = 1; i <= d->nargs && same; i++) {
    lua_rawgeti(L, -1, i);
    same = lua_rawequal(L, -1, i) || !lua_rawequal(L, i, i); /* NaN */
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_Debug ar;
  lua_getstack(L, 0, &ar);
  lua_getinfo(L, "n", &ar);
  if (!same)
    luaL_error(L, "tide: %s cannot begin again without its arguments",
               ar.name != NULL ? ar.name : "?");
}

/* T.collect: collects, as if the collector had just ended a cycle. */
static void collect (lua_State *L, const State *st) {
  if (st->collects && lua_gc(L, LUA_GCISRUNNING) > 0)
    lua_gc(L, LUA_GCCOLLECT);
}

static void start_counting (EntryCall *d) { d->operations = 0; }

static void expect_inner (State *st) { st->inner = true; }

/* T.again: tells whether to act as if others had come in between. Not in a call
** that another call makes, because that would begin again as well, and so
** on. */
static bool is_disturbed (const State *st, EntryCall *d) {
  return ++d->operations == st->again && d->retries == 0 && !d->inner &&
         rt_may_serve(st->rt);
}

#else

#define collect(L, st) ((void)0)
#define start_counting(d) ((void)0)
#define expect_inner(st) ((void)0)
#define watch(L, st, d) ((void)0)
#define check_arguments(L, st, d) ((void)0)
#define is_disturbed(st, d) false

#endif

static inline void start_try (EntryCall *d) {
  d->since = 0;
  d->what = NULL;
  d->bound = 0;
  d->queued = false;
  d->blocked = false;
  start_counting(d);
}

static void begin_again (lua_State *L, State *st, EntryCall *d) {
  WaitReason reason = st->rt->wait_reason;
  for (int i = lua_gettop(L); i > d->nargs; i--) /* arrays that it has made */
    st->close_made(L, i, d->call);
  lua_settop(L, d->nargs);
  st->drop_checks(L, d->call);
  if (++d->retries > MOST)
    error_fail(L, blocking_endless(st->rt, "tide"));
  if (d->blocked)
    st->await(L, &reason);
  start_try(d);
}

void entry_retry (lua_State *L, State *st) {
  EntryCall *d = st->entry;
  if (d == NULL || d->L != L)
    luaL_error(L, "array was closed meanwhile");
  check_arguments(L, st, d);
  st->entry = NULL;
  go_back(d->back);
}

/* A finalizer waits where it can begin again, but not for host functions. */
int entry_blocked (lua_State *L, State *st) {
  const Runtime *rt = st->rt;
  bool waits = (st->entry != NULL && rt_may_serve(rt) && rt->nkept == 0);
  if (!waits && !blocking_serves(L, st))
    return blocking_raise(L, &rt->wait_reason);
  if (st->entry != NULL)
    st->entry->blocked = true;
  entry_retry(L, st);
  return 0;
}

bool entry_compare_calls (State *st) {
  EntryCall *d = st->entry;
  if (d == NULL)
    return true;
  if (d->bound > 0)
    return d->bound--, true;
  if ((d->since != 0 && d->since != st->calls) || is_disturbed(st, d))
    return false;
  d->since = st->calls;
  return true;
}

bool entry_committed (const State *st) {
  return st->entry != NULL && (st->entry->bound > 0 || st->entry->queued);
}

void entry_note_queued (State *st) {
  if (st->entry != NULL)
    st->entry->queued = true;
}

void entry_commit (State *st, int n) {
  if (st->entry != NULL)
    st->entry->bound = n;
}

/* Calls 'f' with the collector held. Protected, because the collector must go
** on whatever happens. */
static int call_held (lua_State *L, State *st, lua_CFunction f) {
  int n = lua_gettop(L);
  class_push_entry(L, f, ANY);
  lua_insert(L, 1);
  st->entry = NULL;
  st->gc_held = true;
  lua_gc(L, LUA_GCSTOP);
  int status = lua_pcall(L, n, LUA_MULTRET, 0);
  lua_gc(L, LUA_GCRESTART);
  st->gc_held = false;
  return (status != LUA_OK) ? raise_here(L) : lua_gettop(L);
}

/* ==} */

void entry_check_end (lua_State *L, int arg) {
  int top = lua_gettop(L);
  for (int i = arg; i <= top; i++)
    if (!lua_isnil(L, i))
      argerror_surplus(L, i);
}

static int drop_surplus (lua_State *L, int most) {
  entry_check_end(L, most + 1);
  lua_settop(L, most);
  return most;
}

/* Before mark_back it costs half: what lives across that lives in memory. */
static inline void check_state (lua_State *L, State *st) {
  if (stop_is_due(st))
    stop_check(L, st);
  if (state_needs_check(st))
    state_check(L, st);
}

int entry_run (lua_State *L, State *st, lua_CFunction f, int most) {
  EntryCall d;
  d.nargs = lua_gettop(L);
  if (d.nargs > most)
    d.nargs = drop_surplus(L, most);
  if (st->entry != NULL && lua_gc(L, LUA_GCISRUNNING) < 0)
    return call_nested(L, st, f);
  d.L = L;
  d.retries = 0;
  start_try(&d);
  watch(L, st, &d);
  check_state(L, st);
  if (mark_back(d.back) != 0) {
    begin_again(L, st, &d);
    check_state(L, st);
    if (d.retries >= PATIENCE && !st->gc_held && lua_gc(L, LUA_GCISRUNNING) > 0)
      return call_held(L, st, f);
  }
  d.call = ++st->calls;
  st->entry = &d;
  int n = f(L);
  st->entry = NULL;
  return n;
}

void entry_drop_args (lua_State *L, int n) {
  EntryCall *d = state_get(L)->entry;
  lua_settop(L, n);
  if (d != NULL && d->nargs > n)
    d->nargs = n;
}

const EntryFunction *entry_running (lua_State *L) {
  return state_is_upvalue(L) ? lua_touserdata(L, lua_upvalueindex(2)) : NULL;
}

int entry_point (lua_State *L) {
  const EntryFunction *e = lua_touserdata(L, lua_upvalueindex(2));
  collect(L, e->st);
  if (e->module && lua_istable(L, 1))
    type_check_module(L);
  return entry_run(L, e->st, e->f, e->most);
}

void entry_own_calls (State *st, EntryCall *around, uint64_t before,
                      uint64_t n) {
  st->entry = around;
  st->own += n;
  if (around != NULL && around->since == before && st->calls == before + n)
    around->since = st->calls;
}

/*
** A call that we make ourselves does not count as another's, and neither do the
** calls that it makes in the same way, unless more came with it. Protected,
** because an error in it was called from C and cannot tell where in Lua that
** was.
*/
void entry_call (lua_State *L, const char *what, int n, int nresults) {
  State *st = state_get(L);
  EntryCall *around = st->entry;
  uint64_t before = st->calls, outer = st->own;
  st->entry = NULL;
  st->own = 0;
  expect_inner(st);
  int status = lua_pcall(L, n, nresults, 0);
  uint64_t own = st->own + 1;
  st->own = outer;
  entry_own_calls(st, around, before, own);
  if (status == LUA_ERRMEM)
    lua_error(L);
  if (status != LUA_OK) {
    argerror_rename(L, what);
    raise_here(L);
  }
}
