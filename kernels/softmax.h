/*
** softmax.h - how the work of softmax is cut up: for softmax.cu, and for who
** launches it. Valid C and CUDA C++.
**
** x is [outer, n, inner]. Where inner is 1 a row is held by the threads that
** share it, each with up to SOFTMAX_HELD elements as what is computed with, so
** there is a longest row; else each column is one thread's.
*/
#ifndef TIDE_SOFTMAX_H
#define TIDE_SOFTMAX_H

#include "axis.h"

/* Elements of a thread, of 'bytes' as they are computed with. */
#define SOFTMAX_HELD(bytes) (64 / (bytes))

/* Threads of a block for rows of n elements. */
AXIS_FN unsigned softmax_block (size_t n, size_t bytes) {
  return n > SOFTMAX_BLOCK * SOFTMAX_HELD(bytes) ? SOFTMAX_MOST
                                                 : SOFTMAX_BLOCK;
}

/* Those that share a row: some of a warp, or all of a block. */
AXIS_FN unsigned softmax_group (size_t n, size_t bytes) {
  return n > 32 * SOFTMAX_HELD(bytes) ? softmax_block(n, bytes)
                                      : axis_power((n + 7) / 8, 32);
}

#endif
