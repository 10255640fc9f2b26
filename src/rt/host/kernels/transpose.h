/* transpose.h - how a transposition is cut into parts that workers do side by
** side: lines of tiles. See transpose.c. */
#ifndef TIDE_RT_HOST_KERNELS_TRANSPOSE_H
#define TIDE_RT_HOST_KERNELS_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/geometry.h"

#define TRANSPOSE_LINE 64  /* bytes of a tile's rows and columns */

/* Tiles one below the other, for rows of elements of 'size' bytes. */
static inline size_t host_transposelines (int64_t rows, size_t size) {
  const size_t tile = TRANSPOSE_LINE / size;
  return ((size_t)rows + tile - 1) / tile;
}

/* In all planes. */
static inline size_t host_transposeparts (const Geometry *g, size_t size) {
  size_t parts = host_transposelines(g->shape[g->ndim - 2], size);
  for (int d = 0; d < g->ndim - 2; d++)
    parts *= (size_t)g->shape[d];
  return parts;
}

#endif
