/*
** text_options.c - the options of tide.loadtxt.
*/
#include "text_options.h"

#include <string.h>

#include "base/argerror.h"
#include "base/list.h"
#include "base/option.h"
#include "dtype.h"
#include "osfile.h"
#include "rt/text/cell.h"

/* The table of options, or an empty one, behind the arguments: these stay. */
enum { OPTIONS = 3 };

/* Returns the option's only character; '\0' if it is false, 'def' if it is
** nil. It must not be part of a number or of a line's end. */
static char read_character (lua_State *L, const char *name, char def) {
  static const char never[] = "\n\r+-.()0123456789";
  int type = option_get(L, OPTIONS, name);
  size_t n = 0;
  const char *c = (type == LUA_TSTRING) ? lua_tolstring(L, -1, &n) : "";
  bool off = (type == LUA_TBOOLEAN && !lua_toboolean(L, -1));
  bool letter = (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z');
  char found = (type == LUA_TNIL) ? def : *c;
  if (type != LUA_TNIL && !off && (n != 1 || letter || strchr(never, *c)))
    argerror_raise(L, 2,
                   "option '%s' must be one character, and none that numbers "
                   "are made of",
                   name);
  lua_pop(L, 1);
  return found;
}

/* The string stays in the table of options. */
static void read_comment (lua_State *L, Text *t) {
  int type = option_get(L, OPTIONS, "comments");
  t->comment = "#";
  t->ncomment = 1;
  if (type == LUA_TSTRING)
    t->comment = lua_tolstring(L, -1, &t->ncomment);
  else if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1))
    t->ncomment = 0;
  else if (type != LUA_TNIL)
    t->comment = "";
  char c = *t->comment;
  if (t->ncomment + (type == LUA_TSTRING) > 0 &&
      (strchr(" \t\v\f\n\r", c) != NULL || c == t->delimiter || c == t->quote ||
       strlen(t->comment) != t->ncomment || strchr(t->comment, '\n') != NULL))
    argerror_raise(L, 2,
                   "option 'comments' must be a string that begins with no "
                   "blank, delimiter or quote, or false");
  lua_pop(L, 1);
}

static size_t read_count (lua_State *L, const char *name, lua_Integer least,
                          size_t def) {
  lua_Integer n = option_integer(L, 2, name, (lua_Integer)def);
  argerror_check(L, n >= least, 2, "option '%s' must be at least %I", name,
                 (LUAI_UACINT)least);
  return (size_t)n;
}

/* Reads the value in place of fields that cannot be read. */
static void read_missing (lua_State *L, Text *t) {
  const char *bad = NULL;
  Element e = {0};
  t->fills = (option_get(L, OPTIONS, "missing") != LUA_TNIL);
  if (t->fills)
    bad = dtype_read_element(L, -1, t->dtype, &e);
  if (bad != NULL)
    argerror_raise(L, 2, "option 'missing': %s", bad);
  memcpy(t->missing, &e, sizeof e);
  lua_pop(L, 1);
}

static void read_dtype (lua_State *L, TextOptions *o, Text *t) {
  o->dtype = dtype_default(L);
  lua_pushvalue(L, 2);
  if (option_get(L, OPTIONS, "dtype") != LUA_TNIL) {
    lua_replace(L, 2); /* for errors */
    o->dtype = dtype_check(L, 2);
  } else
    lua_pop(L, 1);
  lua_replace(L, 2);
  t->dtype = cell_dtype(o->dtype);
  t->type = dtype_name(t->dtype);
}

/* Leaves names = true to the file; pushes a list of names. */
static void read_names (lua_State *L, TextOptions *o) {
  int type = option_get(L, OPTIONS, "names");
  o->header = (type == LUA_TBOOLEAN && lua_toboolean(L, -1));
  if (type != LUA_TTABLE) {
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
      argerror_raise(L, 2, "option 'names' must be true or a list of strings");
    lua_pop(L, 1);
    return;
  }
  o->names = lua_gettop(L);
  lua_Unsigned n = lua_rawlen(L, -1);
  list_check_in(L, 2, o->names, n, "option 'names', a list of strings,");
  for (lua_Unsigned i = 1; i <= n; i++) {
    argerror_check(L, lua_rawgeti(L, -1, (lua_Integer)i) == LUA_TSTRING, 2,
                   "option 'names' must be true or a list of strings");
    lua_pop(L, 1);
  }
}

/* Checks an element of usecols, on the top, and pops it. */
static void check_column (lua_State *L, TextOptions *o) {
  bool name = (lua_type(L, -1) == LUA_TSTRING);
  lua_Integer n = (lua_type(L, -1) == LUA_TNUMBER) ? lua_tointeger(L, -1) : 0;
  argerror_check(L, !name || o->header, 2,
                 "option 'usecols' has a name, which needs names = true");
  argerror_check(L, name || n != 0, 2,
                 "option 'usecols' must be a column or a list of columns: "
                 "from 1, negative ones from the end");
  o->exact = o->exact || n < 0;
  lua_pop(L, 1);
}

/* Pushes a list of columns; one column is a list, too. */
static void read_usecols (lua_State *L, TextOptions *o) {
  int type = option_get(L, OPTIONS, "usecols");
  o->exact = (type == LUA_TNIL);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (type != LUA_TTABLE) {
    lua_createtable(L, 1, 0);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 1);
  }
  o->usecols = lua_gettop(L);
  lua_Unsigned n = lua_rawlen(L, -1);
  argerror_check(L, n > 0, 2, "option 'usecols' has no columns");
  list_check_in(L, 2, o->usecols, n, "option 'usecols', a list of columns,");
  for (lua_Unsigned i = 1; i <= n; i++) {
    lua_rawgeti(L, o->usecols, (lua_Integer)i);
    check_column(L, o);
  }
}

void text_options_read (lua_State *L, TextOptions *o, Text *t) {
  static const char *const names[] = {
    "delimiter", "quote", "comments", "skiprows", "max_rows",
    "usecols",   "dtype", "missing",  "names",    NULL};
  *o = (TextOptions){.path = osfile_check_path(L, 1)};
  option_check(L, 2, names);
  if (lua_isnil(L, 2))
    lua_newtable(L);
  else
    lua_pushvalue(L, 2);
  t->delimiter = read_character(L, "delimiter", '\0');
  t->quote = read_character(L, "quote", t->delimiter != '\0' ? '"' : '\0');
  argerror_check(L, t->quote == '\0' || t->quote != t->delimiter, 2,
                 "options 'quote' and 'delimiter' are the same");
  read_comment(L, t);
  o->skiprows = read_count(L, "skiprows", 0, 0);
  o->max_rows = read_count(L, "max_rows", 1, LUA_MAXINTEGER);
  read_dtype(L, o, t);
  read_missing(L, t);
  read_names(L, o);
  read_usecols(L, o);
}
