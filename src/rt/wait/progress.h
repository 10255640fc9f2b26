/* progress.h - how far streams are, and have waited. See progress.c. */
#ifndef TIDE_RT_WAIT_PROGRESS_H
#define TIDE_RT_WAIT_PROGRESS_H

#include "rt/rt.h"

/*
** An event that is recorded at or after (s, seq), which was sent, on 's', the
** earliest there is, or NULL; rt_tail: else a new one at the tail. *at says
** what it stands for.
*/
const Tail *rt_findtail (const RtStream *s, uint64_t seq);
Status rt_tail (RtStream *s, uint64_t seq, Tail *at);

/* One at its tail now, if what is there may be under way. */
Status rt_marktail (RtStream *s);

/* Asks the driver whether (s, seq) has passed; no event is recorded while
** 's' takes part in a capture. CUDA_ERROR_NOT_READY: not yet. */
Status rt_passed (RtStream *s, uint64_t seq);

/*
** Is the null stream known to be past something queued after the work (s, seq)
** of a blocking stream, which it then came after? The event that rt_passed asks
** for may be recorded late, as nobody waits for it.
*/
bool rt_nullpassed (const RtStream *s, uint64_t seq);

/*
** Has (s, seq) passed, so that what it used may be given up? An error of the
** query, or that there was no event or memory for it, is no reason to: asked
** again, a device that works mostly tells, now or later, and one that does not
** runs nothing any more.
*/
bool rt_isover (RtStream *s, uint64_t seq);

/* All work up to 'seq' is known done: forget its events. */
void rt_setdone (RtStream *s, uint64_t seq);

/* The place of 't' among those whom 's' waited for, or that beside it. */
static inline Point *rt_waitedplace (const RtStream *s, const RtStream *t,
                                     unsigned beside) {
  return &s->waited[((unsigned)t->id ^ beside) & (s->nwaited - 1)];
}

/* Is 's' known to have waited for (t, seq)? */
static inline bool rt_haswaited (const RtStream *s, const RtStream *t,
                                 uint64_t seq) {
  const Point *p = rt_waitedplace(s, t, 0);
  if (p->s != t)
    p = rt_waitedplace(s, t, 1);
  return p->s == t && p->seq >= seq;
}

/* Remembers that it has; forgets whom it waited for. */
void rt_notewaited (RtStream *s, RtStream *t, uint64_t seq);
void rt_forgetwaited (RtStream *s);

/* Asks the driver whether all work on 's' is done, by whomever queued. */
Status rt_querystream (RtStream *s, const char *what);

/* While blocking streams capture, the legacy stream must not be used: it would
** have to wait for them. */
bool rt_islegacyfree (const RtDevice *dev);
Status rt_checklegacy (RtStream *s, const char *what);

#endif
