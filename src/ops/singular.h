/* singular.h - singular values. See lapack.c. */
#ifndef TIDE_OPS_SINGULAR_H
#define TIDE_OPS_SINGULAR_H

#include "array/array.h"

/* Pushes the singular values of matrices in the last two axes, greatest first,
** along a last axis; 'a' is of a type that LAPACK has. An error names
** the function. */
Array *singular_push_values (lua_State *L, RtStream *s, Array *a,
                             const char *name);

#endif
