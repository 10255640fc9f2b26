/* strided.h - kernels over operands of any strides. See strided.c. */
#ifndef TIDE_OPS_STRIDED_H
#define TIDE_OPS_STRIDED_H

#include "array/geometry.h"

/*
** Pushes an operand that can be read while 'z' is written: 'x' itself, which is
** at 'arg', or a copy where they overlap without being the same view.
*/
Array *tide_pushapart (lua_State *L, RtStream *s, const Array *z, int arg,
                       Array *x);

/*
** Operands of z = op(x, y) that would rather be read in another order than z is
** written in: dense copies, which stay on the stack, take their places. NULL:
** there is no such array.
*/
void tide_straighten (lua_State *L, RtStream *s, Array *z, Array **x,
                      Array **y);

/* May z be written to before the last operation of a call? The call may begin
** again then, so it must have no memory in common with the arguments 1 and 2.
*/
bool tide_isscratch (lua_State *L, const Array *z);

/* Queues z = op(x, y): x or y is NULL, and then 'number'. */
void tide_stridedbinary (lua_State *L, RtStream *s, KernelId id,
                         const Sides side, void *number);
void tide_stridedunary (lua_State *L, RtStream *s, KernelId id, Array *z,
                        Array *x);

#endif
