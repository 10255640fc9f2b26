/* type.h - '.' for ':', and ':' for '.'. See type.c. */
#ifndef TIDE_BASE_TYPE_H
#define TIDE_BASE_TYPE_H

#include "class.h"

/* Raises like luaL_typeerror. If a method has no object, the error says that
** instead. */
int type_error (lua_State *L, int arg, const char *expected)
  __attribute__((cold));

/* Like luaL_checktype, with the errors of type_error. */
static inline void type_check (lua_State *L, int arg, int type) {
  if (lua_type(L, arg) != type)
    type_error(L, arg, lua_typename(L, type));
}

/* Tells whether the value is a function or an object that can be called. */
bool type_is_callable (lua_State *L, int arg);

/* Raises unless type_is_callable. */
void type_check_callable (lua_State *L, int arg);

/* Raises that the value at 'arg' is no object of 'class'. */
void type_refuse (lua_State *L, int arg, const Class *class);

/* Pushes the type name of the argument, as luaL_typeerror writes it. */
const char *type_push_name (lua_State *L, int arg);

/* Pushes the number at 'idx' as text and leaves the number unchanged. A NaN is
** "nan" whatever its sign. */
const char *type_push_number (lua_State *L, int idx);

/* type_push_name for "got ..." in messages: a missing argument is "no
** value". A stream that s:with has passed to a function that did not expect it
** is explained. */
const char *type_push_got (lua_State *L, int arg);

/* Raises if the first argument is a module: tide:zeros(3). */
void type_check_module (lua_State *L);

/* Marks the metatable on the top as that of a module. */
void type_mark_module (lua_State *L);

#endif
