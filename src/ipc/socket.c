/*
** socket.c - messages with file descriptors, between processes: Unix sockets
** that keep the bounds of messages (unix(7), SOCK_SEQPACKET), for one user
** only. Nothing here waits or knows Lua.
*/
#include "rt/os/nap.h"
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LOCK_MS = 100 };

/* {== ends ============================================================ */

static int fail (int fd, int error) {
  if (fd >= 0)
    close(fd);
  errno = error;
  return -1;
}

static int new_socket (int type) {
  int room = 2 * MESSAGE_BYTES;
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0) /* the system may grant less */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  return fd;
}

static bool name (struct sockaddr_un *at, const char *path) {
  size_t n = strlen(path);
  memset(at, 0, sizeof *at);
  at->sun_family = AF_UNIX;
  if (n == 0 || n >= sizeof at->sun_path) {
    errno = (n == 0) ? EINVAL : ENAMETOOLONG;
    return false;
  }
  memcpy(at->sun_path, path, n);
  return true;
}

static bool is_socket (const char *path) {
  struct stat st;
  return lstat(path, &st) != 0 || S_ISSOCK(st.st_mode) || S_ISLNK(st.st_mode);
}

int socket_connect (const char *path) {
  struct sockaddr_un at;
  int fd = name(&at, path) ? new_socket(SOCK_SEQPACKET) : -1;
  if (fd < 0)
    return -1;
  if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
    return fail(fd,
                (errno == ECONNREFUSED && !is_socket(path)) ? ENOTSOCK : errno);
  return (socket_peer(fd) < 0) ? fail(fd, EPERM) : fd;
}

/* Tells whether it is a socket that a dead process has left behind. A live one
** refuses the other type, without its listener noticing. */
static bool is_left (const struct sockaddr_un *at) {
  int fd = new_socket(SOCK_DGRAM);
  bool left = fd >= 0 && is_socket(at->sun_path) &&
              connect(fd, (struct sockaddr *)at, sizeof *at) != 0 &&
              errno == ECONNREFUSED;
  if (fd >= 0)
    close(fd);
  return left;
}

/* Sets the mode before the socket has a name, so that other users of the
** machine never see it open. */
static int listen_at (int fd, const struct sockaddr_un *at) {
  if (fchmod(fd, S_IRUSR | S_IWUSR) != 0)
    return -1;
  int error = bind(fd, (const struct sockaddr *)at, sizeof *at);
  bool used = (error != 0 && errno == EADDRINUSE);
  if (used && is_left(at)) {
    unlink(at->sun_path);
    error = bind(fd, (const struct sockaddr *)at, sizeof *at);
  } else if (used) {
    errno = is_socket(at->sun_path) ? EADDRINUSE : EEXIST;
  }
  if (error == 0 && (error = listen(fd, SOMAXCONN)) != 0)
    unlink(at->sun_path);
  return error;
}

/* Opens the folder of the path. */
static int open_folder (const char *path) {
  char folder[sizeof((struct sockaddr_un *)0)->sun_path + 1] = ".";
  const char *slash = strrchr(path, '/');
  if (slash != NULL)
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
  return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Locks the folder, which others lock for as short a time. Gives up after a
** while, so that a stuck process blocks no other. */
static void lock (int folder) {
  for (int i = 0; i < LOCK_MS && flock(folder, LOCK_EX | LOCK_NB) != 0; i++)
    nap_for(1000000);
}

/* Listens under a lock of the folder, because two processes may find the same
** socket left behind. Without the right to read the folder there is no lock. */
int socket_listen (const char *path, int *folder) {
  struct sockaddr_un at;
  int fd = name(&at, path) ? new_socket(SOCK_SEQPACKET) : -1;
  if (fd < 0)
    return -1;
  *folder = open_folder(path);
  if (*folder >= 0)
    lock(*folder);
  int error = (listen_at(fd, &at) == 0) ? 0 : errno;
  if (*folder >= 0)
    flock(*folder, LOCK_UN);
  if (error == 0)
    return fd;
  if (*folder >= 0)
    close(*folder);
  return fail(fd, error);
}

int socket_accept (int fd) {
  int end = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (end < 0)
    return -1;
  return (socket_peer(end) < 0) ? fail(end, EPERM) : end;
}

pid_t socket_peer (int fd) {
  struct ucred who;
  socklen_t n = sizeof who;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0)
    return 0;
  if (who.uid == geteuid())
    return who.pid;
  errno = EPERM;
  return -1;
}

