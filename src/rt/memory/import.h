/* import.h - foreign memory, and the imports of it. See import.c. */
#ifndef TIDE_RT_MEMORY_IMPORT_H
#define TIDE_RT_MEMORY_IMPORT_H

#include "rt/driver/owner.h"
#include "rt/rt.h"

/* The kinds of foreign memory. */
typedef enum RtForeign {
  FOREIGN_DEVICE, /* the device reads and writes it */
  FOREIGN_PINNED, /* page-locked memory of the host */
  FOREIGN_PLAIN   /* ordinary host memory; page-locked as long as it is used */
} RtForeign;

/*
** Imports, with one reference, 'bytes' (> 0) at 'ptr', and finds or makes the
** block with all of it, with one reference. Known memory has one block, so that
** all its users are in order. release(ud), if it is not NULL, is called once:
** when the import has no references and the uses of the block until then are
** done. If import_memory fails it is never called. RT_BLOCKED: the memory
** cannot be page-locked now.
*/
Status import_memory (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                      size_t bytes, RtRelease *release, void *ud,
                      RtImport **import, RtBlock **out);

void import_retain (RtImport *import);
void import_drop (RtImport *import); /* NULL does nothing */

/* Ends without a call of release. */
void import_cancel (RtImport *import);

/* A graph holds a block, or no longer. Foreign memory goes back to its owner
** only when no graph holds it. */
void import_graph_hold (RtBlock *b);
void import_graph_leave (RtBlock *b);

/* Frees a foreign block that lost its last reference. */
void import_free_block (RtBlock *b);

/* Notifies the owners of idle imports: of the import whose turn it is, or of
** 'all'. */
void import_drain (Runtime *rt, bool all);

/* Returns the next import of a kind after 'l' (NULL: the first) that has no
** references but work under way, and this work; NULL: there is none. */
const RtImport *import_next_dropped (const RtDevice *dev, bool pinned,
                                     const RtImport *l, const MarkSet **work);

/* At close: notifies the owners of all imports, even of imports with
** references; 'driver': it can be called. After a reset: the same without a
** driver call. */
void import_end_all (RtDevice *dev, bool driver);
void import_forget_all (RtDevice *dev);

/* At close, for an import that goes on without the Runtime: its references are
** counted anew, from 0, by one thread at a time. The holder of the last one
** notifies the owner. */
void import_detach (RtImport *import);
bool import_drop_detached (RtImport *import);
void import_release (RtImport *import);

#endif
