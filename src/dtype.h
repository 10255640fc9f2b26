/* dtype.h - element types for Lua: names, values, promotion. See dtype.c. */
#ifndef TIDE_DTYPE_H
#define TIDE_DTYPE_H

#include "tide.h"

const char *tide_dtypename (DType t);

/* The dtype named at 'arg'; an unknown name raises, with the nearest one. */
DType tide_checkdtype (lua_State *L, int arg);
DType tide_optdtype (lua_State *L, int arg, DType def);

/* Pushes the element at 'p': boolean, integer or float. */
void tide_pushelement (lua_State *L, const void *p, DType t);

/*
** Stores the Lua value at 'idx' as an element at 'p'. NULL, or why it cannot
** be: a number with a fraction has no place among integers, nor has one that
** is out of range.
*/
const char *tide_readelement (lua_State *L, int idx, DType t, void *p);

/* NumPy 2's promotion of two array types. */
DType tide_promote (DType a, DType b);

/* The type of an operation between an array of 't' and the number or boolean
** at 'idx', which never widens an array of its own kind. */
DType tide_promotescalar (lua_State *L, int idx, DType t);

/* The type of an array made from the Lua value at 'idx'. */
DType tide_inferdtype (lua_State *L, int idx);

bool tide_isfloat (DType t);

#endif
