/* random.h - generators of random numbers. See random.c. */
#ifndef TIDE_RT_RANDOM_H
#define TIDE_RT_RANDOM_H

#include "rt.h"

/* A generator on a device. */
typedef struct RtRandom {
  RtBlock *block;  /* its state; NULL: not needed yet */
  unsigned seeds;  /* which of the generator's seeds it has; 0: none */
  uint64_t epoch;  /* how often it was lost since that seed */
} RtRandom;

/* A seed, and what came of it on each device. In memory of who makes it. */
struct RtGenerator {
  Runtime *rt;
  struct RtGenerator *next, **at;  /* of all of the Runtime */
  uint64_t seed;
  unsigned seeds;   /* the how manyth it is; 0: none was set yet */
  RtRandom on[];    /* by the devices' indices */
};

size_t rt_generatorsize (const Runtime *rt);

/* Memory of that size becomes a generator, or is none any more: its blocks go,
** and no driver is called. */
void rt_startgenerator (Runtime *rt, RtGenerator *g);
void rt_endgenerator (RtGenerator *g);

/* The Runtime's own, for all who have no other; and before the Runtime goes. */
Status rt_commongenerator (Runtime *rt, RtGenerator **out);
void rt_endgenerators (Runtime *rt);

/* What a state on a device takes: bytes of memory that whoever has the
** generator gives it, with a reference, where it has none yet. The common one
** has its own. */
size_t rt_randombytes (void);
bool rt_wantsrandom (const RtGenerator *g, const RtDevice *dev);
void rt_giverandom (RtGenerator *g, RtBlock *block);

/*
** The generator's state on a device, seeded: the argument of the kernels that
** draw (kernels/random.cuh), which read and write all of it. Seeding is no part
** of any capture.
*/
Status rt_random (RtGenerator *g, RtDevice *dev, RtBlock **out);

/* A new seed on all devices; 'what' names the call. Not while a capture has
** drawn numbers. */
Status rt_seed (RtGenerator *g, uint64_t seed, const char *what);

/* A seed that nobody can guess. */
uint64_t rt_anyseed (void);

/* Blocks for 'values' values of the counter. */
unsigned rt_random_grid (uint64_t values);

/* After a reset: numbers go on where no counter was before. */
void rt_forgetrandom (RtDevice *dev);

#endif
