/* exported.h - our memory in the hands of others. See exported.c. */
#ifndef TIDE_RT_MEMORY_EXPORTED_H
#define TIDE_RT_MEMORY_EXPORTED_H

#include "rt/rt.h"

typedef struct RtExport RtExport;

/* One more reference to the block, and to the loan if there is one, for
** somebody who gives them back from any thread, whenever he likes. */
Status rt_export (RtBlock *b, RtLoan *loan, RtExport **out);

/* Its block and loan, if they are of this Runtime's; else NULL. */
RtBlock *rt_exportedblock (const Runtime *rt, const RtExport *x,
                           RtLoan **loan);

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
