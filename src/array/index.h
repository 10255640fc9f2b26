/* index.h - keys of arrays. See index.c. */
#ifndef TIDE_ARRAY_INDEX_H
#define TIDE_ARRAY_INDEX_H

#include "array.h"

/* A part of an array, as a view that is not made yet. */
typedef struct IndexPart {
  int64_t at; /* its first element, in elements from the array's first */
  int ndim;   /* 0: one element */
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
} IndexPart;

/* Finds the part for the key at 'key', an integer or a table. Raises. */
void index_read_key (lua_State *L, const Array *a, int key, IndexPart *p);

/* Tells whether the key is the integer behind the last one, where ipairs ends
** because a[key] is nil. */
bool index_is_past (lua_State *L, const Array *a, int key);

Array *index_push_part (lua_State *L, Array *a, const IndexPart *p);

#endif
