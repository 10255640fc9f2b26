/* sums.h - adds floats at given places, for scatter_add and bincount. See
** sums.c. */
#ifndef TIDE_OPS_SUMS_H
#define TIDE_OPS_SUMS_H

#include "indices.h"

/*
** Adds the vn values, which are repeated, to elements of z[rows,n,inner], which
** is 'a' or is copied back to it: value [r,t,j] to element [r,place,j], where
** place is element t of the index.
*/
typedef struct Sums {
  const char *name; /* of the call, for errors */
  Array *a, *z;
  size_t rows, n, inner;
  Array *index;     /* int64, dense: of 'x'; or bins from 'base' on, if 'x' */
  const Indices *x; /* is NULL: one row on CUDA, others are left out */
  int64_t base;
  Array *v; /* of the dtype of z, dense */
  size_t vn;
} Sums;

/* Returns in how many parts, each with sums of its own, the host device adds n
** elements to so many places. */
size_t sums_parts (size_t n, size_t bins);

void sums_add (lua_State *L, RtStream *s, const Sums *k);

#endif
