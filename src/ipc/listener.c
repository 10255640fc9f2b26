/*
** listener.c - tide.ipc.listen and connect: two processes find each other by
** the name of a socket in the file system. Also waits for sockets.
*/
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/owned.h"
#include "base/type.h"
#include "connection.h"
#include "device/current.h"
#include "device/service.h"
#include "endpoint.h"
#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "socket.h"

/* The socket of a listener. */
typedef struct Listening {
  Owned owned;
  int fd;
  int folder;  /* of the socket, or -1 */
  pid_t owner; /* the process that may use it: its children may not */
  dev_t dev;   /* identity of the file when it was made */
  ino_t ino;
  char path[sizeof((struct sockaddr_un *)0)->sun_path];
} Listening;

typedef struct Listener {
  Object object;
  int fd;       /* -1: closed */
  Owned *owned; /* a Listening, or NULL */
} Listener;

static const char *path_of (const Listener *l) {
  return ((const Listening *)l->owned)->path;
}

/* {== waiting ========================================================= */

/* A host function may close the socket meanwhile. */
static Status is_ready (void *ud) {
  const SocketWait *w = ud;
  int fd = *w->fd;
  if (fd < 0 || (w->write ? socket_canwrite(fd) : socket_canread(fd)))
    return 0;
  return (w->until >= 0 && clock_seconds(CLOCK_MONOTONIC) >= w->until)
           ? 0
           : CUDA_ERROR_NOT_READY;
}

void endpoint_wait (lua_State *L, RtDevice *dev, SocketWait *w,
                    const char *what) {
  service_wait(L, dev, is_ready, w, what);
}

double endpoint_opt_seconds (lua_State *L, int arg) {
  if (lua_isnoneornil(L, arg))
    return 0;
  lua_Number n = arg_check_number(L, arg);
  argerror_check(L, n >= 0, arg, "seconds must not be negative");
  return n;
}

bool endpoint_is_ready (lua_State *L, const int *fd, double seconds,
                        const char *what) {
  RtDevice *dev = current_get_device(L);
  if (seconds > 0)
    blocking_check(L, dev, what);
  if (seconds > 0 && !socket_canread(*fd))
    endpoint_wait(L, dev,
                  &(SocketWait){fd, false,
                                clock_seconds(CLOCK_MONOTONIC) + seconds},
                  what);
  return *fd >= 0 && socket_canread(*fd);
}

/* ==} */

/* {== listening ======================================================= */

#define NOBODY ": nobody listens there"

/* Raises an error about the path. 'absent' explains that it does not exist. */
static int fail_path (lua_State *L, const char *what, const char *path,
                      const char *absent) {
  int error = errno;
  const char *more = (error == EADDRINUSE) ? ": somebody listens there"
                     : (error == EEXIST || error == ENOTSOCK)
                       ? ": it is no socket"
                     : (error == ENOENT || error == ECONNREFUSED) ? absent
                                                                  : "";
  return error_raise(L, "%s: %s: %s%s", what, path, strerror(error), more);
}

static const char *check_path (lua_State *L, int arg) {
  size_t n;
  type_check(L, arg, LUA_TSTRING);
  const char *path = lua_tolstring(L, arg, &n);
  argerror_check(L, n > 0 && strlen(path) == n, arg,
                 "path must be neither empty nor have zeros in it");
  return path;
}

/* Removes the socket, whatever the working directory is now. A socket that
** another listener has put in its place stays. */
static void remove_socket (const Listening *l) {
  struct stat st;
  const char *slash = strrchr(l->path, '/');
  const char *file = (slash != NULL && l->folder >= 0) ? slash + 1 : l->path;
  int folder = (l->folder >= 0) ? l->folder : AT_FDCWD;
  if (fstatat(folder, file, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
      st.st_dev == l->dev && st.st_ino == l->ino)
    unlinkat(folder, file, 0);
}

static void end_listening (Owned *o) {
  Listening *l = (Listening *)o;
  close(l->fd);
  if (l->owner == getpid())
    remove_socket(l);
  if (l->folder >= 0)
    close(l->folder);
  free(l);
}

/* Returns NULL, with errno, if the path cannot be had. */
static Listening *new_listening (const char *path) {
  struct stat st;
  Listening *l = calloc(1, sizeof *l);
  if (l == NULL)
    return NULL;
  l->fd = socket_listen(path, &l->folder);
  if (l->fd < 0) {
    int error = errno;
    free(l);
    errno = error;
    return NULL;
  }
  l->owner = getpid();
  strcpy(l->path, path);
  if (lstat(path, &st) == 0) {
    l->dev = st.st_dev;
    l->ino = st.st_ino;
  }
  return l;
}

/* ipc.listen(path) -> Listener. */
static int ipc_listen (lua_State *L) {
  const char *path = check_path(L, 1);
  Listener *l = class_new_object(L, sizeof *l, &listener_class, 0);
  l->fd = -1;
  Listening *own = new_listening(path);
  if (own == NULL)
    return fail_path(L, "tide.ipc.listen", path, ": there is no such folder");
  owned_add(l->object.state, &own->owned, end_listening);
  l->owned = &own->owned;
  l->fd = own->fd;
  return 1;
}

/* Pushes the connection with a new descriptor, and takes that over. */
static int push_connection (lua_State *L, Connection *c, int fd) {
  pid_t pid = socket_peer(fd);
  connection_open(c, fd);
  c->pid = (pid > 0) ? pid : 0;
  lua_pushvalue(L, -1);
  return 1;
}

static Listener *check_listener (lua_State *L) {
  Listener *l = class_check(L, 1, &listener_class);
  argerror_check(L, l->fd >= 0, 1, "listener is closed");
  return l;
}

/* listener:accept() -> Connection of the next process that connects. */
static int listener_accept (lua_State *L) {
  static const char what[] = "listener:accept";
  Listener *l = check_listener(L);
  RtDevice *dev = current_get_device(L);
  blocking_check(L, dev, what);
  Connection *c = connection_new(L);
  endpoint_wait(L, dev, &(SocketWait){&l->fd, false, -1}, what);
  if (l->fd < 0)
    entry_retry(L, l->object.state);
  int fd = socket_accept(l->fd);
  if (fd >= 0)
    return push_connection(L, c, fd);
  if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR)
    entry_retry(L, l->object.state);
  return fail_path(L, what, path_of(l), NOBODY);
}

