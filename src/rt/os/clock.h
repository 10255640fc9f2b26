/*
** clock.h - the clocks of the machine.
*/
#ifndef TIDE_RT_OS_CLOCK_H
#define TIDE_RT_OS_CLOCK_H

#include <time.h>

/* Seconds of a clock (CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID ...). */
static inline double clock_seconds (clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
