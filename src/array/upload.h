/* upload.h - bytes of strings and files into arrays. See upload.c. */
#ifndef TIDE_ARRAY_UPLOAD_H
#define TIDE_ARRAY_UPLOAD_H

#include "array.h"
#include "rt/upload.h"

/*
** Queues on 's' that 'a', a dense Array, gets all bytes of a source, which has
** as many as 'a'; they have left it on return. 'what' names the call. Raises.
*/
void tide_upload (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                  const char *what);

/* tide_upload from memory; of bools, whatever is not 0 becomes 1. */
void tide_uploadbytes (lua_State *L, RtStream *s, Array *a,
                       const char *bytes, const char *what);

/* tide_upload from a HostArray without gaps, which a reset may take away while
** memory is looked for: raises. */
void tide_uploadhost (lua_State *L, RtStream *s, Array *a, const Array *h,
                      const char *what);

/* a:copy_from(x) where x, at 2, is a string or a table: true, it is done. */
bool tide_copyvalue (lua_State *L, Array *a);

#endif
