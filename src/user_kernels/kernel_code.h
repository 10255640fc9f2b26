/*
** kernel_code.h - Code: a kernel on one device, its functions and the hold on
** their module. See kernel_code.c.
*/
#ifndef TIDE_USER_KERNELS_KERNEL_CODE_H
#define TIDE_USER_KERNELS_KERNEL_CODE_H

#include "base/class.h"
#include "rt/code/code_types.h"

typedef struct Code {
  Object object;
  RtCode *rc;         /* NULL from birth until made, and once collected */
  CUfunction fn;      /* NULL: not ready, or no longer */
  CUfunction combine; /* of a reduction on CUDA: its second function */
  unsigned shared;    /* of a RawKernel: the most dynamic memory, */
  int threads;        /* and the most threads in a block */
} Code;

/* Pushes a new Code that is not ready; 'name' is the kernel's. Raises. */
Code *kernel_code_new (lua_State *L, RtDevice *dev, const char *name);

/* Tells Lua's collector how many bytes were loaded for a code. */
void kernel_code_charge (lua_State *L, size_t bytes);

/* Tells whether it can be launched. 'c' may be NULL. */
static inline bool kernel_code_is_ready (const Code *c, const RtDevice *dev) {
  return c != NULL && c->fn != NULL && c->rc->generation == dev->generation;
}

void open_kernel_code (lua_State *L);

#endif
