/* endpoint.h - waits for sockets, and tide.Listener. See listener.c. */
#ifndef TIDE_IPC_ENDPOINT_H
#define TIDE_IPC_ENDPOINT_H

#include "base/class.h"

/* The goal of a wait: socket *fd can be written, or read, or is closed: -1. */
typedef struct Wanted {
  const int *fd;
  bool write;
  double until; /* clock: the end of the wait; negative: no end */
} Wanted;

/* Waits for that, running host functions meanwhile. */
void ipc_await (lua_State *L, RtDevice *dev, Wanted *w, const char *what);

/* Returns the number of seconds at 'arg', 0 by default. */
double ipc_optseconds (lua_State *L, int arg);

/* Tells whether it can be read, now or within so many seconds. */
bool ipc_waitfor (lua_State *L, const int *fd, double seconds,
                  const char *what);

extern const Class ipc_listenerclass;

/* Adds listen and connect to the table on the top. */
void ipc_openlistener (lua_State *L);

#endif
