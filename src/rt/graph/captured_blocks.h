/* captured_blocks.h - the blocks that a capture uses. See captured_blocks.c. */
#ifndef TIDE_RT_GRAPH_CAPTURED_BLOCKS_H
#define TIDE_RT_GRAPH_CAPTURED_BLOCKS_H

#include "rt/rt.h"

/* Returns the entry of a block, or NULL if the capture does not use it. */
Captured *rt_findcaptured (const Footprint *f, const RtBlock *b);

/* Finds the entry of a block, or makes one, which keeps the block alive. */
Status rt_touch (Runtime *rt, Footprint *f, RtBlock *b, Captured **out);

/* Makes the accesses of a body of the blocks: first the room, then the list. */
Status rt_reserveaccess (RtBody *body, const Footprint *f);
void rt_takeaccess (RtBody *body, const Footprint *f);

/*
** Returns a spare block of 'dev' of at least 'bytes' from the capture of 's',
** with a reference, or NULL if too few are spare. 'any': of whatever size, and
** if there is only one.
*/
RtBlock *rt_takespare (const RtStream *s, const RtDevice *dev, size_t bytes,
                       bool any);

void rt_freefootprint (Footprint *f); /* gives the blocks back */

#endif
