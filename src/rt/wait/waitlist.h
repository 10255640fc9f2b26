/* waitlist.h - waits that do not block the thread. See waitlist.c. */
#ifndef TIDE_RT_WAIT_WAITLIST_H
#define TIDE_RT_WAIT_WAITLIST_H

#include "rt/rt.h"

/* A wait for point (s, seq); 's' NULL: for something else. */
typedef struct RtTicket {
  Link link; /* in the queue of 's', by seq, or in rt->odd_tickets */
  RtDevice *dev;
  RtStream *s;
  uint64_t seq;
  Status (*ask)(struct RtTicket
                  *t);          /* asks instead of progress_passed, or NULL */
  struct RtEvent *const *event; /* the event whose recording it waits
                                          for, or NULL */
  bool queued;
} RtTicket;

/* Returns 0 if its point has passed, CUDA_ERROR_NOT_READY, or an error. */
Status waitlist_ask (RtTicket *t);

/* Queues a ticket, so that waitlist_next can find it until it is dropped. */
void waitlist_add (RtTicket *t);
void waitlist_remove (RtTicket *t);

/*
** Takes a ticket whose point has passed, or never will (*st says why), out of
** its queue and returns it. Returns NULL when all have been asked; the next
** call begins a new round. With 'some', because the caller has a ticket
** already, the round ends at the first stream that has none over.
*/
RtTicket *waitlist_next (Runtime *rt, bool some, Status *st);

/* Makes the watcher look after what comes next on 's': its first ticket, or a
** host function whose turn comes next. */
void waitlist_watch (RtStream *s);

/* Makes the watcher wake the owner now and then, while there is something to
** ask about that it cannot. */
void waitlist_watch_others (Runtime *rt);

/* Tells whether there are tickets. */
static inline bool waitlist_has_tickets (const Runtime *rt) {
  return rt->awaited != NULL || rt->odd_tickets.n > 0;
}

#endif
