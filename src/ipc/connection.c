/*
** connection.c - tide.Connection: one end of a connection between two
** processes, which carries values, arrays and events.
**
** A received message stays until all its values are made, so that a call that
** begins again, or fails, loses nothing.
*/
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/argerror.h"
#include "base/blocking.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/owned.h"
#include "device/current.h"
#include "device/drain.h"
#include "device/hostfunc.h"
#include "device/service.h"
#include "endpoint.h"
#include "message.h"
#include "socket.h"

static Connection *check_connection (lua_State *L) {
  Connection *c = class_check(L, 1, &connection_class);
  argerror_check(L, c->fd >= 0, 1, "connection is closed");
  return c;
}

/* The socket of a connection. */
typedef struct Connected {
  Owned owned;
  int fd;      /* -1: none yet */
  pid_t owner; /* the process that may use it: its children may not */
} Connected;

/* Tells the other end that it is on purpose, if there is room. */
static void end_connected (Owned *o) {
  Connected *c = (Connected *)o;
  if (c->fd >= 0 && c->owner == getpid())
    message_send_end(c->fd);
  if (c->fd >= 0)
    close(c->fd);
  free(c);
}

Connection *connection_new (lua_State *L) {
  Connection *c = class_new_object(L, sizeof *c, &connection_class,
                                   CONNECTION_UVS);
  c->fd = -1;
  Connected *own = calloc(1, sizeof *own);
  if (own == NULL)
    error_check(L, RT_NOMEM);
  own->fd = -1;
  own->owner = getpid();
  owned_add(c->object.state, &own->owned, end_connected);
  c->owned = &own->owned;
  lua_newtable(L);
  lua_setiuservalue(L, -2, CONNECTION_EVENTS);
  return c;
}

void connection_open (Connection *c, int fd) {
  ((Connected *)c->owned)->fd = c->fd = fd;
}

/* {== sending and receiving =========================================== */

static int fail_ended (lua_State *L, const Connection *c, const char *what) {
  return error_raise(L, "%s: process %I, at the other end, has ended", what,
                     (LUAI_UACINT)c->pid);
}

/* Raises an error of the system in terms of connections. */
static int fail (lua_State *L, const char *what) {
  return error_raise(L, "%s: %s", what,
                     errno == ETOOMANYREFS
                       ? "the other end has not taken the arrays of so many "
                         "earlier messages"
                     : errno == EBADMSG
                       ? "an empty message, which no tide has sent"
                       : strerror(errno));
}

/* connection:send(...) of nil, booleans, numbers, strings, Arrays and Events.
** An array is ready for the receiver once all its work queued so far is
** done. */
static int connection_send (lua_State *L) {
  static const char what[] = "connection:send";
  Connection *c = check_connection(L);
  int top = lua_gettop(L);
  RtDevice *dev = current_get_device(L);
  blocking_check(L, dev, what);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  Message *m = message_push(L, 2, top);
  endpoint_wait(L, dev, &(SocketWait){&c->fd, true, -1}, what);
  if (c->fd < 0)
    entry_retry(L, c->object.state);
  message_fill(L, c, m, 2, top);
  switch (socket_send(c->fd, m)) {
    case 1: return 0;
    case 0:
      return error_raise(L,
                         "%s: the other end, of process %I, was closed or has "
                         "ended",
                         what, (LUAI_UACINT)c->pid);
  }
  if (errno == EAGAIN)
    entry_retry(L, c->object.state);
  return fail(L, what);
}

/* Receives again, unless a finalizer has closed the connection. */
static int try_again (const Connection *c, Message *m) {
  return (c->fd >= 0) ? socket_receive(c->fd, m) : 0;
}

/* Receives. If descriptors are short, frees those of garbage and of dropped
** objects. */
static int receive (lua_State *L, const Connection *c, RtDevice *dev,
                    Message *m) {
  int got = socket_receive(c->fd, m);
  if (got < 0 && errno == EMFILE && drain_make_room(L, RT_LIMIT))
    got = try_again(c, m);
  while (got < 0 && errno == EMFILE &&
         drain_for_memory(L, dev, false, 0, true) == 0)
    got = try_again(c, m);
  return got;
}

