/* hooks.h - what tests may do to the host device. */
#ifndef TIDE_RT_HOST_HOOKS_H
#define TIDE_RT_HOST_HOOKS_H

#include <stdint.h>

#include "rt/driver/driver.h"

/*
** Random delays of up to 'max_us' before each job. At times all streams pause,
** up to 'pause_us', as a GPU does that other processes use as well. 0 ends
** them.
*/
void host_delays (uint64_t seed, unsigned max_us, unsigned pause_us);

/*
** From now on the context fails as after a fault on a GPU: queued work is
** skipped, calls return 'code', until its last owner has released it. Objects
** can be destroyed all the same. CUDA_SUCCESS heals it.
*/
void host_fault (CUcontext ctx, CUresult code);

#endif
