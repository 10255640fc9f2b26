/* connection.h - tide.Connection. See connection.c. */
#ifndef TIDE_IPC_CONNECTION_H
#define TIDE_IPC_CONNECTION_H

#include "base/class.h"

typedef struct Connection {
  Object object;
  int fd;          /* -1: closed */
  long pid;        /* of the other end; 0: not known */
  long owner;      /* the process that has it: its children do not */
  bool ended;      /* the other end has closed it */
} Connection;

/* User values: the message that has come and was not taken yet, or false; the
** events by which arrays are handed over: ours by device index, those of others
** by the name of their timelines. */
enum { CONNECTION_MESSAGE = 1, CONNECTION_EVENTS, CONNECTION_UVS =
       CONNECTION_EVENTS };

extern const Class ipc_connectionclass;

/* Pushes one, closed. */
Connection *ipc_newconnection (lua_State *L);

#endif
