/* allocate.h - memory for arrays. See memory.c. */
#ifndef TIDE_ARRAY_ALLOCATE_H
#define TIDE_ARRAY_ALLOCATE_H

#include "base/state.h"

/*
** Sets *block to 'bytes' (> 0) of device or page-locked memory for use on 's'
** next (NULL: by the host). Raises, with figures, if there is none. *block is
** a field of an object on the stack: what runs meanwhile may collect garbage.
*/
void tide_getblock (lua_State *L, RtDevice *dev, size_t bytes, bool pinned,
                    RtStream *s, RtBlock **block);

/* What is kept for reuse and idle goes back to the driver: it is free when this
** returns, as the device has come to it then. */
Status tide_giveback (lua_State *L, RtDevice *dev);

#endif
