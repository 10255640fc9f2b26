/* alloc.h - memory for arrays. See alloc.c. */
#ifndef TIDE_ARRAY_ALLOC_H
#define TIDE_ARRAY_ALLOC_H

#include "base/state.h"

/*
** Collects garbage, if it is time for that, before a block of so many bytes is
** allocated and before the object that will hold it is made. An object made
** before has survived a young collection, and objects that survive two are old
** to Lua.
*/
void alloc_prepare (lua_State *L, RtDevice *dev, size_t bytes, bool pinned);

/*
** Sets *block to 'bytes' (> 0) of device or page-locked memory for use on 's'
** next (NULL: by the host). Raises, with figures, if there is none. If
** 'unused', the capture of 's' must not have used it. *block is a field of an
** object on the stack, because garbage may be collected meanwhile.
*/
void alloc_block (lua_State *L, RtDevice *dev, size_t bytes, bool pinned,
                  RtStream *s, bool unused, RtBlock **block);

/* A request for memory that failed: request(ud) asks again. */
typedef struct Request {
  RtDevice *dev;
  size_t bytes;
  bool pinned;
  const char *call; /* the driver call that refused it last */
  Status (*request)(void *ud);
  void *ud;
} Request;

/* Runs the fallback steps of alloc.c for a request that has just failed, until
** a retry returns anything but CUDA_ERROR_OUT_OF_MEMORY. Returns that, or this
** error with figures. */
Status alloc_retry (lua_State *L, Request *r);

#endif
