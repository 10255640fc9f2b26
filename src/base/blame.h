/* blame.h - what errors call an argument. See blame.c. */
#ifndef TIDE_BASE_BLAME_H
#define TIDE_BASE_BLAME_H

#include "state.h"

/*
** Says that the called thing is an object, argument 1. Errors name it as 'what'
** does ("fused function 'f'"), and give no numbers of arguments, because Lua's
** are one too high.
*/
void tide_called (State *st, const char *what);

/*
** Says that Lua code of tide calls on behalf of the program: errors blame
** argument 'arg' of the function 'name', which the program has called; 0 is the
** object of a method.
*/
void tide_calledfor (State *st, const char *name, int arg);

/* luaL_argerror with a format, that of lua_pushfstring. It takes into account
** the two above, operators, and arguments that are copied behind all others. */
int tide_argerror (lua_State *L, int arg, const char *format, ...)
  __attribute__((cold));

/* tide_argerror for a call whose own door is not open yet, so that the State's
** door belongs to another call, which may have ended. */
int tide_blame (lua_State *L, int arg, const char *why) __attribute__((cold));

/* Raises that the call takes no argument 'arg'; its door is not open. */
int tide_surplus (lua_State *L, int arg) __attribute__((cold));

/* tide_argcheck(L, fits, arg, format, ...): raises unless 'fits'. The other
** arguments are evaluated only then. */
#define tide_argcheck(L, fits, ...) \
  ((void)((fits) || tide_argerror((L), __VA_ARGS__)))

/* Raises the error on the top, of a call which the program did not write:
** argument numbers in it become those of 'what'. */
void tide_blamecaller (lua_State *L, const char *what);

#endif
