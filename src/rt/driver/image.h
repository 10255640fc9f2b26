/* image.h - the built-in kernels of a device, by KernelId. See image.c. */
#ifndef TIDE_RT_DRIVER_IMAGE_H
#define TIDE_RT_DRIVER_IMAGE_H

#include "rt/kernels/dtypes.h"
#include "rt/rt.h"

struct RtShared;

/* Load the image into a context, for all Runtimes, and unload it. */
Status image_load (RtDevice *dev, struct RtShared *sh);
void image_unload (struct RtShared *sh);

/* Stores the function of a built-in kernel in *fn. */
Status image_function (RtDevice *dev, KernelId id, CUfunction *fn);

/* Looks up all kernels, so that their code is on the device. */
Status image_load_all (RtDevice *dev);

#endif
