/* unknown.h - fields that are not there. See unknown.c. */
#ifndef TIDE_BASE_UNKNOWN_H
#define TIDE_BASE_UNKNOWN_H

#include "state.h"

/* Offers the keys of a table to tide_suggest. */
void tide_offerkeys (lua_State *L, int table, const char *name,
                     const char **best, int *distance);

/* Raises: 'where' has no such field. 'best' is the nearest that it has, or
** NULL; what is known of the name goes before it. */
int tide_nofield (lua_State *L, const char *where, const char *name,
                  const char *best);

/* Fields that the table on the top does not have raise from now on. */
void tide_setstrict (lua_State *L, const char *name);

#endif