static bool can (int fd, short what) {
  struct pollfd p = {fd, what, 0};
  return poll(&p, 1, 0) > 0;
}

bool socket_canread (int fd) { return can(fd, POLLIN); }
bool socket_canwrite (int fd) { return can(fd, POLLOUT); }

/* ==} */

/* {== messages ======================================================== */

/* Room for the descriptors, aligned as a header. */
typedef union Control {
  struct cmsghdr header;
  char room[CMSG_SPACE(FILES_MOST * sizeof(int))];
} Control;

static bool is_end (int error) { return error == EPIPE || error == ENOTCONN; }

/* Tells whether the error passes: it comes once for an end that was closed
** before it had read everything. Its earlier messages can still be
** received. */
static bool is_passing (int error) {
  return error == EINTR || error == ECONNRESET;
}

int socket_send (int fd, const Message *m) {
  Control control;
  struct iovec data = {(void *)m->data, m->bytes};
  struct msghdr h = {.msg_iov = &data, .msg_iovlen = 1};
  size_t bytes = (size_t)m->nfiles * sizeof(int);
  if (m->nfiles > 0) {
    memset(&control, 0, sizeof control);
    h.msg_control = &control;
    h.msg_controllen = CMSG_SPACE(bytes);
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(c), m->file, bytes);
  }
  ssize_t n;
  do {
    n = sendmsg(fd, &h, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (n < 0 && is_passing(errno));
  return (n >= 0) ? 1 : is_end(errno) ? 0 : -1;
}

static void take_files (struct msghdr *h, Message *m) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c != NULL; c = CMSG_NXTHDR(h, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
      continue;
    size_t bytes = c->cmsg_len - CMSG_LEN(0);
    memcpy(m->file, CMSG_DATA(c), bytes);
    m->nfiles = (int)(bytes / sizeof(int));
  }
}

/* Tells whether nothing more can come. A message may be empty, too. */
static bool is_closed (int fd) {
  struct pollfd p = {fd, POLLIN | POLLRDHUP, 0};
  return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP)) != 0;
}

ssize_t socket_next (int fd) {
  ssize_t n;
  do {
    n = recv(fd, NULL, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
  } while (n < 0 && is_passing(errno));
  if (n != 0)
    return (n < 0 && is_end(errno)) ? 0 : n;
  if (is_closed(fd))
    return 0;
  recv(fd, NULL, 0, MSG_DONTWAIT);
  errno = EBADMSG;
  return -1;
}

/* Looks at the message first: if no descriptors are left for its files, it
** stays. */
int socket_receive (int fd, Message *m) {
  Control control;
  struct iovec data = {m->data, m->bytes};
  struct msghdr h = {.msg_iov = &data,
                     .msg_iovlen = 1,
                     .msg_control = &control,
                     .msg_controllen = sizeof control};
  ssize_t n;
  m->nfiles = 0;
  do {
    n = recvmsg(fd, &h, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (n < 0 && is_passing(errno));
  if (n <= 0)
    return (n == 0 || is_end(errno)) ? 0 : -1;
  take_files(&h, m);
  if (h.msg_flags & MSG_CTRUNC) {
    while (m->nfiles > 0)
      close(m->file[--m->nfiles]);
    errno = EMFILE;
    return -1;
  }
  recv(fd, NULL, 0, MSG_DONTWAIT);
  m->bytes = (size_t)n;
  return 1;
}

/* ==} */
