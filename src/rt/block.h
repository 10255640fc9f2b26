/* block.h - device and page-locked memory. See block.c. */
#ifndef TIDE_BLOCK_H
#define TIDE_BLOCK_H

#include "rt.h"

/*
** A block of at least 'bytes' (> 0) with one reference, for use on 's' next
** (NULL: by the host). Its marks tell what its last owner left under way.
*/
Status rt_newblock (RtDevice *dev, size_t bytes, bool pinned, RtStream *s,
                    RtBlock **out);

void rt_retainblock (RtBlock *b);

/* Gives a reference back; the last one puts the block into the cache. Calls
** no driver. */
void rt_dropblock (RtBlock *b);

/* Hands cached memory whose last uses have passed back to the driver. */
Status rt_trim (RtDevice *dev);

/* At close, when all work is done: frees every block. */
void rt_freeblocks (RtDevice *dev);

/*
** The host is about to read or write a range of page-locked memory: waits for
** whatever still writes (or, for a write, reads) it.
*/
Status rt_hostaccess (RtBlock *b, size_t off, size_t len, bool write,
                      const char *what);

#endif
