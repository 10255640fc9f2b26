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

/* How often SCAN_LANES lines have to be taken of those next to each other. */
static inline size_t host_scantiles (size_t inner) {
  return (inner + SCAN_LANES - 1) / SCAN_LANES;
}

/* Chunks of so many lines that there are; none waits for another one. */
static inline size_t host_scanparts (size_t inner, size_t chunks,
                                     size_t lines) {
  return lines / inner * chunks * host_scantiles(inner);
}

static inline Chunk chunk_of (size_t part, size_t n, size_t inner,
                              size_t chunk, size_t chunks) {
  size_t tiles = host_scantiles(inner), j = part % tiles * SCAN_LANES;
  size_t c = part / tiles % chunks, outer = part / tiles / chunks;
  size_t at = c * chunk, left = n - at;
  return (Chunk){(outer * n + at) * inner + j, left < chunk ? left : chunk,
                 (outer * inner + j) * chunks + c,
                 inner - j < SCAN_LANES ? inner - j : SCAN_LANES, c > 0};
}

#endif
