/*
** code.h - Code: a kernel on one device, its functions and the hold on their
** module. See code.c.
*/
#ifndef TIDE_USER_KERNELS_CODE_H
#define TIDE_USER_KERNELS_CODE_H

#include "base/class.h"

typedef struct Code {
  Object object;
  RtCode *rc;         /* NULL from birth until made, and once collected */
  CUfunction fn;      /* NULL: not ready, or no longer */
  CUfunction combine; /* of a reduction on CUDA: its second function */
  unsigned shared;    /* of a RawKernel: the most dynamic memory, */
  int threads;        /* and the most threads in a block */
} Code;

/* Pushes a new Code that is not ready; 'name' is the kernel's. Raises. */
Code *tide_newcode (lua_State *L, RtDevice *dev, const char *name);

/* Tells Lua's collector how many bytes were loaded for a code. */
void tide_weighcode (lua_State *L, size_t bytes);

/* Tells whether it can be launched. 'c' may be NULL. */
static inline bool tide_isready (const Code *c, const RtDevice *dev) {
  return c != NULL && c->fn != NULL && c->rc->generation == dev->generation;
}

void tide_opencode (lua_State *L);

#endif
