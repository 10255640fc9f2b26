/* deferral.h - operations behind host functions that have not run. See
** deferral.c. */
#ifndef TIDE_RT_WAIT_DEFERRAL_H
#define TIDE_RT_WAIT_DEFERRAL_H

#include "rt/graph/graph_types.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/rt.h"

/* Tells whether 's' keeps an operation up to 'seq', so that the driver does not
** have it yet. */
static inline bool deferral_keeps (const RtStream *s, uint64_t seq) {
  return s->kept != NULL && s->kept->seq <= seq;
}

/* Returns the number of host functions that an operation brings. */
static inline int deferral_count_functions (const Op *op) {
  if (op->kind != OP_HOSTFN && op->kind != OP_GRAPH)
    return 0;
  return (op->kind == OP_HOSTFN) ? 1 : op->u.graph->body->nfunctions;
}

/* Tells whether the driver itself orders the two streams: one of them is the
** legacy stream. */
bool deferral_is_legacy_pair (const RtStream *s, const RtStream *t);

/* Returns a stream that the driver orders with 's' and that keeps an operation
** from before 'seq'; NULL if there is none. */
RtStream *deferral_older_partner (const RtStream *s, uint64_t seq);

/* Returns one of the points that has not been sent; NULL if all have. */
const Point *deferral_find_unsent (const Point *points, int n);

/*
** Tells whether 'op' on 's', which comes after the 'n' points, comes after a
** host function that has not run, or brings one.
*/
bool deferral_is_needed (const RtStream *s, const Op *op, const Point *points,
                         int n);

/* Checks that all operations of 's' have been sent, and all that the driver
** orders before its next operation. Returns RT_BLOCKED if not. */
Status deferral_check_sent (RtStream *s, const char *what);

/* Tells whether the lists of kept operations have room for one more. */
bool deferral_has_room (const Runtime *rt);

/* Returns a use of memory by an operation that has not been sent; NULL if there
** is none. */
const Mark *deferral_find_use (const MarkSet *m);

/* Stores in rt->points, for each stream by its id, the first operation that
** comes after 'at', as far as the lists tell; UINT64_MAX: there is none. */
void deferral_find_after (Runtime *rt, Point at);

#endif
