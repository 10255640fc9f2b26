/* strided.h - kernels over operands of any strides. See strided.c. */
#ifndef TIDE_OPS_STRIDED_H
#define TIDE_OPS_STRIDED_H

#include "array/geometry.h"

/*
** Pushes an operand that can be read while 'z' is written: 'x' itself, at
** 'arg', or a copy if they overlap without being the same view.
*/
Array *tide_pushapart (lua_State *L, RtStream *s, const Array *z, int arg,
                       Array *x);

/*
** Replaces operands of z = op(x, y) that are faster to read in another order
** than z's by dense copies, which stay on the stack. NULL: there is no such
** array.
*/
void tide_straighten (lua_State *L, RtStream *s, Array *z, Array **x,
                      Array **y);

/* Tells whether z may be written before the last operation of a call. The call
** may begin again then, so z must share no memory with the arguments 1 and 2.
*/
bool tide_isscratch (lua_State *L, const Array *z);

/* Queues z = op(x, y). 'number' takes the place of x or y if that is NULL. */
void tide_stridedbinary (lua_State *L, RtStream *s, KernelId id,
                         const Sides side, void *number);
void tide_stridedunary (lua_State *L, RtStream *s, KernelId id, Array *z,
                        Array *x);

#endif
