/* runtime.h - opening, entering and closing a Runtime. See runtime.c. */
#ifndef TIDE_RT_RUNTIME_H
#define TIDE_RT_RUNTIME_H

#include "rt.h"
#include "rt/file/transfer.h"
#include "rt/memory/exported.h"

/* A Runtime with all devices enumerated; touches no device yet. RT_FORKED: a
** parent of this process had one. 'caps' hold from birth to death. */
Status rt_open (const RtCaps *caps, Runtime **rt);

/* At close: finishes all work if files or ranks are among it, or if 'mayfail',
** so that the report of what went wrong misses nothing. */
void rt_finishlast (Runtime *rt, bool mayfail);

/* Finishes all work without running host functions, frees all. */
void rt_close (Runtime *rt);

/*
** Frees what was dropped, as far as it can be; never blocks. Not in a finalizer
** that runs in the middle of a call, which may hold what would go. Of what
** still waits for its last work one thing is looked at in each call, in turn,
** so the cost stays the same; 'all': each.
*/
void rt_drain (Runtime *rt, bool all);

/* Is there anything for rt_drain to look at? */
static inline bool rt_hasdropped (const Runtime *rt) {
  return rt->ncaptures > 0 || rt->nparked > 0 || rt->dropped_graphs != NULL ||
         rt->dropped_events != NULL || rt->dropped != NULL ||
         rt->nretiring > 0 || rt->nleaving > 0 || rt->nleaving_loans > 0 ||
         rt->nparting > 0 || rt_hasdone(rt) ||
         (rt->returns != NULL && rt_hasreturned(rt));
}

/* May all work of a device be waited for? Not while a stream of it takes part
** in a capture. */
Status rt_checkcaptures (RtDevice *dev, const char *what);

/* May the Lua state have one more stream? RT_BLOCKED: once a closed one is
** done. */
Status rt_checkstreams (RtDevice *dev);

#endif
