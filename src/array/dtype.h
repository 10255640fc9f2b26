/* dtype.h - element types for Lua: names, values, promotion. See dtype.c. */
#ifndef TIDE_ARRAY_DTYPE_H
#define TIDE_ARRAY_DTYPE_H

#include "base/state.h"
#include "complex.h"
#include "rt/kernels/dtypes.h"

/* In order: numbers of a later kind do not fit into an earlier one. */
typedef enum DTypeKind {
  KIND_BOOL,
  KIND_INTEGER,
  KIND_FLOAT,
  KIND_COMPLEX
} DTypeKind;

const char *dtype_name (DType t);
DTypeKind dtype_kind (DType t);
bool dtype_is_float (DType t);
bool dtype_is_half (DType t); /* a float of 16 bits: computed in float32 */
bool dtype_is_unsigned (DType t);

/* Returns the dtype named at 'arg'. An unknown name raises, with the nearest
** one. */
DType dtype_check (lua_State *L, int arg);
DType dtype_opt (lua_State *L, int arg, DType def);

/* Tells whether a dtype has that name. */
bool dtype_is_name (const char *name);

/* Returns the default dtype of floats: tide.set_default_dtype. */
DType dtype_default (lua_State *L);

/* NumPy 2's promotion of two array types. */
DType dtype_promote (DType a, DType b);

/* Returns the dtype of an operation between an array of 't' and the number,
** boolean or Complex at 'idx', which never widens an array of its own kind. */
DType dtype_promote_scalar (lua_State *L, int idx, DType t);

/* Returns the dtype of Lua values, which alone would be 'own', beside an array
** of 't': integers beside uint64 are uint64, by their 64 bits. */
DType dtype_beside (DType own, DType t);

/* Returns the number at 'idx' as a float, as beside an array of 't'. */
lua_Number dtype_float_beside (lua_State *L, int idx, DType t);

/* Tells whether the value at 'idx' is a number, a boolean or a complex
** number. */
bool dtype_is_scalar (lua_State *L, int idx);

/* Returns the dtype of an array made from the Lua value at 'idx'.
** dtype_infer_as: where floats have the dtype 'floats'. */
DType dtype_infer (lua_State *L, int idx);
DType dtype_infer_as (lua_State *L, int idx, DType floats);

/* Returns the dtype of floats of Lua beside an array of 't': the default one,
** or that of the floats in 't' if it is wider, so that none is rounded more
** than the array's own. */
DType dtype_floats_beside (lua_State *L, DType t);

/* {== element.c ======================================================= */

/* One element of any type; a kernel gets a pointer to it. */
typedef union Element {
  uint64_t bits;
  char bytes[16];
} Element;

/* Returns the element at 'p' of bool or integers; of floats. */
int64_t dtype_integer_at (const void *p, DType t);
double dtype_float_at (const void *p, DType t);

/* Returns the nearest float of type 't' to 'x'. */
double dtype_round (double x, DType t);

/* Pushes the element at 'p': boolean, integer, float or Complex. */
void dtype_push_element (lua_State *L, const void *p, DType t);

/*
** Stores the Lua value at 'idx' as an element at 'p'. Returns NULL, or the
** reason why it cannot: a number with a fraction, or one that is out of range,
** has no place among integers. The reason may be pushed.
*/
const char *dtype_read_element (lua_State *L, int idx, DType t, void *p);

/* Raises, for the reason 'why', that the argument is no element, and names
** it. */
int dtype_refuse_element (lua_State *L, int arg, const char *why);

/*
** For an integer at 'idx' and a type 't' of integers, returns whether it is
** below all of them (-1), above (1), or among them (0). Otherwise returns 0.
*/
int dtype_outside (lua_State *L, int idx, DType t);

/* ==} */

#endif
