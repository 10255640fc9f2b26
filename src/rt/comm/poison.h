/* poison.h - memory whose contents failed operations of ranks did not write.
** See poison.c. */
#ifndef TIDE_RT_COMM_POISON_H
#define TIDE_RT_COMM_POISON_H

#include "comm.h"

/* Why an operation of ranks did not happen. */
typedef struct RtPoison {
  struct RtPoison *next;                  /* in the Runtime's list */
  uint64_t seq;                           /* the operation */
  uint64_t family;                        /* its communicator */
  bool used;                              /* a block refers to it */
  char text[COMM_WHY + COMM_PLACE + 100]; /* what is missing, and why */
} RtPoison;

/* Tells whether anything has to be noted, or looked for. */
static inline bool poison_any (const Runtime *rt) {
  return rt->held[LIFE_COMM].n > 0 || rt->poisons != NULL;
}

/* Notes that 'op' is operation 'seq', so its writes come from its reads. */
void poison_note (const Runtime *rt, const Op *op, uint64_t seq);

/* Return why contents that the operation reads, or the bytes [lo, hi), are
** missing; NULL: they are there. */
const RtPoison *poison_find (const Op *op);
const RtPoison *poison_in (const RtBlock *b, size_t lo, size_t hi);

/* Notes that these bytes were overwritten. */
void poison_clear (RtBlock *b, size_t lo, size_t hi);

/* Makes an empty poison; NULL: no memory. */
RtPoison *poison_new (void);

/* Poisons what the operations under way of a failed communicator write. */
void poison_mark (RtComm *comm);

void poison_free_all (Runtime *rt);

#endif
