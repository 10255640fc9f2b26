/* foreign.h - foreign memory, and loans of it. See foreign.c. */
#ifndef TIDE_RT_MEMORY_FOREIGN_H
#define TIDE_RT_MEMORY_FOREIGN_H

#include "rt/rt.h"

/* The kinds of foreign memory. */
typedef enum RtForeign {
  FOREIGN_DEVICE, /* the device reads and writes it */
  FOREIGN_PINNED, /* page-locked memory of the host */
  FOREIGN_PLAIN   /* ordinary host memory; page-locked as long as it is used */
} RtForeign;

/*
** Makes a loan, with one reference, of 'bytes' (> 0) at 'ptr', and finds or
** makes the block with all of it, with one reference. Known memory has one
** block, so that all its users are in order. release(ud), if it is not NULL, is
** called once: when the loan has no references and the uses of the block until
** then are done. If rt_borrow fails it is never called. RT_BLOCKED: the memory
** cannot be page-locked now.
*/
Status rt_borrow (RtDevice *dev, RtForeign kind, CUdeviceptr ptr, size_t bytes,
                  RtRelease *release, void *ud, RtLoan **loan, RtBlock **out);

void rt_retainloan (RtLoan *loan);
void rt_droploan (RtLoan *loan); /* NULL does nothing */

/* Ends without a call of release. */
void rt_forgiveloan (RtLoan *loan);

/* A graph holds a block, or no longer. Foreign memory goes back to its owner
** only when no graph holds it. */
void rt_holdforgraph (RtBlock *b);
void rt_leavebygraph (RtBlock *b);

/* Frees a foreign block that lost its last reference. */
void rt_dropforeign (RtBlock *b);

/* Tells the owners of idle loans: of the loan whose turn it is, or of 'all'. */
void rt_drainforeign (Runtime *rt, bool all);

/* Returns the next loan of a kind after 'l' (NULL: the first) that has no
** references but work under way, and this work; NULL: there is none. */
const RtLoan *rt_nextleaving (const RtDevice *dev, bool pinned, const RtLoan *l,
                              const MarkSet **work);

/* At close: tells the owners of all loans, even of loans with references;
** 'driver': it can be called. After a reset: the same without a driver call. */
void rt_endforeign (RtDevice *dev, bool driver);
void rt_forgetforeign (RtDevice *dev);

/* At close, for a loan that goes on without the Runtime: its references are
** counted anew, from 0, by one thread at a time. The holder of the last one
** tells the owner. */
void rt_detachloan (RtLoan *loan);
bool rt_islastofloan (RtLoan *loan);
void rt_telllender (RtLoan *loan);

#endif
