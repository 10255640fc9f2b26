/* rawkernel.h - kernels in CUDA C: RawKernel and RawModule. See rawkernel.c
** and rawmodule.c. */
#ifndef TIDE_USER_KERNELS_RAWKERNEL_H
#define TIDE_USER_KERNELS_RAWKERNEL_H

#include "kernel_code.h"
#include "rt/program/signature.h"

/* The user values of a RawModule. MODULE_NAMES: the names to ask NVRTC for. */
enum {
  MODULE_CODE = 1,
  MODULE_OPTIONS,
  MODULE_NAMES,
  MODULE_TITLE,
  MODULE_UVS = MODULE_TITLE
};

/* The user values of a RawKernel, followed by its Codes, by device. */
enum { KERNEL_MODULE = 1, KERNEL_NAME, KERNEL_WHAT, KERNEL_UVS = KERNEL_WHAT };

typedef struct RawKernel {
  Object object;
  const char *what; /* "RawKernel 'f'": a text that it holds */
  const char *name; /* "f": likewise */
  Signature sig;
  Code *codes[]; /* by device; NULL: not needed there yet */
} RawKernel;

extern const Class rawkernel_class;

/* Pushes a RawModule; code, options and names are at these indices. */
void rawkernel_push_module (lua_State *L, int code, int options, int names);

/* Load the RawModule at 'idx' for 'c', which raises, and push the compiler's
** messages if 'log'; return the symbol of a name in it. */
void rawkernel_load_module (lua_State *L, int idx, Code *c, const char *what,
                            bool log);
const char *rawkernel_symbol (lua_State *L, int idx, const Code *c,
                              const char *name);

/*
** Pushes the RawKernel 'name' of the RawModule at 'module'. The signature is
** read from the text at 'signature', or from the source if that is nil.
*/
void rawkernel_push (lua_State *L, int module, const char *name, int signature);

/* Returns the code on 'dev' of 'k', which is at 'idx'. Raises, as on a host
** device. */
Code *rawkernel_code (lua_State *L, int idx, RawKernel *k, RtDevice *dev);

/* Allows launches with so many bytes of dynamic shared memory. */
void rawkernel_allow_shared (lua_State *L, Code *c, unsigned bytes);

/* rawlaunch.c */
int rawkernel_launch (lua_State *L);
int rawkernel__call (lua_State *L);
int rawkernel_pointer (lua_State *L);

#endif
