/* watcher.h - the thread that looks after streams for event loops. See
** watcher.c. */
#ifndef TIDE_RT_WAIT_WATCHER_H
#define TIDE_RT_WAIT_WATCHER_H

#include "rt/rt.h"

/* From now on the inbox is alerted when a ticket may be over, or the alarm is
** due. The second time nothing happens. */
Status rt_openwatcher (Runtime *rt);
void rt_closewatcher (Runtime *rt);

/* Looks after operation 'seq' of 's', which was not over a moment ago, instead
** of what was looked after there before. 'e': its recording, or NULL. */
void rt_watch (RtStream *s, uint64_t seq, const RtEvent *e);

/* No longer. Its event may be used for other things from now on. */
void rt_unwatch (RtStream *s);

/* The same where 'e' is asked: it is recorded next, or dropped. */
void rt_unwatchevent (const RtEvent *e);

/* Is there what cannot be looked after, so that its owner has to ask? */
void rt_watchothers (Runtime *rt, bool there);

/* Alerts at that time, and not before: ns of CLOCK_MONOTONIC; 0: never. */
void rt_setalarm (Runtime *rt, int64_t ns);

/* Between these no thread of ours asks any driver: a device is reset. */
void rt_stopwatching (void);
void rt_goonwatching (void);

/* All up to 'seq' has passed, and 's' is looked after for something in it? */
static inline bool rt_iswatched (const RtStream *s, uint64_t seq) {
  return __atomic_load_n(&s->watch.on, __ATOMIC_ACQUIRE) &&
         s->watch.seq <= seq;
}

#endif
