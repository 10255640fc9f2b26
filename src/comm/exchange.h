/* exchange.h - groups of sends and receives, for tide.communicators. See
** exchange.c. */
#ifndef TIDE_COMM_EXCHANGE_H
#define TIDE_COMM_EXCHANGE_H

#include "dist.h"

/* Begin and end a group. (comm, fn) -> a group: from now on the sends and
** receives of this coroutine, as 'fn' will make, are recorded. (comm, group):
** ends the group, and queues the recorded items as one operation, or drops
** them. */
int exchange_begin (lua_State *L);
int exchange_end (lua_State *L);
int exchange_drop (lua_State *L);

/* Tells whether this coroutine has an open group of the communicator at
** 'arg'. */
bool exchange_is_open (lua_State *L, const Comm *c, int arg);

#endif
