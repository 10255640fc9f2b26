/*
** scan.h - the loops of scans on the host device; kernels/scan.cuh defines
** their results. Chunks and the order in which they are folded are the same.
** Inside a chunk the elements are folded one after the other, SCAN_LANES
** neighbouring lines at a time.
*/
#ifndef TIDE_RT_HOST_KERNELS_SCAN_H
#define TIDE_RT_HOST_KERNELS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define SCAN_LANES 64

/* Chunks of neighbouring lines, and their place in the table of sums. */
typedef struct Chunk {
  size_t from, len, sum;
  size_t lanes; /* how many */
  bool goes_on; /* another chunk comes before it */
} Chunk;

/* Returns the number of groups of SCAN_LANES neighbouring lines. */
static inline size_t scan_tiles (size_t inner) {
  return (inner + SCAN_LANES - 1) / SCAN_LANES;
}

/* Returns the number of independent chunks of so many lines. */
static inline size_t scan_parts (size_t inner, size_t chunks, size_t lines) {
  return lines / inner * chunks * scan_tiles(inner);
}

static inline Chunk scan_chunk (size_t part, size_t n, size_t inner,
                                size_t chunk, size_t chunks) {
  size_t tiles = scan_tiles(inner), j = part % tiles * SCAN_LANES;
  size_t c = part / tiles % chunks, outer = part / tiles / chunks;
  size_t at = c * chunk, left = n - at;
  return (Chunk){(outer * n + at) * inner + j, left < chunk ? left : chunk,
                 (outer * inner + j) * chunks + c,
                 inner - j < SCAN_LANES ? inner - j : SCAN_LANES, c > 0};
}

#endif
