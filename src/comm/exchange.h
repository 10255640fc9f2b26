/* exchange.h - groups of sends and receives, for tide.communicators. See
** exchange.c. */
#ifndef TIDE_COMM_EXCHANGE_H
#define TIDE_COMM_EXCHANGE_H

#include "comm.h"

/* (comm, fn) -> a group: what this coroutine sends and receives from now on, as
** 'fn' will, is noted. (comm, group): the group ends, and what was noted is
** queued as one operation, or is forgotten. */
int comm_begingroup (lua_State *L);
int comm_endgroup (lua_State *L);
int comm_dropgroup (lua_State *L);

/* Is one open here, of the communicator at 'arg'? */
bool comm_isgrouping (lua_State *L, const Comm *c, int arg);

#endif