/* Pushes the message that has come, or waits for the next one. Returns NULL if
** the other end is closed. */
static Message *push_next (lua_State *L, Connection *c, RtDevice *dev,
                           const char *what) {
  if (lua_getiuservalue(L, 1, CONNECTION_MESSAGE) == LUA_TUSERDATA)
    return message_get(L, -1);
  lua_pop(L, 1);
  endpoint_wait(L, dev, &(SocketWait){&c->fd, false, -1}, what);
  if (c->fd < 0)
    entry_retry(L, c->object.state);
  ssize_t n = socket_next(c->fd);
  if (n == 0)
    return NULL;
  Message *m = (n > 0) ? message_push_empty(L, (size_t)n) : NULL;
  int got = (m != NULL) ? receive(L, c, dev, m) : -1;
  if (got < 0 && errno == EAGAIN) /* a finalizer has taken it */
    entry_retry(L, c->object.state);
  if (got < 0)
    fail(L, what);
  if (got == 0)
    return NULL;
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, CONNECTION_MESSAGE);
  return m;
}

/* connection:recv() -> the values of the next message, for which it waits;
** nothing, once the other end was closed. Ignores a second argument, because a
** generic 'for' passes the previous value. */
static int connection_recv (lua_State *L) {
  static const char what[] = "connection:recv";
  Connection *c = check_connection(L);
  lua_settop(L, 1);
  RtDevice *dev = current_get_device(L);
  blocking_check(L, dev, what);
  if (c->ended)
    return 0;
  Message *m = push_next(L, c, dev, what);
  if (m == NULL)
    return fail_ended(L, c, what);
  if (message_is_end(m)) {
    c->ended = true;
    return 0;
  }
  m->readers++;
  int n = message_push_values(L, c, m);
  m->readers--;
  lua_getiuservalue(L, 1, CONNECTION_MESSAGE);
  bool taken = (lua_touserdata(L, -1) != m);
  lua_pop(L, 1);
  if (taken) /* by a finalizer */
    entry_retry(L, c->object.state);
  lua_pushboolean(L, 0);
  lua_setiuservalue(L, 1, CONNECTION_MESSAGE);
  if (m->readers == 0) /* else a finalizer took it inside another call */
    message_close_files(m);
  return n;
}

/* connection:ready([seconds]) -> whether recv would return at once. Waits for
** that at most so long. */
static int connection_ready (lua_State *L) {
  static const char what[] = "connection:ready";
  Connection *c = check_connection(L);
  double seconds = endpoint_opt_seconds(L, 2);
  if (seconds > 0)
    blocking_check(L, current_get_device(L), what);
  bool there = lua_getiuservalue(L, 1, CONNECTION_MESSAGE) == LUA_TUSERDATA;
  lua_pop(L, 1);
  if (!there && !c->ended)
    there = endpoint_is_ready(L, &c->fd, seconds, what);
  lua_pushboolean(L, there || c->ended);
  return 1;
}

/* ==} */

/* {== life and fields ================================================= */

static void drop (Connection *c) {
  c->fd = -1;
  owned_end(c->object.state, &c->owned);
}

static int connection__gc (lua_State *L) {
  drop(class_check_gc(L, &connection_class, NULL));
  return 0;
}

/* connection:close(): received values stay. */
static int connection_close (lua_State *L) {
  Connection *c = check_connection(L);
  drop(c);
  lua_pushboolean(L, 0);
  lua_setiuservalue(L, 1, CONNECTION_MESSAGE);
  return 0;
}

static int connection__tostring (lua_State *L) {
  const Connection *c = class_check(L, 1, &connection_class);
  if (c->fd < 0)
    lua_pushliteral(L, "tide.Connection (closed)");
  else
    lua_pushfstring(L, "tide.Connection (to process %I)", (LUAI_UACINT)c->pid);
  return 1;
}

static int connection_fd (lua_State *L) {
  lua_pushinteger(L, check_connection(L)->fd);
  return 1;
}

static int connection_pid (lua_State *L) {
  lua_pushinteger(L, check_connection(L)->pid);
  return 1;
}

static const Function methods[] = {
  {"close", connection_close, 1},
  {"ready", connection_ready, 2},
  {"recv", connection_recv, 2},
  {"send", connection_send, ANY},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"fd", connection_fd, 1},
  {"pid", connection_pid, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", connection__gc, 1},
  {"__close", connection__gc, 2},
  {"__tostring", connection__tostring, 1},
  {NULL, NULL, 0},
};

const Class connection_class = {
  .name = "tide.Connection",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

/* ==} */
