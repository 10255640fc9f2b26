/* foreign.h - memory of others. See foreign.c. */
#ifndef TIDE_RT_MEMORY_FOREIGN_H
#define TIDE_RT_MEMORY_FOREIGN_H

#include "rt/rt.h"

/* What somebody else's memory is. */
typedef enum RtForeign {
  FOREIGN_DEVICE,  /* the device reads and writes it */
  FOREIGN_PINNED,  /* page-locked memory of the host */
  FOREIGN_PLAIN    /* the host's; it is page-locked as long as it is used */
} RtForeign;

/*
** A loan, with one reference, of 'bytes' (> 0) at 'ptr', and the block with all
** of it, with one reference: of memory that is known already it is that one, so
** that whoever uses either is in order. release(ud), if it is not NULL, is
** called once, when nobody holds the loan and what used the block until then is
** done; if this fails, never. RT_BLOCKED: it cannot be page-locked now.
*/
Status rt_borrow (RtDevice *dev, RtForeign kind, CUdeviceptr ptr, size_t bytes,
                  RtRelease *release, void *ud, RtLoan **loan, RtBlock **out);

void rt_retainloan (RtLoan *loan);
void rt_droploan (RtLoan *loan);  /* NULL: nothing */

/* Nobody is told of it. */
void rt_forgiveloan (RtLoan *loan);

/* A graph holds a block, or no longer: memory of others is theirs again when
** none does. */
void rt_holdforgraph (RtBlock *b);
void rt_leavebygraph (RtBlock *b);

/* The last reference to a foreign block is gone. */
void rt_dropforeign (RtBlock *b);

/* Tells the owners of what is idle: the one whose turn it is, or 'all'. */
void rt_drainforeign (Runtime *rt, bool all);

/* The next loan of a kind behind 'l' (NULL: the first) that nobody holds any
** more, whose work is under way, and what that is; NULL: there is none. */
const RtLoan *rt_nextleaving (const RtDevice *dev, bool pinned,
                              const RtLoan *l, const MarkSet **work);

/* At close: the owners of all are told, whoever holds them; 'driver': it can be
** reached. After a reset: no driver call. */
void rt_endforeign (RtDevice *dev, bool driver);
void rt_forgetforeign (RtDevice *dev);

/* At close, of a loan that goes on without the Runtime: its references are
** counted anew, from 0, by one at a time. Who gives the last one up tells its
** owner. */
void rt_detachloan (RtLoan *loan);
bool rt_islastofloan (RtLoan *loan);
void rt_telllender (RtLoan *loan);

#endif
