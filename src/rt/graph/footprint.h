/* footprint.h - the blocks that a capture uses. See footprint.c. */
#ifndef TIDE_RT_GRAPH_FOOTPRINT_H
#define TIDE_RT_GRAPH_FOOTPRINT_H

#include "capture_types.h"
#include "rt/memory/block_types.h"
#include "rt/rt.h"

/* A block that a capture uses, with its captured uses. */
typedef struct Captured {
  RtBlock *block;
  MarkSet marks;
  bool written; /* a node overwrites it without reading it */
  bool seen;    /* a node reads it before such a write */
} Captured;

/* Returns the entry of a block, or NULL if the capture does not use it. */
Captured *footprint_find (const Footprint *f, const RtBlock *b);

/* Finds the entry of a block, or makes one, which keeps the block alive. */
Status footprint_get (Runtime *rt, Footprint *f, RtBlock *b, Captured **out);

/* Makes the accesses of a body of the blocks: first the room, then the list. */
Status footprint_reserve (RtBody *body, const Footprint *f);
void footprint_list (RtBody *body, const Footprint *f);

/*
** Returns a spare block of 'dev' of at least 'bytes' from the capture of 's',
** with a reference, or NULL if too few are spare. 'any': of whatever size, and
** if there is only one.
*/
RtBlock *footprint_take_spare (const RtStream *s, const RtDevice *dev,
                               size_t bytes, bool any);

void footprint_free (Footprint *f); /* gives the blocks back */

#endif
