/* copy.h - copies and fills of any strides. See copy.c. */
#ifndef TIDE_ARRAY_COPY_H
#define TIDE_ARRAY_COPY_H

#include "array.h"
#include "geometry.h"

/* Queues z = x, broadcast; or z = number where x is NULL. z has elements. */
void tide_stridedcopy (lua_State *L, RtStream *s, Array *z, Array *x,
                       void *number);

/* The same operation, for 'name', on the C stack of who calls: to be queued. */
typedef struct CopyOp {
  Op op;
  Geometry g;
  Places at;
  void *params[4];
} CopyOp;
Status tide_startcopy (CopyOp *c, const Array *z, const Array *x,
                       void *number, const char *name);

#endif
