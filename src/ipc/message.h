/* message.h - messages of connections. See message.c. */
#ifndef TIDE_IPC_MESSAGE_H
#define TIDE_IPC_MESSAGE_H

#include "base/state.h"
#include "connection.h"
#include "socket.h"

/*
** Pushes a message with room for the values from 'from' to 'to'. Raises if one
** of them cannot be sent.
*/
Message *message_push (lua_State *L, int from, int to);

/* Pushes an empty message, to receive into. Closing it closes its files. */
Message *message_push_empty (lua_State *L, size_t bytes);
Message *message_get (lua_State *L, int idx);
void message_close_files (Message *m);

/* Sends the message that nothing more will come. */
int message_send_end (int fd);
bool message_is_end (const Message *m);

/* Queues the recordings that tell the receiver when the arrays are ready, and
** writes all values into the message. Runs no Lua after that. */
void message_fill (lua_State *L, Connection *c, Message *m, int from, int to);

/* received.c: pushes the values of a message. Returns how many. */
int message_push_values (lua_State *L, Connection *c, const Message *m);

/* Tells whether there is an event that no reset has ended. */
bool message_has_event (lua_State *L, int idx);

#endif
