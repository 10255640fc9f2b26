/* sendrecv.h - the sends and receives of one operation. See sendrecv.c. */
#ifndef TIDE_COMM_SENDRECV_H
#define TIDE_COMM_SENDRECV_H

#include "dist.h"

/* Indices of an item, which is a table. */
enum { ITEM_ARRAY = 1, ITEM_KIND, ITEM_AT, ITEM_PEER, ITEM_PLACE };

/* Returns the place of that rank among those of this process, or -1. */
int sendrecv_local_index (const Comm *c, int rank);

/* The same, or -1 if the rank's counterpart may come from elsewhere. */
int sendrecv_match_index (const Comm *c, int rank);

/* Adds the array on the top (popped), of local rank 'at', to the table below
** it. */
void sendrecv_add (lua_State *L, CollectiveKind kind, int at, int peer);

/* Adds the program's place to the latest item of the table on the top, for
** sendrecv_check. */
void sendrecv_add_caller (lua_State *L);

/* Queues the items of the table at 'list' as one operation, after which the
** caller makes 'behind' copies. */
void sendrecv_submit (lua_State *L, Comm *c, int list, const char *name,
                      NcclCall says, int behind);

/* Raises unless each send in the table to a rank of this process has its
** receive there, and each receive its send. */
void sendrecv_check (lua_State *L, const Comm *c, int list, const char *name);

#endif
