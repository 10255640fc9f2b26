/* kept.h - operations that wait in a list until host functions have run. See
** kept.c. */
#ifndef TIDE_RT_QUEUE_KEPT_H
#define TIDE_RT_QUEUE_KEPT_H

#include "kept_types.h"
#include "op_types.h"
#include "rt/rt.h"

/* Tells whether the oldest operation of a list is a host function. */
static inline bool kept_is_function (const RtKept *k) {
  return k != NULL && k->op.kind == OP_HOSTFN;
}

/*
** Appends 'op' to the list of 's', with copies of all that it needs, as
** operation s->seq. Returns RT_BLOCKED if the lists are full, or if it cannot
** be kept; then it can be queued at once after the operations before it have
** been sent.
*/
Status kept_add (RtStream *s, const Op *op, const Point *points, int n);

/* Returns the operation up to which a wait for all of 's' goes. It includes
** work that others may have queued there. */
uint64_t kept_last (RtStream *s);

/* Sends the operations that have nothing to wait for any more. */
void kept_send (Runtime *rt);

/* Returns the oldest host function, up to operation 'upto', whose turn has
** come; NULL if there is none. Asks the driver. Sends operations again that
** could not be sent before. */
RtKept *kept_next_function (Runtime *rt, uint64_t upto);

/* Begin a host function, and end it after it has run, or because it never will.
** kept_end_function sends what is behind it. */
void kept_begin_function (RtKept *k);
void kept_end_function (RtKept *k);

/* Moves kept launches of 'g' to 'other'. */
void kept_redirect (const RtGraph *g, RtGraph *other);

/* Drop the operations that a stream, or all streams of a device, keep: they
** will not run. */
void kept_drop (RtStream *s);
void kept_drop_all (RtDevice *dev);

/* Make a record of a captured host function; leave its key for the State to
** release; free the records whose keys the State has released. */
RtKept *kept_new_function (RtStream *s, int ref);
void kept_abandon_function (RtKept *k);
void kept_free_functions (Runtime *rt);
void kept_free (RtKept *k);

/* Forgets, at close, the errors of operations that could not be sent. */
void kept_forget_failed (Runtime *rt);

#endif
