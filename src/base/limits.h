/* limits.h - the limits that the host program sets for this lua_State. See
** limits.c. */
#ifndef TIDE_BASE_LIMITS_H
#define TIDE_BASE_LIMITS_H

#include "state.h"

/* Reads them when the module is opened. Raises if they make no sense. */
void limits_read (lua_State *L, State *st);

/* Tells whether the host program leaves out a group of functions:
** TIDE_FILES ... */
bool limits_exclude (lua_State *L, unsigned group);

/* Raises that the host program has left out the function of that name. */
int limits_refuse (lua_State *L, const char *name);

/* Pushes an address as text with a blank after it, or nothing where the host
** program leaves pointers out. */
const char *limits_push_address (lua_State *L, const void *p);

/* Puts the limits in force: from now on tide_setlimits of tide.h refuses
** others. */
void limits_freeze (lua_State *L);

#endif
