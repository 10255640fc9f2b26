/* reclaim.h - limits, and what cached memory gives back. See reclaim.c. */
#ifndef TIDE_RT_MEMORY_RECLAIM_H
#define TIDE_RT_MEMORY_RECLAIM_H

#include "rt/rt.h"

/*
** Hands idle cached memory of one kind back to the driver until 'bytes' more
** fit under the limit; SIZE_MAX: all of it.
*/
Status rt_reclaim (RtDevice *dev, bool pinned, size_t bytes);

/*
** A wait for memory: until some busy cached block of a kind is idle, memory of
** others that nobody has any more is done with or, if 'graphs', a dropped graph
** is (then drain), whichever is first. Both say
** 0: there is; CUDA_ERROR_NOT_READY: there will be; CUDA_ERROR_OUT_OF_MEMORY:
** nothing is busy that may be waited for, or not enough to bring 'bytes' under
** the limit (SIZE_MAX: any will do; 0: cached blocks will not). The caller sets
** 'serves': host functions run in the wait.
*/
typedef struct RtSearch {
  RtDevice *dev;
  Memory *m;
  int waiting;    /* what will be idle by itself, and */
  int leaving;    /* how much of it is what nobody has any more */
  int most;       /* the same when the wait began */
  bool blocks;    /* whether cached ones are looked at, */
  bool graphs;    /* such graphs, */
  bool loans;     /* and such memory of others */
  bool serves;
} RtSearch;

Status rt_startsearch (RtSearch *x, RtDevice *dev, bool pinned, size_t bytes,
                       bool graphs);
Status rt_search (void *x);

/* Hands all idle cached memory of both kinds back, and what the driver's pool
** keeps. */
Status rt_trim (RtDevice *dev);

/* From now on 'reserved' does not grow beyond 'bytes'. What is cached and idle
** goes back if it is more already; 'peak' starts anew. */
Status rt_setlimit (RtDevice *dev, bool pinned, size_t bytes);

/* What there is of a kind, as far as is known: the limit or, if that is less,
** what the machine has. */
size_t rt_budget (const RtDevice *dev, bool pinned);

/* Fails with CUDA_ERROR_OUT_OF_MEMORY and the figures; 'call' refused. */
Status rt_explainmemory (RtDevice *dev, bool pinned, size_t bytes,
                         const char *call);

#endif
