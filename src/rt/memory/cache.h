/* cache.h - free blocks, kept for their next use. See cache.c. */
#ifndef TIDE_RT_MEMORY_CACHE_H
#define TIDE_RT_MEMORY_CACHE_H

#include "rt/rt.h"

enum { CACHE_BINS = 8 * 40 };

/* Free blocks of one size class that the same stream used last. */
typedef struct Shelf {
  struct Cache *cache;
  int bin;
  RtBlock *oldest, *newest;
  struct Shelf *next, *prev; /* in the bin's ring, if it has blocks */
  struct Shelf *sibling;     /* another shelf of the stream */
} Shelf;

/* Free memory of one kind: see cache.c. */
typedef struct Cache {
  Shelf common[CACHE_BINS];  /* blocks that no stream is known to use */
  Shelf *ring[CACHE_BINS];   /* shelves with blocks; the one whose turn it
                                 is */
  uint8_t given[CACHE_BINS]; /* blocks that the driver gave, as far as
                                 counted */
  size_t bytes;
} Cache;

/* Puts a block without references into its bin. Cannot fail. */
void cache_put (Cache *c, int bin, RtBlock *b);

/* Takes a block out of the cache. */
void cache_remove (Cache *c, RtBlock *b);

/* Takes a block of at least 'bytes' that 's' (NULL: the host) may use now out
** of the cache. Looks at a few blocks only, or at 'all'. NULL: found none. */
RtBlock *cache_take (Cache *c, int bin, size_t bytes, RtStream *s, bool all);

/* Returns the block of a bin that comes after 'b' (NULL: the first one), or
** NULL. */
RtBlock *cache_next (const Cache *c, int bin, const RtBlock *b);

/* Takes all blocks out: at close, and before a reset forgets them. */
void cache_clear (Cache *c);

/* Frees the stream's shelves, before the stream goes. */
void cache_free_shelves (RtStream *s);

#endif
