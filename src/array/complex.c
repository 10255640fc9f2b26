/*
** complex.c - tide.Complex: a complex number as a Lua value. It is immutable,
** and reading an element of a complex array returns one.
*/
#include <stdio.h>
#include <string.h>

#include "base/arg.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/field.h"
#include "base/list.h"
#include "complex.h"
#include "openers.h"
#include "rt/program/numeral.h"

typedef struct Complex {
  Object object;
  double part[2]; /* real, imaginary */
} Complex;

static Complex *check_complex (lua_State *L, int arg) {
  return class_check(L, arg, &complex_class);
}

void complex_push (lua_State *L, double re, double im) {
  Complex *z = class_new_object(L, sizeof *z, &complex_class, 0);
  z->part[0] = re;
  z->part[1] = im;
}

/* Reads the number at 'key' of the table at 'idx'; nil is 0. */
static bool read_part (lua_State *L, int idx, double *part) {
  int type = lua_rawget(L, idx);
  *part = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return type == LUA_TNUMBER || type == LUA_TNIL;
}

static bool has_names (lua_State *L, int idx) {
  lua_pushliteral(L, "re");
  bool named = lua_rawget(L, idx) != LUA_TNIL;
  lua_pop(L, 1);
  return named;
}

bool complex_test (lua_State *L, int idx) {
  idx = lua_absindex(L, idx);
  if (lua_istable(L, idx))
    return has_names(L, idx);
  return class_test(L, idx, &complex_class) != NULL;
}

/* Raises if it has keys other than re and im. */
static void check_names (lua_State *L, int idx) {
  for (lua_pushnil(L); lua_next(L, idx) != 0; lua_pop(L, 1)) {
    const char *name = (lua_type(L, -2) == LUA_TSTRING) ? lua_tostring(L, -2)
                                                        : luaL_typename(L, -2);
    if (strcmp(name, "re") != 0 && strcmp(name, "im") != 0)
      error_raise(L, "field '%s' in a complex number, which has re and im",
                  name);
  }
}

static bool read_table (lua_State *L, int idx, double part[2]) {
  bool named = has_names(L, idx);
  if (!named && lua_rawlen(L, idx) != 2)
    return false;
  if (named)
    check_names(L, idx);
  else
    list_check_of(L, NULL, idx, 2, "a complex number, which is {re, im}");
  for (int i = 0; i < 2; i++) {
    if (named)
      lua_pushstring(L, i == 0 ? "re" : "im");
    else
      lua_pushinteger(L, i + 1);
    if (!read_part(L, idx, &part[i]))
      return false;
  }
  return true;
}

bool complex_read (lua_State *L, int idx, double part[2]) {
  idx = lua_absindex(L, idx);
  part[1] = 0;
  switch (lua_type(L, idx)) {
    case LUA_TNUMBER: part[0] = lua_tonumber(L, idx); return true;
    case LUA_TBOOLEAN: part[0] = lua_toboolean(L, idx); return true;
    case LUA_TTABLE: return read_table(L, idx, part);
  }
  Complex *z = class_test(L, idx, &complex_class);
  if (z == NULL)
    return false;
  part[0] = z->part[0];
  part[1] = z->part[1];
  return true;
}

/* Writes it as NumPy does: 1+2j. */
static void format (char *text, size_t size, const double part[2], int digits) {
  char re[NUMERAL], im[NUMERAL];
  numeral_write(re, digits, part[0]);
  numeral_write(im, digits, part[1]);
  snprintf(text, size, "%s%s%sj", re, *im != '-' ? "+" : "", im);
}

/* complex(re [, im]) -> Complex. Two are equal if both parts are. The called
** table is argument 1, and does not count. */
static int core_complex (lua_State *L) {
  lua_remove(L, 1);
  entry_check_end(L, 3);
  complex_push(L, arg_check_number(L, 1), arg_opt_number(L, 2, 0));
  return 1;
}

static int complex_re (lua_State *L) {
  lua_pushnumber(L, check_complex(L, 1)->part[0]);
  return 1;
}

static int complex_im (lua_State *L) {
  lua_pushnumber(L, check_complex(L, 1)->part[1]);
  return 1;
}

/* z[1], z[2]: the parts by number, so that table.unpack(z) returns both. */
static int complex_index (lua_State *L) {
  Complex *z = check_complex(L, 1);
  lua_Number i = lua_isnumber(L, 2) ? lua_tonumber(L, 2) : 0;
  if (i != 1 && i != 2)
    return error_raise(L, "a complex number has the parts 1 and 2");
  lua_pushnumber(L, z->part[i == 2]);
  return 1;
}

static int complex__len (lua_State *L) {
  check_complex(L, 1);
  lua_pushinteger(L, 2);
  return 1;
}

static int complex__eq (lua_State *L) {
  Complex *x = class_test(L, 1, &complex_class);
  Complex *y = class_test(L, 2, &complex_class);
  lua_pushboolean(L, x != NULL && y != NULL && x->part[0] == y->part[0] &&
                       x->part[1] == y->part[1]);
  return 1;
}

static int complex__tostring (lua_State *L) {
  char text[64];
  format(text, sizeof text, check_complex(L, 1)->part, 14);
  lua_pushstring(L, text);
  return 1;
}

static const Function fields[] = {
  {"im", complex_im, 1},
  {"re", complex_re, 1},
  {NULL, NULL, 0},
};

static const Function none[] = {
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__eq", complex__eq, 2},
  {"__len", complex__len, 2},
  {"__tostring", complex__tostring, 1},
  {NULL, NULL, 0},
};

const Class complex_class = {
  .name = "tide.Complex",
  .methods = none,
  .fields = fields,
  .metamethods = metamethods,
  .index = complex_index,
};

/* The module's complex: a table of functions that can be called. */
void open_complex (lua_State *L) {
  class_define(L, &complex_class);
  lua_newtable(L);
  class_set_call(L, "tide.complex", core_complex);
  field_set_strict(L, "tide.complex");
  lua_setfield(L, -2, "complex");
}
