/*
** fault.cu - a kernel that fails, for tests of errors. Written by hand: see
** by_hand.lua. Host kernel: src/rt/host/kernels/spin.c, which fails with the
** given code. Afterwards the context is unusable.
**
** 700 stores to an address that is never mapped; any other code is a trap,
** whatever error the driver makes of it.
*/
#include <stdint.h>

#include "common.cuh"

extern "C" __global__ void fault_i64 (int64_t code) {
  after_previous();
  if (code == 700)
    *(volatile int *)(code - 700 + 16) = 1;
  else
    __trap();
}
