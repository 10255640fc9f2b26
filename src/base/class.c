/*
** class.c - defines types: metatable, methods, fields, and one error for
** unknown names. It knows no particular type.
*/
#include "class.h"

#include <string.h>

#include "arg.h"
#include "argerror.h"
#include "entry.h"
#include "field.h"
#include "hint.h"
#include "limits.h"
#include "state.h"
#include "type.h"

/* Upvalues of __index and __newindex. */
enum { UP_STATE = 1, UP_METHODS, UP_FIELDS, UP_CLASS };

State *state_get (lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(UP_STATE));
}

/* Replaces a function that the host program left out; upvalue 2: its name. */
static int left_out (lua_State *L) {
  return limits_refuse(L, lua_tostring(L, lua_upvalueindex(2)));
}

/* Tells whether 'name' is a finalizer's: these call tide only to give things
** back, wherever they run. */
static bool is_finalizer (const char *name) {
  return strcmp(name, "__gc") == 0 || strcmp(name, "__close") == 0;
}

void class_push_function (lua_State *L, lua_CFunction f) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  lua_pushcclosure(L, f, 1);
}

static void push_named (lua_State *L, const char *name, lua_CFunction f,
                        int most) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  EntryFunction *e = lua_newuserdatauv(L, sizeof *e, 0);
  *e = (EntryFunction){.st = state_get(L), .name = name, .f = f, .most = most};
  lua_pushcclosure(L, entry_point, 2);
}

void class_push_entry (lua_State *L, lua_CFunction f, int most) {
  push_named(L, NULL, f, most);
}

void class_set_call (lua_State *L, const char *name, lua_CFunction f) {
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
static EntryFunction *new_entries (lua_State *L, const Function *list,
                                   const Class *class) {
  size_t n = 0;
  while (list[n].name != NULL)
    n++;
  EntryFunction *e = lua_newuserdatauv(L, (n + 1) * sizeof *e, 0);
  for (size_t i = 0; i < n; i++)
    e[i] = (EntryFunction){
      .st = state_get(L), .class = class, .f = list[i].f, .most = list[i].most};
  lua_rawsetp(L, LUA_REGISTRYINDEX, e);
  return e;
}

/* Pushes an entry's C function: 'f' is entry_point, or the entry's own
** function. */
static void push_entry (lua_State *L, lua_CFunction f, EntryFunction *e) {
  lua_pushvalue(L, lua_upvalueindex(UP_STATE));
  lua_pushlightuserdata(L, e);
  lua_pushcclosure(L, f, 2);
}

/* Tells whether the host program has left that name out. Removes the mark of
** its group from the name. */
static bool is_out (lua_State *L, const char **name) {
  int group = (**name <= GROUP_LAST) ? *(*name)++ : 0;
  return group != 0 && (state_get(L)->left_out >> (group - 1) & 1) != 0;
}

/* Sets a list of functions; 'class' is theirs if they are methods, or NULL. */
static void set_entries (lua_State *L, const Function *list,
                         const Class *class) {
  EntryFunction *e = new_entries(L, list, class);
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
      class_push_function(L, list->f);
    else
      push_entry(L, through ? list->f : entry_point, e);
    lua_setfield(L, -2, name);
  }
}

/* Sets fields as light userdata of their entries, for class_index. */
static void set_fields (lua_State *L, const Function *list) {
  EntryFunction *e = new_entries(L, list, NULL);
  for (; list->name != NULL; list++, e++) {
    const char *name = list->name;
    if (is_out(L, &name))
      e->f = left_out;
    lua_pushlightuserdata(L, e);
    lua_setfield(L, -2, name);
  }
}

void class_set_funcs (lua_State *L, const Function *list) {
  set_entries(L, list, NULL);
}

void class_add_module (lua_State *L, const char *name, const Function *list) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_newtable(L);
  class_set_funcs(L, list);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
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
  hint_start(&g, name);
  field_offer_keys(L, lua_upvalueindex(UP_METHODS), &g);
  field_offer_keys(L, lua_upvalueindex(UP_FIELDS), &g);
  const char *best = g.best;
  if (!is_elsewhere(L, class, name))
    return field_refuse(L, class->name, name, best);
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
    return entry_run(L, state_get(L), class->index, ANY);
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
  const EntryFunction *field = lua_touserdata(L, -1);
  if (field->f == left_out) {
    const Class *class = lua_touserdata(L, lua_upvalueindex(UP_CLASS));
    return luaL_error(L, "field '%s' of %s is left out by the host program",
                      lua_tostring(L, 2), class->name);
  }
  lua_settop(L, 1);
  return entry_run(L, field->st, field->f, ANY); /* upvalue 1 as well */
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

void class_push_method (lua_State *L, int idx, const char *name) {
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
void class_push_field (lua_State *L, int idx, const char *name) {
  State *st = state_get(L);
  struct EntryCall *around = st->entry;
  uint64_t before = st->calls;
  st->entry = NULL;
  lua_getfield(L, idx, name);
  entry_own_calls(st, around, before, 1);
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

void class_define (lua_State *L, const Class *class) {
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
  class_set_funcs(L, class->metamethods); /* may replace __newindex */
  lua_rawsetp(L, LUA_REGISTRYINDEX, class);
}

void class_push_methods (lua_State *L, int idx) {
  lua_getfield(L, idx, "__index");
  lua_getupvalue(L, -1, UP_METHODS);
  lua_remove(L, -2);
}

void class_add_methods (lua_State *L, const Class *class,
                        const Function *list) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  class_push_methods(L, -1);
  set_entries(L, list, class);
  lua_pop(L, 2);
}

void class_add_lua_methods (lua_State *L, const Class *class, int list) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  class_push_methods(L, -1);
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
    state_push_uv(L, UV_METATABLE);
    return;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(UP_STATE), UV_METATABLE);
  st->made = class;
}

void *class_new_object_in (lua_State *L, State *st, size_t size,
                           const Class *class, int nuv) {
  Object *o = lua_newuserdatauv(L, size, nuv);
  memset(o, 0, size);
  o->class = class;
  o->state = st;
  push_metatable(L, st, class);
  lua_setmetatable(L, -2);
  return o;
}

void *class_new_object (lua_State *L, size_t size, const Class *class,
                        int nuv) {
  return class_new_object_in(L, state_get(L), size, class, nuv);
}

void *class_new_memory (lua_State *L, size_t n) {
  Object *o = lua_newuserdatauv(L, sizeof *o + n, 0);
  *o = (Object){NULL, NULL};
  return o + 1;
}

void *class_test (lua_State *L, int arg, const Class *class) {
  Object *o = class_as_object(L, arg, class);
  if (o != NULL && o->state->closed)
    state_refuse(L);
  return o;
}

void *class_check_gc (lua_State *L, const Class *class, const Class *other) {
  void *o = class_as_object(L, 1, class);
  if (o == NULL && other != NULL)
    o = class_as_object(L, 1, other);
  if (o == NULL)
    type_error(L, 1, class->name);
  return o;
}

void *class_refuse (lua_State *L, int arg, const Class *class) {
  if (class_as_object(L, arg, class) == NULL)
    type_refuse(L, arg, class);
  state_refuse(L);
  return NULL;
}
