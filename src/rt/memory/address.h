/* address.h - finds blocks by address. See address.c. */
#ifndef TIDE_RT_MEMORY_ADDRESS_H
#define TIDE_RT_MEMORY_ADDRESS_H

#include "rt/rt.h"

/* Enters a block into the tree, so that it is found by its addresses. */
Status rt_placeblock (RtBlock *b);
void rt_unplaceblock (RtBlock *b); /* takes it out, if it is in */

/* Returns a block that has some of these bytes; NULL: no known one. */
RtBlock *rt_blockat (const Runtime *rt, CUdeviceptr ptr, size_t bytes);

#endif
