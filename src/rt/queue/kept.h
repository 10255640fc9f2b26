/* kept.h - operations that wait in a list until host functions have run. See
** kept.c. */
#ifndef TIDE_RT_QUEUE_KEPT_H
#define TIDE_RT_QUEUE_KEPT_H

#include "rt/rt.h"

/* Tells whether the oldest operation of a list is a host function. */
static inline bool rt_hasfunction (const RtKept *k) {
  return k != NULL && k->op.kind == OP_HOSTFN;
}

/*
** Appends 'op' to the list of 's', with copies of all that it needs, as
** operation s->seq. Returns RT_BLOCKED if the lists are full, or if it cannot
** be kept; then it can be queued at once after the operations before it have
** been sent.
*/
Status rt_keep (RtStream *s, const Op *op, const Point *points, int n);

/* Returns the operation up to which a wait for all of 's' goes. It includes
** work that others may have queued there. */
uint64_t rt_lastof (RtStream *s);

/* Sends the operations that have nothing to wait for any more. */
void rt_sendkept (Runtime *rt);

/* Returns the oldest host function, up to operation 'upto', whose turn has
** come; NULL if there is none. Asks the driver. */
RtKept *rt_nextfunction (Runtime *rt, uint64_t upto);

/* Begin a host function, and end it after it has run, or because it never will.
** rt_endfunction sends what is behind it. */
void rt_beginfunction (RtKept *k);
void rt_endfunction (RtKept *k);

/* Moves kept launches of 'g' to 'other'. */
void rt_redirect (const RtGraph *g, RtGraph *other);

/* Drop the operations that a stream, or all streams of a device, keep: they
** will not run. */
void rt_dropkept (RtStream *s);
void rt_dropallkept (RtDevice *dev);

/* Make a record of a captured host function; leave its key for the State to
** release; free the records whose keys the State has released. */
RtKept *rt_newfunction (RtStream *s, int ref);
void rt_abandonfunction (RtKept *k);
void rt_freefunctions (Runtime *rt);
void rt_freekept (RtKept *k);

/* Forgets, at close, the errors of operations that could not be sent. */
void rt_forgetfailed (Runtime *rt);

#endif
