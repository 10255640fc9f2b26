/* cache.h - free blocks, kept for their next use. See cache.c. */
#ifndef TIDE_RT_MEMORY_CACHE_H
#define TIDE_RT_MEMORY_CACHE_H

#include "rt/rt.h"

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
