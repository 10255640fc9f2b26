/* arg.h - numbers and strings as arguments. See arg.c. */
#ifndef TIDE_BASE_ARG_H
#define TIDE_BASE_ARG_H

#include "state.h"

/* Like luaL_checkinteger and the others, but accept numbers only. */
lua_Integer arg_check_integer (lua_State *L, int arg);
lua_Number arg_check_number (lua_State *L, int arg);
lua_Integer arg_opt_integer (lua_State *L, int arg, lua_Integer def);
lua_Number arg_opt_number (lua_State *L, int arg, lua_Number def);

/* Like luaL_checklstring, but accepts strings only. */
const char *arg_check_lstring (lua_State *L, int arg, size_t *len);
const char *arg_check_string (lua_State *L, int arg);
const char *arg_opt_string (lua_State *L, int arg, const char *def);

#endif
