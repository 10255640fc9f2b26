/*
** argerror.c - names arguments in errors as the program has written them. Lua
** counts arguments, has names of its own for operators, and knows no name where
** C called.
*/
#include "argerror.h"

#include <stdarg.h>
#include <string.h>

#include "class.h"
#include "entry.h"
#include "error.h"

void argerror_object (State *st, const char *what) {
  argerror_call(st, what, -1);
}

void argerror_call (State *st, const char *name, int arg) {
  if (st->entry == NULL)
    return;
  st->entry->what = name;
  st->entry->argument = arg;
}

/* {== operators ======================================================= */

typedef struct OperatorName {
  const char *name; /* of the metamethod, without its underscores */
  const char *symbol;
} OperatorName;

static const OperatorName unary[] = {
  {"bnot", "~"},
  {"len", "#"},
  {"unm", "-"},
  {NULL, NULL},
};

static const OperatorName binary[] = {
  {"add", "+"},   {"band", "&"}, {"bor", "|"}, {"bxor", "~"}, {"div", "/"},
  {"idiv", "//"}, {"mod", "%"},  {"mul", "*"}, {"pow", "^"},  {"shl", "<<"},
  {"shr", ">>"},  {"sub", "-"},  {NULL, NULL},
};

/* Operations that are no calls, in words. */
static const OperatorName others[] = {
  {"index", "cannot index"},
  {"newindex", "cannot assign"},
  {"pairs", "pairs"},
  {NULL, NULL},
};

static const char *find (const OperatorName *list, const char *name) {
  while (list->name != NULL && strcmp(list->name, name) != 0)
    list++;
  return list->symbol;
}

/* Raises if 'name' is the metamethod of an operator. */
static void raise_of_operand (lua_State *L, const char *name, int arg,
                              const char *why) {
  const char *symbol = find(binary, name);
  if (symbol != NULL)
    error_raise(L, "bad %s operand of '%s' (%s)", arg == 1 ? "left" : "right",
                symbol, why);
  if ((symbol = find(unary, name)) != NULL)
    error_raise(L, "bad operand of '%s' (%s)", symbol, why);
  if ((symbol = find(others, name)) != NULL)
    error_raise(L, "%s: %s", symbol, why);
}

/* ==} */

/* {== names =========================================================== */

/* Pushes the name of a module's function that C has called, as Lua itself would
** name it, if the module is loaded: "tide.zeros". */
static const char *push_modulename (lua_State *L, lua_Debug *ar,
                                    const char *name) {
  lua_getinfo(L, "f", ar);
  int f = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  for (lua_pushnil(L); lua_next(L, f + 1) != 0; lua_pop(L, 1)) {
    if (!lua_istable(L, -1) || lua_type(L, -2) != LUA_TSTRING)
      continue;
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    bool found = lua_rawequal(L, -1, f);
    lua_pop(L, 1);
    if (found && strcmp(lua_tostring(L, -2), LUA_GNAME) != 0)
      return lua_pushfstring(L, "%s.%s", lua_tostring(L, -2), name);
  }
  return name;
}

/* Finds how the program has called the running function. A finalizer's call in
** the middle of another runs in a C function of its own (entry.c), one level
** below the function that Lua calls. Returns the level. */
static int find_call (lua_State *L, const EntryFunction *e, lua_Debug *ar) {
  int level = 0;
  if (lua_getstack(L, 0, ar) && lua_getinfo(L, "f", ar)) {
    level = !e->through && lua_tocfunction(L, -1) != entry_point;
    lua_pop(L, 1);
  }
  if (!lua_getstack(L, level, ar) || !lua_getinfo(L, "n", ar) ||
      (ar->name != NULL && strcmp(ar->name, "?") == 0))
    ar->name = NULL;
  return level;
}

