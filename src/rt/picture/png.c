/*
** png.c - PNG, by libpng, which is loaded with the first such picture. The
** declarations here are those of the functions that are called; they are the
** same in all versions 1.6.
**
** Samples are taken as they are in the file: no gamma, no background. Palettes
** and samples of fewer than 8 bits become 8 bits, transparent colours a fourth
** channel. An error of libpng comes back by longjmp to 'guarded'; 'end' gives
** back everything that is held below it.
*/
#include "picture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== the library ===================================================== */

typedef void (*ErrorFn)(void *png, const char *why);
typedef void (*IoFn)(void *png, unsigned char *bytes, size_t n);
typedef void (*FlushFn)(void *png);

/* 'png' is a png_struct, 'info' a png_info: opaque here. */
static struct Png {
  void *(*create_read_struct)(const char *version, void *ud, ErrorFn error,
                              ErrorFn warn);
  void *(*create_write_struct)(const char *version, void *ud, ErrorFn error,
                               ErrorFn warn);
  void *(*create_info_struct)(void *png);
  void (*destroy_read_struct)(void **png, void **info, void **end);
  void (*destroy_write_struct)(void **png, void **info);
  void *(*get_error_ptr)(const void *png);
  void *(*get_io_ptr)(const void *png);
  void (*error)(const void *png, const char *why);
  void (*set_read_fn)(void *png, void *ud, IoFn read);
  void (*set_write_fn)(void *png, void *ud, IoFn write, FlushFn flush);
  void (*read_info)(void *png, void *info);
  uint32_t (*get_IHDR)(const void *png, const void *info, uint32_t *width,
                       uint32_t *height, int *depth, int *colour,
                       int *interlace, int *compression, int *filter);
  uint32_t (*get_valid)(const void *png, const void *info, uint32_t flag);
  size_t (*get_rowbytes)(const void *png, const void *info);
  void (*set_expand)(void *png);
  void (*set_gray_to_rgb)(void *png);
  void (*set_swap)(void *png);
  int (*set_interlace_handling)(void *png);
  void (*read_update_info)(void *png, void *info);
  void (*read_row)(void *png, unsigned char *row, unsigned char *display);
  void (*read_end)(void *png, void *info);
  void (*set_IHDR)(void *png, void *info, uint32_t width, uint32_t height,
                   int depth, int colour, int interlace, int compression,
                   int filter);
  void (*write_info)(void *png, void *info);
  void (*write_row)(void *png, const unsigned char *row);
  void (*write_end)(void *png, void *info);
} P;

