/* argument.h - numbers and strings as arguments. See argument.c. */
#ifndef TIDE_BASE_ARGUMENT_H
#define TIDE_BASE_ARGUMENT_H

#include "state.h"

/* Like luaL_checkinteger and the others, but accept numbers only. */
lua_Integer tide_checkinteger (lua_State *L, int arg);
lua_Number tide_checknumber (lua_State *L, int arg);
lua_Integer tide_optinteger (lua_State *L, int arg, lua_Integer def);
lua_Number tide_optnumber (lua_State *L, int arg, lua_Number def);

/* Like luaL_checklstring, but accepts strings only. */
const char *tide_checklstring (lua_State *L, int arg, size_t *len);
const char *tide_checkstring (lua_State *L, int arg);
const char *tide_optstring (lua_State *L, int arg, const char *def);

#endif
