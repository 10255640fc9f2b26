/* losses.h - what operations of ranks were to write, and have not. See
** losses.c. */
#ifndef TIDE_RT_COMM_LOSSES_H
#define TIDE_RT_COMM_LOSSES_H

#include "comm.h"

/* One that is lost. */
typedef struct RtLoss {
  struct RtLoss *next;  /* of the Runtime */
  uint64_t seq;         /* the operation, */
  uint64_t family;      /* and of which communicator */
  bool used;            /* a block has it */
  char text[COMM_WHY + COMM_PLACE + 100];  /* what is not there, and why */
} RtLoss;

/* Does anything have to be noted, or looked for? */
static inline bool rt_owes (const Runtime *rt) {
  return rt->comms != NULL || rt->losses != NULL;
}

/* Operation 'seq' is 'op': what it writes comes from what it reads. */
void rt_noteowed (const Runtime *rt, const Op *op, uint64_t seq);

/* Does the operation see what was there before by that access? */
bool rt_sees (const Op *op, const Access *a);

/* Does it write only, and all of the range? */
bool rt_replaces (const Op *op, const Access *a);

/* Why what the operation reads, or those bytes, are not there; NULL: they
** are. */
const RtLoss *rt_findloss (const Op *op);
const RtLoss *rt_lossin (const RtBlock *b, size_t lo, size_t hi);

/* Those bytes are others now. */
void rt_overwrite (RtBlock *b, size_t lo, size_t hi);

/* One that is not any yet; NULL: no memory. */
RtLoss *rt_newloss (void);

/* The communicator has failed: its operations that are not done are lost. */
void rt_lose (RtComm *comm);

void rt_freelosses (Runtime *rt);

#endif
