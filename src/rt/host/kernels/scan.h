/*
** scan.h - how the host device goes about running folds; kernels/scan.cuh says
** what they compute. Chunks and the order in which they are folded are the
** same; inside a chunk the elements are folded one after the other, SCAN_LANES
** neighbouring lines at a time.
*/
#ifndef TIDE_RT_HOST_KERNELS_SCAN_H
#define TIDE_RT_HOST_KERNELS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define SCAN_LANES 64

/* Chunks of neighbouring lines, and where in the table of sums they stand. */
typedef struct Chunk {
  size_t from, len, sum;
  size_t lanes;  /* how many */
  bool goes_on;  /* is there one before it? */
} Chunk;

static inline Chunk chunk_of (size_t g, size_t n, size_t inner,
                              size_t chunk, size_t chunks) {
  size_t j = g % inner, c = g / inner % chunks, outer = g / inner / chunks;
  size_t at = c * chunk, left = n - at;
  return (Chunk){(outer * n + at) * inner + j, left < chunk ? left : chunk,
                 (outer * inner + j) * chunks + c,
                 inner - j < SCAN_LANES ? inner - j : SCAN_LANES, c > 0};
}

#endif
