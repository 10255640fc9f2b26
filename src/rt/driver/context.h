/* context.h - entering a device before a driver call. See context.c. */
#ifndef TIDE_RT_DRIVER_CONTEXT_H
#define TIDE_RT_DRIVER_CONTEXT_H

#include "rt/rt.h"

/* Makes forks of this process count from now on. */
void rt_watchforks (void);

/* Tells whether this process is a fork of the one that opened 'rt'. */
extern volatile unsigned rt_generation;
static inline bool rt_forked (const Runtime *rt) {
  return rt->generation != rt_generation;
}

/* Makes 'dev' ready and its context current for this thread. Every function
** that reaches a driver calls it first. */
Status rt_enter (RtDevice *dev);

/* Until rt_endpolls, nothing else changes contexts, so one that rt_enter has
** made current stays current. Returns false if polls had begun before; they
** then go on after rt_endpolls. */
static inline bool rt_startpolls (Runtime *rt) {
  bool starts = !rt->polls;
  if (starts)
    rt->current = NULL;
  rt->polls = true;
  return starts;
}

static inline void rt_endpolls (Runtime *rt, bool started) {
  rt->polls = !started;
}

/* As rt_enter for a device that is open, even if it has failed: for freeing,
** which the driver then still allows. */
Status rt_visit (RtDevice *dev);

/* Returns a number for this thread that is never reused, as pthread_self's
** are. */
uintptr_t rt_thread (void);

/* Tells whether a thing of that generation was made before its device was
** reset. */
static inline bool rt_isstale (const RtDevice *dev, unsigned generation) {
  return dev->generation != generation;
}

#endif
