/* progress.h - how far streams are, and how far they have waited. See
** progress.c. */
#ifndef TIDE_RT_WAIT_PROGRESS_H
#define TIDE_RT_WAIT_PROGRESS_H

#include "rt/queue/stream_types.h"
#include "rt/rt.h"

/* An event recorded at a stream's tail so that others can wait for it. */
struct Tail {
  CUevent event;
  uint64_t seq;
};

/*
** progress_find_tail returns the earliest event recorded on 's' at or after (s,
** seq), which was sent, or NULL. progress_tail stores it in *at, or else a new
** event at the tail, with the operation that it stands for.
*/
const Tail *progress_find_tail (const RtStream *s, uint64_t seq);
Status progress_tail (RtStream *s, uint64_t seq, Tail *at);

/* Records an event at the tail of 's', if its work may be under way. */
Status progress_mark_tail (RtStream *s);

/* Asks the driver whether (s, seq) has passed: 0, CUDA_ERROR_NOT_READY or an
** error. Records no event while 's' takes part in a capture. */
Status progress_passed (RtStream *s, uint64_t seq);

/*
** Tells whether the null stream is known to be past an operation queued after
** (s, seq), the work of a blocking stream. Because that operation came after
** this work, the work has passed too. The event that progress_passed asks about
** may be recorded late, because nothing waits for it.
*/
bool progress_null_passed (const RtStream *s, uint64_t seq);

/*
** Tells whether (s, seq) has passed, so that what it used may be given up. An
** error of the query, or no memory for its event, does not mean that it has.
** Asked again, a working device mostly answers, now or later, and a failed
** device runs nothing any more.
*/
bool progress_is_over (RtStream *s, uint64_t seq);

/* Notes that all work up to 'seq' is done, and drops its events. */
void progress_set_done (RtStream *s, uint64_t seq);

/* Returns the place of 't' in the table of waits of 's'; beside 1: the other
** place of its pair. */
static inline Point *progress_wait_entry (const RtStream *s, const RtStream *t,
                                          unsigned beside) {
  return &s->waited[((unsigned)t->id ^ beside) & (s->nwaited - 1)];
}

/* Tells whether 's' is known to have waited for (t, seq). */
static inline bool progress_has_waited (const RtStream *s, const RtStream *t,
                                        uint64_t seq) {
  const Point *p = progress_wait_entry(s, t, 0);
  if (p->s != t)
    p = progress_wait_entry(s, t, 1);
  return p->s == t && p->seq >= seq;
}

/* Remembers that 's' has waited for (t, seq); forgets all its waits. */
void progress_note_wait (RtStream *s, RtStream *t, uint64_t seq);
void progress_forget_waits (RtStream *s);

/* Asks the driver whether all work on 's' is done, also that queued by
** others. */
Status progress_query (RtStream *s, const char *what);

/* Tells whether the legacy stream may be used: not while blocking streams
** capture, because it would have to wait for them. */
bool progress_legacy_is_free (const RtDevice *dev);
Status progress_check_legacy (RtStream *s, const char *what);

#endif
