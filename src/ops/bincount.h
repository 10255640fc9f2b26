/* bincount.h - counts of integers. See bincount.c. */
#ifndef TIDE_OPS_BINCOUNT_H
#define TIDE_OPS_BINCOUNT_H

#include "array/array.h"

/* Pushes, as int64, how often each of 'bins' integers from 'base' on occurs in
** the array at 'x'. Returns the index. */
int bincount_push (lua_State *L, RtStream *s, int x, int64_t bins,
                   int64_t base);

/* Pushes the sums, in float64, of the weights at 'w', one for each element. */
int bincount_push_sums (lua_State *L, RtStream *s, int x, int w, int64_t bins,
                        int64_t base);

/* Queues a kernel of kernels/count.cu, which adds to the counts z: enough
** blocks for n elements of x. */
void bincount_launch (lua_State *L, RtStream *s, Op *op, const char *name,
                      const Array *x, void **params);

#endif
