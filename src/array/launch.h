/* launch.h - launches of built-in kernels. See launch.c. */
#ifndef TIDE_ARRAY_LAUNCH_H
#define TIDE_ARRAY_LAUNCH_H

#include "array.h"
#include "dtype.h"

/* Queues a built-in kernel as 'op', which has the accesses: a grid of blocks of
** as many threads as the kernel takes at most. Raises. */
void tide_launch (lua_State *L, RtStream *s, Op *op, KernelId id,
                  unsigned grid, void **params);
/* With the check at that index; 0: it has none. */
void tide_launchchecked (lua_State *L, RtStream *s, Op *op, KernelId id,
                         unsigned grid, void **params, int check);
/* A grid of blocks of so many threads. */
void tide_launchblocks (lua_State *L, RtStream *s, Op *op, KernelId id,
                        unsigned grid, unsigned block, void **params);

/* An operand of a launch: adds its access, and returns its address. */
CUdeviceptr tide_reads (Op *op, const Array *a);
CUdeviceptr tide_writes (Op *op, const Array *a);

/* create.c: queues z[i] = first + i*step, of a dense array of a dtype that has
** such a kernel; of integers 'step' is an int64. */
void tide_arange (lua_State *L, RtStream *s, Array *z, Element first,
                  Element step);

#endif
