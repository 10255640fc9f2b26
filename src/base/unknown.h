/* unknown.h - fields that are not there. See unknown.c. */
#ifndef TIDE_BASE_UNKNOWN_H
#define TIDE_BASE_UNKNOWN_H

#include "state.h"
#include "suggest.h"

/* Offers the keys of a table. */
void tide_offerkeys (lua_State *L, int table, Guess *g);

/* Pushes the text behind "no field 'name' in where": a suggestion, or "".
** 'best' is the nearest name that it has, or NULL; tide_phrase takes
** precedence. */
const char *tide_pushhint (lua_State *L, const char *where, const char *name,
                           const char *best);

/* Raises: 'where' has no such field. */
int tide_nofield (lua_State *L, const char *where, const char *name,
                  const char *best);

/* Makes missing fields of the table on the top raise from now on. */
void tide_setstrict (lua_State *L, const char *name);

#endif
