/* strides.h - kernels over operands of any strides. See strides.c. */
#ifndef TIDE_OPS_STRIDES_H
#define TIDE_OPS_STRIDES_H

#include "array/layout.h"

/*
** Pushes an operand that can be read while 'z' is written: 'x' itself, at
** 'arg', or a copy if they overlap without being the same view.
*/
Array *stride_push_safe (lua_State *L, RtStream *s, const Array *z, int arg,
                         Array *x);

/*
** Replaces operands of z = op(x, y) that are faster to read in another order
** than z's by dense copies, which stay on the stack. NULL: there is no such
** array.
*/
void stride_reorder (lua_State *L, RtStream *s, Array *z, Array **x, Array **y);

/* Tells whether z may be written before the last operation of a call. The call
** may begin again then, so z must share no memory with the arguments 1 and 2.
*/
bool stride_is_scratch (lua_State *L, const Array *z);

/* Queues z = op(x, y). 'number' takes the place of x or y if that is NULL. */
void stride_binary (lua_State *L, RtStream *s, KernelId id, const Sides side,
                    void *number);
void stride_unary (lua_State *L, RtStream *s, KernelId id, Array *z, Array *x);

#endif
