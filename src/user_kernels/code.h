/*
** code.h - Code: what a kernel has on one device, its functions and the hold on
** what they are part of. See code.c.
*/
#ifndef TIDE_USER_KERNELS_CODE_H
#define TIDE_USER_KERNELS_CODE_H

#include "base/class.h"

typedef struct Code {
  Object object;
  RtCode *rc;          /* NULL from birth until made, and once collected */
  CUfunction fn;       /* NULL: it is not ready, or not any more */
  CUfunction combine;  /* of a reduction on CUDA: its second function */
  unsigned shared;     /* of a RawKernel: dynamic memory that it may have, */
  int threads;         /* and in a block at most */
} Code;

/* Pushes a new one that is not ready; 'name' is the kernel's. Raises. */
Code *tide_newcode (lua_State *L, RtDevice *dev, const char *name);

/* Tells Lua's collector of the bytes that were loaded for a code. */
void tide_weighcode (lua_State *L, size_t bytes);

/* Can it be launched? 'c' may be NULL. */
static inline bool tide_isready (const Code *c, const RtDevice *dev) {
  return c != NULL && c->fn != NULL && c->rc->generation == dev->generation;
}

void tide_opencode (lua_State *L);

#endif
