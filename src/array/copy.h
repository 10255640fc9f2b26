/* copy.h - copies and fills of any strides. See copy.c. */
#ifndef TIDE_ARRAY_COPY_H
#define TIDE_ARRAY_COPY_H

#include "array.h"
#include "layout.h"
#include "rt/queue/op_types.h"

/* Queues z = x, broadcast; or z = number if x is NULL. z has elements. */
void copy_strided (lua_State *L, RtStream *s, Array *z, Array *x, void *number);

/* A strided copy for call 'name', on the caller's C stack, ready to be
** queued. */
typedef struct CopyOp {
  Op op;
  Geometry g;
  Places at;
  void *params[4];
} CopyOp;
Status copy_start (CopyOp *c, const Array *z, const Array *x, void *number,
                   const char *name);

/* {== to the host ===================================================== */

/* Returns the open Array or HostArray at 'arg', which the host may read. */
Array *copy_check_source (lua_State *L, int arg, const char *what);

/* Queues the copy of 'n' bytes at 'off' of a dense Array to the start of h. */
void copy_fetch_bytes (lua_State *L, RtStream *s, const Array *a, size_t off,
                       size_t n, const Array *h);

/* Returns the address of a HostArray's bytes. */
const char *copy_host_bytes (const Array *h);

/* Returns the elements of a HostArray as a run, once it may be read. Pushes the
** value that holds them: itself or, if it has gaps, a copy. */
const char *copy_push_bytes (lua_State *L, Array *h, const char *what);

/* ==} */

#endif
