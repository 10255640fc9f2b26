/* address.h - whose memory is at an address? See address.c. */
#ifndef TIDE_RT_MEMORY_ADDRESS_H
#define TIDE_RT_MEMORY_ADDRESS_H

#include "rt/rt.h"

/* From now on the block is found by the addresses of its memory. */
Status rt_placeblock (RtBlock *b);
void rt_unplaceblock (RtBlock *b);  /* no longer, if it was */

/* A block that has some of these bytes; NULL: none that is known. */
RtBlock *rt_blockat (const Runtime *rt, CUdeviceptr ptr, size_t bytes);

#endif
