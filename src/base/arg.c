/*
** arg.c - strict numbers and strings as arguments. Lua's own checks
** convert "3" to 3 and 3 to "3"; these do not, just as shapes, lists and
** options never do.
*/
#include "arg.h"

#include "argerror.h"
#include "type.h"

lua_Integer arg_check_integer (lua_State *L, int arg) {
  int isint;
  type_check(L, arg, LUA_TNUMBER);
  lua_Integer n = lua_tointegerx(L, arg, &isint);
  argerror_check(L, isint, arg, "number has no integer representation");
  return n;
}

lua_Number arg_check_number (lua_State *L, int arg) {
  type_check(L, arg, LUA_TNUMBER);
  return lua_tonumber(L, arg);
}

lua_Integer arg_opt_integer (lua_State *L, int arg, lua_Integer def) {
  return lua_isnoneornil(L, arg) ? def : arg_check_integer(L, arg);
}

lua_Number arg_opt_number (lua_State *L, int arg, lua_Number def) {
  return lua_isnoneornil(L, arg) ? def : arg_check_number(L, arg);
}

const char *arg_check_lstring (lua_State *L, int arg, size_t *len) {
  type_check(L, arg, LUA_TSTRING);
  return lua_tolstring(L, arg, len);
}

const char *arg_check_string (lua_State *L, int arg) {
  return arg_check_lstring(L, arg, NULL);
}

const char *arg_opt_string (lua_State *L, int arg, const char *def) {
  return lua_isnoneornil(L, arg) ? def : arg_check_string(L, arg);
}
