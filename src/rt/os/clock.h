/*
** clock.h - the clocks of the machine.
*/
#ifndef TIDE_RT_OS_CLOCK_H
#define TIDE_RT_OS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the time of a clock (CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID ...)
** in nanoseconds. */
static inline int64_t clock_nanoseconds (clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns it in seconds. */
static inline double clock_seconds (clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the nanoseconds of the monotonic clock, which all deadlines below the
** wall are in. */
static inline int64_t clock_now (void) {
  return clock_nanoseconds(CLOCK_MONOTONIC);
}

#endif
