/*
** npy.c - tide.save and tide.load: arrays in NumPy's .npy files, which may be
** members of an archive (npz.c).
**
** The copy pool's threads read a file into the staging slots, from where it
** goes to the device (upload.c). A file is written as a whole (osfile.c), in
** pieces (pieces.c).
*/
#include <stdint.h>
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "copy.h"
#include "device/current.h"
#include "device/submit.h"
#include "dtype.h"
#include "layout.h"
#include "npy.h"
#include "npyheader.h"
#include "npz.h"
#include "openers.h"
#include "pieces.h"
#include "rt/kernels/dtypes.h"
#include "rt/os/reading.h"
#include "rt/submit/op.h"
#include "upload.h"

/* {== load ============================================================ */

/* The data of a file, for the threads that read it. */
typedef struct Data {
  const NpySource *src;
  off_t begin;
  bool truth; /* of bools: any nonzero byte is 1 */
} Data;

static int fill_file (const void *ud, char *to, size_t off, size_t n) {
  const Data *d = ud;
  int error = (d->src->member != NULL)
                ? member_fill(d->src->member, to, off, n)
                : reading_at(d->src->file.fd, to, n, d->begin + (off_t)off);
  for (size_t i = 0; d->truth && i < n; i++)
    to[i] = (to[i] != 0);
  return error;
}

/* Reads the next n bytes of the header, from 'off' on. */
static void read_head (lua_State *L, const NpySource *src, char *to, size_t off,
                       size_t n) {
  int error = (src->member != NULL)
                ? member_read(src->member, to, n)
                : reading_at(src->file.fd, to, n, (off_t)off);
  if (error != 0)
    osfile_fail(L, &src->file, error);
  if (src->member != NULL && src->member->corrupt)
    osfile_refuse(L, &src->file, member_check(src->member));
}

/* Reads the header. Returns the offset of the data. */
static size_t read_header (lua_State *L, const NpySource *src, NpyHeader *h) {
  char prologue[NPY_PROLOGUE];
  size_t begin, length;
  size_t n = (src->size < sizeof prologue) ? src->size : sizeof prologue;
  read_head(L, src, prologue, 0, n);
  if (!npyheader_find(h, (unsigned char *)prologue, n, &begin, &length))
    osfile_refuse(L, &src->file, h->why);
  if (length > src->size - begin)
    osfile_refuse(L, &src->file, "truncated: its header is not complete");
  size_t whole = (begin + length > n) ? begin + length : n;
  char *text = class_new_memory(L, whole);
  memcpy(text, prologue, n);
  read_head(L, src, text + n, n, whole - n);
  if (!npyheader_read(h, text + begin, length))
    osfile_refuse(L, &src->file, h->why);
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

/* Pushes memory for the CRCs of a member's data, and begins to check it. */
static void start_member (lua_State *L, const NpySource *src, size_t begin,
                          size_t bytes) {
  Member *m = src->member;
  if (src->size - begin > bytes)
    osfile_refuse(L, &src->file, "corrupt: bytes follow its data");
  size_t n = member_blocks(m) * sizeof *m->blocks;
  m->blocks = memset(class_new_memory(L, n), 0, n);
}

void npy_load (lua_State *L, const NpySource *src) {
  NpyHeader h;
  const char *why = NULL;
  RtDevice *dev = current_get_device(L);
  size_t begin = read_header(L, src, &h);
  size_t bytes = check_size(L, &src->file, &h, src->size - begin);
  RtStream *s = current_get_stream(L, dev);
  if (src->member != NULL)
    start_member(L, src, begin, bytes);
  Data data = {src, (off_t)begin, h.dtype == DTYPE_BOOL};
  RtBytes from = {fill_file, &data, bytes, src->file.path};
  if (h.fortran && h.ndim > 1 && bytes > 0)
    load_fortran(L, s, dev, &from, &h);
  else
    upload_source(L, s, array_new(L, dev, h.dtype, h.ndim, h.shape, s), &from,
                  "tide.load");
  if (src->member != NULL)
    why = member_check(src->member);
  if (why != NULL)
    osfile_refuse(L, &src->file, why);
}

/* load(path [, name]) -> Array on the current device with the contents of an
** .npy file, or of a member of an archive; the table of all its arrays. */
static int core_load (lua_State *L) {
  state_rt(L);
  osfile_check_path(L, 1);
  lua_settop(L, 2);
  if (!lua_isnil(L, 2))
    type_check(L, 2, LUA_TSTRING);
  WholeFile *f = osfile_push(L, 1, "tide.load");
  size_t size = osfile_open(L, f);
  if (npz_test(L, f, size)) {
    npz_load(L, f, size);
    return 1;
  }
  argerror_check(L, lua_isnil(L, 2), 2,
                 "'%s' is no archive whose arrays have names", f->path);
  npy_load(L, &(NpySource){*f, NULL, size});
  return 1;
}

/* ==} */

/* {== save ============================================================ */

void npy_save (lua_State *L, PieceSink sink, void *ud, Array *a, int idx) {
  char header[NPY_HEADER_MOST];
  int top = lua_gettop(L);
  sink(L, ud, header, npyheader_write(a, header));
  pieces_pass(L, idx, sink, ud, "tide.save");
  array_drop(L, top);
}

void npy_check_dtype (lua_State *L, const Array *a, const char *name) {
  char header[NPY_HEADER_MOST];
  argerror_check(L, npyheader_write(a, header) > 0, 2,
                 "'%s': NumPy has no dtype %s", name, dtype_name(a->dtype));
}

/* Writes to a file without an archive. */
static void write_plain (lua_State *L, void *f, const char *bytes, size_t n) {
  osfile_write(L, f, bytes, n);
}

static bool is_archive (const char *path) {
  size_t n = strlen(path);
  return n >= 4 && strcmp(path + n - 4, ".npz") == 0;
}

/* save(path, a): writes an .npy file, or replaces it. save(path, table [, {
** compressed= }]): the same for an archive. Waits. */
static int core_save (lua_State *L) {
  static const char *const names[] = {"compressed", NULL};
  state_rt(L);
  const char *path = osfile_check_path(L, 1);
  lua_settop(L, 3);
  option_check(L, 3, names);
  bool compressed = option_flag(L, 3, "compressed", false);
  if (is_archive(path)) {
    npz_save(L, path, compressed);
    return 0;
  }
  Array *a = copy_check_source(L, 2, "tide.save");
  argerror_check(L, !compressed, 3,
                 "only an archive, with a path that ends in .npz, is "
                 "compressed");
  npy_check_dtype(L, a, path);
  WholeFile *f = osfile_begin(L, path, "tide.save");
  npy_save(L, write_plain, f, a, 2);
  osfile_end(L, f);
  return 0;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "load", core_load, 2},
  {GROUP_FILES "save", core_save, 3},
  {NULL, NULL, 0},
};

void open_npy (lua_State *L) { class_set_funcs(L, functions); }
