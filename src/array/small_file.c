/*
** small_file.c - files of a few bytes, through which the processes of Lua
** programs exchange information: for dist.lua. Only regular files are accepted,
** so nothing waits for another process, as a pipe would, and nothing reads for
** ever.
*/
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arg.h"
#include "base/class.h"
#include "base/guard.h"
#include "openers.h"
#include "osfile.h"

enum { MOST = 4096 }; /* bytes */

/* Returns -1 on failure: errno is the reason, or 0 if it is no regular file. A
** symbolic link does not count, because in a folder that others may write it is
** a trap. */
static int open_regular (const char *path, int flags) {
  struct stat st;
  int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW,
                0666);
  if (fd < 0 && errno == ELOOP)
    errno = 0;
  if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
    return fd;
  close(fd);
  errno = 0;
  return -1;
}

/* Errors with an errno read like io's; without one, the content is invalid. */
static int fail (lua_State *L, const char *path) {
  if (errno != 0)
    return luaL_fileresult(L, 0, path);
  lua_pushnil(L);
  lua_pushfstring(L, "%s is not a regular file", path);
  return 2;
}

/* read(path, n) -> its first n bytes, or all; or nil, the reason and the
** code. */
static int small_read (lua_State *L) {
  char text[MOST];
  const char *path = arg_check_string(L, 1);
  lua_Integer n = arg_check_integer(L, 2);
  int fd = open_regular(path, O_RDONLY);
  if (fd < 0)
    return fail(L, path);
  ssize_t got = read(fd, text, n < 0 ? 0 : n < MOST ? (size_t)n : MOST);
  int error = errno;
  close(fd);
  errno = error;
  if (got < 0)
    return fail(L, path);
  lua_pushlstring(L, text, (size_t)got);
  return 1;
}

/* write(path, text) -> true, once there is a new file with that text; errors as
** in read. */
static int small_write (lua_State *L) {
  size_t n;
  const char *path = arg_check_string(L, 1);
  const char *text = arg_check_lstring(L, 2, &n);
  int fd = open_regular(path, O_WRONLY | O_CREAT | O_EXCL);
  if (fd < 0)
    return fail(L, path);
  int error = osfile_put(&(WholeFile){.fd = fd}, text, n);
  if (close(fd) != 0 && error == 0)
    error = errno;
  errno = error;
  if (error != 0)
    return fail(L, path);
  lua_pushboolean(L, 1);
  return 1;
}

/* rename(from, to) -> true, and remove(path) -> true; errors as in read. */
static int small_rename (lua_State *L) {
  const char *from = arg_check_string(L, 1), *to = arg_check_string(L, 2);
  return luaL_fileresult(L, rename(from, to) == 0, NULL);
}

static int small_remove (lua_State *L) {
  const char *path = arg_check_string(L, 1);
  return luaL_fileresult(L, unlink(path) == 0, path);
}

/* {== locks =========================================================== */

/* A lock shows that its process lives: it ends with the process and its
** children. */
static int lock__close (lua_State *L);

static const Guard lock = {"lock of a file", lock__close, NULL};

static int lock__close (lua_State *L) {
  int *fd = guard_check(L, &lock);
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
  return 0;
}

static int *push_lock (lua_State *L) {
  int *fd = guard_new(L, sizeof *fd, 0, &lock);
  *fd = -1;
  return fd;
}

/* lock(path) -> a lock of the file, until it is closed; nil if it cannot be
** had. */
static int small_lock (lua_State *L) {
  int *fd = push_lock(L);
  *fd = open_regular(arg_check_string(L, 1), O_RDWR);
  if (*fd >= 0 && flock(*fd, LOCK_EX | LOCK_NB) == 0)
    return 1;
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
  lua_pushnil(L);
  return 1;
}

/* is_locked(path) -> whether any process has a lock; nil if the file system
** does not say. */
static int small_is_locked (lua_State *L) {
  int fd = open_regular(arg_check_string(L, 1), O_RDONLY);
  bool fails = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;
  if (fails && errno != EWOULDBLOCK)
    lua_pushnil(L);
  else
    lua_pushboolean(L, fails);
  if (fd >= 0)
    close(fd);
  return 1;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "is_locked", small_is_locked, 1},
  {GROUP_FILES "lock", small_lock, 1},
  {GROUP_FILES "read", small_read, 2},
  {GROUP_FILES "remove", small_remove, 1},
  {GROUP_FILES "rename", small_rename, 2},
  {GROUP_FILES "write", small_write, 2},
  {NULL, NULL, 0},
};

void open_small_files (lua_State *L) {
  class_add_module(L, "tide.small_files", functions);
}
