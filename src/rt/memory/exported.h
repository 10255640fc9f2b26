/* exported.h - our memory in the hands of others. See exported.c. */
#ifndef TIDE_RT_MEMORY_EXPORTED_H
#define TIDE_RT_MEMORY_EXPORTED_H

#include "rt/rt.h"

typedef struct RtExport RtExport;

/* One more reference to the block, for somebody who gives it back from any
** thread, whenever he likes. */
Status rt_export (RtBlock *b, RtExport **out);

/* Its block, if that is one of this Runtime's; else NULL. */
RtBlock *rt_exportedblock (const Runtime *rt, const RtExport *x);

/* Gives it back. On any thread, also when the Runtime is closed; not in a
** child process. */
void rt_returnexport (RtExport *x);

/* What came back is dropped. */
void rt_drainexports (Runtime *rt);
bool rt_hasreturned (const Runtime *rt);

/* At close, before memory goes: what others still have stays until they give
** it back. */
void rt_leaveexports (Runtime *rt);

#endif
