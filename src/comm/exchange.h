/* exchange.h - groups of sends and receives, for tide.communicators. See
** exchange.c. */
#ifndef TIDE_COMM_EXCHANGE_H
#define TIDE_COMM_EXCHANGE_H

#include "comm.h"

/* (comm[, fn]): sends and receives are noted from now on, which 'fn' will make;
** what was noted is queued as one operation; it is forgotten, and the group
** ends. */
int comm_begingroup (lua_State *L);
int comm_endgroup (lua_State *L);
int comm_dropgroup (lua_State *L);

#endif
