/* sharing.h - joins and leaves the part of a device that all Runtimes of the
** process share. See sharing.c. */
#ifndef TIDE_RT_SHARING_H
#define TIDE_RT_SHARING_H

#include "driver/shared.h"
#include "rt.h"

/* Sets dev->shared; the context is current. Loads the image if necessary. */
Status rt_joinshared (RtDevice *dev);

/* The last user to leave frees everything. */
void rt_leaveshared (RtDevice *dev);

/* Resets the device, whose context is current, for all its users. */
Status rt_resetshared (RtDevice *dev);

#endif
