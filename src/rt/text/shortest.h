/* shortest.h - floats as the shortest decimals that are read back as the same.
** See shortest.c. */
#ifndef TIDE_RT_TEXT_SHORTEST_H
#define TIDE_RT_TEXT_SHORTEST_H

#include "rt/kernels/dtypes.h"

/* Room for any float, without a zero byte at the end. */
enum { SHORTEST = 32 };

/* Writes a float of type 't', which the double 'x' is; of all decimals with as
** few digits the nearest. Returns the length. */
int shortest_write (char to[SHORTEST], double x, DType t);

#endif
