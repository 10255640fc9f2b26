/*
** osfile.c - a file that is read or written as a whole.
**
** New contents go to a temporary file beside it, which replaces it at the end.
** So a half-written file is never visible, and a call that fails leaves the old
** one. While a file is open, a userdata that Lua closes holds it.
*/
#include "osfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/argerror.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/type.h"
#include "device/drain.h"
#include "device/hostfunc.h"
#include "device/luahooks.h"
#include "device/service.h"
#include "rt/os/file_limit.h"
#include "rt/os/reading.h"

enum {
  LINKS_MOST = 40,       /* as Linux */
  SMALL = 4096,          /* bytes of a file whose size is not believed, */
  COUNTED_MOST = 1 << 26 /* and that such a file may have */
};

static int file__close (lua_State *L);

static const Guard whole = {"file", file__close, NULL};

/* Undoes a write that was not finished. */
static int file__close (lua_State *L) {
  WholeFile *f = guard_check(L, &whole);
  if (f->fd >= 0)
    close(f->fd);
  if (f->temporary != NULL && f->process == getpid())
    unlinkat(f->folder, f->temporary, 0);
  if (f->folder >= 0)
    close(f->folder);
  f->fd = f->folder = -1;
  f->temporary = NULL;
  return 0;
}

/* Pushes a file that is closed when the calling C function ends. */
static WholeFile *push_file (lua_State *L, const char *path, const char *what) {
  WholeFile *f = guard_new(L, sizeof *f, 1, &whole);
  *f = (WholeFile){-1, -1, what, path, NULL, NULL, getpid()};
  lua_toclose(L, -1);
  return f;
}

bool osfile_close (lua_State *L, int idx) {
  return guard_close(L, idx, &whole);
}

static int fail (lua_State *L, const char *what, const char *path, int error) {
  return error_raise(L, "%s: '%s': %s", what, path, reading_why(error));
}

int osfile_fail (lua_State *L, const WholeFile *f, int error) {
  return fail(L, f->what, f->path, error);
}

void osfile_refuse (lua_State *L, const WholeFile *f, const char *why) {
  error_raise(L, "%s: '%s' cannot be read: %s", f->what, f->path, why);
}

const char *osfile_check_path (lua_State *L, int arg) {
  size_t n;
  type_check(L, arg, LUA_TSTRING);
  const char *path = lua_tolstring(L, arg, &n);
  argerror_check(L, strlen(path) == n && n > 0, arg, "path expected");
  return path;
}

WholeFile *osfile_push (lua_State *L, int arg, const char *what) {
  return push_file(L, osfile_check_path(L, arg), what);
}

/* {== reading ========================================================= */

/* Calls openat, and frees descriptors if they are short. Raises on failure,
** except that the file exists where it must not. */
static int open_at (lua_State *L, const WholeFile *f, int folder,
                    const char *path, int flags, mode_t mode) {
  Descriptors d = {.what = f->what};
  int fd, error;
  do {
    fd = openat(folder, path, flags | O_CLOEXEC, mode);
    error = errno;
  } while (fd < 0 && drain_find_fd(L, &d, error));
  if (fd < 0 && !((flags & O_EXCL) && error == EEXIST))
    osfile_fail(L, f, error);
  return fd;
}

/* Returns the bytes that a small file has: those of /proc say 0, and those of
** /sys a page. Some of /proc never end. */
static size_t count_bytes (lua_State *L, const WholeFile *f) {
  char bytes[SMALL];
  off_t off = 0;
  Hooks hooks;
  luahook_start(L, state_get(L), &hooks);
  for (ssize_t got = 1; got != 0; off += (got > 0) ? got : 0) {
    error_check(L, service_look_for_stop(L, &hooks));
    if (off > COUNTED_MOST)
      osfile_refuse(L, f, "it is larger than 64 MiB and does not say its size");
    got = pread(f->fd, bytes, sizeof bytes, off);
    if (got < 0 && errno != EINTR)
      osfile_fail(L, f, errno);
  }
  return (size_t)off;
}

size_t osfile_open (lua_State *L, WholeFile *f) {
  struct stat st;
  f->fd = open_at(L, f, AT_FDCWD, f->path, O_RDONLY | O_NONBLOCK, 0);
  if (fstat(f->fd, &st) != 0)
    osfile_fail(L, f, errno);
  if (!S_ISREG(st.st_mode))
    error_raise(L, "%s: '%s' is not a regular file", f->what, f->path);
  return st.st_size > SMALL ? (size_t)st.st_size : count_bytes(L, f);
}

/* ==} */

/* {== writing ========================================================= */

int osfile_put (const WholeFile *f, const char *from, size_t n) {
  while (n > 0) {
    ssize_t done = file_limit_write(f->fd, from, n);
    if (done < 0 && errno != EINTR)
      return errno;
    if (done > 0) {
      from += done;
      n -= (size_t)done;
    }
  }
  return 0;
}

