/* strided.h - kernels over operands of any strides. See strided.c. */
#ifndef TIDE_STRIDED_H
#define TIDE_STRIDED_H

#include "geometry.h"

/*
** Pushes an operand that can be read while 'z' is written: 'x' itself, which is
** at 'arg', or a copy where they overlap without being the same view.
*/
Array *tide_pushapart (lua_State *L, RtStream *s, const Array *z, int arg,
                       Array *x);

/* Queues z = op(x, y): x or y is NULL, and then 'number'. */
void tide_stridedbinary (lua_State *L, RtStream *s, KernelId id,
                         const Sides side, void *number);
void tide_stridedunary (lua_State *L, RtStream *s, KernelId id, Array *z,
                        Array *x);

/* Queues z = x, broadcast; or z = number where x is NULL. z has elements. */
void tide_stridedcopy (lua_State *L, RtStream *s, Array *z, Array *x,
                       void *number);

/* tide_stridedcopy as an operation called 'name', on the C stack of the caller,
** who queues it. */
typedef struct CopyOp {
  Op op;
  Geometry g;
  Places at;
  void *params[4];
} CopyOp;
Status tide_startcopy (CopyOp *c, const Array *z, const Array *x,
                       void *number, const char *name);

#endif
