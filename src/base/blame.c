/*
** blame.c - what errors call an argument: what the program has written there.
** Lua counts arguments, and has names of its own for operators; it knows no
** name where C called.
*/
#include "blame.h"

#include <string.h>

#include "class.h"
#include "door.h"
#include "error.h"

void tide_called (State *st, const char *what) {
  if (st->door != NULL)
    st->door->what = what;
}

/* {== operators ======================================================= */

typedef struct Operator {
  const char *name;    /* of the metamethod, without its underscores */
  const char *symbol;
} Operator;

static const Operator unary[] = {
  {"bnot", "~"}, {"len", "#"}, {"unm", "-"}, {NULL, NULL}
};

static const Operator binary[] = {
  {"add", "+"}, {"band", "&"}, {"bor", "|"}, {"bxor", "~"}, {"div", "/"},
  {"idiv", "//"}, {"mod", "%"}, {"mul", "*"}, {"pow", "^"}, {"shl", "<<"},
  {"shr", ">>"}, {"sub", "-"}, {NULL, NULL}
};

/* What else is done and not called: in words. */
static const Operator others[] = {
  {"index", "cannot index"}, {"newindex", "cannot assign"}, {"pairs", "pairs"},
  {NULL, NULL}
};

static const char *find (const Operator *list, const char *name) {
  while (list->name != NULL && strcmp(list->name, name) != 0)
    list++;
  return list->symbol;
}

/* Raises if 'name' is an operator's. */
static void blame_operand (lua_State *L, const char *name, int arg,
                           const char *why) {
  const char *symbol = find(binary, name);
  if (symbol != NULL)
    tide_raise(L, "bad %s operand of '%s' (%s)", arg == 1 ? "left" : "right",
               symbol, why);
  if ((symbol = find(unary, name)) != NULL)
    tide_raise(L, "bad operand of '%s' (%s)", symbol, why);
  if ((symbol = find(others, name)) != NULL)
    tide_raise(L, "%s: %s", symbol, why);
}

/* ==} */

/* The name that the method which runs was given, or NULL: see class.c. What has
** a table there is the __index of a class; Lua itself finds functions of the
** module. */
static const char *given_name (lua_State *L) {
  const DoorEntry *e = lua_touserdata(L, lua_upvalueindex(2));
  if (lua_istable(L, lua_upvalueindex(2)))
    return "__index";
  return (e != NULL && !e->module) ? e->name : NULL;
}

/* Is the function that runs behind a door? If not, the State's is that of a
** call around it, or of one that an error has ended. */
static bool has_door (lua_State *L) {
  const DoorEntry *e = lua_touserdata(L, lua_upvalueindex(2));
  return lua_istable(L, lua_upvalueindex(2)) || (e != NULL && !e->through);
}

int tide_argerror (lua_State *L, int arg, const char *why) {
  const Door *d = has_door(L) ? tide_state(L)->door : NULL;
  const char *name = given_name(L);
  lua_Debug ar;
  if (d != NULL && d->what != NULL)
    return tide_raise(L, "%s: %s", d->what, why);
  if (name != NULL && strncmp(name, "__", 2) == 0)
    blame_operand(L, name + 2, arg, why);
  if (name != NULL && lua_getstack(L, 0, &ar) && lua_getinfo(L, "n", &ar) &&
      ar.name == NULL)
    return tide_raise(L, "bad argument #%d to '%s' (%s)", arg, name, why);
  return luaL_argerror(L, arg, why);
}

/* {== calls of our own ================================================ */

/* "...bad argument #2 to 'sum' (why)" */
void tide_blamecaller (lua_State *L, const char *what) {
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
