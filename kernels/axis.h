/*
** axis.h - how the work of a reduction along an axis is divided: for axis.cuh,
** and for its launches. Valid C and CUDA C++.
**
** x is [outer, n, inner], and n is reduced, in 'chunks' parts if there are too
** few results to keep a GPU busy. The division depends on the shape alone, so
** that sums of floats come out the same every time.
*/
#ifndef TIDE_AXIS_H
#define TIDE_AXIS_H

#include <stddef.h>

#include "types.h"

#if defined(__CUDACC__)
#define AXIS_FN static __host__ __device__ __forceinline__
#else
#define AXIS_FN static inline
#endif

/* For inner = 1: */
#define AXIS_TEAM 256  /* threads of a block: all for a long row, or for several
                          shorter ones */
#define AXIS_LONG 2048 /* elements; a row of more is long */
#define AXIS_PACKS 4   /* packs of a thread in a shorter row; more if a warp
                          is not enough */
#define AXIS_ROWS 4    /* rows of a thread, if each row is one pack */

/* For inner > 1: */
#define AXIS_LANES 32  /* most packs of columns of a block */
#define AXIS_SINGLE 32 /* most columns of a block, if they are not in packs */
#define AXIS_DEEP 4    /* least number of rows of a thread */

/* Returns the first element of part b, if 'parts' share n of them evenly. */
AXIS_FN size_t axis_first (size_t b, size_t parts, size_t n) {
  size_t extra = n % parts;
  return b * (n / parts) + (b < extra ? b : extra);
}

/* Returns the least power of two that is at least n; 'most', a power of two, is
** the limit. */
AXIS_FN unsigned axis_power (size_t n, unsigned most) {
  unsigned p = 1;
  while (p < n && p < most)
    p *= 2;
  return p;
}

/* Returns how many threads share a result of n parts: at most a warp, or all of
** a block. */
AXIS_FN unsigned axis_sharers (size_t n, unsigned block) {
  return n > 32 ? block : axis_power(n, 32);
}

/* For inner = 1: returns how many threads share a row of n elements. */
AXIS_FN unsigned axis_group (size_t n, unsigned pack) {
  return n > AXIS_LONG ? AXIS_TEAM : axis_power(n / pack / AXIS_PACKS, 32);
}

/* For inner > 1: returns the columns of a thread, in packs of 'pack'; and the
** number of threads that are next to each other. The others of a block take
** other rows. */
AXIS_FN unsigned axis_columns (size_t inner, unsigned pack) {
  return inner % pack == 0 ? pack : 1;
}

AXIS_FN unsigned axis_lanes (size_t inner, unsigned pack) {
  unsigned columns = axis_columns(inner, pack);
  return axis_power(inner / columns, columns > 1 ? AXIS_LANES : AXIS_SINGLE);
}

/* Returns how many threads share a column. For short columns a block has
** several tiles. */
AXIS_FN unsigned axis_rows (size_t n, unsigned lanes) {
  return axis_power((n + AXIS_DEEP - 1) / AXIS_DEEP, AXIS_BLOCK / lanes);
}

/* Returns the number of blocks for which there is work. */
AXIS_FN size_t axis_tiles (size_t outer, size_t n, size_t inner,
                           unsigned pack) {
  size_t width, teams;
  unsigned lanes;
  if (inner == 1)
    return (outer * axis_group(n, pack) + AXIS_TEAM - 1) / AXIS_TEAM;
  lanes = axis_lanes(inner, pack);
  width = inner / axis_columns(inner, pack);
  teams = AXIS_BLOCK / (lanes * axis_rows(n, lanes));
  return (outer * ((width + lanes - 1) / lanes) + teams - 1) / teams;
}

#endif
