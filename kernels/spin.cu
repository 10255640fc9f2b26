/*
** spin.cu - a kernel that does nothing for a given time, so that tests and
** examples have work in flight for as long as they need. Written by hand, not
** from an expression: see by_hand.lua. Host kernel: src/rt/host/kernels/spin.c.
**
** One thread, no memory traffic. %globaltimer counts nanoseconds on the whole
** device, in steps of up to a microsecond.
*/
#include <stdint.h>

#include "common.cuh"

static __device__ __forceinline__ int64_t now (void) {
  int64_t t;
  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

extern "C" __global__ void spin_i64 (int64_t ns) {
  after_previous();
  int64_t end = now() + ns;
  while (now() < end)
    ;
}
