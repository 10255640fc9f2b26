/* sort.h - the keys of elements, which are sorted and searched. See sort.c,
** search.c. */
#ifndef TIDE_OPS_SORT_H
#define TIDE_OPS_SORT_H

#include "array/array.h"
#include "rt/kernels/dtypes.h"
#include "rt/kernels/kernels.h"

#include "kernels/types.h"

/* The bits that make keys of elements: see keys.h. */
typedef struct KeyRule {
  uint64_t sign, inf;
} KeyRule;
KeyRule sort_key_rule (DType t);

/*
** Pairs of 32 bits, on CUDA: n keys, and a value of each. The lowest
** 'digits' bytes of the keys count, except the 'least' lowest. Both are
** at two places, between which a sort moves them; the caller of sort_push_pairs
** writes them to place 0. 'flag' is a word of 64 bits that is 0.
*/
typedef struct SortPairs {
  size_t n;
  int digits, least;
  SortPlan plan;
  Array *all; /* the memory of all of it */
  CUdeviceptr keys[2], own[2], counts, state, flag;
} SortPairs;
void sort_push_pairs (lua_State *L, RtStream *s, RtDevice *dev, SortPairs *p);

/* Sorts stably. Returns the place where the pairs are then. */
int sort_pairs (lua_State *L, RtStream *s, SortPairs *p);

/* The kind of search in sorted elements. */
typedef struct Search {
  bool down;    /* descending order */
  bool last;    /* behind equal elements, not before them */
  int64_t base; /* the first place */
} Search;

/*
** search.c: pushes, as int64, the places among the sorted elements of the array
** at 'a' where those of the array at 'v' belong. Returns the index. Both are
** converted to their common dtype.
*/
int sort_push_places (lua_State *L, RtStream *s, int a, int v, Search k);

/* The places, from 0 in ascending order, at which the result of a sort is
** needed; 'n' beyond their room: all are. */
typedef struct SortPlaces {
  size_t n;
  int64_t at[PARTITION_PLACES];
  bool others; /* the other elements are needed as well, around those */
} SortPlaces;
void sort_add_place (SortPlaces *p, int64_t at);

/* Pushes the sorted rows of the array on the top, or their order. If 'only' is
** not NULL, no more than that has to be right. */
void sort_push_rows (lua_State *L, RtStream *s, bool order, bool down,
                     const SortPlaces *only);

/* sort or argsort of the array at 1; its axis is at 'arg', its options
** behind. */
int sort_along (lua_State *L, int arg, bool order, const SortPlaces *only);

/* topk.c: pushes the elements of the rows of x at the places, from 1, in the
** rows of 'at'. Returns the index. Rows are along the last axis of both. */
int sort_take_rows (lua_State *L, RtStream *s, int x, int at);

/* search.c: returns the dtype that edges for elements of 'a' are beside: see
** composed_operand. They may be negative beside any integers. */
DType sort_beside (const Array *a);

#endif
