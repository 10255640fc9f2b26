/* sharing.h - joining and leaving what all Runtimes of the process share of a
** device. See sharing.c. */
#ifndef TIDE_RT_SHARING_H
#define TIDE_RT_SHARING_H

#include "driver/shared.h"
#include "rt.h"

/* Sets dev->shared; the context is current. Loads the image if need be. */
Status rt_joinshared (RtDevice *dev);

/* The last one to leave frees everything. */
void rt_leaveshared (RtDevice *dev);

/* Resets the device, whose context is current, for all its users. */
Status rt_resetshared (RtDevice *dev);

#endif
