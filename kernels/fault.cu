/*
** fault.cu - a kernel that fails: for tests of what happens then. Written by
** hand: 'others' of table.lua. Twin: src/rt/host/kernels/spin.c, which fails
** with the code it is given. The context is of no use afterwards.
**
** 700 is a store to an address that nothing is ever mapped at; any other code
** a trap, whatever the driver makes of it.
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
