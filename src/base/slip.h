/* slip.h - '.' for ':', and ':' for '.'. See slip.c. */
#ifndef TIDE_BASE_SLIP_H
#define TIDE_BASE_SLIP_H

#include "class.h"

/* Raises like luaL_typeerror. If a method has no object, the error says that
** instead. */
int tide_typeerror (lua_State *L, int arg, const char *expected)
  __attribute__((cold));

/* Like luaL_checktype, with the errors of tide_typeerror. */
static inline void tide_checktype (lua_State *L, int arg, int type) {
  if (lua_type(L, arg) != type)
    tide_typeerror(L, arg, lua_typename(L, type));
}

/* Tells whether the value is a function or an object that can be called. */
bool tide_iscallable (lua_State *L, int arg);

/* Raises unless tide_iscallable. */
void tide_checkcallable (lua_State *L, int arg);

/* Raises that the value at 'arg' is no object of 'class'. */
void tide_notobject (lua_State *L, int arg, const Class *class);

/* Pushes the type name of the argument, as luaL_typeerror writes it. */
const char *tide_pushtypename (lua_State *L, int arg);

/* Pushes the number at 'idx' as text and leaves the number unchanged. A NaN is
** "nan" whatever its sign. */
const char *tide_pushnumber (lua_State *L, int idx);

/* tide_pushtypename for "got ..." in messages: a missing argument is "no
** value". A stream that s:with has passed to a function that did not expect it
** is explained. */
const char *tide_pushgot (lua_State *L, int arg);

/* Raises if the first argument is a module: tide:zeros(3). */
void tide_checkmodule (lua_State *L);

/* Marks the metatable on the top as that of a module. */
void tide_markmodule (lua_State *L);

#endif
