/* block.h - blocks of device and page-locked memory. See block.c. */
#ifndef TIDE_RT_MEMORY_BLOCK_H
#define TIDE_RT_MEMORY_BLOCK_H

#include "rt/rt.h"

/*
** Returns a block of at least 'bytes' (> 0) with one reference, for use on 's'
** next (NULL: by the host): a cached block, else one from the driver. Its marks
** tell what its last owner left under way. CUDA_ERROR_OUT_OF_MEMORY: neither
** can be had now; rt->call is the driver entry, or "tide.memory_limit".
*/
Status block_new (RtDevice *dev, size_t bytes, bool pinned, RtStream *s,
                  RtBlock **out);

/*
** Returns a block of device memory for the library's own use, with one
** reference. It has a few bytes, which count in no limit and no figure, and is
** never cached.
*/
Status block_new_own (RtDevice *dev, size_t bytes, RtBlock **out);

void block_retain (RtBlock *b);

/* Drops a reference; the last one puts the block into the cache. For a block of
** an open capture that no array holds any more see footprint_take_spare. Calls
** no driver. */
void block_drop (RtBlock *b);

/* Returns the index of the size class of 'bytes' (> 0). */
int block_bin (size_t bytes);

/* 0: all uses of the block have passed, it can go back to the driver.
** CUDA_ERROR_NOT_READY: not yet. */
Status block_query (RtBlock *b);

/* Gives an idle block that is in no cache back to the driver. */
Status block_free (RtBlock *b);

/* Puts a block into the list of its device; takes it out. */
void block_link (RtBlock *b);
void block_unlink (RtBlock *b);

/* Forgets a block whose memory passes to another owner, without a driver
** call. */
void block_disown (RtBlock *b);

/* At close, when all work is done: frees every block. */
void block_free_all (RtDevice *dev);
void block_forget_all (RtDevice *dev); /* after a reset: no driver call */

#endif
