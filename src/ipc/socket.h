/* socket.h - messages with file descriptors, between processes. See
** socket.c. */
#ifndef TIDE_IPC_SOCKET_H
#define TIDE_IPC_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
  MESSAGE_BYTES = 1 << 17, /* at most, in one message */
  MESSAGE_FILES = 200,     /* likewise; */
  FILES_MOST = 253         /* others may send as many as Linux allows */
};

/* A message, to be sent or received at once. */
typedef struct Message {
  size_t bytes;
  int readers; /* calls that read it, or have failed to */
  int nfiles;
  int file[FILES_MOST];
  char data[]; /* of 'bytes' */
} Message;

/* Return a descriptor, or -1 with errno. EADDRINUSE: there is a listener
** already; EEXIST: it is another file; ENOTSOCK: it is no socket. '*folder' is
** the folder of the socket, or -1. */
int socket_listen (const char *path, int *folder);
int socket_connect (const char *path);
int socket_accept (int fd);

/* Returns the process at the other end; 0 if it cannot be known; -1 and EPERM
** if it is another user's. */
pid_t socket_peer (int fd);

/* Tell whether there is a message to take, or room for one. */
bool socket_canread (int fd);
bool socket_canwrite (int fd);

/* Returns the bytes of the next message; 0 if the other end is closed; -1 with
** errno, EAGAIN if none has come yet. */
ssize_t socket_next (int fd);

/* Return 1 if it was sent, or received with its files, which the caller has to
** close; 0 and -1 as above. 'm' has room for m->bytes. */
int socket_send (int fd, const Message *m);
int socket_receive (int fd, Message *m);

#endif
