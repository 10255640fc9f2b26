/* sharing.h - joins and leaves the part of a device that all Runtimes of the
** process share. See sharing.c. */
#ifndef TIDE_RT_SHARING_H
#define TIDE_RT_SHARING_H

#include "driver/shared.h"
#include "rt.h"

/* Sets dev->shared; the context is current. Loads the image if necessary. */
Status sharing_join (RtDevice *dev);

/* The last user to leave frees everything. */
void sharing_leave (RtDevice *dev);

/* Resets the device, whose context is current, for all its users. */
Status sharing_reset (RtDevice *dev);

#endif
