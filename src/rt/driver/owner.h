/* owner.h - streams and events that are somebody else's. See owner.c. */
#ifndef TIDE_RT_DRIVER_OWNER_H
#define TIDE_RT_DRIVER_OWNER_H

#include "rt/rt.h"

/* Adds an owner to a list: release(ud), once, when nothing here uses what is
** theirs any more. NULL: nobody wants to know. */
Status rt_addowner (Runtime *rt, RtOwner **list, RtRelease *release, void *ud);

/* Tells them all; the list is empty then. */
void rt_release (RtOwner **list);

#endif
