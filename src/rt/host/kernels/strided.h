/*
** strided.h - elementwise operations on the host device between operands of any
** strides, row by row, for the kernels named nd. See strided.c.
*/
#ifndef TIDE_RT_HOST_KERNELS_STRIDED_H
#define TIDE_RT_HOST_KERNELS_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/geometry.h"

/* One row of the operands: addresses, and strides in elements. */
typedef struct Row {
  uintptr_t at[GEOMETRY_SIDES]; /* of z, x, y */
  int64_t step[GEOMETRY_SIDES];
  size_t n;
} Row;

/* The functions of an operation on a row, and the types of its elements. */
typedef struct Rows {
  void (*any)(const Row *r); /* NULL: run[0] does all rows, packed */
  void (*run[3])(void **params, const unsigned grid[3],
                 const unsigned block[3]); /* dense host kernels: vv, vs, sv */
  int sides;  /* 2: there is no y, and only run[0] */
  bool even;  /* run[2] is run[1] with exchanged operands */
  bool truth; /* x and y are bools, and may hold any byte */
  size_t size[GEOMETRY_SIDES];
} Rows;

/* Element i of side k of the row, as a T. */
#define SIDE(k, T) ((T *)r->at[k])[(int64_t)i * r->step[k]]

/*
** Returns the axis along which a launch is cut into parts, which have strides
** as well: the outermost axis that is not short, or else the longest.
*/
static inline int strided_cut_axis (const Geometry *g) {
  enum { SHORT = 64 };
  int longest = 0;
  for (int d = 0; d < g->ndim; d++) {
    if (g->shape[d] >= SHORT)
      return d;
    if (g->shape[d] > g->shape[longest])
      longest = d;
  }
  return longest;
}

/* Returns the number of elements of the result. */
static inline size_t strided_elements (const Geometry *g) {
  size_t n = 1;
  for (int d = 0; d < g->ndim; d++)
    n *= (size_t)g->shape[d];
  return n;
}

/* Copies n elements of 'size' bytes that are 'apart' from each other to a
** run. */
void strided_gather (void *to, const void *from, size_t n, int64_t apart,
                     size_t size);

/*
** Does all rows, or the part that the block says. The parameters are the sides;
** if 'number', the number for operands without address; and the geometry.
*/
void strided_run (void **params, const unsigned block[3], bool number,
                  const Rows *f);

#endif
