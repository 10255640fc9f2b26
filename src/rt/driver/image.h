/* image.h - the built-in kernels of a device, by KernelId. See image.c. */
#ifndef TIDE_RT_DRIVER_IMAGE_H
#define TIDE_RT_DRIVER_IMAGE_H

#include "rt/kernels/dtypes.h"
#include "rt/rt.h"

struct RtShared;

/* Makes the tables of kernels for all Runtimes; image_unload_all unloads what
** was loaded since, image_free frees the tables. */
Status image_open (RtDevice *dev, struct RtShared *sh);
void image_unload_all (struct RtShared *sh);
void image_free (struct RtShared *sh);

/* Stores the function of a built-in kernel in *fn. The lock of dev->shared is
** not held. */
Status image_function (RtDevice *dev, KernelId id, CUfunction *fn);

/* Loads and looks up all kernels, so that their code is on the device. The lock
** is held. */
Status image_load_all (RtDevice *dev);

#endif
