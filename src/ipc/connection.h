/* connection.h - tide.Connection. See connection.c. */
#ifndef TIDE_IPC_CONNECTION_H
#define TIDE_IPC_CONNECTION_H

#include "base/class.h"

typedef struct Connection {
  Object object;
  int fd;              /* -1: closed */
  struct Owned *owned; /* its socket, or NULL */
  long pid;            /* of the other end; 0: not known */
  bool ended;          /* the other end has closed it */
} Connection;

/* User values: the received message that was not taken yet, or false; the
** events that hand over arrays: our own by device index, those of others by the
** names of their timelines. */
enum {
  CONNECTION_MESSAGE = 1,
  CONNECTION_EVENTS,
  CONNECTION_UVS = CONNECTION_EVENTS
};

extern const Class connection_class;

/* Pushes a closed connection. */
Connection *connection_new (lua_State *L);

/* Opens it, and takes over the descriptor. */
void connection_open (Connection *c, int fd);

#endif
