/* watcher.h - the thread that looks after streams for event loops. See
** watcher.c. */
#ifndef TIDE_RT_WAIT_WATCHER_H
#define TIDE_RT_WAIT_WATCHER_H

#include "rt/queue/stream_types.h"
#include "rt/rt.h"

/* Starts the watcher: from now on it posts a wakeup when a ticket may be over,
** or the deadline has come. A second call does nothing. */
Status watcher_open (Runtime *rt);
void watcher_close (Runtime *rt);

/* Looks after operation 'seq' of 's', which was not over a moment ago, instead
** of the earlier operation. 'e' is the event whose recording it is, or NULL. */
void watcher_add (RtStream *s, uint64_t seq, const RtEvent *e);

/* Stops looking after 's'. Its event may be reused from now on. */
void watcher_remove (RtStream *s);

/* As above for the stream that asks about 'e', which is recorded next, or
** dropped. */
void watcher_remove_event (const RtEvent *e);

/* Tells the watcher whether some waits cannot be looked after, so that the
** owner has to ask about them itself. */
void watcher_note_unwatched (Runtime *rt, bool there);

/* Sets the deadline: the time of the next wakeup, ns of CLOCK_MONOTONIC; 0:
** never. */
void watcher_set_deadline (Runtime *rt, int64_t ns);

/* Between these calls no watcher asks any driver, because a device is reset. */
void watcher_pause (void);
void watcher_resume (void);

/* Tells whether 's' is looked after for an operation up to 'seq'. */
static inline bool watcher_has (const RtStream *s, uint64_t seq) {
  return __atomic_load_n(&s->watch.on, __ATOMIC_ACQUIRE) && s->watch.seq <= seq;
}

#endif
