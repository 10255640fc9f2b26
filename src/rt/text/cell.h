/* cell.h - values of any dtype from text. See cell.c. */
#ifndef TIDE_RT_TEXT_CELL_H
#define TIDE_RT_TEXT_CELL_H

#include <stdbool.h>

#include "rt/kernels/dtypes.h"

/* Returns the dtype that is read in place of 't': floats of 16 bits come from
** float64. */
DType cell_dtype (DType t);

/*
** Reads the value of such a dtype that begins at 'p', which is not blank, and
** stores it at 'to'. Returns the place behind it; NULL if none begins there, or
** if it is an integer that does not fit. The text ends as decimal.h says.
*/
const char *cell_read (const char *p, DType t, void *to);

/* Tells whether the text from 'p' to 'end' is an integer of any size. */
bool cell_is_whole (const char *p, const char *end);

/* Returns the end of "'abc' is no ...", for such a dtype. */
const char *cell_kind (DType t);

#endif
