/* scheduler.h - the module tide.scheduler, which is for tide's own Lua. See
** scheduler.c. */
#ifndef TIDE_DEVICE_SCHEDULER_H
#define TIDE_DEVICE_SCHEDULER_H

#include "base/class.h"

/* Adds functions to the module. */
void scheduler_add (lua_State *L, const Function *more);

#endif
