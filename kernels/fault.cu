/*
** fault.cu - a kernel that fails: for tests of what happens then. Written by
** hand: OTHER(fault_i64, "i", 1). Twin: src/rt/host/kernels.c. Its context is
** of no use afterwards.
**
** The code says how it shall fail: 700 by writing to an illegal address, 716
** to a misaligned one, 710 by an assertion; anything else by a trap (which
** the driver reports as 719). The addresses depend on the code, so that the
** compiler cannot see what is wrong with them.
*/
#include <assert.h>
#include <stdint.h>

extern "C" __global__ void fault_i64 (int64_t code) {
  __shared__ int aligned[2];
  if (code == 700)
    *(volatile int *)(code - 700 + 16) = 1;
  else if (code == 716)
    *(volatile int *)((char *)aligned + (code - 715)) = 1;
  else if (code == 710)
    assert(code != 710);
  else
    __trap();
}
