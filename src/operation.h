/*
** operation.h - for which dtypes elementwise operations are, and in which they
** compute. See operation.c.
*/
#ifndef TIDE_OPERATION_H
#define TIDE_OPERATION_H

#include "tide.h"

/* The dtype of an operation whose operands have 't' in common; raises if it is
** undefined. Those of a unary one include what is computed in a wider type. */
DType tide_operationdtype (lua_State *L, BinaryOp op, DType t);
DType tide_unarydtype (lua_State *L, UnaryOp op, DType t);

/* What such an operation computes in: a wider type if it has no kernels for
** that. -1: it is not defined. */
int tide_binarydtype (BinaryOp op, DType t);

/* The dtype of the result of what was computed in a wider type, or in 't'. */
DType tide_narrowed (DType result, DType t);

/* Does a function that rounds leave elements of that type as they are? */
bool tide_iswhole (UnaryOp op, DType t);

#endif
