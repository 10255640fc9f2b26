/* argument.h - numbers and strings as arguments. See argument.c. */
#ifndef TIDE_BASE_ARGUMENT_H
#define TIDE_BASE_ARGUMENT_H

#include "state.h"

/* As luaL_checkinteger and its like, but of numbers alone. */
lua_Integer tide_checkinteger (lua_State *L, int arg);
lua_Number tide_checknumber (lua_State *L, int arg);
lua_Integer tide_optinteger (lua_State *L, int arg, lua_Integer def);
lua_Number tide_optnumber (lua_State *L, int arg, lua_Number def);

/* And of strings alone. */
const char *tide_checklstring (lua_State *L, int arg, size_t *len);
const char *tide_checkstring (lua_State *L, int arg);
const char *tide_optstring (lua_State *L, int arg, const char *def);

#endif
