/* unknown.h - fields that are not there. See unknown.c. */
#ifndef TIDE_BASE_UNKNOWN_H
#define TIDE_BASE_UNKNOWN_H

#include "state.h"
#include "suggest.h"

/* Offers the keys of a table. */
void tide_offerkeys (lua_State *L, int table, Guess *g);

/* Pushes what is said behind "no field 'name' in where": what else was meant,
** or "". 'best' is the nearest that it has, or NULL; what is known of the name
** goes before it. */
const char *tide_pushhint (lua_State *L, const char *where, const char *name,
                           const char *best);

/* Raises: 'where' has no such field. */
int tide_nofield (lua_State *L, const char *where, const char *name,
                  const char *best);

/* Fields that the table on the top does not have raise from now on. */
void tide_setstrict (lua_State *L, const char *name);

#endif
