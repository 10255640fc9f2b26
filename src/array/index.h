/* index.h - what keys of arrays mean. See index.c. */
#ifndef TIDE_ARRAY_INDEX_H
#define TIDE_ARRAY_INDEX_H

#include "array.h"

/* A part of an array: a view that is not made yet. */
typedef struct Part {
  int64_t at;   /* elements from the array's first to the part's */
  int ndim;     /* 0: one element */
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
} Part;

/* The part that the key at 'key', an integer or a table, means; raises. */
void tide_readkey (lua_State *L, const Array *a, int key, Part *p);

/* Is the key the integer behind the last one, where ipairs ends? a[key] is
** nil. */
bool tide_ispast (lua_State *L, const Array *a, int key);

Array *tide_pushpart (lua_State *L, Array *a, const Part *p);

#endif
