/*
** npy.c - tide.save and tide.load: arrays in NumPy's .npy files.
**
** The crew of threads reads a file into the ring of page-locked slots, from
** where it goes to the device (upload.c). A file is written as a whole
** (osfile.c), in pieces (pieces.c).
*/
#include <stdint.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/state.h"
#include "base/type.h"
#include "copy.h"
#include "device/current.h"
#include "device/submit.h"
#include "dtype.h"
#include "layout.h"
#include "npyheader.h"
#include "openers.h"
#include "osfile.h"
#include "pieces.h"
#include "rt/kernels/dtypes.h"
#include "rt/op.h"
#include "upload.h"

/* {== load ============================================================ */

/* The data of a file, for the threads that read it. */
typedef struct Data {
  int fd;
  off_t begin;
  bool truth; /* of bools: any nonzero byte is 1 */
} Data;

static int fill_file (const void *ud, char *to, size_t off, size_t n) {
  const Data *d = ud;
  int error = osfile_read_at(d->fd, to, n, d->begin + (off_t)off);
  for (size_t i = 0; d->truth && i < n; i++)
    to[i] = (to[i] != 0);
  return error;
}

/* Reads the header of a file of 'size' bytes. Returns the offset of the
** data. */
static size_t read_header (lua_State *L, WholeFile *f, size_t size,
                           NpyHeader *h) {
  unsigned char prologue[NPY_PROLOGUE];
  size_t begin, length;
  size_t n = (size < sizeof prologue) ? size : sizeof prologue;
  int error = osfile_read_at(f->fd, (char *)prologue, n, 0);
  if (error != 0)
    osfile_fail(L, f, error);
  if (!npyheader_find(h, prologue, n, &begin, &length))
    osfile_refuse(L, f, h->why);
  if (length > size - begin)
    osfile_refuse(L, f, "truncated: its header is not complete");
  char *text = class_new_memory(L, length + 1);
  error = osfile_read_at(f->fd, text, length, (off_t)begin);
  if (error != 0)
    osfile_fail(L, f, error);
  if (!npyheader_read(h, text, length))
    osfile_refuse(L, f, h->why);
  lua_pop(L, 1);
  return begin + length;
}

/* Returns the bytes of such an array. Raises unless the file has them. */
static size_t check_size (lua_State *L, const WholeFile *f, const NpyHeader *h,
                          size_t left) {
  size_t bytes = dtype_size(h->dtype);
  bool empty = false;
  for (int i = 0; i < h->ndim; i++)
    empty = empty || h->shape[i] == 0;
  for (int i = 0; i < h->ndim && !empty; i++)
    if (__builtin_mul_overflow(bytes, (size_t)h->shape[i], &bytes))
      bytes = SIZE_MAX;
  bytes = empty ? 0 : bytes;
  if (bytes > left)
    osfile_refuse(L, f,
                  lua_pushfstring(L,
                                  "truncated: it has %I bytes of data, of the "
                                  "%s that its header tells",
                                  (LUAI_UACINT)left,
                                  (bytes == SIZE_MAX)
                                    ? "too many"
                                    : lua_pushfstring(L, "%I",
                                                      (LUAI_UACINT)bytes)));
  return bytes;
}

/* Pushes the array for data whose first axis is the fastest. It is loaded in C
** order with reversed axes, and then copied from a transposed view. */
static void load_fortran (lua_State *L, RtStream *s, RtDevice *dev,
                          const RtBytes *src, const NpyHeader *h) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  for (int k = 0; k < h->ndim; k++) {
    shape[h->ndim - 1 - k] = h->shape[k];
    strides[k] = (k == 0) ? 1 : strides[k - 1] * h->shape[k - 1];
  }
  Array *from = array_new(L, dev, h->dtype, h->ndim, shape, s);
  upload_source(L, s, from, src, "tide.load");
  Array *view = array_push_view(L, from, h->ndim, h->shape, strides, from->off);
  Array *to = array_new(L, dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, to, view);
  array_release(view);
  array_release(from);
}

/* load(path) -> Array on the current device with the contents of an .npy
** file. */
static int core_load (lua_State *L) {
  NpyHeader h;
  state_rt(L);
  RtDevice *dev = current_get_device(L);
  WholeFile *f = osfile_push(L, 1, "tide.load");
  size_t size = osfile_open(L, f);
  size_t begin = read_header(L, f, size, &h);
  size_t bytes = check_size(L, f, &h, size - begin);
  RtStream *s = current_get_stream(L, dev);
  Data data = {f->fd, (off_t)begin, h.dtype == DTYPE_BOOL};
  RtBytes src = {fill_file, &data, bytes, f->path};
  if (h.fortran && h.ndim > 1 && bytes > 0)
    load_fortran(L, s, dev, &src, &h);
  else
    upload_source(L, s, array_new(L, dev, h.dtype, h.ndim, h.shape, s), &src,
                  "tide.load");
  return 1;
}

/* ==} */

/* {== save ============================================================ */

static void write_piece (lua_State *L, void *ud, const char *bytes, size_t n) {
  osfile_write(L, ud, bytes, n);
}

/* save(path, a): writes an .npy file, or replaces it. Waits. */
static int core_save (lua_State *L) {
  char header[NPY_HEADER_MOST];
  state_rt(L);
  const char *path = osfile_check_path(L, 1);
  Array *a = copy_check_source(L, 2, "tide.save");
  lua_settop(L, 2);
  size_t n = npyheader_write(a, header);
  argerror_check(L, n > 0, 2, "'%s': NumPy has no dtype %s", path,
                 dtype_name(a->dtype));
  WholeFile *f = osfile_begin(L, path, "tide.save");
  osfile_write(L, f, header, n);
  pieces_pass(L, 2, write_piece, f, "tide.save");
  osfile_end(L, f);
  return 0;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "load", core_load, 1},
  {GROUP_FILES "save", core_save, 2},
  {NULL, NULL, 0},
};

void open_npy (lua_State *L) { class_set_funcs(L, functions); }
