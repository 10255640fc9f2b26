/* index.h - keys of arrays. See index.c. */
#ifndef TIDE_ARRAY_INDEX_H
#define TIDE_ARRAY_INDEX_H

#include "array.h"

/* A part of an array, as a view that is not made yet. */
typedef struct Part {
  int64_t at; /* its first element, in elements from the array's first */
  int ndim;   /* 0: one element */
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
} Part;

/* Finds the part for the key at 'key', an integer or a table. Raises. */
void tide_readkey (lua_State *L, const Array *a, int key, Part *p);

/* Tells whether the key is the integer behind the last one, where ipairs ends
** because a[key] is nil. */
bool tide_ispast (lua_State *L, const Array *a, int key);

Array *tide_pushpart (lua_State *L, Array *a, const Part *p);

#endif
