/* elementwise_launch.h - launches of elementwise operations, whose operands
** have the kernel's types. See elementwise_launch.c. */
#ifndef TIDE_OPS_ELEMENTWISE_LAUNCH_H
#define TIDE_OPS_ELEMENTWISE_LAUNCH_H

#include "array/dtype.h"
#include "array/geometry.h"
#include "rt/kernels/kernels.h"

/* One operand: an array's pointer, or a scalar of the operation's type. */
typedef struct Operand {
  Array *array;  /* NULL: a scalar */
  Element value; /* its pointer, or the scalar */
} Operand;

/* Queue z = op(x, y), computed in 't', and z = op(x). An operand that overlaps
** z is the same view. */
void tide_launchbinary (lua_State *L, RtStream *s, BinaryOp op, DType t,
                        Array *z, Operand *x, Operand *y);
void tide_launchunary (lua_State *L, RtStream *s, UnaryOp op, Array *z,
                       Array *x);

/* elementwise.c: queues z = op(x), rounded if z is narrower than the result of
** the operation; x, at 'at', may overlap z. */
void tide_mapunary (lua_State *L, RtStream *s, UnaryOp op, int at, Array *x,
                    Array *z);

#endif
