/* array_list.h - a list of arrays as an argument. See array_list.c. */
#ifndef TIDE_OPS_ARRAY_LIST_H
#define TIDE_OPS_ARRAY_LIST_H

#include "array/array.h"

/* Pushes the arrays of the list at 1, in order, from index 4 on. Returns how
** many: one or more, all open. 'rest' is the rest of the call's arguments.
** Leaves room for four more values for each array. */
int array_list_push (lua_State *L, const char *rest);

/* Returns array 'i' of the list, from 0. */
Array *array_list_at (lua_State *L, int i);

#endif
