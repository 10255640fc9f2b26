/* unique.h - steps of finding different elements. See unique.c, ranks.c. */
#ifndef TIDE_OPS_UNIQUE_H
#define TIDE_OPS_UNIQUE_H

#include "array/array.h"

/* Pushes for each of the n elements of x, which is sorted, but the first:
** whether it differs from the one before it. 'equal_nan': NaN is equal to
** NaN. */
int unique_push_changes (lua_State *L, int x, int64_t n, bool equal_nan);

/* ranks.c: pushes for each slice across an axis, from 0, of the array at 1 its
** rank among the different slices, from 0, as int64. */
int unique_push_ranks (lua_State *L, RtStream *s, int axis, bool equal_nan);

#endif