/* listener:ready([seconds]) -> whether accept would return at once. */
static int listener_ready (lua_State *L) {
  Listener *l = check_listener(L);
  double seconds = endpoint_opt_seconds(L, 2);
  lua_pushboolean(L, endpoint_is_ready(L, &l->fd, seconds, "listener:ready"));
  return 1;
}

static void drop (Listener *l) {
  l->fd = -1;
  owned_end(l->object.state, &l->owned);
}

static int listener__gc (lua_State *L) {
  drop(class_check_gc(L, &listener_class, NULL));
  return 0;
}

static int listener_close (lua_State *L) {
  drop(check_listener(L));
  return 0;
}

static int listener__tostring (lua_State *L) {
  const Listener *l = class_check(L, 1, &listener_class);
  lua_pushfstring(L, "tide.Listener (%s)", l->fd < 0 ? "closed" : path_of(l));
  return 1;
}

static int listener_fd (lua_State *L) {
  lua_pushinteger(L, check_listener(L)->fd);
  return 1;
}

static int listener_path (lua_State *L) {
  lua_pushstring(L, path_of(check_listener(L)));
  return 1;
}

/* ==} */

enum { TRY_SECONDS_PER = 100 }; /* tries in a second */

/* Tells whether the error means that there is no listener yet. */
static bool may_come (int error) {
  return error == ENOENT || error == ECONNREFUSED || error == EAGAIN;
}

typedef struct Try {
  const char *path;
  double until, next;
  int fd, error;
} Try;

static Status try (void *ud) {
  Try *t = ud;
  double now = clock_seconds(CLOCK_MONOTONIC);
  if (now < t->next)
    return CUDA_ERROR_NOT_READY;
  t->next = now + 1.0 / TRY_SECONDS_PER;
  t->fd = socket_connect(t->path);
  t->error = errno;
  return (t->fd < 0 && may_come(t->error) && now < t->until)
           ? CUDA_ERROR_NOT_READY
           : 0;
}

/* ipc.connect(path [, seconds]) -> Connection. Waits at most so long for a
** listener. */
static int ipc_connect (lua_State *L) {
  static const char what[] = "tide.ipc.connect";
  Try t = {.path = check_path(L, 1), .fd = -1};
  t.until = clock_seconds(CLOCK_MONOTONIC) + endpoint_opt_seconds(L, 2);
  RtDevice *dev = current_get_device(L);
  Connection *c = connection_new(L);
  if (!lua_isnoneornil(L, 2))
    blocking_check(L, dev, what);
  if (try(&t) != 0)
    service_wait(L, dev, try, &t, what);
  if (t.fd >= 0)
    return push_connection(L, c, t.fd);
  errno = t.error;
  return fail_path(L, what, t.path, NOBODY);
}

static const Function methods[] = {
  {"accept", listener_accept, 1},
  {"close", listener_close, 1},
  {"ready", listener_ready, 2},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"fd", listener_fd, 1},
  {"path", listener_path, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", listener__gc, 1},
  {"__close", listener__gc, 2},
  {"__tostring", listener__tostring, 1},
  {NULL, NULL, 0},
};

const Class listener_class = {
  .name = "tide.Listener",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_FILES "connect", ipc_connect, 2},
  {GROUP_FILES "listen", ipc_listen, 1},
  {NULL, NULL, 0},
};

void open_listener (lua_State *L) {
  class_define(L, &listener_class);
  class_set_funcs(L, functions);
}
