/*
** rows.h - how whole-row sorts are shared out: see rows.c.
*/
#ifndef TIDE_RT_HOST_KERNELS_ROWS_H
#define TIDE_RT_HOST_KERNELS_ROWS_H

#include <stddef.h>

/* Rows that one job sorts at least: as many as lie side by side. */
#define ROWS_TOGETHER 8

static inline size_t row_parts (size_t rows) {
  return rows / ROWS_TOGETHER + (rows % ROWS_TOGETHER != 0);
}

/* Returns the weight of sorting n elements of rows, in elements of a plain
** loop. */
static inline size_t row_work (size_t n, size_t rows) { return 8 * n * rows; }

#endif
