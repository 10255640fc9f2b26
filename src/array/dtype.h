/* dtype.h - element types for Lua: names, values, promotion. See dtype.c. */
#ifndef TIDE_ARRAY_DTYPE_H
#define TIDE_ARRAY_DTYPE_H

#include "base/state.h"
#include "complex.h"

/* Ordered: numbers of a later kind do not fit into an earlier one. */
typedef enum Kind {
  KIND_BOOL, KIND_INTEGER, KIND_FLOAT, KIND_COMPLEX
} Kind;

const char *tide_dtypename (DType t);
Kind tide_kind (DType t);
bool tide_isfloat (DType t);
bool tide_ishalf (DType t);  /* of 16 bits: computed in float32 */
bool tide_isunsigned (DType t);

/* The dtype named at 'arg'; an unknown name raises, with the nearest one. */
DType tide_checkdtype (lua_State *L, int arg);
DType tide_optdtype (lua_State *L, int arg, DType def);

/* The dtype of floats whose dtype nobody gave: tide.set_default_dtype. */
DType tide_floatdtype (lua_State *L);

/* NumPy 2's promotion of two array types. */
DType tide_promote (DType a, DType b);

/* The type of an operation between an array of 't' and the number, boolean or
** Complex at 'idx', which never widens an array of its own kind. */
DType tide_promotescalar (lua_State *L, int idx, DType t);

/* What values of Lua that have no dtype, but 'own' by themselves, are beside an
** array of 't': integers beside uint64 are uint64, by their 64 bits. */
DType tide_dtypebeside (DType own, DType t);

/* The number at 'idx' as floats have it beside an array of 't'. */
lua_Number tide_floatbeside (lua_State *L, int idx, DType t);

/* Is the value at 'idx' a number, a boolean or a complex number? */
bool tide_isscalar (lua_State *L, int idx);

/* The type of an array made from the Lua value at 'idx'. */
DType tide_inferdtype (lua_State *L, int idx);

/* {== element.c ======================================================= */

/* One element, whatever its type; a kernel gets a pointer to it. */
typedef union Element {
  uint64_t bits;
  char bytes[16];
} Element;

/* The element at 'p' of bool or integers; of floats. */
int64_t tide_integerat (const void *p, DType t);
double tide_floatat (const void *p, DType t);

/* The float of type 't' that is next to 'x'. */
double tide_rounded (double x, DType t);

/* Pushes the element at 'p': boolean, integer, float or Complex. */
void tide_pushelement (lua_State *L, const void *p, DType t);

/*
** Stores the Lua value at 'idx' as an element at 'p'. NULL, or why it cannot
** be: a number with a fraction has no place among integers, nor has one that
** is out of range; of those what it says is pushed.
*/
const char *tide_readelement (lua_State *L, int idx, DType t, void *p);

/* Raises: the argument is no element for that reason, and what is it? */
int tide_refuseelement (lua_State *L, int arg, const char *why);

/*
** Where the value at 'idx' is if it is an integer and 't' a type of integers:
** below all of them (-1), above (1), or among them (0, as everything else).
*/
int tide_outside (lua_State *L, int idx, DType t);

/* ==} */

#endif
