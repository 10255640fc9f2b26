/*
** modules.h - loaded code besides the built-in kernels, for all Runtimes. See
** modules.c.
*/
#ifndef TIDE_RT_CODE_MODULES_H
#define TIDE_RT_CODE_MODULES_H

#include "nvrtc.h"

struct RtShared;

/* A function that was looked up. */
typedef struct RtFunction {
  struct RtFunction *next;
  CUfunction fn;
  unsigned shared; /* bytes of dynamic shared memory that it may have */
  char name[];
} RtFunction;

/* Loaded code. */
typedef struct RtModule {
  Link link; /* while idle */
  unsigned char key[SHA256_BYTES];
  CUmodule module;
  char *symbols;    /* see RtImage; or NULL */
  bool has_globals; /* it has variables in the device's memory */
  RtFunction *functions;
  int refs;              /* of all Runtimes; 0: idle */
  struct RtModule *next; /* in its bin */
} RtModule;

/* Returns the loaded module of that key with a new reference, or NULL. */
RtModule *module_find (RtDevice *dev, const unsigned char key[SHA256_BYTES]);

/* Loads code, unless a module of that key is loaded already; *m gets a
** reference. RT_BLOCKED: a rank waits for others. */
Status module_load (RtDevice *dev, const unsigned char key[SHA256_BYTES],
                    const RtImage *image, RtModule **m);

/* Looks up a function of a module. RT_BLOCKED as above. RT_MISUSE: there is
** none of that name. */
Status module_function (RtDevice *dev, RtModule *m, const char *name,
                        CUfunction *fn);

/* Looks up a variable: its address and its bytes. Otherwise like
** module_function. */
Status module_variable (RtDevice *dev, RtModule *m, const char *name,
                        CUdeviceptr *p, size_t *bytes);

/* Allows the function 'bytes' of dynamic shared memory, or more. */
Status module_allow_shared (RtDevice *dev, RtModule *m, CUfunction fn,
                            unsigned bytes);

/* Drops a reference. No work that runs the module's code is under way. */
void module_drop (RtDevice *dev, RtModule *m);

/* Unloads idle modules if there are too many and no stream is held. */
void module_trim (RtDevice *dev);

/* For the last user of the device, who leaves: no work is under way. */
void module_unload_all (struct RtShared *sh);

/* After a reset: forgets the modules without a driver call. */
void module_forget_all (struct RtShared *sh);

#endif
