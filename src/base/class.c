/*
** class.c - defines types: metatable, methods, fields, and one error for
** unknown names. It knows no particular type.
*/
#include "class.h"

#include <string.h>

#include "argument.h"
#include "blame.h"
#include "door.h"
#include "limits.h"
#include "slip.h"
#include "state.h"
#include "suggest.h"
#include "unknown.h"

/* Upvalues of __index and __newindex. */
enum { UP_STATE = 1, UP_METHODS, UP_FIELDS, UP_CLASS };

State *tide_state (lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(UP_STATE));
}

/* Replaces a function that the host program left out; upvalue 2: its name. */
static int left_out (lua_State *L) {
  return tide_refuseleft(L, lua_tostring(L, lua_upvalueindex(2)));
}

/* Tells whether 'name' is a finalizer's: these call tide only to give things
** back, wherever they run. */
static bool is_finalizer (const char *name) {
  return strcmp(name, "__gc") == 0 || strcmp(name, "__close") == 0;
}

void tide_pushfunction (lua_State *L, lua_CFunction f) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  lua_pushcclosure(L, f, 1);
}

static void push_named (lua_State *L, const char *name, lua_CFunction f,
                        int most) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  DoorEntry *e = lua_newuserdatauv(L, sizeof *e, 0);
  *e = (DoorEntry){.st = tide_state(L), .name = name, .f = f, .most = most};
  lua_pushcclosure(L, tide_door, 2);
}

void tide_pushdoor (lua_State *L, lua_CFunction f, int most) {
  push_named(L, NULL, f, most);
}

void tide_setcall (lua_State *L, const char *name, lua_CFunction f) {
  lua_createtable(L, 0, 1);
  push_named(L, name, f, ANY);
  lua_setfield(L, -2, "__call");
  lua_setmetatable(L, -2);
}

static void push_left_out (lua_State *L, const char *name) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  lua_pushstring(L, name);
  lua_pushcclosure(L, left_out, 2);
}

/* Makes the entries of a list of functions. They are one object, never
** collected, because an object for each function would cost every cycle of the
** collector. */
static DoorEntry *new_entries (lua_State *L, const Function *list,
                               const Class *class) {
  size_t n = 0;
  while (list[n].name != NULL)
    n++;
  DoorEntry *e = lua_newuserdatauv(L, (n + 1) * sizeof *e, 0);
  for (size_t i = 0; i < n; i++)
    e[i] = (DoorEntry){.st = tide_state(L),
                       .class = class,
                       .f = list[i].f,
                       .most = list[i].most};
  lua_rawsetp(L, LUA_REGISTRYINDEX, e);
  return e;
}

/* Pushes an entry's C function: 'f' is the door, or the entry's own
** function. */
static void push_entry (lua_State *L, lua_CFunction f, DoorEntry *e) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  lua_pushlightuserdata(L, e);
  lua_pushcclosure(L, f, 2);
}

/* Tells whether the host program has left that name out. Removes the mark of
** its group from the name. */
static bool is_out (lua_State *L, const char **name) {
  int group = (**name <= GROUP_LAST) ? *(*name)++ : 0;
  return group != 0 && (tide_state(L)->left_out >> (group - 1) & 1) != 0;
}

/* Sets a list of functions; 'class' is theirs if they are methods, or NULL. */
static void set_entries (lua_State *L, const Function *list,
                         const Class *class) {
  DoorEntry *e = new_entries(L, list, class);
  for (; list->name != NULL; list++, e++) {
    const char *name = list->name;
    bool out = is_out(L, &name);
    bool through = (*name == *CALLS_BACK);
    name += through;
    e->name = name;
    e->through = through;
    e->module = (class == NULL && strncmp(name, "__", 2) != 0);
    if (out)
      push_left_out(L, name);
    else if (is_finalizer(name))
      tide_pushfunction(L, list->f);
    else
      push_entry(L, through ? list->f : tide_door, e);
    lua_setfield(L, -2, name);
  }
}

