/* sort.h - how elements become keys, which are sorted and searched. See sort.c,
** search.c. */
#ifndef TIDE_OPS_SORT_H
#define TIDE_OPS_SORT_H

#include "array/array.h"
#include "rt/kernels/dtypes.h"
#include "rt/kernels/kernels.h"

/* The bits of keys.h that say so. */
typedef struct KeyRule {
  uint64_t sign, inf;
} KeyRule;
KeyRule tide_keyrule (DType t);

/*
** Pairs of 32 bits, on CUDA: n keys, of which the lowest bytes count, as many
** as there are digits, but for the 'least', and what belongs to each. They are
** at two places, between which a sort moves them, and at first at place 0,
** where who pushed them writes them. 'flag' is a word of 64 bits that
** is 0.
*/
typedef struct Pairs {
  size_t n;
  int digits, least;
  SortPlan plan;
  Array *all;  /* what has all of it */
  CUdeviceptr keys[2], own[2], counts, state, flag;
} Pairs;
void tide_pushpairs (lua_State *L, RtStream *s, RtDevice *dev, Pairs *p);

/* Stable; returns at which place they are then. */
int tide_sortpairs (lua_State *L, RtStream *s, Pairs *p);

/* What is asked of sorted elements. */
typedef struct Search {
  bool down;     /* the greatest is first */
  bool last;     /* elements that are equal come before, too */
  int64_t base;  /* the first place */
} Search;

/*
** search.c: pushes, as int64, at which places among the sorted elements of the
** array at 'a' those of the array at 'v' belong; returns where that is. Both
** are taken as of the dtype that they have in common.
*/
int tide_pushsearched (lua_State *L, RtStream *s, int a, int v, Search k);

/* topk.c: pushes the elements of the rows of x at the places, from 1, that the
** rows of 'at' have; returns where. Rows are along the last axis of both. */
int tide_takerows (lua_State *L, RtStream *s, int x, int at);

#endif
