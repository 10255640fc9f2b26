/* socket.h - messages with file descriptors, between processes. See
** socket.c. */
#ifndef TIDE_IPC_SOCKET_H
#define TIDE_IPC_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
  MESSAGE_BYTES = 1 << 17,  /* at most, in one message */
  MESSAGE_FILES = 200,      /* the same; */
  FILES_MOST = 253          /* others may send as many as Linux allows */
};

/* What comes or goes at once. */
typedef struct Message {
  size_t bytes;
  int readers;              /* calls that read it, or have failed to */
  int nfiles;
  int file[FILES_MOST];
  char data[];              /* of 'bytes' */
} Message;

/* They return a descriptor, or -1 with errno. EADDRINUSE: somebody listens
** there already; EEXIST: it is another file; ENOTSOCK: it is no socket.
** '*folder' is the one that the socket is in, or -1. */
int socket_listen (const char *path, int *folder);
int socket_connect (const char *path);
int socket_accept (int fd);

/* Whose process is at the other end; 0: it cannot be known. EPERM, -1: another
** user's. */
pid_t socket_peer (int fd);

/* Is there something to take, or room for a message? */
bool socket_canread (int fd);
bool socket_canwrite (int fd);

/* The bytes of the message that comes next; 0: the other end is closed; -1:
** errno, EAGAIN if it has to be waited for. */
ssize_t socket_next (int fd);

/* 1: sent, or received with its files, which are the caller's to close; 0 and
** -1 as above. 'm' has room for m->bytes. */
int socket_send (int fd, const Message *m);
int socket_receive (int fd, Message *m);

#endif
