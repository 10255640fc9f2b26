/* result.h - targets of operations on arrays. See result.c. */
#ifndef TIDE_OPS_RESULT_H
#define TIDE_OPS_RESULT_H

#include "array/layout.h"

/* Describes a result. */
typedef struct Like {
  const Array *of; /* one of the operands: for its device */
  int ndim;
  const int64_t *shape;
  int64_t wide[MAX_DIMS]; /* room for a shape that no operand has */
} Like;

/* Raises, calling it 'what', unless 'out' can take such a result. */
void result_check (lua_State *L, int arg, const char *what, const Array *out,
                   const Like *like, DType t);

/* Pushes why a result of dtype 't' cannot take the place of the array; 'cast':
** an operand of the array's dtype would help. */
const char *result_push_unfit (lua_State *L, const Array *first, bool cast,
                               DType t);

/* Pushes the array to write to: the option 'out' of the table at 'options',
** checked, or a new one. */
Array *result_push (lua_State *L, int options, const Like *like, DType t,
                    RtStream *s);

/* Pushes the option 'out' of the table or nil at 'options', if there is one. */
bool result_get_out (lua_State *L, int options);

/* result_push with more options, which were checked. */
Array *result_push_out (lua_State *L, int options, const Like *like, DType t,
                        RtStream *s);

/*
** Delivers a result that needs memory of its own: if the table at 'options' has
** option 'out', copies the new array on the top there, and 'out' is on the top
** then. Returns 1.
*/
int result_deliver (lua_State *L, int options, RtStream *s);

/* result_deliver with more options, which were checked. */
int result_deliver_out (lua_State *L, int options, RtStream *s);

#endif
