/* image.h - the built-in kernels of a device, by KernelId. See image.c. */
#ifndef TIDE_IMAGE_H
#define TIDE_IMAGE_H

#include "rt.h"

/* Loads the image. Waits for the device, so it is done before any gate. */
Status rt_loadimage (RtDevice *dev);

/* The function of a built-in kernel. */
Status rt_function (RtDevice *dev, KernelId id, CUfunction *fn);
void rt_freeimage (RtDevice *dev);

#endif
