/* reset.h - resets a device. See reset.c. */
#ifndef TIDE_RT_RESET_H
#define TIDE_RT_RESET_H

#include "rt.h"

/*
** Destroys everything that the process has on the device, of all Runtimes, and
** makes the device usable again. Work on a device that still works has to be
** done before. If the reset fails nothing has changed; but if the device had a
** fault and has one again, old objects are gone all the same. RT_BLOCKED: work
** of other states is not done.
*/
Status reset_device (RtDevice *dev, const char *what);

/* Forgets all objects on devices that another Runtime has reset. Called where
** no call of this Runtime is under way. */
void reset_notice (Runtime *rt);

#endif
