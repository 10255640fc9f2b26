/*
** op_dtypes.h - the dtypes that elementwise operations take, and in which they
** compute. See op_dtypes.c.
*/
#ifndef TIDE_OPS_OP_DTYPES_H
#define TIDE_OPS_OP_DTYPES_H

#include "base/state.h"
#include "rt/kernels/kernels.h"

/* The dtypes of an operation of two operands. */
typedef struct BinaryTypes {
  DType own;    /* the operands are converted to this, and then */
  DType in;     /* computed in this: a wider one if there are no kernels */
  DType made;   /* the kernel's results, */
  DType result; /* rounded to this */
  DType beside; /* of numbers: see dtype_beside */
  bool mixed;   /* see op_dtype_mixed_op: uint64 is not converted */
} BinaryTypes;

/*
** Comparing signed integers with uint64: no dtype has all numbers of both, so
** there are kernels for int64 with uint64. Returns the operation of BinaryOp
** for x and y, with the signed one first; -1 for other dtypes.
*/
int op_dtype_mixed_op (BinaryOp op, DType x, DType y);

/*
** Comparing integers x with a number that their dtype does not have: returns
** the result, which is the same for all x. 'side' says where the number is, see
** dtype_outside; negate it if the number comes first.
*/
bool op_dtype_outside (BinaryOp op, int side);

/* Returns the operation to use for 't': fmax and fmin are maximum and minimum
** for dtypes without NaN; of bools these, + and * are or and and. */
BinaryOp op_dtype_op (BinaryOp op, DType t);

/* Returns the types of an operation whose operands have the common dtype 't'.
** Raises if it is undefined for them. */
BinaryTypes op_dtype_binary (lua_State *L, BinaryOp op, DType t);

/* Returns the types of ldexp, whose second operand has dtype 'n': integers. x
** keeps its own dtype for any n. Raises if it is undefined for them. */
BinaryTypes op_dtype_ldexp (lua_State *L, DType x, DType n);

/* Returns the dtype in which a unary operation on 't' computes. Raises if it is
** undefined. */
DType op_dtype_unary (lua_State *L, UnaryOp op, DType t);

/* Returns the dtype of a result that was computed in a wider type, or in
** 't'. */
DType op_dtype_narrow (DType result, DType t);

/* Tells whether it is conj, real or imag of real numbers. */
bool op_dtype_is_real (UnaryOp op, DType t);

/* Tells whether it is a rounding function and leaves such elements
** unchanged. */
bool op_dtype_is_whole (UnaryOp op, DType t);

#endif