#define ENTRY(name) \
  { "png_" #name, offsetof(struct Png, name) }

static const struct {
  const char *name;
  size_t slot;
} entries[] = {ENTRY(create_read_struct),
               ENTRY(create_write_struct),
               ENTRY(create_info_struct),
               ENTRY(destroy_read_struct),
               ENTRY(destroy_write_struct),
               ENTRY(get_error_ptr),
               ENTRY(get_io_ptr),
               ENTRY(error),
               ENTRY(set_read_fn),
               ENTRY(set_write_fn),
               ENTRY(read_info),
               ENTRY(get_IHDR),
               ENTRY(get_valid),
               ENTRY(get_rowbytes),
               ENTRY(set_expand),
               ENTRY(set_gray_to_rgb),
               ENTRY(set_swap),
               ENTRY(set_interlace_handling),
               ENTRY(read_update_info),
               ENTRY(read_row),
               ENTRY(read_end),
               ENTRY(set_IHDR),
               ENTRY(write_info),
               ENTRY(write_row),
               ENTRY(write_end)};

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static char reason[200]; /* why there is no library; empty: it is loaded */

static void load (void) {
  const char *name = getenv("TIDE_LIBPNG");
  void *lib = dlopen((name != NULL && *name != '\0') ? name : "libpng16.so.16",
                     RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL) {
    snprintf(reason, sizeof reason,
             "libpng 1.6 cannot be loaded (Debian has it as libpng16-16): %s",
             dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    void *address = dlsym(lib, entries[i].name);
    if (address == NULL) {
      snprintf(reason, sizeof reason, "the library libpng has no %s",
               entries[i].name);
      return;
    }
    memcpy((char *)&P + entries[i].slot, &address, sizeof address);
  }
}

/* ==} */

/* {== one picture ===================================================== */

enum { /* as in png.h */
       COLOUR_RGB = 2,
       COLOUR_ALPHA = 4,
       VALID_TRNS = 0x10,
       INTERLACED_NOT = 0
};

/* Deflate's own limit: no data is compressed more than this. */
enum { PACKED_MOST = 1032 };

typedef struct PngJob {
  Picture *m;
  PictureFile file;          /* to be read: the rest of it */
  unsigned char *to;         /* where samples go; NULL: the header is enough */
  const unsigned char *from; /* or come from */
  PictureSink sink;
  void *ud;
  void *png, *info;
  jmp_buf jump;
} PngJob;

static void on_error (void *png, const char *why) {
  PngJob *job = P.get_error_ptr(png);
  if (job->m->why[0] == '\0' && why != NULL)
    snprintf(job->m->why, sizeof job->m->why, "%s", why);
  longjmp(job->jump, 1);
}

static void on_warning (void *png, const char *why) { (void)png, (void)why; }

/* Runs 'work'; returns false if libpng, or 'work' itself, has raised an
** error. */
static bool guarded (PngJob *job, void (*work)(PngJob *)) {
  if (setjmp(job->jump) != 0)
    return false;
  work(job);
  return true;
}

static bool begin (PngJob *job) {
  job->m->why[0] = '\0';
  pthread_once(&loaded, load);
  if (reason[0] != '\0')
    snprintf(job->m->why, sizeof job->m->why, "%s", reason);
  return reason[0] == '\0';
}

/* Fails if there was no memory for libpng's structs. */
static void check_made (PngJob *job) {
  if (job->png == NULL || job->info == NULL) {
    snprintf(job->m->why, sizeof job->m->why, "no memory");
    longjmp(job->jump, 1);
  }
}

/* ==} */

/* {== reading ========================================================= */

static void read_bytes (void *png, unsigned char *to, size_t n) {
  PngJob *job = P.get_io_ptr(png);
  if (n > job->file.n)
    P.error(png, "truncated: it ends within a chunk");
  memcpy(to, job->file.bytes, n);
  job->file.bytes += n;
  job->file.n -= n;
}

/* Reads the part before the samples, and says how the samples are wanted. */
static void read_form (PngJob *job) {
  uint32_t width, height;
  int depth, colour, interlace, compression, filter;
  size_t packed = job->file.n;
  P.read_info(job->png, job->info);
  P.get_IHDR(job->png, job->info, &width, &height, &depth, &colour, &interlace,
             &compression, &filter);
  bool alpha = (colour & COLOUR_ALPHA) != 0 ||
               P.get_valid(job->png, job->info, VALID_TRNS) != 0;
  if (P.get_rowbytes(job->png, job->info) > packed * PACKED_MOST / height)
    P.error(job->png,
            "truncated: it cannot have all samples that its header tells");
  P.set_expand(job->png);
  if (alpha && (colour & COLOUR_RGB) == 0)
    P.set_gray_to_rgb(job->png);
  if (depth == 16)
    P.set_swap(job->png);
  job->m->width = width;
  job->m->height = height;
  job->m->channels = alpha ? 4 : (colour & COLOUR_RGB) != 0 ? 3 : 1;
  job->m->bytes = (depth == 16) ? 2 : 1;
}

static void read_rows (PngJob *job) {
  int passes = P.set_interlace_handling(job->png);
  P.read_update_info(job->png, job->info);
  size_t row = P.get_rowbytes(job->png, job->info);
  if (row != picture_bytes(job->m) / job->m->height)
    P.error(job->png, "its rows are not what they should be");
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < job->m->height; y++)
      P.read_row(job->png, job->to + y * row, NULL);
  P.read_end(job->png, NULL);
}

static void read_picture (PngJob *job) {
  job->png = P.create_read_struct("1.6.0", job, on_error, on_warning);
  job->info = job->png != NULL ? P.create_info_struct(job->png) : NULL;
  check_made(job);
  P.set_read_fn(job->png, job, read_bytes);
  read_form(job);
  if (job->to != NULL)
    read_rows(job);
}

static bool read_png (const PictureFile *f, Picture *m, void *to) {
  PngJob job = {.m = m, .file = *f, .to = to};
  if (!begin(&job))
    return false;
  bool done = guarded(&job, read_picture);
  if (job.png != NULL)
    P.destroy_read_struct(&job.png, &job.info, NULL);
  return done;
}

bool picture_is_png (const PictureFile *f) {
  static const unsigned char mark[] = {0x89, 'P',  'N',  'G',
                                       '\r', '\n', 0x1a, '\n'};
  return f->n >= sizeof mark && memcmp(f->bytes, mark, sizeof mark) == 0;
}

bool picture_read_png (const PictureFile *f, Picture *m) {
  return read_png(f, m, NULL);
}

bool picture_decode_png (const PictureFile *f, Picture *m, void *to) {
  return read_png(f, m, to);
}

/* ==} */

/* {== writing ========================================================= */

static void write_bytes (void *png, unsigned char *from, size_t n) {
  PngJob *job = P.get_io_ptr(png);
  if (job->sink(job->ud, from, n) != 0)
    longjmp(job->jump, 1); /* the sink tells the reason */
}

static void flush_nothing (void *png) { (void)png; }

static void write_picture (PngJob *job) {
  const Picture *m = job->m;
  size_t row = picture_bytes(m) / m->height;
  job->png = P.create_write_struct("1.6.0", job, on_error, on_warning);
  job->info = job->png != NULL ? P.create_info_struct(job->png) : NULL;
  check_made(job);
  P.set_write_fn(job->png, job, write_bytes, flush_nothing);
  P.set_IHDR(job->png, job->info, m->width, m->height, 8 * m->bytes,
             m->channels == 1   ? 0
             : m->channels == 3 ? COLOUR_RGB
                                : COLOUR_RGB | COLOUR_ALPHA,
             INTERLACED_NOT, 0, 0);
  P.write_info(job->png, job->info);
  if (m->bytes == 2)
    P.set_swap(job->png);
  for (uint32_t y = 0; y < m->height; y++)
    P.write_row(job->png, job->from + y * row);
  P.write_end(job->png, NULL);
}

bool picture_write_png (Picture *m, const void *from, PictureSink sink,
                        void *ud) {
  PngJob job = {.m = m, .from = from, .sink = sink, .ud = ud};
  if (!begin(&job))
    return false;
  bool done = guarded(&job, write_picture);
  if (job.png != NULL)
    P.destroy_write_struct(&job.png, &job.info);
  return done;
}

/* ==} */
