/* hooks.h - controls of the host device for tests. */
#ifndef TIDE_RT_HOST_HOOKS_H
#define TIDE_RT_HOST_HOOKS_H

#include <stdint.h>

#include "rt/driver/driver.h"

/*
** Delays each job by up to 'max_us', at random. At times all streams pause for
** up to 'pause_us', like a GPU that other processes use as well. 0 ends both.
*/
void hook_delays (uint64_t seed, unsigned max_us, unsigned pause_us);

/*
** Makes the context fail as after a fault on a GPU: queued work is skipped and
** calls return 'code', until its last owner has released it. Objects can be
** destroyed all the same. CUDA_SUCCESS heals it.
*/
void hook_fault (CUcontext ctx, CUresult code);

#endif
