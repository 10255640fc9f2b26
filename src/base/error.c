/*
** error.c - turns a Status into a Lua error: the only formatter of driver
** errors.
*/
#include "error.h"

#include <stdarg.h>
#include <string.h>

#include "entry.h"
#include "limits.h"
#include "rt/driver/fault.h"
#include "rt/driver/names.h"
#include "rt/graph/capture_types.h"
#include "rt/queue/stream_types.h"
#include "state.h"

/* {== where Lua is ==================================================== */

/* Finds the innermost Lua function from '*level' on, and sets '*level' to its
** level. Neither allocates nor raises. */
static bool find_caller (lua_State *L, lua_Debug *ar, int *level) {
  for (; lua_getstack(L, *level, ar); ++*level) {
    lua_getinfo(L, "Sl", ar);
    if (ar->currentline > 0)
      return true;
  }
  return false;
}

bool error_find_caller (lua_State *L, lua_Debug *ar) {
  int level = 1;
  return find_caller(L, ar, &level);
}

static void set_place (Runtime *rt, bool found, const lua_Debug *ar) {
  if (found)
    fault_set_line(rt, ar->short_src, ar->currentline);
  else
    rt->line = 0;
}

void error_note_place (lua_State *L, Runtime *rt) {
  lua_Debug ar;
  bool found = error_find_caller(L, &ar);
  set_place(rt, found, &ar);
}

/* Returns the length of the folder in the name of a source, if the source is
** Lua code of tide that calls the core for the program; else 0. */
static size_t own_folder (const char *source) {
  static const char *const names[] = {
    "arguments.lua", "capture.lua", "describe.lua",
    "dist.lua",      "draws.lua",   "filters.lua",
    "gather.lua",    "group.lua",   "init.lua",
    "lfilter.lua",   "linalg.lua",  "matrices.lua",
    "parallel.lua",  "plot.lua",    "polyfit.lua",
    "progress.lua",  "queues.lua",  "runner.lua",
    "tasks.lua",     "waiting.lua", NULL};
  const char folder[] = "tide/", *slash = strrchr(source, '/');
  const char *name = (slash != NULL) ? slash + 1 : source;
  size_t n = (size_t)(name - source), length = strlen(folder);
  if (n < length || memcmp(name - length, folder, length) != 0)
    return 0;
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp(name, names[i]) == 0)
      return n;
  return 0;
}

/* Tells whether the source is in that folder, except for the prompt: where a
** line typed there ends in a tail call, the prompt has taken its place on the
** stack, and the called function has not. */
static bool is_own (const char *source, const char *folder, size_t n) {
  return strncmp(source, folder, n) == 0 && strncmp(source + n, "repl", 4) != 0;
}

/* error_find_caller that skips tide's own Lua if that has called. After a tail
** call there may be no Lua function at the foot of a coroutine. */
static bool find_outside (lua_State *L, lua_Debug *ar) {
  int level = 1;
  if (!find_caller(L, ar, &level))
    return false;
  const char *source = ar->source;
  size_t n = own_folder(source);
  while (n > 0 && is_own(ar->source, source, n)) {
    level++;
    if (!find_caller(L, ar, &level))
      return false;
  }
  return true;
}

void error_push_caller (lua_State *L) {
  lua_Debug ar;
  if (find_outside(L, &ar))
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
  else
    lua_pushliteral(L, "?");
}

bool error_push_origin (lua_State *L, int idx) {
  lua_Debug ar;
  bool bare = true;
  if (lua_isfunction(L, idx)) {
    lua_pushvalue(L, idx);
    lua_getinfo(L, ">S", &ar);
    bare = *ar.what == 'C' || own_folder(ar.source) > 0;
  }
  if (!bare || !find_outside(L, &ar))
    return false;
  lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
  return true;
}

/* Returns the name of the function at -3 in the module at -1, whose key in the
** table of modules is at -2, or NULL. The function may be the module. */
static const char *name_in (lua_State *L) {
  const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  const int module = lua_gettop(L), function = module - 3;
  if (strncmp(key, "tide.", 5) != 0)
    return NULL;
  if (lua_rawequal(L, module, function))
    return key + 5;
  if (lua_istable(L, module))
    for (lua_pushnil(L); lua_next(L, module) != 0; lua_pop(L, 1))
      if (lua_rawequal(L, -1, function) && lua_type(L, -2) == LUA_TSTRING)
        return lua_tostring(L, -2);
  return NULL;
}

/* Returns the name of a function of tide's own Lua that Lua has no name for,
** as after a tail call. Leaves values on the stack. */
static const char *name_of_own (lua_State *L, lua_Debug *ar) {
  luaL_checkstack(L, 8, NULL);
  lua_getinfo(L, "f", ar);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    const char *name = name_in(L);
    if (name != NULL)
      return name;
    lua_pop(L, 1);
  }
  return "tide";
}

const char *error_own_function (lua_State *L, lua_Debug *ar) {
  int level = 1, last;
  if (!find_caller(L, ar, &level))
    return NULL;
  const char *source = ar->source;
  size_t n = own_folder(source);
  if (n == 0)
    return NULL;
  do
    last = level++;
  while (find_caller(L, ar, &level) && strncmp(ar->source, source, n) == 0);
  lua_getstack(L, last, ar);
  lua_getinfo(L, "n", ar);
  return (ar->name != NULL) ? ar->name : name_of_own(L, ar);
}

