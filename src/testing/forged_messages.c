/*
** forged_messages.c - the functions of tide.T that read and forge the messages
** of connections between processes.
*/
#include "testing.h"

#include <string.h>

#include "base/class.h"
#include "ipc/message.h"

/* T.intercept(fd) -> the bytes of a connection's next message. */
static int t_intercept (lua_State *L) {
  int fd = (int)luaL_checkinteger(L, 1);
  ssize_t n = socket_next(fd);
  luaL_argcheck(L, n > 0, 1, "no message is there");
  Message *m = message_push_empty(L, (size_t)n);
  luaL_argcheck(L, socket_receive(fd, m) == 1, 1, "not received");
  lua_pushlstring(L, m->data, m->bytes);
  return 2;
}

/* T.forge(fd, message, bytes [, n]): sends these bytes, with the first n files
** of the message, or all of them. */
static int t_forge (lua_State *L) {
  int fd = (int)luaL_checkinteger(L, 1);
  const Message *from = lua_touserdata(L, 2);
  size_t bytes;
  const char *data = luaL_checklstring(L, 3, &bytes);
  int nfiles = (int)luaL_optinteger(L, 4, from->nfiles);
  luaL_argcheck(L, nfiles >= 0 && nfiles <= FILES_MOST, 4, "too many files");
  Message *m = lua_newuserdatauv(L, sizeof *m + bytes, 0);
  m->bytes = bytes;
  m->nfiles = nfiles;
  for (int i = 0; i < nfiles; i++) /* past its last file it starts anew */
    m->file[i] = from->file[i < from->nfiles ? i : 0];
  memcpy(m->data, data, bytes);
  luaL_argcheck(L, socket_send(fd, m) == 1, 1, "not sent");
  return 0;
}

static const Function functions[] = {
  {"forge", t_forge, ANY},
  {"intercept", t_intercept, ANY},
  {NULL, NULL, 0},
};

void testing_add_messages (lua_State *L) { class_set_funcs(L, functions); }
