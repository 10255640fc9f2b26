/*
** op_dtypes.h - for which dtypes elementwise operations are, and in which they
** compute. See op_dtypes.c.
*/
#ifndef TIDE_OPS_OP_DTYPES_H
#define TIDE_OPS_OP_DTYPES_H

#include "base/state.h"
#include "rt/kernels/kernels.h"

/* The dtypes of an operation of two operands. */
typedef struct BinaryTypes {
  DType own;     /* what the operands are taken as, and then */
  DType in;      /* computed in: a wider one where there are no kernels */
  DType made;    /* what those give, */
  DType result;  /* and what the result is rounded to */
  DType beside;  /* what numbers stand beside: see tide_dtypebeside */
  bool mixed;    /* see tide_mixedop: uint64 is taken as it is */
} BinaryTypes;

/*
** Comparing signed integers with uint64: no dtype has all numbers of both, so
** there are kernels for int64 with uint64. Which operation of BinaryOp does it
** for x and y, where the signed one comes first then; -1: x and y are others.
*/
int tide_mixedop (BinaryOp op, DType x, DType y);

/*
** Comparing integers x with a number that their dtype does not have: what holds
** for all of them. 'side': where the number is, see tide_outside; the other way
** round if the number comes first.
*/
bool tide_holdsoutside (BinaryOp op, int side);

/* What does an operation on 't': fmax and fmin of what has no NaN are maximum
** and minimum. */
BinaryOp tide_opof (BinaryOp op, DType t);

/* The types of an operation whose operands have 't' in common; raises if it is
** undefined for them. */
BinaryTypes tide_binarytypes (lua_State *L, BinaryOp op, DType t);

/* Those of ldexp, whose second operand has 'n': it is whole, and x keeps its
** own dtype whatever n is. Raises if it is undefined for them. */
BinaryTypes tide_ldexptypes (lua_State *L, DType x, DType n);

/* What an operation of one operand of 't' computes in; raises if undefined. */
DType tide_unarydtype (lua_State *L, UnaryOp op, DType t);

/* The dtype of the result of what was computed in a wider type, or in 't'. */
DType tide_narrowed (DType result, DType t);

/* Is it conj, real or imag of numbers that are real? */
bool tide_isreal (UnaryOp op, DType t);

/* Does a function that rounds leave elements of that type as they are? */
bool tide_iswhole (UnaryOp op, DType t);

#endif
