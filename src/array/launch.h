/* launch.h - launches of built-in kernels. See launch.c. */
#ifndef TIDE_ARRAY_LAUNCH_H
#define TIDE_ARRAY_LAUNCH_H

#include "array.h"
#include "dtype.h"

/* Queues a built-in kernel as 'op', which has the accesses: a grid of blocks
** with as many threads as the kernel takes at most. Raises. */
void launch_kernel (lua_State *L, RtStream *s, Op *op, KernelId id,
                    unsigned grid, void **params);
/* launch_kernel with the check at that index; 0: no check. */
void launch_checked (lua_State *L, RtStream *s, Op *op, KernelId id,
                     unsigned grid, void **params, int check);
/* launch_kernel with a grid of blocks of so many threads. */
void launch_blocks (lua_State *L, RtStream *s, Op *op, KernelId id,
                    unsigned grid, unsigned block, void **params);

/* Adds the access of an operand of a launch, and returns its address. */
CUdeviceptr launch_reads (Op *op, const Array *a);
CUdeviceptr launch_writes (Op *op, const Array *a);

/* create.c: queues z[i] = first + i*step for a dense array of a dtype with such
** a kernel; for integers 'step' is an int64. */
void launch_arange (lua_State *L, RtStream *s, Array *z, Element first,
                    Element step);

#endif
