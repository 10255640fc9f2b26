/* argerror.h - what errors call an argument. See argerror.c. */
#ifndef TIDE_BASE_ARGERROR_H
#define TIDE_BASE_ARGERROR_H

#include "state.h"

/*
** Says that the called thing is an object, argument 1. Errors name it as 'what'
** does ("fused function 'f'"), and give no numbers of arguments, because Lua's
** are one too high.
*/
void argerror_object (State *st, const char *what);

/*
** Says that Lua code of tide calls on behalf of the program: errors name
** argument 'arg' of the function 'name', which the program has called; 0 is the
** object of a method.
*/
void argerror_call (State *st, const char *name, int arg);

/* luaL_argerror with a format, that of lua_pushfstring. It takes into account
** the two above, operators, and arguments that are copied behind all others. */
int argerror_raise (lua_State *L, int arg, const char *format, ...)
  __attribute__((cold));

/* argerror_raise for a call whose own API entry has not begun, so that the
** State's entry belongs to another call, which may have ended. */
int argerror_early (lua_State *L, int arg, const char *why)
  __attribute__((cold));

/* Raises that the call takes no argument 'arg'; its API entry has not begun. */
int argerror_surplus (lua_State *L, int arg) __attribute__((cold));

/* argerror_check(L, fits, arg, format, ...): raises unless 'fits'. The other
** arguments are evaluated only then. */
#define argerror_check(L, fits, ...) \
  ((void)((fits) || argerror_raise((L), __VA_ARGS__)))

/* Returns the name of the running function, which calls function 'called' of
** ours; that one's name where it is a metamethod or has no name. */
const char *argerror_caller (lua_State *L, const char *called);

/* Raises the error on the top, of a call which the program did not write:
** argument numbers in it become those of 'what'. */
void argerror_rename (lua_State *L, const char *what);

#endif
