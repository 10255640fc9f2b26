/* foreign.h - memory of others. See foreign.c. */
#ifndef TIDE_RT_MEMORY_FOREIGN_H
#define TIDE_RT_MEMORY_FOREIGN_H

#include "rt/rt.h"

/* What somebody else's memory is. */
typedef enum RtForeign {
  FOREIGN_DEVICE,  /* the device reads and writes it */
  FOREIGN_PINNED,  /* page-locked memory of the host */
  FOREIGN_PLAIN    /* the host's; it is page-locked as long as it is used */
} RtForeign;

/*
** A block, with one reference, of 'bytes' (> 0) at 'ptr'; one that is there
** already is the block for each part of it, and for what goes on behind it, so
** that whoever uses either is in order. release(ud) is called once it is idle
** and nobody holds it; if this fails, never. RT_BLOCKED: it cannot be
** page-locked now.
*/
Status rt_wrapmemory (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                      size_t bytes, RtRelease *release, void *ud,
                      RtBlock **out);

/* The last reference is gone. */
void rt_dropforeign (RtBlock *b);

/* Releases what is idle: the one whose turn it is, or 'all' that are. */
void rt_drainforeign (Runtime *rt, bool all);

/* At close: the owners of all are told, whoever holds them; 'driver': it can be
** reached. After a reset: no driver call. */
void rt_endforeign (RtDevice *dev, bool driver);
void rt_forgetforeign (RtDevice *dev);

#endif
