/* allocate.h - memory for arrays. See allocate.c. */
#ifndef TIDE_ARRAY_ALLOCATE_H
#define TIDE_ARRAY_ALLOCATE_H

#include "base/state.h"

/*
** Before a block of so many bytes is got, and before there is the object that
** will hold it: lets garbage make way, if it is time to look for some. What is
** made before has lived through a young collection, and what lives through two
** is old to Lua.
*/
void tide_makeway (lua_State *L, RtDevice *dev, size_t bytes, bool pinned);

/*
** Sets *block to 'bytes' (> 0) of device or page-locked memory for use on 's'
** next (NULL: by the host). Raises, with figures, if there is none. 'unused': the
** capture of 's' must not have used it. *block is a field of an object on the
** stack: garbage may be collected meanwhile.
*/
void tide_getblock (lua_State *L, RtDevice *dev, size_t bytes, bool pinned,
                    RtStream *s, bool unused, RtBlock **block);

/* Memory that is not there: attempt(ud) asks for it again. */
typedef struct Request {
  RtDevice *dev;
  size_t bytes;
  bool pinned;
  const char *call;  /* that refused it last */
  Status (*attempt) (void *ud);
  void *ud;
} Request;

/* Climbs the ladder of allocate.c for what was refused just now, until an
** attempt says anything but CUDA_ERROR_OUT_OF_MEMORY: that, or this error with
** figures. */
Status tide_findmemory (lua_State *L, Request *r);

#endif
