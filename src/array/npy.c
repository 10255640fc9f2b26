/*
** npy.c - tide.save and tide.load: arrays in NumPy's .npy files.
**
** A file is read by the crew of threads into the ring of page-locked slots,
** from where it goes to the device (upload.c). It is written to a file of
** another name beside it, which takes its place at the end: so nobody ever
** sees a half of it, and a call that fails leaves what was there. While a file
** is open, a userdata that Lua closes holds it.
*/
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "base/class.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "device/submit.h"
#include "dtype.h"
#include "geometry.h"
#include "npyheader.h"
#include "openers.h"
#include "rt/kernels/dtypes.h"
#include "rt/submit.h"
#include "upload.h"

/* {== open files ====================================================== */

typedef struct File {
  int fd, folder;     /* -1: none */
  const char *path;   /* of the user's, on the Lua stack */
  const char *name;   /* of it in the folder */
  const char *temporary;  /* there, to be removed; NULL: there is none */
  pid_t process;          /* by that one, not by what it forks */
} File;

static const char guard[] = "tide: file";

/* Whatever was not finished is as if it had not begun. */
static int file__close (lua_State *L) {
  File *f = lua_touserdata(L, 1);
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

/* Pushes a File, which is closed when the calling C function ends. */
static File *push_file (lua_State *L, const char *path) {
  File *f = lua_newuserdatauv(L, sizeof *f, 1);
  *f = (File){-1, -1, path, NULL, NULL, getpid()};
  if (luaL_newmetatable(L, guard)) {
    tide_pushfunction(L, file__close);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__close");
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  lua_toclose(L, -1);
  return f;
}

static int fail (lua_State *L, const char *what, const char *path,
                 int error) {
  return luaL_error(L, "%s: '%s': %s", what, path, strerror(error));
}

static const char *check_path (lua_State *L, int arg) {
  size_t n;
  luaL_checktype(L, arg, LUA_TSTRING);
  const char *path = lua_tolstring(L, arg, &n);
  luaL_argcheck(L, strlen(path) == n && n > 0, arg, "path expected");
  return path;
}

/* ==} */

/* {== load ============================================================ */

/* Where the data of a file is, for the threads that read it. */
typedef struct Data {
  int fd;
  off_t begin;
  bool truth;  /* of bools: whatever is not 0 is 1 */
} Data;

/* Reads n bytes at 'off': 0, or an errno. Shorter than it was: EIO. */
static int read_at (int fd, char *to, size_t n, off_t off) {
  while (n > 0) {
    ssize_t got = pread(fd, to, n, off);
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return EIO;
    if (got > 0) {
      to += got;
      off += got;
      n -= (size_t)got;
    }
  }
  return 0;
}

static int fill_file (const void *ud, char *to, size_t off, size_t n) {
  const Data *d = ud;
  int error = read_at(d->fd, to, n, d->begin + (off_t)off);
  for (size_t i = 0; d->truth && i < n; i++)
    to[i] = (to[i] != 0);
  return error;
}

/* Opens a file for reading; returns its size. */
static size_t open_file (lua_State *L, File *f) {
  struct stat st;
  f->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (f->fd < 0 || fstat(f->fd, &st) != 0)
    fail(L, "tide.load", f->path, errno);
  if (!S_ISREG(st.st_mode))
    luaL_error(L, "tide.load: '%s' is not a regular file", f->path);
  return (size_t)st.st_size;
}

static void refuse (lua_State *L, const File *f, const char *why) {
  luaL_error(L, "tide.load: '%s' cannot be read: %s", f->path, why);
}

/* Reads the header of a file of 'size' bytes; returns where the data begins. */
static size_t read_header (lua_State *L, File *f, size_t size, NpyHeader *h) {
  unsigned char prologue[NPY_PROLOGUE];
  size_t begin, length;
  size_t n = (size < sizeof prologue) ? size : sizeof prologue;
  int error = read_at(f->fd, (char *)prologue, n, 0);
  if (error != 0)
    fail(L, "tide.load", f->path, error);
  if (!tide_readprologue(h, prologue, n, &begin, &length))
    refuse(L, f, h->why);
  if (length > size - begin)
    refuse(L, f, "truncated: its header is not complete");
  char *text = lua_newuserdatauv(L, length + 1, 0);
  error = read_at(f->fd, text, length, (off_t)begin);
  if (error != 0)
    fail(L, "tide.load", f->path, error);
  if (!tide_readnpy(h, text, length))
    refuse(L, f, h->why);
  lua_pop(L, 1);
  return begin + length;
}

/* The bytes that such an array has; raises unless the file has them. */
static size_t check_size (lua_State *L, const File *f, const NpyHeader *h,
                          size_t left) {
  size_t bytes = rt_dtype_size(h->dtype);
  bool empty = false;
  for (int i = 0; i < h->ndim; i++)
    empty = empty || h->shape[i] == 0;
  for (int i = 0; i < h->ndim && !empty; i++)
    if (__builtin_mul_overflow(bytes, (size_t)h->shape[i], &bytes))
      bytes = SIZE_MAX;
  bytes = empty ? 0 : bytes;
  if (bytes > left)
    refuse(L, f, lua_pushfstring(L, "truncated: it has %I bytes of data, "
                                 "of the %s that its header tells",
                                 (LUAI_UACINT)left, (bytes == SIZE_MAX) ?
                                     "too many" : lua_pushfstring(L, "%I",
                                         (LUAI_UACINT)bytes)));
  return bytes;
}

/* Pushes the array for data whose first axis is the fastest: it is loaded as
** what it is in C's order, and then copied from a view that turns the axes. */
static void load_fortran (lua_State *L, RtStream *s, RtDevice *dev,
                          const RtBytes *src, const NpyHeader *h) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  for (int k = 0; k < h->ndim; k++) {
    shape[h->ndim - 1 - k] = h->shape[k];
    strides[k] = (k == 0) ? 1 : strides[k - 1] * h->shape[k - 1];
  }
  Array *from = tide_newarray(L, dev, h->dtype, h->ndim, shape, s);
  tide_upload(L, s, from, src, "tide.load");
  Array *view = tide_pushview(L, from, h->ndim, h->shape, strides, from->off);
  Array *to = tide_newarray(L, dev, h->dtype, h->ndim, h->shape, s);
  tide_copy(L, s, to, view);
  tide_closearray(view);
  tide_closearray(from);
}

/* load(path) -> Array on the current device with what an .npy file holds. */
static int core_load (lua_State *L) {
  NpyHeader h;
  tide_rt(L);
  RtDevice *dev = tide_currentdevice(L);
  File *f = push_file(L, check_path(L, 1));
  size_t size = open_file(L, f);
  size_t begin = read_header(L, f, size, &h);
  size_t bytes = check_size(L, f, &h, size - begin);
  RtStream *s = tide_currentstream(L, dev);
  Data data = {f->fd, (off_t)begin, h.dtype == DTYPE_BOOL};
  RtBytes src = {fill_file, &data, bytes, f->path};
  if (h.fortran && h.ndim > 1 && bytes > 0)
    load_fortran(L, s, dev, &src, &h);
  else
    tide_upload(L, s, tide_newarray(L, dev, h.dtype, h.ndim, h.shape, s),
                &src, "tide.load");
  return 1;
}

/* ==} */

/* {== save ============================================================ */

enum {
  SAVE_PIECE = 4 << 20,  /* two such pieces of page-locked memory */
  LINKS_MOST = 40        /* as Linux */
};

static void write_all (lua_State *L, const File *f, const char *from,
                       size_t n) {
  while (n > 0) {
    ssize_t done = write(f->fd, from, n);
    if (done < 0 && errno != EINTR)
      fail(L, "tide.save", f->path, errno);
    if (done > 0) {
      from += done;
      n -= (size_t)done;
    }
  }
}

/* Opens the folder of f->path, and sets its name in there. */
static void open_folder (lua_State *L, File *f) {
  const char *slash = strrchr(f->path, '/');
  f->name = (slash != NULL) ? slash + 1 : f->path;
  if (slash == NULL)
    lua_pushliteral(L, ".");
  else
    lua_pushlstring(L, f->path, (size_t)(slash - f->path) + 1);
  f->folder = open(lua_tostring(L, -1), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (f->folder < 0 || *f->name == '\0')
    fail(L, "tide.save", f->path, f->folder < 0 ? errno : ENOENT);
  lua_pop(L, 1);
}

/* A file of another name, which is short, beside the one that is meant. */
static void open_temporary (lua_State *L, File *f, mode_t mode) {
  for (int i = 0; i < 1000 && f->fd < 0; i++) {
    const char *name = lua_pushfstring(L, "tide-%d-%d.part", (int)getpid(), i);
    f->fd = openat(f->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                   0666);
    if (f->fd < 0 && errno != EEXIST)
      fail(L, "tide.save", f->path, errno);
    if (f->fd >= 0)
      f->temporary = name;
    lua_setiuservalue(L, -2, 1);
  }
  if (f->fd < 0)
    fail(L, "tide.save", f->path, EEXIST);
  if (mode != 0 && fchmod(f->fd, mode) != 0)
    fail(L, "tide.save", f->path, errno);
}

/* Pushes the path that symbolic links lead to, be there a file or not. */
static const char *push_followed (lua_State *L, const char *path) {
  char to[PATH_MAX];
  const char *at = lua_pushstring(L, path);
  for (int i = 0; i < LINKS_MOST; i++) {
    ssize_t n = readlink(at, to, sizeof to);
    if (n < 0 && errno != EINVAL && errno != ENOENT)
      fail(L, "tide.save", path, errno);
    if (n < 0)
      return at;
    const char *slash = strrchr(at, '/');
    size_t folder = (to[0] == '/' || slash == NULL) ? 0 :
                    (size_t)(slash - at) + 1;
    lua_pushlstring(L, at, folder);
    lua_pushlstring(L, to, (size_t)n);
    lua_concat(L, 2);
    lua_remove(L, -2);
    at = lua_tostring(L, -1);
  }
  fail(L, "tide.save", path, ELOOP);
  return NULL;
}

/* What is there is replaced, with its permissions, if it is a file. Pushes the
** path. */
static const char *check_target (lua_State *L, const char *path,
                                 mode_t *mode) {
  struct stat st;
  const char *target = push_followed(L, path);
  *mode = 0;
  if (stat(target, &st) != 0)
    return target;
  if (!S_ISREG(st.st_mode))
    luaL_error(L, "tide.save: '%s' is not a regular file", path);
  *mode = st.st_mode & 07777;
  return target;
}

/* Queues the copy of 'n' bytes at 'off' to the begin of 'h'. */
static void fetch_piece (lua_State *L, RtStream *s, const Array *a,
                         size_t off, size_t n, const Array *h) {
  Op op;
  rt_startop(&op, OP_COPY, "copy");
  op.u.copy.dst = tide_pointer(h);
  op.u.copy.src = tide_pointer(a) + off;
  op.u.copy.bytes = n;
  rt_access(&op, a->block, a->off + off, n, false);
  rt_access(&op, h->block, 0, n, true);
  tide_submit(L, s, &op);
}

static const char *host_bytes (const Array *h) {
  return (const char *)(uintptr_t)tide_pointer(h);
}

static size_t least (size_t a, size_t b) { return a < b ? a : b; }

/* One piece is written while the next one comes. Should others come in between
** after all, the call begins again, and the file with it. */
static void write_device (lua_State *L, const File *f, Array *a) {
  RtStream *s = tide_currentstream(L, a->dev);
  size_t n = tide_nbytes(a);
  int64_t size = (int64_t)least(n, SAVE_PIECE);
  Array *h[2];
  for (int i = 0; i < 2; i++)
    h[i] = tide_newhostarray(L, a->dev, DTYPE_BOOL, 1, &size);
  fetch_piece(L, s, a, 0, least(n, SAVE_PIECE), h[0]);
  for (size_t at = 0, k = 0; at < n; at += SAVE_PIECE, k ^= 1) {
    size_t next = at + SAVE_PIECE;
    if (next < n)
      fetch_piece(L, s, a, next, least(n - next, SAVE_PIECE), h[k ^ 1]);
    tide_waitown(L, h[k], "tide.save");
    write_all(L, f, host_bytes(h[k]), least(n - at, SAVE_PIECE));
  }
  for (int i = 0; i < 2; i++)
    tide_closearray(h[i]);
  lua_pop(L, 2);
}

/* What has gaps goes through memory that has none. */
static void write_host (lua_State *L, const File *f, Array *h) {
  char *run = h->dense ? NULL : lua_newuserdatauv(L, tide_nbytes(h), 0);
  tide_waithost(L, h, 0, 0, false, "tide.save");
  if (run != NULL)
    tide_hostgather(h, run);
  write_all(L, f, run != NULL ? run : host_bytes(h), tide_nbytes(h));
}

/* 'a' is at 2. */
static void write_data (lua_State *L, const File *f, Array *a) {
  if (a->size == 0)
    return;
  if (a->object.class == &tide_arrayclass)
    write_device(L, f, tide_pushdense(L, 2));
  else
    write_host(L, f, a);
}

/* What is known before there is a file. */
static Array *check_saved (lua_State *L, int arg) {
  Array *a = tide_testany(L, arg);
  if (a == NULL)
    tide_typeerror(L, arg, "tide.Array or tide.HostArray");
  tide_checkopen(L, arg, a);
  tide_checkreadable(L, tide_currentstream(L, a->dev), a, "tide.save");
  return a;
}

/* save(path, a): writes an .npy file, or replaces it. Waits. */
static int core_save (lua_State *L) {
  char header[NPY_HEADER_MOST];
  mode_t mode;
  tide_rt(L);
  const char *path = check_path(L, 1);
  Array *a = check_saved(L, 2);
  lua_settop(L, 2);
  size_t n = tide_writenpy(a, header);
  luaL_argcheck(L, n > 0, 2, lua_pushfstring(L, "'%s': NumPy has no dtype %s",
                                             path, tide_dtypename(a->dtype)));
  File *f = push_file(L, check_target(L, path, &mode));
  open_folder(L, f);
  open_temporary(L, f, mode);
  write_all(L, f, header, n);
  write_data(L, f, a);
  int failed = close(f->fd);
  f->fd = -1;
  if (failed != 0 || renameat(f->folder, f->temporary, f->folder, f->name) != 0)
    fail(L, "tide.save", f->path, errno);
  f->temporary = NULL;
  return 0;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "load", core_load, 1},
  {GROUP_FILES "save", core_save, 2},
  {NULL, NULL, 0}
};

void tide_opennpy (lua_State *L) {
  tide_setfuncs(L, functions);
}
