/* hooks.h - what tests may do to the host device. */
#ifndef TIDE_HOST_HOOKS_H
#define TIDE_HOST_HOOKS_H

#include <stdint.h>

#include "../driver.h"

/* Random delays of up to 'max_us' before each job; 0 ends them. */
void host_delays (uint64_t seed, unsigned max_us);

/* From now on every call on that device fails with 'code' (0: heals it). */
void host_fault (int ordinal, CUresult code);

#endif
