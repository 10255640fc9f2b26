/*
** op_dtypes.c - the dtypes that the elementwise operations of kernels/table.lua
** take, and in which they compute.
*/
#include "op_dtypes.h"

#include "array/dtype.h"
#include "base/error.h"
#include "rt/kernels/kernels.h"

static const char *const binary_names[] = {
#define BINARY(op) #op,
#include "rt/kernels/operations.def"
};

static const char *const unary_names[] = {
#define UNARY(op) #op,
#include "rt/kernels/operations.def"
};

/* {== signed integers with uint64 ===================================== */

/* For each operation, one plus the operation for an int64 x with a uint64 y,
** and one plus that for swapped x and y; 0: there is none. */
static const int8_t mixed[BINARY_COUNT][2] = {
#define PAIR(op, other) \
  [BINARY_##op] = {1 + BINARY_##op##_mixed, 1 + BINARY_##other##_mixed}
  PAIR(lt, gt), PAIR(le, ge), PAIR(gt, lt), PAIR(ge, le),
  PAIR(eq, eq), PAIR(ne, ne)
#undef PAIR
};

static bool is_signed (DType t) {
  return dtype_kind(t) == KIND_INTEGER && !dtype_is_unsigned(t);
}

int op_dtype_mixed_op (BinaryOp op, DType x, DType y) {
  return (is_signed(x) && y == DTYPE_UINT64)   ? mixed[op][0] - 1
         : (x == DTYPE_UINT64 && is_signed(y)) ? mixed[op][1] - 1
                                               : -1;
}

/* ==} */

bool op_dtype_outside (BinaryOp op, int side) {
  return (op == BINARY_ne) ||
         ((op == BINARY_lt || op == BINARY_le) && side > 0) ||
         ((op == BINARY_gt || op == BINARY_ge) && side < 0);
}

/* Returns the operands' dtype: true division and others need floats, logic
** needs bools. */
static DType operand_dtype (BinaryOp op, DType t) {
  if (kernel_binary_dtype(op, DTYPE_INT64) >= 0)
    return t;
  if (kernel_binary_dtype(op, DTYPE_BOOL) >= 0)
    return DTYPE_BOOL;
  return (dtype_kind(t) < KIND_FLOAT) ? DTYPE_FLOAT64 : t;
}

/* Returns a hint for an operation that is undefined for floats. The arguments
** are its result dtypes for bools, integers and floats, or negative. */
static const char *wanted (int of_bool, int of_integer, int of_float) {
  if (of_integer < 0 || of_float >= 0)
    return "";
  return (of_bool < 0) ? ": operands must be integers"
                       : ": operands must be integers or bool";
}

static BinaryOp of_bools (BinaryOp op) {
  switch (op) {
    case BINARY_maximum:
    case BINARY_fmax:
    case BINARY_add: return BINARY_bor;
    case BINARY_minimum:
    case BINARY_fmin:
    case BINARY_mul: return BINARY_band;
    default: return op;
  }
}

BinaryOp op_dtype_op (BinaryOp op, DType t) {
  if (t == DTYPE_BOOL)
    return of_bools(op);
  if (dtype_kind(t) >= KIND_FLOAT)
    return op;
  return (op == BINARY_fmax)   ? BINARY_maximum
         : (op == BINARY_fmin) ? BINARY_minimum
                               : op;
}

BinaryTypes op_dtype_binary (lua_State *L, BinaryOp op, DType t) {
  BinaryTypes types = {t, t, t, t, t, false};
  int made = kernel_binary_dtype(op, t);
  if (made < 0) {
    types.own = operand_dtype(op, t);
    types.in = types.own;
    made = kernel_binary_dtype(op, types.in);
  }
  if (made < 0) {
    types.in = kernel_wider(types.own);
    made = kernel_binary_dtype(op, types.in);
  }
  if (made < 0)
    error_raise(L, "'%s' is not defined for %s arrays%s", binary_names[op],
                dtype_name(types.own),
                wanted(kernel_binary_dtype(op, DTYPE_BOOL),
                       kernel_binary_dtype(op, DTYPE_INT64),
                       kernel_binary_dtype(op, DTYPE_FLOAT64)));
  types.made = (DType)made;
  types.result = op_dtype_narrow(types.made, types.own);
  return types;
}

/* Exponents may not fit in 16 bits: they are converted to the dtype of the
** computation. */
BinaryTypes op_dtype_ldexp (lua_State *L, DType x, DType n) {
  if (dtype_kind(n) >= KIND_FLOAT)
    error_raise(L,
                "'ldexp' is not defined for exponents of %s: they must be "
                "integers",
                dtype_name(n));
  BinaryTypes t = op_dtype_binary(L, BINARY_ldexp, x);
  t.own = t.beside = t.in;
  return t;
}

DType op_dtype_narrow (DType result, DType t) {
  return (result == kernel_wider(t)) ? t : result;
}

/* Functions of floats convert other dtypes to float64. */
DType op_dtype_unary (lua_State *L, UnaryOp op, DType t) {
  DType own = t;
  if (kernel_unary_dtype(op, t) < 0 && dtype_kind(t) < KIND_FLOAT &&
      kernel_unary_dtype(op, DTYPE_INT64) < 0)
    t = DTYPE_FLOAT64;
  if (kernel_unary_dtype(op, t) < 0)
    t = kernel_wider(t);
  if (kernel_unary_dtype(op, t) < 0)
    error_raise(L, "'%s' is not defined for %s arrays%s", unary_names[op],
                dtype_name(own),
                wanted(kernel_unary_dtype(op, DTYPE_BOOL),
                       kernel_unary_dtype(op, DTYPE_INT64),
                       kernel_unary_dtype(op, DTYPE_FLOAT64)));
  return t;
}

bool op_dtype_is_real (UnaryOp op, DType t) {
  return dtype_kind(t) != KIND_COMPLEX &&
         (op == UNARY_conj || op == UNARY_real || op == UNARY_imag);
}

/* Bools and integers have nothing to round. */
bool op_dtype_is_whole (UnaryOp op, DType t) {
  return (op == UNARY_floor || op == UNARY_ceil || op == UNARY_trunc ||
          op == UNARY_round) &&
         kernel_unary_dtype(UNARY_bnot, t) >= 0;
}
