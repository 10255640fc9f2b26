/* image.h - the built-in kernels of a device, by KernelId. See image.c. */
#ifndef TIDE_RT_DRIVER_IMAGE_H
#define TIDE_RT_DRIVER_IMAGE_H

#include "rt/rt.h"

struct RtShared;

/* Loads the image into a context, for all Runtimes. */
Status rt_loadimage (RtDevice *dev, struct RtShared *sh);
void rt_unloadimage (struct RtShared *sh);

/* The function of a built-in kernel. */
Status rt_function (RtDevice *dev, KernelId id, CUfunction *fn);

/* Looks up all kernels: with that their code is on the device. */
Status rt_loadkernels (RtDevice *dev);

#endif
