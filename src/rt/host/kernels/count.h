/*
** count.h - into how many parts counts are cut: see count.c.
*/
#ifndef TIDE_RT_HOST_KERNELS_COUNT_H
#define TIDE_RT_HOST_KERNELS_COUNT_H

#include <stddef.h>

/* Bins of which a part of a launch has counters of its own, and elements that
** are worth them. */
#define COUNT_APART 2048
#define COUNT_PART ((size_t)1 << 16)

/* Parts that n elements may be counted in apart. */
static inline size_t host_countparts (size_t n, size_t bins) {
  return bins <= COUNT_APART ? n / COUNT_PART : 1;
}

#endif
