/* slip.h - '.' for ':', and ':' for '.'. See slip.c. */
#ifndef TIDE_BASE_SLIP_H
#define TIDE_BASE_SLIP_H

#include "class.h"

/* Raises, as luaL_typeerror: where a method has no object, that is what is
** wrong. */
int tide_typeerror (lua_State *L, int arg, const char *expected)
    __attribute__((cold));

/* As luaL_checktype. */
static inline void tide_checktype (lua_State *L, int arg, int type) {
  if (lua_type(L, arg) != type)
    tide_typeerror(L, arg, lua_typename(L, type));
}

/* Tells whether the value is a function, or an object that is called as one. */
bool tide_iscallable (lua_State *L, int arg);

/* Raises unless it is. */
void tide_checkcallable (lua_State *L, int arg);

/* The same: what is at 'arg' is no object of 'class'. */
void tide_notobject (lua_State *L, int arg, const Class *class);

/* Pushes what the argument is, as luaL_typeerror has it. */
const char *tide_pushtypename (lua_State *L, int arg);

/* Pushes the number at 'idx' as text, which leaves it one; a NaN, whose sign is
** nobody's, is "nan". */
const char *tide_pushnumber (lua_State *L, int idx);

/* The same as what was got: none is none, and of a stream where a function that
** s:with calls did not expect it, whence it comes. */
const char *tide_pushgot (lua_State *L, int arg);

/* Raises if the first argument is a table of functions: tide:zeros(3). */
void tide_checkmodule (lua_State *L);

/* Marks the metatable on the top as that of a table of functions. */
void tide_markmodule (lua_State *L);

#endif
