/* runtime.h - opening, entering and closing a Runtime. See runtime.c. */
#ifndef TIDE_RT_RUNTIME_H
#define TIDE_RT_RUNTIME_H

#include "extensions.h"
#include "rt.h"
#include "rt/memory/export.h"

/* Makes a Runtime that has all devices enumerated, and touches no device yet.
** RT_FORKED: a parent of this process had one. 'caps' never change. */
Status runtime_open (const RtCaps *caps, Runtime **rt);

/* At close: finishes all work if there are transfers or ranks, or if 'mayfail',
** so that the report of errors is complete. */
void runtime_finish (Runtime *rt, bool mayfail);

/* Finishes all work without running host functions; frees everything. */
void runtime_close (Runtime *rt);

/*
** Frees dropped objects as far as possible; never blocks. Do not call it in a
** finalizer that runs in the middle of a call, because the call may hold one of
** them. Each call looks at one object that waits for its last work, in turn, so
** that the cost stays constant; 'all': at each.
*/
void runtime_drain (Runtime *rt, bool all);

/* Tells whether runtime_drain has anything to look at. */
static inline bool runtime_has_dropped (const Runtime *rt) {
  return rt->ncaptures > 0 || rt->ndropped > 0 ||
         (rt->active != 0 && extension_has_dropped(rt)) ||
         (rt->returns != NULL && export_has_returned(rt));
}

/* Tells whether all work of a device may be waited for. It may not while a
** stream of the device takes part in a capture. */
Status runtime_check_captures (RtDevice *dev, const char *what);

/* Tells whether the Lua state may have one more stream. RT_BLOCKED: once a
** closed one is done. */
Status runtime_check_streams (RtDevice *dev);

#endif
