/*
** argument.c - strict numbers and strings as arguments. Lua's own checks
** convert "3" to 3 and 3 to "3"; these do not, just as shapes, lists and
** options never do.
*/
#include "argument.h"

#include "blame.h"
#include "slip.h"

lua_Integer tide_checkinteger (lua_State *L, int arg) {
  int isint;
  tide_checktype(L, arg, LUA_TNUMBER);
  lua_Integer n = lua_tointegerx(L, arg, &isint);
  tide_argcheck(L, isint, arg, "number has no integer representation");
  return n;
}

lua_Number tide_checknumber (lua_State *L, int arg) {
  tide_checktype(L, arg, LUA_TNUMBER);
  return lua_tonumber(L, arg);
}

lua_Integer tide_optinteger (lua_State *L, int arg, lua_Integer def) {
  return lua_isnoneornil(L, arg) ? def : tide_checkinteger(L, arg);
}

lua_Number tide_optnumber (lua_State *L, int arg, lua_Number def) {
  return lua_isnoneornil(L, arg) ? def : tide_checknumber(L, arg);
}

const char *tide_checklstring (lua_State *L, int arg, size_t *len) {
  tide_checktype(L, arg, LUA_TSTRING);
  return lua_tolstring(L, arg, len);
}

const char *tide_checkstring (lua_State *L, int arg) {
  return tide_checklstring(L, arg, NULL);
}

const char *tide_optstring (lua_State *L, int arg, const char *def) {
  return lua_isnoneornil(L, arg) ? def : tide_checkstring(L, arg);
}
