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
  unsigned char key[CACHE_KEY];
  CUmodule module;
  char *symbols;    /* see RtImage; or NULL */
  bool has_globals; /* it has variables in the device's memory */
  RtFunction *functions;
  int refs;                       /* of all Runtimes; 0: idle */
  struct RtModule *next;          /* in its bin */
  struct RtModule *older, *newer; /* while idle */
} RtModule;

/* Returns the loaded module of that key with a new reference, or NULL. */
RtModule *rt_findmodule (RtDevice *dev, const unsigned char key[CACHE_KEY]);

/* Loads code, unless a module of that key is loaded already; *m gets a
** reference. RT_BLOCKED: a rank waits for others. */
Status rt_loadmodule (RtDevice *dev, const unsigned char key[CACHE_KEY],
                      const RtImage *image, RtModule **m);

/* Looks up a function of a module. RT_BLOCKED as above. RT_MISUSE: there is
** none of that name. */
Status rt_modulefunction (RtDevice *dev, RtModule *m, const char *name,
                          CUfunction *fn);

/* Allows the function 'bytes' of dynamic shared memory, or more. */
Status rt_allowshared (RtDevice *dev, RtModule *m, CUfunction fn,
                       unsigned bytes);

/* Drops a reference. No work that runs the module's code is under way. */
void rt_dropmodule (RtDevice *dev, RtModule *m);

/* Unloads idle modules if there are too many and no stream is held. */
void rt_trimmodules (RtDevice *dev);

/* For the last user of the device, who leaves: no work is under way. */
void rt_unloadmodules (struct RtShared *sh);

/* After a reset: forgets the modules without a driver call. */
void rt_forgetmodules (struct RtShared *sh);

#endif
