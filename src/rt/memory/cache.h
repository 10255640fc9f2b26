/* cache.h - free blocks, kept for their next use. See cache.c. */
#ifndef TIDE_RT_MEMORY_CACHE_H
#define TIDE_RT_MEMORY_CACHE_H

#include "rt/rt.h"

/* A block that nobody holds goes into its bin. Cannot fail. */
void rt_cache (Cache *c, int bin, RtBlock *b);

/* ... and out of it. */
void rt_uncache (Cache *c, RtBlock *b);

/* A block of at least 'bytes' that 's' (NULL: the host) may use now, out of the
** cache; NULL: none is among the few that are looked at, or 'all'. */
RtBlock *rt_takecached (Cache *c, int bin, size_t bytes, RtStream *s, bool all);

/* The block of a bin that comes after 'b' (NULL: the first one); NULL: none. */
RtBlock *rt_nextcached (const Cache *c, int bin, const RtBlock *b);

/* Before a reset makes nothing of the blocks, or at close: all are out. */
void rt_emptycache (Cache *c);

/* What the cache keeps for a stream, which goes. */
void rt_freeshelves (RtStream *s);

#endif
