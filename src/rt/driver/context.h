/* context.h - entering a device before a driver call. See context.c. */
#ifndef TIDE_RT_DRIVER_CONTEXT_H
#define TIDE_RT_DRIVER_CONTEXT_H

#include "rt/rt.h"

/* Makes forks of this process count from now on. */
void context_watch_forks (void);

/* Tells whether this process is a fork of the one that opened 'rt'. */
extern volatile unsigned context_forks;
static inline bool context_is_forked (const Runtime *rt) {
  return rt->generation != context_forks;
}

/* Makes 'dev' ready and its context current for this thread. Every function
** that reaches a driver calls it first. */
Status context_enter (RtDevice *dev);

/* Until context_end_polls, nothing else changes contexts, so one that
** context_enter has made current stays current. Returns false if polls had
** begun before; they then go on after context_end_polls. */
static inline bool context_start_polls (Runtime *rt) {
  bool starts = !rt->polls;
  if (starts)
    rt->current = NULL;
  rt->polls = true;
  return starts;
}

static inline void context_end_polls (Runtime *rt, bool started) {
  rt->polls = !started;
}

/* As context_enter for a device that is open, even if it has failed: for
** freeing, which the driver then still allows. */
Status context_reenter (RtDevice *dev);

/* Returns a number for this thread that is never reused, as pthread_self's
** are. */
uintptr_t context_thread_id (void);

/* Tells whether it is a device that this library makes, and no GPU. */
static inline bool context_is_host (const RtDevice *dev) {
  return dev->index >= dev->rt->ncuda;
}

/* Tells whether a thing of that generation was made before its device was
** reset. */
static inline bool context_is_stale (const RtDevice *dev, unsigned generation) {
  return dev->generation != generation;
}

#endif