/* Sets fields as light userdata of their entries, for class_index. */
static void set_fields (lua_State *L, const Function *list) {
  DoorEntry *e = new_entries(L, list, NULL);
  for (; list->name != NULL; list++, e++) {
    const char *name = list->name;
    if (is_out(L, &name))
      e->f = left_out;
    lua_pushlightuserdata(L, e);
    lua_setfield(L, -2, name);
  }
}

void tide_setfuncs (lua_State *L, const Function *list) {
  set_entries(L, list, NULL);
}

/* {== fields ========================================================== */

/* Tells whether the other class has a method or field of that name. */
static bool is_elsewhere (lua_State *L, const Class *class, const char *name) {
  bool found = false;
  if (class->other == NULL ||
      lua_rawgetp(L, LUA_REGISTRYINDEX, class->other) != LUA_TTABLE)
    return false;
  lua_getfield(L, -1, "__index");
  for (int up = UP_METHODS; up <= UP_FIELDS && !found; up++) {
    lua_getupvalue(L, -1, up);
    found = (lua_getfield(L, -1, name) != LUA_TNIL);
    lua_pop(L, 2);
  }
  lua_pop(L, 2);
  return found;
}

static int no_field (lua_State *L) {
  const Class *class = lua_touserdata(L, lua_upvalueindex(UP_CLASS));
  const char *name = lua_tostring(L, 2);
  Guess g;
  tide_startguess(&g, name);
  tide_offerkeys(L, lua_upvalueindex(UP_METHODS), &g);
  tide_offerkeys(L, lua_upvalueindex(UP_FIELDS), &g);
  const char *best = g.best;
  if (!is_elsewhere(L, class, name))
    return tide_nofield(L, class->name, name, best);
  bool in_place = (best != NULL && strncmp(name, best, strlen(best)) == 0 &&
                   strcmp(name + strlen(best), "_") == 0);
  return luaL_error(L, "no field '%s' in %s%s%s", name, class->name,
                    class->hint,
                    !in_place
                      ? ""
                      : lua_pushfstring(L, "; did you mean '%s'?", best));
}

static int other_index (lua_State *L) {
  const Class *class = lua_touserdata(L, lua_upvalueindex(UP_CLASS));
  lua_settop(L, 2);
  if (class->index != NULL)
    return tide_enter(L, tide_state(L), class->index, ANY);
  return luaL_error(L, "cannot index a %s with a %s", class->name,
                    luaL_typename(L, 2));
}

/* __index. Looks for methods first, because every call of a method comes by. */
static int class_index (lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(UP_METHODS)) != LUA_TNIL)
    return 1;
  if (lua_type(L, 2) != LUA_TSTRING)
    return other_index(L);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(UP_FIELDS)) == LUA_TNIL)
    return no_field(L);
  const DoorEntry *field = lua_touserdata(L, -1);
  if (field->f == left_out) {
    const Class *class = lua_touserdata(L, lua_upvalueindex(UP_CLASS));
    return luaL_error(L, "field '%s' of %s is left out by the host program",
                      lua_tostring(L, 2), class->name);
  }
  lua_settop(L, 1);
  return tide_enter(L, field->st, field->f, ANY); /* upvalue 1 as well */
}

static int class_newindex (lua_State *L) {
  const Class *class = lua_touserdata(L, lua_upvalueindex(UP_CLASS));
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "cannot assign to a %s", class->name);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(UP_FIELDS)) == LUA_TNIL)
    return no_field(L);
  return luaL_error(L, "field '%s' of %s cannot be set", lua_tostring(L, 2),
                    class->name);
}

void tide_pushmethod (lua_State *L, int idx, const char *name) {
  if (!luaL_getmetafield(L, idx, "__index"))
    luaL_error(L, "an object expected for '%s'", name);
  lua_getupvalue(L, -1, UP_METHODS);
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  lua_insert(L, -3);
  lua_pop(L, 2);
}

/* Pushes a field's value. Its function is called as part of the running
** call. */
void tide_pushfield (lua_State *L, int idx, const char *name) {
  State *st = tide_state(L);
  struct Door *around = st->door;
  uint64_t before = st->calls;
  st->door = NULL;
  lua_getfield(L, idx, name);
  tide_ownedcalls(st, around, before, 1);
}

