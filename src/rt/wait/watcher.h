/* watcher.h - the thread that looks after streams for event loops. See
** watcher.c. */
#ifndef TIDE_RT_WAIT_WATCHER_H
#define TIDE_RT_WAIT_WATCHER_H

#include "rt/rt.h"

/* Starts the watcher: from now on the inbox is alerted when a ticket may be
** over, or the alarm is due. A second call does nothing. */
Status rt_openwatcher (Runtime *rt);
void rt_closewatcher (Runtime *rt);

/* Looks after operation 'seq' of 's', which was not over a moment ago, instead
** of the earlier operation. 'e' is the event whose recording it is, or NULL. */
void rt_watch (RtStream *s, uint64_t seq, const RtEvent *e);

/* Stops looking after 's'. Its event may be reused from now on. */
void rt_unwatch (RtStream *s);

/* As above for the stream that asks about 'e', which is recorded next, or
** dropped. */
void rt_unwatchevent (const RtEvent *e);

/* Tells the watcher whether some waits cannot be looked after, so that the
** owner has to ask about them itself. */
void rt_watchothers (Runtime *rt, bool there);

/* Alerts at that time: ns of CLOCK_MONOTONIC; 0: never. */
void rt_setalarm (Runtime *rt, int64_t ns);

/* Between these calls no watcher asks any driver, because a device is reset. */
void rt_stopwatching (void);
void rt_goonwatching (void);

/* Tells whether 's' is looked after for an operation up to 'seq'. */
static inline bool rt_iswatched (const RtStream *s, uint64_t seq) {
  return __atomic_load_n(&s->watch.on, __ATOMIC_ACQUIRE) && s->watch.seq <= seq;
}

#endif
