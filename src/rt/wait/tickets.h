/* tickets.h - waits that block nobody. See tickets.c. */
#ifndef TIDE_RT_WAIT_TICKETS_H
#define TIDE_RT_WAIT_TICKETS_H

#include "rt/rt.h"

/* For point (s, seq), or what is no point of a stream: NULL. */
typedef struct RtTicket {
  RtDevice *dev;
  RtStream *s;
  uint64_t seq;
  Status (*ask) (struct RtTicket *t);  /* who knows better, or NULL */
  struct RtEvent *const *event;        /* whose recording it is, or NULL */
  bool queued;
  struct RtTicket *next, *prev;
} RtTicket;

/* Has its point passed? 0, CUDA_ERROR_NOT_READY, or an error. */
Status rt_askticket (RtTicket *t);

/* From now on rt_nextticket may find it, until it is dropped. */
void rt_queueticket (RtTicket *t);
void rt_dropticket (RtTicket *t);

/*
** One whose point has passed, or never will (*st says why), out of its queue;
** NULL: all have been asked, and the next call begins with the first again. Who
** has 'some' already gets no more once a stream says that there is none.
*/
RtTicket *rt_nextticket (Runtime *rt, bool some, Status *st);

/* The watcher looks after what comes next on 's': the first ticket, or a host
** function whose turn it is then. */
void rt_lookafter (RtStream *s);

/* Is anybody waiting? */
static inline bool rt_hastickets (const Runtime *rt) {
  return rt->awaited != NULL || rt->odd_tickets != NULL;
}

#endif
