/*
** spin.c - the twins of kernels/spin.cu and kernels/fault.cu, and the error of
** a kernel that failed.
*/
#include "host_kernels.h"

#include <stdint.h>
#include <time.h>

/* Keeps the stream busy for that long; the processor need not be. */
TWIN(spin_i64) {
  PARAM(0, int64_t, ns);
  struct timespec end;
  (void)grid, (void)block;
  if (ns <= 0)
    return;
  clock_gettime(CLOCK_MONOTONIC, &end);
  ns += end.tv_nsec;
  end.tv_sec += (time_t)(ns / 1000000000);
  end.tv_nsec = (long)(ns % 1000000000);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0)
    ;
}

_Thread_local int host_kernel_error;

/* Ends like a kernel that a GPU stops with that code. */
TWIN(fault_i64) {
  PARAM(0, int64_t, code);
  (void)grid, (void)block;
  host_kernel_error = (int)code;
}