/* Pushes 'f' with all four upvalues; the two tables are on the top. */
static void push_accessor (lua_State *L, lua_CFunction f, const Class *class) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  lua_pushvalue(L, -3);
  lua_pushvalue(L, -3);
  lua_pushlightuserdata(L, (void *)class);
  lua_pushcclosure(L, f, 4);
}

/* ==} */

void tide_newclass (lua_State *L, const Class *class) {
  static const Function none[] = {{NULL, NULL, 0}};
  lua_newtable(L);
  lua_pushstring(L, class->name);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__name");
  lua_setfield(L, -2, "__metatable"); /* scripts get no finaliser to call */
  lua_newtable(L);
  set_entries(L, class->methods != NULL ? class->methods : none, class);
  lua_newtable(L);
  set_fields(L, class->fields != NULL ? class->fields : none);
  push_accessor(L, class_index, class);
  lua_setfield(L, -4, "__index");
  push_accessor(L, class_newindex, class);
  lua_setfield(L, -4, "__newindex");
  lua_pop(L, 2);
  tide_setfuncs(L, class->metamethods); /* may replace __newindex */
  lua_rawsetp(L, LUA_REGISTRYINDEX, class);
}

void tide_pushmethods (lua_State *L, int idx) {
  lua_getfield(L, idx, "__index");
  lua_getupvalue(L, -1, UP_METHODS);
  lua_remove(L, -2);
}

void tide_addmethods (lua_State *L, const Class *class, const Function *list) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  tide_pushmethods(L, -1);
  set_entries(L, list, class);
  lua_pop(L, 2);
}

void tide_addluamethods (lua_State *L, const Class *class, int list) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  tide_pushmethods(L, -1);
  lua_pushnil(L);
  while (lua_next(L, list) != 0) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pop(L, 2);
}

/* Pushes a class's metatable. It is mostly the latest one, which takes a third
** of the time of a look-up in the registry. */
static void push_metatable (lua_State *L, State *st, const Class *class) {
  if (st->made == class) {
    tide_pushuv(L, UV_METATABLE);
    return;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(UP_STATE), UV_METATABLE);
  st->made = class;
}

void *tide_newobjectof (lua_State *L, State *st, size_t size,
                        const Class *class, int nuv) {
  Object *o = lua_newuserdatauv(L, size, nuv);
  memset(o, 0, size);
  o->class = class;
  o->state = st;
  push_metatable(L, st, class);
  lua_setmetatable(L, -2);
  return o;
}

void *tide_newobject (lua_State *L, size_t size, const Class *class, int nuv) {
  return tide_newobjectof(L, tide_state(L), size, class, nuv);
}

void *tide_newmemory (lua_State *L, size_t n) {
  Object *o = lua_newuserdatauv(L, sizeof *o + n, 0);
  *o = (Object){NULL, NULL};
  return o + 1;
}

void *tide_testobject (lua_State *L, int arg, const Class *class) {
  Object *o = tide_asobject(L, arg, class);
  if (o != NULL && o->state->closed)
    tide_closed(L);
  return o;
}

void *tide_endobject (lua_State *L, const Class *class, const Class *other) {
  void *o = tide_asobject(L, 1, class);
  if (o == NULL && other != NULL)
    o = tide_asobject(L, 1, other);
  if (o == NULL)
    tide_typeerror(L, 1, class->name);
  return o;
}

void *tide_wrongobject (lua_State *L, int arg, const Class *class) {
  if (tide_asobject(L, arg, class) == NULL)
    tide_notobject(L, arg, class);
  tide_closed(L);
  return NULL;
}

/* {== options ========================================================= */

