/* libz.h - zlib, loaded with the first compressed data. See libz.c. */
#ifndef TIDE_RT_ARCHIVE_LIBZ_H
#define TIDE_RT_ARCHIVE_LIBZ_H

#include <stdbool.h>
#include <stddef.h>

/* z_stream of zlib.h, which is the same in all versions 1.2 and 1.3. */
typedef struct LibzStream {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state, *alloc, *free, *opaque;
  int data_type;
  unsigned long adler, reserved;
} LibzStream;

enum { LIBZ_OK = 0, LIBZ_STREAM_END = 1 };
enum { LIBZ_NO_FLUSH = 0, LIBZ_FINISH = 4 };
enum { LIBZ_MOST = 1 << 30 }; /* bytes in one call */
enum { LIBZ_RATIO = 1032 };   /* no data is compressed more than this */

/* The functions of zlib.h. */
typedef struct Libz {
  const char *(*zlibVersion)(void);
  int (*inflateInit2_)(LibzStream *z, int bits, const char *version, int size);
  int (*inflate)(LibzStream *z, int flush);
  int (*inflateReset)(LibzStream *z);
  int (*inflateEnd)(LibzStream *z);
  int (*deflateInit2_)(LibzStream *z, int level, int method, int bits,
                       int memory, int strategy, const char *version, int size);
  int (*deflate)(LibzStream *z, int flush);
  int (*deflateEnd)(LibzStream *z);
} Libz;

/* Returns the functions, or NULL and the reason. */
const Libz *libz_find (const char **why);

/* Begin a stream of deflated data without a zlib header. They return false if
** memory is short. */
bool libz_begin_inflate (const Libz *lib, LibzStream *z);
bool libz_begin_deflate (const Libz *lib, LibzStream *z);

#endif