const char *error_own_name (lua_State *L) {
  lua_Debug ar;
  int top = lua_gettop(L);
  const char *name = error_own_function(L, &ar);
  lua_settop(L, top);
  return name;
}

const char *error_called (lua_State *L, const char *what) {
  const char *name = error_own_name(L), *last = strrchr(what, '.');
  bool named = (name == NULL || (last != NULL && strcmp(last + 1, name) == 0));
  return named ? what : name;
}

int error_raise (lua_State *L, const char *format, ...) {
  va_list ap;
  lua_Debug ar;
  if (find_outside(L, &ar))
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
  else
    lua_pushliteral(L, ""); /* called by a host program */
  va_start(ap, format);
  lua_pushvfstring(L, format, ap);
  va_end(ap);
  lua_concat(L, 2);
  return lua_error(L);
}

void error_note_outer (lua_State *L, Runtime *rt) {
  lua_Debug ar;
  bool found = find_outside(L, &ar);
  set_place(rt, found, &ar);
}

/* ==} */

static const char *error_name (int code) {
  switch (code) {
#define E(name, code, text) \
  case code: \
    return #name;
#include "rt/driver/errors.def"
#undef E
    default: return "CUDA_ERROR_UNKNOWN";
  }
}

static const char *error_text (int code) {
  switch (code) {
#define E(name, code, text) \
  case code: \
    return text;
#include "rt/driver/errors.def"
#undef E
    default: return "see the CUDA driver API's list of results";
  }
}

/* Raises that the device has failed, with the driver's first error and the
** operations that may have caused it. */
static int raise_fault (lua_State *L, const RtDevice *dev) {
  const Fault *f = &dev->fault;
  bool any = f->suspects[0] != '\0';
  return error_raise(
    L, "%s: %s (%d): %s%s%s\n%s:%d cannot be used until reset(); %s%s", f->call,
    error_name(f->code), f->code, error_text(f->code),
    f->why[0] != '\0' ? ": " : "", f->why, dev->D->kind, dev->ordinal,
    any ? "unfinished operations, the most suspect first:"
        : "this Lua state had no unfinished operations",
    f->suspects);
}

/* Tells whether the driver has refused a call because of a capture. */
static bool is_capturing (const Runtime *rt, Status st) {
  return rt->captures != NULL &&
         (st == CUDA_ERROR_ILLEGAL_STATE ||
          (st >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
           st <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD &&
           st != CUDA_ERROR_CAPTURED_EVENT));
}

/* Pushes the name of the open capture that began last. */
static const char *push_open (lua_State *L, const Runtime *rt, Status st) {
  if (!is_capturing(rt, st))
    return lua_pushliteral(L, "");
  const RtCapture *c = rt->captures;
  const char *stream = limits_push_address(L, (void *)c->origin->handle);
  if (c->source == NULL || c->line <= 0)
    return lua_pushfstring(L, "; a capture is open: stream %sbegan it", stream);
  return lua_pushfstring(L, "; a capture is open: stream %sbegan it at %s:%d",
                         stream, c->source->text, c->line);
}

void error_push_failure (lua_State *L, const char *call, Status st,
                         const char *detail) {
  bool more = (detail != NULL && detail[0] != '\0');
  lua_pushfstring(L, "%s: %s (%d): %s%s%s", call != NULL ? call : "tide",
                  error_name(st), st, error_text(st), more ? ": " : "",
                  more ? detail : "");
}

static int raise_driver (lua_State *L, Runtime *rt, Status st) {
  const RtDevice *lost = fault_lost_device(rt, st);
  if (lost != NULL)
    return raise_fault(L, lost);
  error_push_failure(L, rt->call, st, rt->detail);
  const char *text = lua_tostring(L, -1);
  return error_raise(L, "%s%s", text, push_open(L, rt, st));
}

/* Raises the error object of a host function that could not be kept. */
static int raise_pending (lua_State *L) {
  state_push_uv(L, UV_PENDING);
  lua_rawgeti(L, -1, 1);
  lua_pushboolean(L, 0); /* its place stays: see open_callback */
  lua_rawseti(L, -3, 1);
  return lua_error(L);
}

/* Raises RT_INTERRUPTED. Calls a hook here that could not be called in the wait
** itself. */
static int raise_interrupt (lua_State *L, State *st) {
  const char *why = st->why;
  bool hooked = st->hooked;
  st->why = NULL;
  st->hooked = false;
  if (hooked && st->call_hooks(L, st) == RT_LUAERROR)
    return raise_pending(L);
  return error_raise(L, "%s%s", why != NULL ? why : "interrupted!",
                     st->rt->detail);
}

int error_fail (lua_State *L, Status st) {
  State *state = state_get(L);
  Runtime *rt = state->rt;
  if (st == RT_BLOCKED)
    return entry_blocked(L, state);
  switch (st) {
    case RT_LUAERROR: return raise_pending(L);
    case RT_INTERRUPTED: return raise_interrupt(L, state);
    case RT_NOMEM: return error_raise(L, "not enough memory");
    case RT_FORKED:
      return error_raise(L, "tide was opened before fork: a child process "
                            "cannot use its parent's devices");
    case RT_RESET: return error_raise(L, "device was reset");
    case RT_MISUSE:
    case RT_LIMIT: return error_raise(L, "%s", rt->detail);
    default: return raise_driver(L, rt, st);
  }
}

void error_check (lua_State *L, Status st) {
  if (st != 0)
    error_fail(L, st);
}
