/* rng.h - random number generators. See rng.c. */
#ifndef TIDE_RT_SUBMIT_RNG_H
#define TIDE_RT_SUBMIT_RNG_H

#include "rt/rt.h"

/* A generator on a device. */
typedef struct RtRandom {
  RtBlock *block; /* its state; NULL: not needed yet */
  unsigned seeds; /* number of the seed that it has; 0: none */
  uint64_t epoch; /* how often the state was lost since that seed */
} RtRandom;

/* A generator: its seed, and its state on each device. The caller owns its
** memory. */
struct RtGenerator {
  Link link;
  Runtime *rt;
  uint64_t seed;
  unsigned seeds; /* number of its latest seed; 0: none yet */
  RtRandom on[];  /* by device index */
};

size_t rng_size (const Runtime *rt);

/* Makes a generator of memory of that size; ends a generator, whose blocks are
** dropped. Neither calls a driver. */
void rng_start (Runtime *rt, RtGenerator *g);
void rng_end (RtGenerator *g);

/* Returns the Runtime's own generator, the default. rng_end_all: at
** close. */
Status rng_default (Runtime *rt, RtGenerator **out);
void rng_end_all (Runtime *rt);

/* A state on a device takes rng_state_bytes() bytes. If the generator wants a
** block there, its owner gives it one, with a reference. The common generator
** has its own. */
size_t rng_state_bytes (void);
bool rng_needs_state (const RtGenerator *g, const RtDevice *dev);
void rng_set_state (RtGenerator *g, RtBlock *block);

/*
** Returns the generator's seeded state on a device. Kernels that draw numbers
** (kernels/random.cuh) take it as an argument, and read and write all of it.
** Seeding is never part of a capture.
*/
Status rng_state (RtGenerator *g, RtDevice *dev, RtBlock **out);

/* Sets a new seed on all devices; 'what' names the call. Fails while a capture
** has drawn numbers. */
Status rng_seed (RtGenerator *g, uint64_t seed, const char *what);

/* Returns a random seed. */
uint64_t rng_random_seed (void);

/* Returns the number of blocks for 'values' values of the counter. */
unsigned rng_grid (uint64_t values);

/* After a reset: numbers go on from a part of the counter that was never
** used. */
void rng_forget (RtDevice *dev);

#endif
