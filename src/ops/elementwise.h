/* elementwise.h - launches of elementwise operations, whose operands
** have the kernel's types. See elementwise_launch.c. */
#ifndef TIDE_OPS_ELEMENTWISE_H
#define TIDE_OPS_ELEMENTWISE_H

#include "array/dtype.h"
#include "array/layout.h"
#include "rt/kernels/kernels.h"

/* One operand: an array's pointer, or a scalar of the operation's type. */
typedef struct Operand {
  Array *array;  /* NULL: a scalar */
  Element value; /* its pointer, or the scalar */
} Operand;

/* Queue z = op(x, y), computed in 't', and z = op(x). An operand that overlaps
** z is the same view. */
void elementwise_binary (lua_State *L, RtStream *s, BinaryOp op, DType t,
                         Array *z, Operand *x, Operand *y);
void elementwise_unary (lua_State *L, RtStream *s, UnaryOp op, Array *z,
                        Array *x);

/* elementwise.c: queues z = op(x), rounded if z is narrower than the result of
** the operation; x, at 'at', may overlap z. */
void elementwise_map (lua_State *L, RtStream *s, UnaryOp op, int at, Array *x,
                      Array *z);

#endif
