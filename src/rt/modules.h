/*
** modules.h - code that is loaded on a device besides the built-in kernels. See
** modules.c.
*/
#ifndef TIDE_MODULES_H
#define TIDE_MODULES_H

#include "nvrtc.h"

struct RtShared;

/* Loaded code; alive as long as anybody has its device open. */
typedef struct RtModule {
  unsigned char key[CACHE_KEY];
  CUmodule module;
  char *symbols;  /* see RtImage; or NULL */
  struct RtModule *next;
} RtModule;

/*
** The module of a source for the device: what is loaded already, or was
** compiled before, or is compiled now. 'image' is empty; where NVRTC refuses
** the source (RT_MISUSE), image->log is what it says. rt_freeimage it.
*/
Status rt_getmodule (RtDevice *dev, RtSource *source, RtImage *image,
                     RtModule **m);

/* Loads code, unless a module of that key is there already. Waits until no
** gate is shut. */
Status rt_loadmodule (RtDevice *dev, const unsigned char key[CACHE_KEY],
                      const RtImage *image, RtModule **m);

/* A function of it, ready to run: waits likewise. RT_MISUSE: there is none of
** that name. */
Status rt_modulefunction (RtDevice *dev, const RtModule *m, const char *name,
                          CUfunction *fn);

/* CU_FUNC_ATTRIBUTE_...; and room for more than 48 KB of shared memory. */
Status rt_askfunction (RtDevice *dev, CUfunction fn, int attribute,
                       int *value);
Status rt_allowshared (RtDevice *dev, CUfunction fn, unsigned bytes);

/*
** The bytes of parameter 'i' of the compiled function; 0: it has no such
** parameter, -1: this driver does not tell.
*/
Status rt_parametersize (RtDevice *dev, CUfunction fn, int i, long *bytes);

/* The last user of the device leaves: no work is under way. */
void rt_unloadmodules (struct RtShared *sh);

/* After a reset: the driver has them no more. */
void rt_forgetmodules (struct RtShared *sh);

#endif
