/* endpoint.h - waits for sockets, and tide.Listener. See listener.c. */
#ifndef TIDE_IPC_ENDPOINT_H
#define TIDE_IPC_ENDPOINT_H

#include "base/class.h"

/* The goal of a wait: socket *fd can be written, or read, or is closed: -1. */
typedef struct SocketWait {
  const int *fd;
  bool write;
  double until; /* clock: the end of the wait; negative: no end */
} SocketWait;

/* Waits for that, running host functions meanwhile. */
void endpoint_wait (lua_State *L, RtDevice *dev, SocketWait *w,
                    const char *what);

/* Returns the number of seconds at 'arg', 0 by default. */
double endpoint_opt_seconds (lua_State *L, int arg);

/* Tells whether it can be read, now or within so many seconds. */
bool endpoint_is_ready (lua_State *L, const int *fd, double seconds,
                        const char *what);

extern const Class listener_class;

/* Adds listen and connect to the table on the top. */
void open_listener (lua_State *L);

#endif
