/* footprint.h - the blocks that a capture touches. See footprint.c. */
#ifndef TIDE_FOOTPRINT_H
#define TIDE_FOOTPRINT_H

#include "rt.h"

/* A block in a capture: its captured uses, and their span. */
typedef struct Captured {
  RtBlock *block;
  MarkSet marks;
  size_t read_lo, read_hi, write_lo, write_hi;  /* hi 0: none */
} Captured;

/* All blocks of a capture; empty: zero. */
typedef struct Footprint {
  Captured **table;    /* open addressing by block */
  int nblocks, size;
} Footprint;

/* What is known of a block; NULL: it was not touched. */
Captured *rt_findcaptured (const Footprint *f, const RtBlock *b);

/* What is known of a block; on first use a new entry, which keeps the block. */
Status rt_touch (Runtime *rt, Footprint *f, RtBlock *b, Captured **out);

/* Remembers access 'a' by (s, seq); rt_reserve has made room in the marks. */
void rt_notecaptured (Captured *cb, const Access *a, RtStream *s,
                      uint64_t seq);

/* The blocks become the accesses of a body: reserve, then take. */
Status rt_reserveaccess (RtBody *body, const Footprint *f);
void rt_takeaccess (RtBody *body, const Footprint *f);

void rt_freefootprint (Footprint *f);  /* gives the blocks back */

#endif
