/* blame.h - what errors call an argument. See blame.c. */
#ifndef TIDE_BASE_BLAME_H
#define TIDE_BASE_BLAME_H

#include "state.h"

/*
** What is called is an object, argument 1: errors name it as 'what' does
** ("fused function 'f'"), and no argument by its number, one too high in Lua.
*/
void tide_called (State *st, const char *what);

/* luaL_argerror, which knows of them, and of operators. */
int tide_argerror (lua_State *L, int arg, const char *why);

static inline void tide_argcheck (lua_State *L, bool fits, int arg,
                                  const char *why) {
  if (!fits)
    tide_argerror(L, arg, why);
}

/* The error on the top is that of a call which the program did not write: the
** arguments that it names by their numbers become those of 'what'. */
void tide_blamecaller (lua_State *L, const char *what);

#endif
