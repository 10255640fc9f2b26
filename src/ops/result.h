/* result.h - where operations on arrays put their result. See result.c. */
#ifndef TIDE_OPS_RESULT_H
#define TIDE_OPS_RESULT_H

#include "array/geometry.h"

/* What a result will be. */
typedef struct Like {
  const Array *of;       /* one of the operands: its device */
  int ndim;
  const int64_t *shape;
  int64_t wide[MAX_DIMS];  /* if it is nobody's shape */
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

/* tide_pushresult where there are other options as well, which were checked. */
Array *tide_pushout (lua_State *L, int options, const Like *like, DType t,
                     RtStream *s);

/*
** Where a result can only be made in memory of its own: a new array, on the
** top, is copied to the option 'out' of the table at 'options', if there is
** one, which then is on the top. Returns 1.
*/
int tide_deliver (lua_State *L, int options, RtStream *s);

/* The same where there are other options as well, which were checked. */
int tide_deliverout (lua_State *L, int options, RtStream *s);

#endif
