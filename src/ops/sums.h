/* sums.h - floats added up at places, for scatter_add and bincount. See
** sums.c. */
#ifndef TIDE_OPS_SUMS_H
#define TIDE_OPS_SUMS_H

#include "indices.h"

/*
** To the elements of z[rows,n,inner], which is 'a' or is brought back to it, go
** the vn values again and again: value [r,t,j] to element [r,place,j], where
** place is what element t of the index says.
*/
typedef struct Sums {
  const char *name;  /* of the call, for errors */
  Array *a, *z;
  size_t rows, n, inner;
  Array *index;      /* int64, dense: of 'x'; or bins from 'base' on, where */
  const Indices *x;  /* this is NULL, of one row on CUDA: others are left out */
  int64_t base;
  Array *v;          /* of the dtype of z, dense */
  size_t vn;
} Sums;

void tide_addsums (lua_State *L, RtStream *s, const Sums *k);

#endif
