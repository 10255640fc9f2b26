/* blame.h - what errors call an argument. See blame.c. */
#ifndef TIDE_BASE_BLAME_H
#define TIDE_BASE_BLAME_H

#include "state.h"

/*
** What is called is an object, argument 1: errors name it as 'what' does
** ("fused function 'f'"), and no argument by its number, one too high in Lua.
*/
void tide_called (State *st, const char *what);

/*
** Lua of ours asks for the program: errors blame argument 'arg' of the function
** 'name', which the program has called; 0 is the object of a method.
*/
void tide_calledfor (State *st, const char *name, int arg);

/* luaL_argerror, which knows of them, of operators, and of arguments that stand
** behind the others once more. */
int tide_argerror (lua_State *L, int arg, const char *why)
    __attribute__((cold));

/* The same where the call's own door is not open yet, so that the State's is
** of another one, which may have ended. */
int tide_blame (lua_State *L, int arg, const char *why) __attribute__((cold));

/* There is an argument that the call does not take; its door is not open. */
int tide_surplus (lua_State *L, int arg) __attribute__((cold));

/* 'why' is made only if it is wanted. */
#define tide_argcheck(L, fits, arg, why) \
  ((void)((fits) || tide_argerror((L), (arg), (why))))

/* The error on the top is that of a call which the program did not write: the
** arguments that it names by their numbers become those of 'what'. */
void tide_blamecaller (lua_State *L, const char *what);

#endif
