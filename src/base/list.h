/* list.h - tables as lists of values. See list.c. */
#ifndef TIDE_BASE_LIST_H
#define TIDE_BASE_LIST_H

#include "state.h"

/*
** Raises if the table at 'arg' has other keys than 1 to n, but for the n of
** table.pack. 'what' says what it is, and where others go. A nil among the
** elements is for the caller to refuse.
*/
void tide_checklist (lua_State *L, int arg, lua_Unsigned n, const char *what);

/* The same of a table at 'idx' that is in argument 'arg', which is blamed. */
void tide_checklistin (lua_State *L, int arg, int idx, lua_Unsigned n,
                       const char *what);

/* The same where elements may be nil. */
void tide_checkkeys (lua_State *L, int arg, lua_Unsigned n, const char *what);

/* The same of a table at 'idx' that is in none; 'owner' begins the message,
** unless it is NULL. */
void tide_checklistof (lua_State *L, const char *owner, int idx,
                       lua_Unsigned n, const char *what);

#endif
