/* transpose.h - cuts a transposition into parts for several workers: lines of
** tiles. See transpose.c. */
#ifndef TIDE_RT_HOST_KERNELS_TRANSPOSE_H
#define TIDE_RT_HOST_KERNELS_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/geometry.h"

#define TRANSPOSE_LINE 64 /* bytes of a tile's rows and columns */

/* Returns the number of tiles in a column, for rows of elements of 'size'
** bytes. */
static inline size_t transpose_lines (int64_t rows, size_t size) {
  const size_t tile = TRANSPOSE_LINE / size;
  return ((size_t)rows + tile - 1) / tile;
}

/* Returns the number of lines of tiles in all planes. */
static inline size_t transpose_parts (const Geometry *g, size_t size) {
  size_t parts = transpose_lines(g->shape[g->ndim - 2], size);
  for (int d = 0; d < g->ndim - 2; d++)
    parts *= (size_t)g->shape[d];
  return parts;
}

/* Returns the number of elements of all tiles, also of those that are not
** whole. */
static inline size_t transpose_work (const Geometry *g, size_t size) {
  return transpose_parts(g, size) * (size_t)g->shape[g->ndim - 1] *
         (TRANSPOSE_LINE / size);
}

#endif
