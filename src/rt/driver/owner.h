/* owner.h - owners of foreign streams and events. See owner.c. */
#ifndef TIDE_RT_DRIVER_OWNER_H
#define TIDE_RT_DRIVER_OWNER_H

#include "rt/rt.h"

/* The owner of foreign memory, a foreign stream or a foreign event. release(ud)
** is called once, when tide no longer uses the object (owner.c). It may free
** things and must not call tide or Lua. */
typedef void RtRelease (void *ud);

struct RtOwner {
  struct RtOwner *next;
  RtRelease *release;
  void *ud;
};

/* Adds an owner to a list: release(ud) is called once, when tide no longer uses
** the object. 'release' NULL: does nothing. */
Status owner_add (Runtime *rt, RtOwner **list, RtRelease *release, void *ud);

/* Calls all owners and empties the list. */
void owner_release_all (RtOwner **list);

#endif
