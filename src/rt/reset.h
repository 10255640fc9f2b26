/* reset.h - a device's new start. See reset.c. */
#ifndef TIDE_RT_RESET_H
#define TIDE_RT_RESET_H

#include "rt.h"

/*
** Destroys all that the process has on the device, whoever made it, and makes
** the device usable again. What a device that works was given has to be done
** before. Nothing has changed if it fails, unless it had failed and does so
** again: then old things are gone all the same. RT_BLOCKED: other states' work
** is not done.
*/
Status rt_reset (RtDevice *dev, const char *what);

/* Forgets what was on devices that somebody has reset. Where no call of the
** Runtime is under way. */
void rt_noticeresets (Runtime *rt);

#endif
