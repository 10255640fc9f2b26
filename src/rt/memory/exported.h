/* exported.h - references to our memory that foreign code holds. See
** exported.c. */
#ifndef TIDE_RT_MEMORY_EXPORTED_H
#define TIDE_RT_MEMORY_EXPORTED_H

#include "rt/rt.h"

typedef struct RtExport RtExport;

/* Takes a reference to the block, and to the loan if there is one, for foreign
** code, which returns them from any thread at any time. */
Status rt_export (RtBlock *b, RtLoan *loan, RtExport **out);

/* Returns the export's block and loan, if they are this Runtime's; else
** NULL. */
RtBlock *rt_exportedblock (const Runtime *rt, const RtExport *x, RtLoan **loan);

/* Returns the export's references. May be called on any thread, and when the
** Runtime is closed; not in a child process. */
void rt_returnexport (RtExport *x);

/* Drops the references that were returned. */
void rt_drainexports (Runtime *rt);
bool rt_hasreturned (const Runtime *rt);

/* At close, before memory goes: memory that is still exported stays until it is
** returned. */
void rt_leaveexports (Runtime *rt);

#endif
