/* upload.h - bytes of strings and files into arrays. See upload.c. */
#ifndef TIDE_ARRAY_UPLOAD_H
#define TIDE_ARRAY_UPLOAD_H

#include "array.h"
#include "rt/submit/staging.h"

/*
** Queues on 's' the copy of all bytes of a source to 'a', a dense Array of the
** same size. The bytes have left the source on return. 'what' names the call.
** Raises.
*/
void upload_source (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                    const char *what);

/* upload_source from memory; for bools, any nonzero byte becomes 1. */
void upload_bytes (lua_State *L, RtStream *s, Array *a, const char *bytes,
                   const char *what);

/* upload_source from a HostArray without gaps. Raises if a reset destroys it
** while memory is looked for. */
void upload_host (lua_State *L, RtStream *s, Array *a, const Array *h,
                  const char *what);

/* Runs a:copy_from(x) if x, at 2, is a string or a table. Returns whether it
** did. */
bool upload_value (lua_State *L, Array *a);

#endif
