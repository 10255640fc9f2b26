/* error_order.h - which operations a wait comes after, for errors that are
** found late. See error_order.c. */
#ifndef TIDE_RT_WAIT_ERROR_ORDER_H
#define TIDE_RT_WAIT_ERROR_ORDER_H

#include "deferral.h"

/* Notes that operation 'from' of 's' comes after 'at'. For a Runtime with
** errors. */
Status error_order_note (RtStream *s, uint64_t from, Point at);

/* Forgets what 's' comes after; frees the list. */
void error_order_forget (RtStream *s);
void error_order_free (RtStream *s);

/* Stores in rt->points, for each stream by its id, the last operation that
** (s, seq) comes after; 0: none. */
void error_order_find (const RtStream *s, uint64_t seq);

/* Tells whether that operation is one of these, or a driver orders it so. */
static inline bool error_order_has (const RtStream *s, uint64_t seq, Point at) {
  return s->dev->rt->points[at.s->id].seq >= at.seq ||
         (deferral_is_legacy_pair(s, at.s) && seq >= at.seq);
}

#endif