/* Returns the name of the running function where luaL_argerror has none; of a
** metamethod in any case. Returns NULL otherwise. Does not count the object of
** a method as an argument, as luaL_argerror. */
static const char *name_of (lua_State *L, int *arg) {
  const EntryFunction *e = entry_running(L);
  lua_Debug ar;
  if (lua_istable(L, lua_upvalueindex(2)))
    return "__index";
  if (e == NULL || e->name == NULL || strncmp(e->name, "__", 2) == 0)
    return (e != NULL) ? e->name : NULL;
  int level = find_call(L, e, &ar);
  if (ar.name == NULL)
    return e->module ? push_modulename(L, &ar, e->name) : e->name;
  if (level == 0)
    return NULL;
  *arg -= (strcmp(ar.namewhat, "method") == 0);
  return ar.name;
}

/* ==} */

static int raise_of_argument (lua_State *L, const char *name, int arg,
                              const char *why) {
  return (arg == 0)
           ? error_raise(L, "calling '%s' on bad self (%s)", name, why)
           : error_raise(L, "bad argument #%d to '%s' (%s)", arg, name, why);
}

int argerror_early (lua_State *L, int arg, const char *why) {
  lua_Debug ar;
  const char *name = error_own_function(L, &ar);
  if (name != NULL)
    return error_raise(L, "%s: %s", name, why);
  if ((name = name_of(L, &arg)) == NULL)
    return luaL_argerror(L, arg, why);
  if (strncmp(name, "__", 2) == 0)
    raise_of_operand(L, name + 2, arg, why);
  return raise_of_argument(L, name, arg, why);
}

/* Returns the number by which the program knows the argument at 'arg'. A
** function may have copied an argument, as options, behind all others. */
static int as_written (lua_State *L, const EntryCall *d, int arg) {
  if (arg <= d->nargs || lua_isnoneornil(L, arg))
    return arg;
  for (int i = 1; i <= d->nargs; i++)
    if (lua_rawequal(L, i, arg))
      return i;
  return arg;
}

/* Raises an error of argument 'arg'. For a function without an API entry the
** State's entry does not count: it belongs to a call around it, or to a call
** that an error has ended. */
int argerror_raise (lua_State *L, int arg, const char *format, ...) {
  const EntryFunction *e = entry_running(L);
  bool has = lua_istable(L, lua_upvalueindex(2)) || (e != NULL && !e->through);
  const EntryCall *d = has ? state_get(L)->entry : NULL;
  if (d != NULL)
    arg = as_written(L, d, arg);
  va_list args;
  va_start(args, format);
  const char *why = lua_pushvfstring(L, format, args);
  va_end(args);
  if (d == NULL || d->what == NULL)
    return argerror_early(L, arg, why);
  return (d->argument >= 0) ? raise_of_argument(L, d->what, d->argument, why)
                            : error_raise(L, "%s: %s", d->what, why);
}

int argerror_surplus (lua_State *L, int arg) {
  return argerror_early(L, arg,
                        lua_pushfstring(L, "no value expected, got %s",
                                        luaL_typename(L, arg)));
}

/* {== calls of our own ================================================ */

const char *argerror_caller (lua_State *L, const char *called) {
  const EntryFunction *e = entry_running(L);
  bool named = e != NULL && e->name != NULL && strncmp(e->name, "__", 2) != 0;
  return named ? e->name : called;
}

/* "...bad argument #2 to 'sum' (why)" */
void argerror_rename (lua_State *L, const char *what) {
  static const char begin[] = "bad argument #";
  size_t len;
  if (lua_type(L, -1) != LUA_TSTRING)
    return;
  const char *text = lua_tolstring(L, -1, &len), *at = strstr(text, begin);
  const char *why = (at != NULL) ? strchr(at, '(') : NULL;
  if (why == NULL || text[len - 1] != ')')
    return;
  lua_pushlstring(L, text, (size_t)(at - text));
  lua_pushfstring(L, "%s: ", what);
  lua_pushlstring(L, why + 1, (size_t)(text + len - why) - 2);
  lua_concat(L, 3);
  lua_remove(L, -2);
}

/* ==} */
