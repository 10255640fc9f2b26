/* runtime.h - opening, entering and closing a Runtime. See runtime.c. */
#ifndef TIDE_RUNTIME_H
#define TIDE_RUNTIME_H

#include "rt.h"

/* Notes which call failed and passes the code on. */
Status rt_fail (Runtime *rt, Status code, const char *call);

/* rt_fail with an explanation (printf). RT_MISUSE: that is the message. */
Status rt_explain (Runtime *rt, Status code, const char *call,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Room for one more in an array that doubles; 'list' points to its pointer,
** 'n' of its elements are in use. Failing leaves it as it was. */
Status rt_room (Runtime *rt, void *list, int n, size_t size);

/* A Runtime with all devices enumerated; touches no device yet. RT_FORKED: a
** parent of this process had one. 'caps' hold from birth to death. */
Status rt_open (const RtCaps *caps, Runtime **rt);

/* Finishes all work, opens every gate without running Lua, frees all. */
void rt_close (Runtime *rt);

/* True in a process forked from the one that opened 'rt'. */
extern volatile unsigned rt_generation;
static inline bool rt_forked (const Runtime *rt) {
  return rt->generation != rt_generation;
}

/* Makes 'dev' ready and its context current for this thread. Every function
** that reaches a driver passes here. */
Status rt_enter (RtDevice *dev);

/* rt_enter for a device that is open, even if it has failed: to free things,
** which the driver allows whatever else it refuses. */
Status rt_visit (RtDevice *dev);

/*
** Frees what was dropped, as far as it can be; never blocks. Not in a finalizer
** that runs in the middle of a call, which may hold what would go. Of what still
** waits for its last work one thing is looked at in each call, in turn, so the
** cost stays the same; 'all': each.
*/
void rt_drain (Runtime *rt, bool all);

/* Is there anything for rt_drain to look at? */
static inline bool rt_hasdropped (const Runtime *rt) {
  return rt->ncaptures > 0 || rt->nparked > 0 || rt->dropped_graphs != NULL ||
         rt->dropped_events != NULL || rt->dropped != NULL ||
         rt->nretiring > 0 || rt->nleaving > 0;
}

/* May all work of a device be waited for? Not while it captures. */
Status rt_checkcaptures (RtDevice *dev, const char *what);

#endif
