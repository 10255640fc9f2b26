/*
** printoptions.c - tide.printoptions: the format of arrays, for one lua_State.
** The options and their defaults are NumPy's.
*/
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "openers.h"
#include "rt/program/numeral.h"

static const char *const names[] = {"threshold", "edgeitems", "precision",
                                    "linewidth", "suppress",  NULL};

/* Pushes the options as a table. */
static void push_options (lua_State *L, const PrintOptions *o) {
  lua_createtable(L, 0, 5);
  lua_pushinteger(L, o->threshold);
  lua_setfield(L, -2, "threshold");
  lua_pushinteger(L, o->edgeitems);
  lua_setfield(L, -2, "edgeitems");
  lua_pushinteger(L, o->precision);
  lua_setfield(L, -2, "precision");
  lua_pushinteger(L, o->linewidth);
  lua_setfield(L, -2, "linewidth");
  lua_pushboolean(L, o->suppress);
  lua_setfield(L, -2, "suppress");
}

static lua_Integer read_integer (lua_State *L, const char *name,
                                 lua_Integer now, lua_Integer least,
                                 lua_Integer most) {
  lua_Integer n = option_integer(L, 1, name, now);
  if (n < least || n > most)
    argerror_raise(L, 1, "option '%s' must be from %I to %I, got %I", name,
                   (LUAI_UACINT)least, (LUAI_UACINT)most, (LUAI_UACINT)n);
  return n;
}

/* printoptions([{ threshold=, edgeitems=, precision=, linewidth=, suppress= }])
** -> the earlier options, as such a table. */
static int core_printoptions (lua_State *L) {
  State *st = state_get(L);
  PrintOptions o = st->print;
  option_check(L, 1, names);
  o.threshold = read_integer(L, "threshold", o.threshold, 0, LUA_MAXINTEGER);
  o.edgeitems = read_integer(L, "edgeitems", o.edgeitems, 1, INT32_MAX);
  o.precision = (int)read_integer(L, "precision", o.precision, 0, PLACES);
  o.linewidth = (int)read_integer(L, "linewidth", o.linewidth, 1, INT32_MAX);
  o.suppress = option_flag(L, 1, "suppress", o.suppress);
  push_options(L, &st->print);
  st->print = o;
  return 1;
}

static const Function functions[] = {
  {"printoptions", core_printoptions, 1},
  {NULL, NULL, 0},
};

void open_print (lua_State *L) {
  state_get(L)->print = (PrintOptions){1000, 3, 8, 75, false};
  class_set_funcs(L, functions);
}
