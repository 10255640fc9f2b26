/* field.h - fields that are not there. See field.c. */
#ifndef TIDE_BASE_FIELD_H
#define TIDE_BASE_FIELD_H

#include "hint.h"
#include "state.h"

/* Offers the keys of a table. */
void field_offer_keys (lua_State *L, int table, Guess *g);

/* Pushes the text behind "no field 'name' in where": a suggestion, or "".
** 'best' is the nearest name that it has, or NULL; hint_translate and functions
** of tide of that name take precedence. */
const char *field_push_hint (lua_State *L, const char *where, const char *name,
                             const char *best);

/* Raises: 'where' has no such field. */
int field_refuse (lua_State *L, const char *where, const char *name,
                  const char *best);

/* Makes missing fields of the table on the top raise from now on. */
void field_set_strict (lua_State *L, const char *name);

#endif
