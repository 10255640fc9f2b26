/* list.h - tables as lists of values. See list.c. */
#ifndef TIDE_BASE_LIST_H
#define TIDE_BASE_LIST_H

#include "state.h"

/*
** Raises if the table at 'arg' has other keys than 1 to n, except for the n of
** table.pack. 'what' names the list, and says where other values go. The caller
** refuses nil among the elements.
*/
void list_check (lua_State *L, int arg, lua_Unsigned n, const char *what);

/* Checks a list at 'idx' inside argument 'arg', which errors name. */
void list_check_in (lua_State *L, int arg, int idx, lua_Unsigned n,
                    const char *what);

/* list_check for lists whose elements may be nil. */
void list_check_keys (lua_State *L, int arg, lua_Unsigned n, const char *what);

/* list_check for a table at 'idx' that is in no argument; 'owner' begins
** the message, unless it is NULL. */
void list_check_of (lua_State *L, const char *owner, int idx, lua_Unsigned n,
                    const char *what);

#endif
