/* context.h - what every function that reaches a driver passes. See
** context.c. */
#ifndef TIDE_RT_DRIVER_CONTEXT_H
#define TIDE_RT_DRIVER_CONTEXT_H

#include "rt/rt.h"

/* From now on forks of this process are counted. */
void rt_watchforks (void);

/* True in a process forked from the one that opened 'rt'. */
extern volatile unsigned rt_generation;
static inline bool rt_forked (const Runtime *rt) {
  return rt->generation != rt_generation;
}

/* Makes 'dev' ready and its context current for this thread. Every function
** that reaches a driver passes here. */
Status rt_enter (RtDevice *dev);

/* From here to the end nobody else changes contexts: one that rt_enter has made
** current stays so. False: it had begun before, and goes on after the end. */
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

/* The same for a device that is open, even if it has failed: to free things,
** which the driver allows whatever it says. */
Status rt_visit (RtDevice *dev);

/* A number for this thread that no other one ever has: pthread_self's are
** used again. */
uintptr_t rt_thread (void);

/* Was a thing of that generation made before its device was reset? */
static inline bool rt_isstale (const RtDevice *dev, unsigned generation) {
  return dev->generation != generation;
}

#endif
