/*
** count.h - the number of parts of a count: see count.c.
*/
#ifndef TIDE_RT_HOST_KERNELS_COUNT_H
#define TIDE_RT_HOST_KERNELS_COUNT_H

#include <stddef.h>

/* The most bins of counters on the stack, and the elements that are worth a
** part. */
#define COUNT_APART 2048
#define COUNT_PART ((size_t)1 << 16)

/* Returns the number of parts in which n elements are counted. */
static inline size_t count_nparts (size_t n, size_t bins) {
  return bins <= COUNT_APART ? n / COUNT_PART : 1;
}

#endif
