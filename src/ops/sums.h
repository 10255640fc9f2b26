/* sums.h - floats added up at places, for scatter_add and bincount. See
** sums.c. */
#ifndef TIDE_OPS_SUMS_H
#define TIDE_OPS_SUMS_H

#include "indices.h"

/*
** To the elements of z[rows,n,inner], which is 'a' or is brought back to it, go
** the vn values again and again: value [r,t,j] to element [r,place,j], where
** place, from 0, is the element t of 'places' less 'base'. What has no place is
** told by the check of 'x'; NULL: nobody wants to know, and 'rows' and 'inner'
** are 1.
*/
typedef struct Sums {
  const char *name;  /* of the call, for errors */
  Array *a, *z;
  size_t rows, n, inner;
  Array *places;     /* int64, dense */
  int64_t base;      /* 1 where there is an 'x' */
  const Indices *x;
  Array *v;          /* of the dtype of z, dense */
  size_t vn;
} Sums;

void tide_addsums (lua_State *L, RtStream *s, const Sums *k);

#endif
