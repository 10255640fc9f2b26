/* unravel.h - places of an array as indices of its axes. See unravel.c. */
#ifndef TIDE_OPS_UNRAVEL_H
#define TIDE_OPS_UNRAVEL_H

#include "indices.h"

/* Places among the elements of an array of a shape. */
typedef struct Unravel {
  int ndim;
  const int64_t *shape;
  size_t size;  /* elements */
  int64_t base; /* the number from which indices count, */
  int64_t fill; /* and the filler for a missing place */
} Unravel;

/* Pushes for each axis the indices of the places in x->array, which count from
** 1. */
void unravel_push (lua_State *L, RtStream *s, const Indices *x,
                   const Unravel *u);

#endif
