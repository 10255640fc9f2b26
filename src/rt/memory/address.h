/* address.h - finds blocks by address. See address.c. */
#ifndef TIDE_RT_MEMORY_ADDRESS_H
#define TIDE_RT_MEMORY_ADDRESS_H

#include "rt/rt.h"

/* Enters a block into the tree, so that it is found by its addresses. */
Status address_add (RtBlock *b);
void address_remove (RtBlock *b); /* takes it out, if it is in */

/* Returns a block that has some of these bytes; NULL: no known one. */
RtBlock *address_find (const Runtime *rt, CUdeviceptr ptr, size_t bytes);

#endif
