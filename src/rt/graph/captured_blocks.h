/* captured_blocks.h - the blocks that a capture touches. See
** captured_blocks.c. */
#ifndef TIDE_RT_GRAPH_CAPTURED_BLOCKS_H
#define TIDE_RT_GRAPH_CAPTURED_BLOCKS_H

#include "rt/rt.h"

/* What is known of a block; NULL: it was not touched. */
Captured *rt_findcaptured (const Footprint *f, const RtBlock *b);

/* What is known of a block; on first use a new entry, which keeps the block. */
Status rt_touch (Runtime *rt, Footprint *f, RtBlock *b, Captured **out);

/* The blocks become the accesses of a body: reserve, then take. */
Status rt_reserveaccess (RtBody *body, const Footprint *f);
void rt_takeaccess (RtBody *body, const Footprint *f);

/*
** Returns a block of 'dev' of at least 'bytes' that was made and let go in the
** capture of 's', with a reference; NULL if too few are spare, or, if any will
** do, if there is none.
*/
RtBlock *rt_takespare (const RtStream *s, const RtDevice *dev, size_t bytes,
                       bool any);

void rt_freefootprint (Footprint *f);  /* gives the blocks back */

#endif
