/* gate.h - what holds a stream until a host function has run. See gate.c. */
#ifndef TIDE_RT_WAIT_GATE_H
#define TIDE_RT_WAIT_GATE_H

#include "rt/rt.h"

enum { GRAPH_HOSTS = 40 };  /* host functions that a graph can have */

/*
** Before an operation is queued on 's' while gates are shut, or one that brings
** gates: the device waits at those that it comes after, and there is room.
** RT_BLOCKED: not now.
*/
Status rt_passgates (RtStream *s, const Op *op);

/* How many host functions an operation brings. */
static inline int rt_functionsof (const Op *op) {
  if (op->kind != OP_HOSTFN && op->kind != OP_GRAPH)
    return 0;
  return (op->kind == OP_HOSTFN) ? 1 : op->u.graph->body->nhosts;
}

enum { PIECE_WEIGHT = 8 };  /* of a file's piece: two waits and a copy */

/* Is there room for 'weight' more operations? */
bool rt_isroomy (const RtStream *s, uint64_t weight);

/* The device waits at the gates of 's', if it does not yet. */
Status rt_holdgates (RtStream *s, const char *what);

/* Before a wait of 's' for (t, seq) is queued; rt_follow comes after. If that
** is held, so is 's' from its next operation on. RT_BLOCKED: not now. */
Status rt_beforefollow (RtStream *s, RtStream *t, uint64_t seq);

/* A stream waits by itself for the functions of others that it is behind. */
Status rt_holdhurdles (RtStream *s);

/* Does the driver order the two by itself? One is the legacy stream. */
bool rt_islegacypair (const RtStream *s, const RtStream *t);

/* Calls 'act' for each stream that the driver orders with 's': an operation of
** the legacy stream follows those of blocking streams, and they follow it. */
Status rt_eachpartner (RtStream *s, Status (*act) (RtStream *s, RtStream *t));

/* The operation that was just queued on 's' brings a gate: a host function's,
** or that of a launch of 'body'. */
void rt_addgate (RtStream *s, RtGate *gate, RtBody *body);

/*
** Remembers that it is a launch of a body; with host functions there is a gate,
** malloc'ed, which goes when they have all run.
*/
void rt_notelaunch (RtGraph *g, RtStream *s, RtGate *gate);

/*
** The host function of a node is about to run: all that comes before it on its
** stream is done. It has run, or never will: its stream goes on.
*/
void rt_beginfunction (RtHostNode *node);
void rt_endfunction (RtHostNode *node);

/* None of the functions that are on their way on 'dev' will run: at the end,
** and after a reset, when the driver has nothing of them any more. */
void rt_dropgates (RtDevice *dev);
void rt_forgetgates (RtDevice *dev);

#endif
