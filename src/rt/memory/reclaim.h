/* reclaim.h - memory limits, and giving cached memory back. See reclaim.c. */
#ifndef TIDE_RT_MEMORY_RECLAIM_H
#define TIDE_RT_MEMORY_RECLAIM_H

#include "rt/rt.h"

/*
** Hands idle cached memory of one kind back to the driver until 'bytes' more
** fit under the limit. SIZE_MAX: hands all of it back.
*/
Status reclaim_cached (RtDevice *dev, bool pinned, size_t bytes);

/*
** A wait for memory of one kind. It ends as soon as a busy cached block is
** idle, a dropped import is done or, if 'graphs', a dropped graph is done. For
** the last two call runtime_drain then. Both functions return
**   0: there is something;
**   CUDA_ERROR_NOT_READY: there will be;
**   CUDA_ERROR_OUT_OF_MEMORY: nothing busy may be waited for, or not enough to
**     bring 'bytes' under the limit.
** With SIZE_MAX any block will do, with 0 cached blocks will not. The caller
** sets 'serves' if host functions run in the wait.
*/
typedef struct RtSearch {
  RtDevice *dev;
  Memory *m;
  int waiting;  /* busy things that will be idle by themselves */
  int leaving;  /* how many of these are dropped graphs and imports */
  int most;     /* 'leaving' when the wait began */
  bool blocks;  /* look at cached blocks, */
  bool graphs;  /* at dropped graphs, */
  bool imports; /* and at dropped imports */
  bool serves;
} RtSearch;

Status reclaim_start_search (RtSearch *x, RtDevice *dev, bool pinned,
                             size_t bytes, bool graphs);
Status reclaim_search (void *x);

/* Hands all idle cached memory of both kinds back, and the unused memory of the
** driver's pool. */
Status reclaim_all (RtDevice *dev);

/* Starts 'peak' and 'peak_live' anew. */
void reclaim_restart_peaks (RtDevice *dev, bool pinned);

/* Limits 'reserved' to 'bytes'. Idle cached memory above that goes back; the
** peaks start anew. */
Status reclaim_set_limit (RtDevice *dev, bool pinned, size_t bytes);

/* Returns the memory of the device; of page-locked memory: of the machine. */
size_t reclaim_total (const RtDevice *dev, bool pinned);

/* Returns the limit or, if that is less, the memory that the machine or the
** device has. */
size_t reclaim_budget (const RtDevice *dev, bool pinned);

/* Fails with CUDA_ERROR_OUT_OF_MEMORY and the figures; 'call' is the refused
** call. */
Status reclaim_explain (RtDevice *dev, bool pinned, size_t bytes,
                        const char *call);

#endif
