/*
** compact.c - the host kernels of kernels/compact.cu, which defines their
** results. Tiles are independent, because each one's first place is known.
*/
#include "host_kernels.h"

#include "kernels/ops.h"
#include "kernels/types.h"

#define TILES(n) (((n) + COMPACT_TILE - 1) / COMPACT_TILE)
#define END_OF(tile, n) \
  ((n) - (tile)*COMPACT_TILE < COMPACT_TILE ? (n) : ((tile) + 1) * COMPACT_TILE)

WIDE HOST_KERNEL (true_counts) {
  PARAM(0, int64_t *, z);
  PARAM(1, const uint8_t *, c);
  PARAM(2, size_t, n);
  SPAN(TILES(n));
  (void)grid;
  for (size_t t = first; t < last; t++) {
    const size_t end = END_OF(t, n);
    unsigned count = 0;
    for (size_t i = t * COMPACT_TILE; i < end; i++)
      count += c[i] != 0;
    z[t] = count;
  }
}

/* Does 'move' for each element i with the place that it has if it is true.
** There is no branch, because it would be unpredictable: later elements
** overwrite false ones. It ends at the last true element with a place below
** 'most'. */
#define COMPACT(most, move) \
  SPAN(TILES(n)); \
  (void)grid; \
  for (size_t t = first; t < last; t++) { \
    const size_t all = (size_t)ends[t], end = all < most ? all : most; \
    size_t place = t > 0 ? (size_t)ends[t - 1] : 0; \
    for (size_t i = t * COMPACT_TILE; place < end; i++) { \
      move; \
      place += c[i] != 0; \
    } \
  }

HOST_KERNEL(true_places) {
  PARAM(0, int64_t *, z);
  PARAM(1, const uint8_t *, c);
  PARAM(2, const int64_t *, ends);
  PARAM(3, int64_t, room);
  PARAM(4, size_t, n);
  COMPACT((size_t)room, z[place] = (int64_t)i + 1)
}

#define PICKED(b) \
  HOST_KERNEL(pick_##b) { \
    PARAM(0, t_##b *, z); \
    PARAM(1, const t_##b *, x); \
    PARAM(2, const uint8_t *, c); \
    PARAM(3, const int64_t *, ends); \
    PARAM(4, int64_t, room); \
    PARAM(5, size_t, n); \
    COMPACT((size_t)room, z[place] = x[i]) \
  }
SET_WIDTH(PICKED)

#define STREW(b) \
  HOST_KERNEL(strew_##b) { \
    PARAM(0, t_##b *, z); \
    PARAM(1, const uint8_t *, c); \
    PARAM(2, const int64_t *, ends); \
    PARAM(3, const t_##b *, v); \
    PARAM(4, size_t, vn); \
    PARAM(5, size_t, n); \
    PARAM(6, int64_t *, bad); \
    if (bad != NULL && (size_t)ends[TILES(n) - 1] != vn) \
      SET_WORD(bad, ends[TILES(n) - 1] + 1); \
    COMPACT(vn, z[i] = c[i] != 0 ? v[place] : z[i]) \
  }
SET_WIDTH(STREW)
