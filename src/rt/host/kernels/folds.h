/*
** folds.h - how the host device folds an array to one element, and columns
** side by side: constants of the loops that kernels/generate.lua makes.
*/
#ifndef TIDE_RT_HOST_KERNELS_FOLDS_H
#define TIDE_RT_HOST_KERNELS_FOLDS_H

#include "kernels/axis.h"
#include "rt/host/bytes.h"
#include "strided.h"

/*
** Independent accumulators of a fold: enough to hide the latency of its
** operation and to fill vector registers; and those of a short fold.
*/
#define LANES(A) ((int)(sizeof(A) > 8 ? 16 : sizeof(A) > 4 ? 32 : 64))
#define LANES_FEW 8

/* Returns elements 'at' to 'at' + n, which are 'apart' from each other, as a
** run: in place if they are a run, else moved to 'room'. */
static inline const void *fold_run (void *room, const void *x, size_t at,
                                    size_t n, int64_t apart, size_t size) {
  const char *from = (const char *)x + (int64_t)at * apart * (int64_t)size;
  if (apart == 1)
    return from;
  strided_gather(room, from, n, apart, size);
  return room;
}

/* Columns that are folded side by side: their accumulators stay in the first
** cache. A row of columns is cut into such tiles, which are independent. */
#define COLUMNS 512

static inline size_t fold_column_tiles (size_t inner) {
  return (inner + COLUMNS - 1) / COLUMNS;
}

/* Elements folded before a test whether the result is known already. */
#define STOP_BLOCK 1024

/* Elements in which the first match is searched for at a time. */
#define FIND_BLOCK 4096

/* Elements compared together within a block that has a match. */
#define FIND_STEP 32

#endif
