/* random.h - random number generators. See random.c. */
#ifndef TIDE_RT_RANDOM_H
#define TIDE_RT_RANDOM_H

#include "rt.h"

/* A generator on a device. */
typedef struct RtRandom {
  RtBlock *block; /* its state; NULL: not needed yet */
  unsigned seeds; /* number of the seed that it has; 0: none */
  uint64_t epoch; /* how often the state was lost since that seed */
} RtRandom;

/* A generator: its seed, and its state on each device. The caller owns its
** memory. */
struct RtGenerator {
  Runtime *rt;
  struct RtGenerator *next, **at; /* the list of the Runtime's generators */
  uint64_t seed;
  unsigned seeds; /* number of its latest seed; 0: none yet */
  RtRandom on[];  /* by device index */
};

size_t rt_generatorsize (const Runtime *rt);

/* Makes a generator of memory of that size; ends a generator, whose blocks are
** dropped. Neither calls a driver. */
void rt_startgenerator (Runtime *rt, RtGenerator *g);
void rt_endgenerator (RtGenerator *g);

/* Returns the Runtime's own generator, the default. rt_endgenerators: at
** close. */
Status rt_commongenerator (Runtime *rt, RtGenerator **out);
void rt_endgenerators (Runtime *rt);

/* A state on a device takes rt_randombytes() bytes. If the generator wants a
** block there, its owner gives it one, with a reference. The common generator
** has its own. */
size_t rt_randombytes (void);
bool rt_wantsrandom (const RtGenerator *g, const RtDevice *dev);
void rt_giverandom (RtGenerator *g, RtBlock *block);

/*
** Returns the generator's seeded state on a device. Kernels that draw numbers
** (kernels/random.cuh) take it as an argument, and read and write all of it.
** Seeding is never part of a capture.
*/
Status rt_random (RtGenerator *g, RtDevice *dev, RtBlock **out);

/* Sets a new seed on all devices; 'what' names the call. Fails while a capture
** has drawn numbers. */
Status rt_seed (RtGenerator *g, uint64_t seed, const char *what);

/* Returns a random seed. */
uint64_t rt_anyseed (void);

/* Returns the number of blocks for 'values' values of the counter. */
unsigned rt_random_grid (uint64_t values);

/* After a reset: numbers go on from a part of the counter that was never
** used. */
void rt_forgetrandom (RtDevice *dev);

#endif
