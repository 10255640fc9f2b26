/* generator.h - the Generator type. See generator.c. */
#ifndef TIDE_OPS_GENERATOR_H
#define TIDE_OPS_GENERATOR_H

#include "base/class.h"
#include "rt/submit/rng.h"

/*
** A source of random numbers: one of the program's, which has its RtGenerator
** behind it, or the common one, which all other draws use.
*/
typedef struct Generator {
  Object object;
  bool common;
  bool closed;
  RtGenerator own[]; /* one, unless it is the common one */
} Generator;

extern const Class generator_class;

/* Returns the generator at 'arg', or the common one if that is 0. Raises. */
RtGenerator *generator_check (lua_State *L, int arg);

/* Makes sure that the generator at 'arg' has memory on that device. */
void generator_prepare (lua_State *L, int arg, RtDevice *dev, RtStream *s);

/* Push a new generator with that seed; the common generator. */
void generator_push (lua_State *L, uint64_t seed);
void generator_common (lua_State *L);

#endif