void osfile_write (lua_State *L, const WholeFile *f, const char *from,
                   size_t n) {
  int error = osfile_put(f, from, n);
  if (error != 0)
    osfile_fail(L, f, error);
}

void osfile_seek (lua_State *L, const WholeFile *f, off_t to) {
  if (lseek(f->fd, to, SEEK_SET) < 0)
    osfile_fail(L, f, errno);
}

/* Opens the folder of f->path, and sets its name in there. */
static void open_folder (lua_State *L, WholeFile *f) {
  const char *slash = strrchr(f->path, '/');
  f->name = (slash != NULL) ? slash + 1 : f->path;
  if (slash == NULL)
    lua_pushliteral(L, ".");
  else
    lua_pushlstring(L, f->path, (size_t)(slash - f->path) + 1);
  f->folder = open_at(L, f, AT_FDCWD, lua_tostring(L, -1),
                      O_RDONLY | O_DIRECTORY, 0);
  if (*f->name == '\0')
    osfile_fail(L, f, ENOENT);
  lua_pop(L, 1);
}

/*
** Gives the new file the owner, group and permissions of the one that it
** replaces. Only root may give files away; for other users the owner is the
** writer, and a group that cannot be kept has no rights to the new file.
** Returns 0 or an errno.
*/
static int take_over (int fd, const struct stat *old) {
  struct stat new;
  mode_t mode = old->st_mode & 07777;
  if (fchown(fd, old->st_uid, old->st_gid) != 0)
    (void)!fchown(fd, (uid_t)-1, old->st_gid);
  if (fstat(fd, &new) != 0)
    return errno;
  if (new.st_uid != old->st_uid)
    mode &= 0777;
  if (new.st_gid != old->st_gid)
    mode &= 0707;
  return fchmod(fd, mode) == 0 ? 0 : errno;
}

/* Opens a file with a short temporary name beside the target. 'old' is the file
** that it replaces, with a mode of 0 if there is none. No other user may open
** it before it has the old one's permissions. */
static void open_temporary (lua_State *L, WholeFile *f,
                            const struct stat *old) {
  mode_t mode = (old->st_mode != 0) ? 0600 : 0666;
  for (int i = 0; i < 1000 && f->fd < 0; i++) {
    const char *name = lua_pushfstring(L, "tide-%d-%d.part", (int)getpid(), i);
    f->fd = open_at(L, f, f->folder, name, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (f->fd >= 0)
      f->temporary = name;
    lua_setiuservalue(L, -2, 1);
  }
  if (f->fd < 0)
    osfile_fail(L, f, EEXIST);
  int error = (old->st_mode != 0) ? take_over(f->fd, old) : 0;
  if (error != 0)
    osfile_fail(L, f, error);
}

/* Pushes the path to which symbolic links lead, whether or not a file
** exists. */
static const char *push_followed (lua_State *L, const char *path,
                                  const char *what) {
  char to[PATH_MAX];
  const char *at = lua_pushstring(L, path);
  for (int i = 0; i < LINKS_MOST; i++) {
    ssize_t n = readlink(at, to, sizeof to);
    if (n < 0 && errno != EINVAL && errno != ENOENT)
      fail(L, what, path, errno);
    if (n < 0)
      return at;
    const char *slash = strrchr(at, '/');
    size_t folder = (to[0] == '/' || slash == NULL) ? 0
                                                    : (size_t)(slash - at) + 1;
    lua_pushlstring(L, at, folder);
    lua_pushlstring(L, to, (size_t)n);
    lua_concat(L, 2);
    lua_remove(L, -2);
    at = lua_tostring(L, -1);
  }
  fail(L, what, path, ELOOP);
  return NULL;
}

/* Pushes the path of the file to replace, if it is a regular file, whose owner
** and permissions stay. */
static const char *check_target (lua_State *L, const char *path,
                                 const char *what, struct stat *old) {
  const char *target = push_followed(L, path, what);
  if (stat(target, old) != 0)
    old->st_mode = 0;
  else if (!S_ISREG(old->st_mode))
    error_raise(L, "%s: '%s' is not a regular file", what, path);
  return target;
}

WholeFile *osfile_begin (lua_State *L, const char *path, const char *what) {
  struct stat old;
  const char *target = check_target(L, path, what, &old);
  WholeFile *f = push_file(L, target, what);
  open_folder(L, f);
  open_temporary(L, f, &old);
  return f;
}

void osfile_end (lua_State *L, WholeFile *f) {
  int failed = close(f->fd);
  f->fd = -1;
  if (failed != 0 || renameat(f->folder, f->temporary, f->folder, f->name) != 0)
    osfile_fail(L, f, errno);
  f->temporary = NULL;
}

/* ==} */
