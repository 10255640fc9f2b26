/*
** softmax.h - how the work of softmax is divided: for softmax.cu, and for its
** launches. Valid C and CUDA C++.
**
** x is [outer, n, inner]. If inner is 1 the threads that share a row hold it,
** each up to SOFTMAX_HELD elements in the type of the computation, so there is
** a longest row. Else a thread has a column.
*/
#ifndef TIDE_SOFTMAX_H
#define TIDE_SOFTMAX_H

#include "axis.h"

/* Elements of a thread, of 'bytes' in the type of the computation. */
#define SOFTMAX_HELD(bytes) (64 / (bytes))

/* Returns the threads of a block for rows of n elements. */
AXIS_FN unsigned softmax_block (size_t n, size_t bytes) {
  return n > SOFTMAX_BLOCK * SOFTMAX_HELD(bytes) ? SOFTMAX_MOST
                                                 : SOFTMAX_BLOCK;
}

/* Returns the threads that share a row: some of a warp, or all of a block. */
AXIS_FN unsigned softmax_group (size_t n, size_t bytes) {
  return n > 32 * SOFTMAX_HELD(bytes) ? softmax_block(n, bytes)
                                      : axis_power((n + 7) / 8, 32);
}

#endif
