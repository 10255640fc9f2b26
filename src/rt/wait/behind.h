/* behind.h - what comes after host functions that have not run. See
** behind.c. */
#ifndef TIDE_RT_WAIT_BEHIND_H
#define TIDE_RT_WAIT_BEHIND_H

#include "rt/rt.h"

/* Returns how many host functions an operation brings. */
static inline int rt_functionsof (const Op *op) {
  if (op->kind != OP_HOSTFN && op->kind != OP_GRAPH)
    return 0;
  return (op->kind == OP_HOSTFN) ? 1 : op->u.graph->body->nfunctions;
}

/* Tells whether the driver orders the two by itself: one is the legacy
** stream. */
bool rt_islegacypair (const RtStream *s, const RtStream *t);

/* Returns the stream, of those that the driver orders with 's', which keeps an
** operation from before 'seq'; NULL if there is none. */
RtStream *rt_olderpartner (const RtStream *s, uint64_t seq);

/* Returns one of the points that has not been sent; NULL if all have. */
const Point *rt_findunsent (const Point *points, int n);

/*
** Tells whether 'op' on 's', which comes after those points, comes after a host
** function that has not run, or brings one.
*/
bool rt_isbehind (const RtStream *s, const Op *op, const Point *points, int n);

/* Checks that all of 's' has been sent, and what the driver orders before its
** next operation. RT_BLOCKED: not yet. */
Status rt_checksent (RtStream *s, const char *what);

/* Tells whether the lists take one more operation. */
bool rt_takeskept (const Runtime *rt);

/* Returns a use of memory by an operation that has not been sent; NULL if there
** is none. */
const Mark *rt_findkept (const MarkSet *m);

/* Stores in rt->points for each stream, by its id, from which operation on it
** comes after 'at', as far as the lists tell; UINT64_MAX: it does not. */
void rt_findbehind (Runtime *rt, Point at);

#endif
