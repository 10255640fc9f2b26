/*
** image_file.c - tide.save_image and tide.load_image: pictures in PGM, PPM and
** PNG files as arrays of rows, columns and channels. The formats are in
** rt/picture/.
*/
#include <string.h>
#include <strings.h>

#include "array.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "copy.h"
#include "device/current.h"
#include "dtype.h"
#include "openers.h"
#include "osfile.h"
#include "rt/kernels/dtypes.h"
#include "rt/os/reading.h"
#include "rt/picture/picture.h"
#include "upload.h"

/* {== load ============================================================ */

/* Pushes all bytes of a file. */
static PictureFile push_bytes (lua_State *L, WholeFile *f) {
  size_t n = osfile_open(L, f);
  unsigned char *bytes = class_new_memory(L, n);
  int error = reading_at(f->fd, (char *)bytes, n, 0);
  if (error != 0)
    osfile_fail(L, f, error);
  return (PictureFile){bytes, n};
}

/*
** load_image(path) -> Array on the current device: {height, width} of grey,
** {height, width, 3} of RGB, {height, width, 4} of RGBA; uint8 or uint16.
*/
static int core_load_image (lua_State *L) {
  Picture m;
  state_rt(L);
  RtDevice *dev = current_get_device(L);
  WholeFile *f = osfile_push(L, 1, "tide.load_image");
  PictureFile file = push_bytes(L, f);
  if (!picture_read(&file, &m))
    osfile_refuse(L, f, m.why);
  char *samples = class_new_memory(L, picture_bytes(&m));
  if (!picture_decode(&file, &m, samples))
    osfile_refuse(L, f, m.why);
  RtStream *s = current_get_stream(L, dev);
  int64_t shape[] = {m.height, m.width, m.channels};
  Array *a = array_new(L, dev, m.bytes == 1 ? DTYPE_UINT8 : DTYPE_UINT16,
                       m.channels == 1 ? 2 : 3, shape, s);
  upload_bytes(L, s, a, samples, "tide.load_image");
  return 1;
}

/* ==} */

/* {== save ============================================================ */

enum { LONGEST = 4 }; /* length of the names below, with the point */

static const char *const formats[] = {"pgm", "ppm", "pnm", "png", NULL};
enum { PGM, PPM, PNM, PNG };

/* Returns the format: that of the options at 3, or of the path's extension. */
static int check_format (lua_State *L, const char *path) {
  static const char *const names[] = {"format", NULL};
  size_t n = strlen(path);
  option_check(L, 3, names);
  int format = option_word(L, 3, "format", -1, formats);
  if (format >= 0)
    return format;
  for (int i = 0; formats[i] != NULL && n > LONGEST; i++)
    if (path[n - LONGEST] == '.' && strcasecmp(path + n - 3, formats[i]) == 0)
      return i;
  return argerror_raise(L, 1,
                        "a path that ends in .pgm, .ppm, .pnm or .png "
                        "expected, or option 'format'");
}

static void check_dtype (lua_State *L, const Array *a) {
  if (a->dtype == DTYPE_UINT8 || a->dtype == DTYPE_UINT16)
    return;
  const char *own = dtype_name(a->dtype);
  bool scaled = dtype_kind(a->dtype) == KIND_FLOAT;
  argerror_raise(L, 2, "uint8 or uint16 expected, got %s%s", own,
                 scaled ? "; of numbers from 0 to 1 make (a * "
                          "255):round():clip(0, 255):astype 'uint8'"
                        : "");
}

/* Returns the picture for an array. */
static Picture check_picture (lua_State *L, const Array *a, int format) {
  int64_t channels = (a->ndim == 3) ? a->shape[2] : 1;
  check_dtype(L, a);
  if ((a->ndim != 2 && a->ndim != 3) ||
      (channels != 1 && channels != 3 && channels != 4))
    argerror_raise(L, 2,
                   "a shape {height, width} expected, or {height, width, "
                   "channels} with 1, 3 or 4 of these");
  if (a->size == 0 || a->shape[0] > INT32_MAX || a->shape[1] > INT32_MAX)
    argerror_raise(L, 2, "%s",
                   a->size == 0 ? "it has no elements"
                                : "a side is longer than 2^31 - 1");
  if ((channels == 4 && format != PNG) || (channels != 1 && format == PGM) ||
      (channels == 1 && format == PPM))
    argerror_raise(L, 2, "%s has no %s", formats[format],
                   channels == 4 ? "fourth channel; png has"
                   : channels == 3
                     ? "colours; ppm and png have"
                     : "pictures of one channel; pgm and png have");
  return (Picture){.height = (uint32_t)a->shape[0],
                   .width = (uint32_t)a->shape[1],
                   .channels = (int)channels,
                   .bytes = (int)dtype_size(a->dtype)};
}

/* Pushes a HostArray with the elements of the Array at 2; waits for them. */
static Array *push_fetched (lua_State *L, RtStream *s) {
  int top = lua_gettop(L) + 1;
  Array *dense = array_push_dense(L, 2);
  int64_t n = (int64_t)array_bytes(dense);
  Array *h = array_new_host(L, dense->dev, DTYPE_UINT8, 1, &n);
  copy_fetch_bytes(L, s, dense, 0, (size_t)n, h);
  array_wait_own(L, h, "tide.save_image");
  lua_insert(L, top);
  array_drop(L, top);
  return h;
}

typedef struct ImageWriter {
  const WholeFile *file;
  int error;
} ImageWriter;

/* Libraries call it, so it does not raise. */
static int put (void *ud, const void *bytes, size_t n) {
  ImageWriter *to = ud;
  to->error = osfile_put(to->file, bytes, n);
  return to->error;
}

static void write_picture (lua_State *L, WholeFile *f, Picture *m,
                           const char *samples, int format) {
  ImageWriter to = {f, 0};
  bool done = (format == PNG) ? picture_write_png(m, samples, put, &to)
                              : picture_write_pnm(m, samples, put, &to);
  if (!done && m->why[0] != '\0')
    error_raise(L, "%s: '%s' cannot be written: %s", f->what, f->path, m->why);
  if (!done)
    osfile_fail(L, f, to.error);
  osfile_end(L, f);
}

/* save_image(path, a [, { format= }]): writes a picture, or replaces it.
** Waits. */
static int core_save_image (lua_State *L) {
  state_rt(L);
  const char *path = osfile_check_path(L, 1);
  Array *a = copy_check_source(L, 2, "tide.save_image");
  lua_settop(L, 3);
  int format = check_format(L, path);
  Picture m = check_picture(L, a, format);
  Array *own = (a->object.class != &array_class)
                 ? NULL
                 : push_fetched(L, current_get_stream(L, a->dev));
  const char *samples = (own != NULL)
                          ? copy_host_bytes(own)
                          : copy_push_bytes(L, a, "tide.save_image");
  write_picture(L, osfile_begin(L, path, "tide.save_image"), &m, samples,
                format);
  if (own != NULL)
    array_release(own);
  return 0;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "load_image", core_load_image, 1},
  {GROUP_FILES "save_image", core_save_image, 3},
  {NULL, NULL, 0},
};

void open_image (lua_State *L) { class_set_funcs(L, functions); }
