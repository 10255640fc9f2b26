/*
** modules.h - code that is loaded on a device besides the built-in kernels, for
** all Runtimes. See modules.c.
*/
#ifndef TIDE_RT_CODE_MODULES_H
#define TIDE_RT_CODE_MODULES_H

#include "nvrtc.h"

struct RtShared;

/* A function that was looked up before. */
typedef struct RtFunction {
  struct RtFunction *next;
  CUfunction fn;
  unsigned shared;   /* bytes of dynamic shared memory that it may have, if
                        that was asked for */
  char name[];
} RtFunction;

/* Loaded code. */
typedef struct RtModule {
  unsigned char key[CACHE_KEY];
  CUmodule module;
  char *symbols;            /* see RtImage; or NULL */
  bool has_globals;         /* variables of its own in the device's memory */
  RtFunction *functions;
  int refs;                 /* of all Runtimes; 0: it is idle */
  struct RtModule *next;    /* in its bin */
  struct RtModule *older, *newer;  /* while idle */
} RtModule;

/* The module of that key with one reference more, or NULL: none is loaded. */
RtModule *rt_findmodule (RtDevice *dev, const unsigned char key[CACHE_KEY]);

/* Loads code, unless a module of that key is there already; *m gets a
** reference. RT_BLOCKED: a rank waits for others. */
Status rt_loadmodule (RtDevice *dev, const unsigned char key[CACHE_KEY],
                      const RtImage *image, RtModule **m);

/* A function of a module, ready to run; RT_BLOCKED as above. RT_MISUSE:
** there is none of that name. */
Status rt_modulefunction (RtDevice *dev, RtModule *m, const char *name,
                          CUfunction *fn);

/* Room for so many bytes of dynamic shared memory, or for more. */
Status rt_allowshared (RtDevice *dev, RtModule *m, CUfunction fn,
                       unsigned bytes);

/* Gives a reference back: no work that runs code of it is under way. */
void rt_dropmodule (RtDevice *dev, RtModule *m);

/* If there are so many idle ones that some have to go, and no stream is held.
*/
void rt_trimmodules (RtDevice *dev);

/* The last user of the device leaves: no work is under way. */
void rt_unloadmodules (struct RtShared *sh);

/* After a reset: the driver has them no more. */
void rt_forgetmodules (struct RtShared *sh);

#endif
