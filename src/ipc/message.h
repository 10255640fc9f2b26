/* message.h - what messages hold. See message.c. */
#ifndef TIDE_IPC_MESSAGE_H
#define TIDE_IPC_MESSAGE_H

#include "base/state.h"
#include "connection.h"
#include "socket.h"

/*
** Pushes a message with room for the values from 'from' to 'to', of which the
** last one is. Raises if there is one that cannot be sent.
*/
Message *ipc_pushmessage (lua_State *L, int from, int to);

/* Pushes an empty message, to be received into. Its files are closed with
** it. */
Message *ipc_newmessage (lua_State *L, size_t bytes);
Message *ipc_tomessage (lua_State *L, int idx);
void ipc_closefiles (Message *m);

/* A message that says that nothing more will come. */
int ipc_sendend (int fd);
bool ipc_isend (const Message *m);

/* Queues what tells the others when the arrays among the values are ready, and
** writes them all into the message; nothing runs Lua after that. */
void ipc_fill (lua_State *L, Connection *c, Message *m, int from, int to);

/* received.c: pushes the values of a message; returns how many. */
int ipc_pushvalues (lua_State *L, Connection *c, const Message *m);

/* Is there an event, which no reset has ended? */
bool ipc_isusable (lua_State *L, int idx);

#endif
