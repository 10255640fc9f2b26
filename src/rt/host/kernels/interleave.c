/*
** interleave.c - the host kernels of kernels/interleave.cu, which defines their
** results. If columns fill a row its length is a constant for the compiler.
*/
#include "host_kernels.h"

#include "kernels/types.h"

#define ROWS(row, K) \
  do { \
    INDEPENDENT \
    for (size_t i = first; i < last; i++) \
      for (size_t j = 0; j < (K); j++) \
        z[i * (row) + j] = x[j][i]; \
  } while (0)

#define INTERLEAVE(b) \
  WIDE HOST_KERNEL(interleave_##b) { \
    PARAM(0, t_##b *, z); \
    const t_##b *x[INTERLEAVE_MOST]; \
    for (size_t j = 0; j < INTERLEAVE_MOST; j++) \
      memcpy(&x[j], params[1 + j], sizeof x[j]); \
    PARAM(5, size_t, columns); \
    PARAM(6, size_t, row); \
    PARAM(7, size_t, n); \
    SPAN(n); \
    (void)grid; \
    if (row == 2 && columns == 2) \
      ROWS(2, 2); \
    else if (row == 3 && columns == 3) \
      ROWS(3, 3); \
    else \
      ROWS(row, columns); \
  }
SET_WIDTH(INTERLEAVE)
