/* concatenate.h - arrays as columns of a matrix. See concatenate.c. */
#ifndef TIDE_OPS_CONCATENATE_H
#define TIDE_OPS_CONCATENATE_H

#include "array/array.h"

/* Writes the n arrays from index 'first' on to the columns of z. All are dense
** and of one dtype, and have elements. */
void concatenate_columns (lua_State *L, RtStream *s, Array *z, int n,
                          int first);

#endif
