/* array_list.h - a list of arrays as an argument. See array_list.c. */
#ifndef TIDE_OPS_ARRAY_LIST_H
#define TIDE_OPS_ARRAY_LIST_H

#include "array/array.h"

/* Pushes the arrays of the list at 1, one after the other, from index 4 on;
** returns how many: one or more, all open. 'rest': what comes after the list.
** There is room for four more values for each of them. */
int tide_pushlist (lua_State *L, const char *rest);

/* Array 'i' of them, from 0. */
Array *tide_listed (lua_State *L, int i);

#endif
