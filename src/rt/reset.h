/* reset.h - a device's new start. See reset.c. */
#ifndef TIDE_RESET_H
#define TIDE_RESET_H

#include "rt.h"

/*
** Destroys all that the process has on the device, whoever made it, and makes
** the device usable again. Finishes this Runtime's work first unless the
** device has failed. Nothing has changed if it fails, unless it
** had failed and does so again: then old things are gone all the same.
*/
Status rt_reset (RtDevice *dev, const char *what);

/* Forgets what was on devices that somebody has reset. Where no call of the
** Runtime is under way. */
void rt_noticeresets (Runtime *rt);

/* Was a thing of that generation made before its device was reset? */
static inline bool rt_isstale (const RtDevice *dev, unsigned generation) {
  return dev->generation != generation;
}

#endif
