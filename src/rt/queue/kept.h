/* kept.h - operations that wait in a list until host functions have run. See
** kept.c. */
#ifndef TIDE_RT_QUEUE_KEPT_H
#define TIDE_RT_QUEUE_KEPT_H

#include "rt/rt.h"

/* Tells whether the oldest one of a list is a host function. */
static inline bool rt_hasfunction (const RtKept *k) {
  return k != NULL && k->op.kind == OP_HOSTFN;
}

/*
** Appends 'op' to the list of 's', with copies of all that it needs; it is
** operation s->seq then. RT_BLOCKED: the lists are full, or it cannot be kept:
** after the operations before it have been sent it can be queued at once.
*/
Status rt_keep (RtStream *s, const Op *op, const Point *points, int n);

/* Returns up to which operation a wait for all of 's' goes: what others may
** have queued there counts. */
uint64_t rt_lastof (RtStream *s);

/* Queues what has nothing to wait for any more. */
void rt_sendkept (Runtime *rt);

/* Returns the oldest host function up to operation 'upto' whose turn has come;
** NULL if there is none. Asks the driver. */
RtKept *rt_nextfunction (Runtime *rt, uint64_t upto);

/* The host function begins; it has run, or never will, so that what is behind
** it is sent. */
void rt_beginfunction (RtKept *k);
void rt_endfunction (RtKept *k);

/* Launches of 'g' that are kept are of 'other' from now on. */
void rt_redirect (const RtGraph *g, RtGraph *other);

/* Drops what a stream keeps, or all streams of a device: nothing of it will
** run. */
void rt_dropkept (RtStream *s);
void rt_dropallkept (RtDevice *dev);

/* Makes a record of a captured host function; leaves its key for the State to
** forget; frees those that the State has forgotten. */
RtKept *rt_newfunction (RtStream *s, int ref);
void rt_abandonfunction (RtKept *k);
void rt_freefunctions (Runtime *rt);
void rt_freekept (RtKept *k);

/* At close: nobody is told of what could not be sent any more. */
void rt_forgetfailed (Runtime *rt);

#endif
