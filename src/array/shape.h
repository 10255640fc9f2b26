/* shape.h - other shapes of the same elements. See shape.c. */
#ifndef TIDE_ARRAY_SHAPE_H
#define TIDE_ARRAY_SHAPE_H

#include "array.h"

/* a.T: its axes in reverse, as a view. */
int tide_array_T (lua_State *L);

/* a.mT: its last two axes in each other's place, as a view. */
int tide_array_mT (lua_State *L);

/* Pushes 'a', at 'arg', in another shape with as many elements: a view, or a
** view of a copy. */
Array *tide_pushreshaped (lua_State *L, int arg, int ndim,
                          const int64_t *shape);

/* Pushes the view of 'a' whose axis i is axes[i] of 'a'. */
Array *tide_pushpermuted (lua_State *L, Array *a, const int *axes);

/* Pushes the view of 'a' that repeats it to such a shape; raises. */
Array *tide_pushbroadcast (lua_State *L, int arg, Array *a, int ndim,
                           const int64_t *shape);

#endif
