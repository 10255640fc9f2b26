/* export.h - references to our memory that foreign code holds. See
** export.c. */
#ifndef TIDE_RT_MEMORY_EXPORT_H
#define TIDE_RT_MEMORY_EXPORT_H

#include "rt/rt.h"

typedef struct RtExport RtExport;

/* Takes a reference to the block, and to the import if there is one, for
** foreign code, which returns them from any thread at any time. */
Status export_new (RtBlock *b, RtImport *import, RtExport **out);

/* Returns the export's block and import, if they are this Runtime's; else
** NULL. */
RtBlock *export_block (const Runtime *rt, const RtExport *x, RtImport **import);

/* Returns the export's references. May be called on any thread, and when the
** Runtime is closed; not in a child process. */
void export_return (RtExport *x);

/* Drops the references that were returned. */
void export_drain (Runtime *rt);
bool export_has_returned (const Runtime *rt);

/* Tells whether foreign code holds any. */
bool export_any (const Runtime *rt);

/* At close, before memory goes: memory that is still exported stays until it is
** returned. */
void export_detach_all (Runtime *rt);

#endif
