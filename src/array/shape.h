/* shape.h - the same elements in other shapes. See shape.c. */
#ifndef TIDE_ARRAY_SHAPE_H
#define TIDE_ARRAY_SHAPE_H

#include "array.h"

/* a.T: a view with its axes reversed. */
int shape_T (lua_State *L);

/* a.mT: a view with its last two axes swapped. */
int shape_mT (lua_State *L);

/* Pushes 'a', at 'arg', in another shape with as many elements: a view of it,
** or of a copy. */
Array *shape_push_reshaped (lua_State *L, int arg, int ndim,
                            const int64_t *shape);

/* Pushes the view of 'a' whose axis i is axes[i] of 'a'. */
Array *shape_push_permuted (lua_State *L, Array *a, const int *axes);

/* Pushes the view of 'a' broadcast to such a shape. Raises. */
Array *shape_push_broadcast (lua_State *L, int arg, Array *a, int ndim,
                             const int64_t *shape);

/* diagonal.c: pushes a view whose last axis is the k-th diagonal of the
** matrices in axes 'row' and 'column'. */
Array *shape_push_diagonal (lua_State *L, Array *a, lua_Integer k, int row,
                            int column);

#endif
