/*
** spin.c - the host kernels of kernels/spin.cu and kernels/fault.cu, and the
** error of a kernel that failed.
*/
#include "host_kernels.h"

#include <stdint.h>

#include "rt/os/clock.h"
#include "rt/os/nap.h"

/* Keeps the stream busy for that long; the processor need not be. */
HOST_KERNEL(spin_i64) {
  PARAM(0, int64_t, ns);
  (void)grid, (void)block;
  if (ns > 0)
    nap_until(clock_now() + ns);
}

_Thread_local int host_kernel_error;

/* Ends like a kernel that a GPU stops with that code. */
HOST_KERNEL(fault_i64) {
  PARAM(0, int64_t, code);
  (void)grid, (void)block;
  host_kernel_error = (int)code;
}
