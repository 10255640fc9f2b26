/* random.h - each device's generator of random numbers. See random.c. */
#ifndef TIDE_RT_RANDOM_H
#define TIDE_RT_RANDOM_H

#include "rt.h"

/*
** The generator's state on a device, seeded: the argument of the kernels of
** kernels/random.cu, which read and write all of it. Seeding is no part of any
** capture.
*/
Status rt_random (RtDevice *dev, RtBlock **out);

/* A new seed for all devices; 'what' names the call. Not while a capture has
** drawn numbers. */
Status rt_seed (Runtime *rt, uint64_t seed, const char *what);

/* A seed that nobody can guess. */
uint64_t rt_anyseed (void);

/* Blocks for 'values' values of the counter. */
unsigned rt_random_grid (uint64_t values);

/* After a reset: numbers go on where no counter was before. */
void rt_forgetrandom (RtDevice *dev);

#endif
