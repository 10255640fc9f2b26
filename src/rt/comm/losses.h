/* losses.h - what operations of ranks should have written, and have not. See
** losses.c. */
#ifndef TIDE_RT_COMM_LOSSES_H
#define TIDE_RT_COMM_LOSSES_H

#include "comm.h"

/* An operation that was lost. */
typedef struct RtLoss {
  struct RtLoss *next;                    /* in the Runtime's list */
  uint64_t seq;                           /* the operation */
  uint64_t family;                        /* its communicator */
  bool used;                              /* a block refers to it */
  char text[COMM_WHY + COMM_PLACE + 100]; /* what is missing, and why */
} RtLoss;

/* Tells whether anything has to be noted, or looked for. */
static inline bool rt_owes (const Runtime *rt) {
  return rt->comms != NULL || rt->losses != NULL;
}

/* Notes that 'op' is operation 'seq', so its writes come from its reads. */
void rt_noteowed (const Runtime *rt, const Op *op, uint64_t seq);

/* Tells whether the operation, by that access, depends on earlier contents. */
bool rt_sees (const Op *op, const Access *a);

/* Tells whether it only writes, and all of the range. */
bool rt_replaces (const Op *op, const Access *a);

/* Return why contents that the operation reads, or the bytes [lo, hi), are
** missing; NULL: they are there. */
const RtLoss *rt_findloss (const Op *op);
const RtLoss *rt_lossin (const RtBlock *b, size_t lo, size_t hi);

/* Notes that these bytes were overwritten. */
void rt_overwrite (RtBlock *b, size_t lo, size_t hi);

/* Makes an empty loss; NULL: no memory. */
RtLoss *rt_newloss (void);

/* Marks the operations under way of a failed communicator as lost. */
void rt_lose (RtComm *comm);

void rt_freelosses (Runtime *rt);

#endif