/* Pushes the names: 'a', 'b' or 'c'. */
static const char *push_choices (lua_State *L, const char *const names[]) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; names[i] != NULL; i++) {
    lua_pushfstring(L, "%s'%s'",
                    i == 0                 ? ""
                    : names[i + 1] == NULL ? " or "
                                           : ", ",
                    names[i]);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

/* Returns the index in 'names' of the string on the top. */
static int check_option (lua_State *L, int arg, const char *const names[]) {
  if (lua_type(L, -1) != LUA_TSTRING)
    tide_argerror(L, arg,
                  "options must have names, as in "
                  "{ %s = ... }; other arguments come one by one",
                  names[0]);
  const char *name = lua_tostring(L, -1);
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  const char *best = tide_nearest(name, names);
  tide_argerror(L, arg, "%s",
                best != NULL
                  ? lua_pushfstring(L,
                                    "unknown option '%s'; did you mean '%s'?",
                                    name, best)
                  : lua_pushfstring(L, "unknown option '%s': %s expected", name,
                                    push_choices(L, names)));
  return 0;
}

unsigned tide_checkoptions (lua_State *L, int arg, const char *const names[]) {
  unsigned given = 0;
  if (lua_isnoneornil(L, arg))
    return 0;
  if (!lua_istable(L, arg))
    tide_typeerror(L, arg, "options table");
  lua_pushnil(L);
  while (lua_next(L, arg) != 0) {
    lua_pop(L, 1);
    given |= 1u << check_option(L, arg, names);
  }
  return given;
}

static void check_flag (lua_State *L, int arg, const char *name) {
  if (!lua_isboolean(L, -1))
    tide_argerror(L, arg, "option '%s' must be a boolean, got %s", name,
                  luaL_typename(L, -1));
}

int tide_checkchoice (lua_State *L, int arg, int def,
                      const char *const names[]) {
  if (def >= 0 && lua_isnoneornil(L, arg))
    return def;
  const char *name = tide_checkstring(L, arg);
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  tide_argerror(L, arg, "invalid option '%s': %s expected", name,
                push_choices(L, names));
  return 0;
}

unsigned tide_checkflags (lua_State *L, int arg, const char *const names[]) {
  unsigned flags = 0;
  if (lua_isnoneornil(L, arg))
    return 0;
  if (!lua_istable(L, arg))
    tide_typeerror(L, arg, "options table");
  lua_pushnil(L);
  while (lua_next(L, arg) != 0) {
    lua_pushvalue(L, -2);
    int i = check_option(L, arg, names);
    lua_pop(L, 1);
    check_flag(L, arg, names[i]);
    flags |= (unsigned)lua_toboolean(L, -1) << i;
    lua_pop(L, 1);
  }
  return flags;
}

int tide_getoption (lua_State *L, int arg, const char *name) {
  arg = lua_absindex(L, arg);
  lua_pushstring(L, name);
  return lua_rawget(L, arg);
}

bool tide_optflag (lua_State *L, int arg, const char *name, bool def) {
  if (!lua_istable(L, arg))
    return def;
  int t = tide_getoption(L, arg, name);
  if (t != LUA_TNIL)
    check_flag(L, arg, name);
  bool value = (t == LUA_TNIL) ? def : lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

lua_Integer tide_optint (lua_State *L, int arg, const char *name,
                         lua_Integer def) {
  int isint = 1;
  if (!lua_istable(L, arg))
    return def;
  lua_Integer value = (tide_getoption(L, arg, name) == LUA_TNIL)
                        ? def
                        : lua_tointegerx(L, -1, &isint);
  if (!isint || lua_type(L, -1) == LUA_TSTRING)
    tide_argerror(L, arg, "option '%s' must be an integer, got %s", name,
                  luaL_typename(L, -1));
  lua_pop(L, 1);
  return value;
}

lua_Number tide_optnum (lua_State *L, int arg, const char *name,
                        lua_Number def) {
  if (!lua_istable(L, arg))
    return def;
  int t = tide_getoption(L, arg, name);
  if (t != LUA_TNIL && t != LUA_TNUMBER)
    tide_argerror(L, arg, "option '%s' must be a number, got %s", name,
                  luaL_typename(L, -1));
  lua_Number value = (t == LUA_TNIL) ? def : lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

/* ==} */
