/* result.h - targets of operations on arrays. See result.c. */
#ifndef TIDE_OPS_RESULT_H
#define TIDE_OPS_RESULT_H

#include "array/geometry.h"

/* Describes a result. */
typedef struct Like {
  const Array *of; /* one of the operands: for its device */
  int ndim;
  const int64_t *shape;
  int64_t wide[MAX_DIMS]; /* room for a shape that no operand has */
} Like;

/* Raises, calling it 'what', unless 'out' can take such a result. */
void tide_checkresult (lua_State *L, int arg, const char *what,
                       const Array *out, const Like *like, DType t);

/* Pushes the array to write to: the option 'out' of the table at 'options',
** checked, or a new one. */
Array *tide_pushresult (lua_State *L, int options, const Like *like, DType t,
                        RtStream *s);

/* Pushes the option 'out' of the table or nil at 'options', if there is one. */
bool tide_getout (lua_State *L, int options);

/* tide_pushresult with more options, which were checked. */
Array *tide_pushout (lua_State *L, int options, const Like *like, DType t,
                     RtStream *s);

/*
** Delivers a result that needs memory of its own: if the table at 'options' has
** option 'out', copies the new array on the top there, and 'out' is on the top
** then. Returns 1.
*/
int tide_deliver (lua_State *L, int options, RtStream *s);

/* tide_deliver with more options, which were checked. */
int tide_deliverout (lua_State *L, int options, RtStream *s);

#endif
