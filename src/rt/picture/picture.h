/*
** picture.h - picture files, PGM, PPM and PNG, from and to memory. Nothing here
** knows devices. See pnm.c, png.c.
*/
#ifndef TIDE_RT_PICTURE_PICTURE_H
#define TIDE_RT_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Picture {
  uint32_t width, height;
  int channels;  /* grey, RGB or RGBA: 1, 3, 4 */
  int bytes;     /* per sample: 1, or 2 in the order of the machine */
  char why[240]; /* the reason, if a function returns false */
} Picture;

/* A file in memory. */
typedef struct PictureFile {
  const unsigned char *bytes;
  size_t n;
} PictureFile;

/* Takes n bytes of a file; returns 0, or an errno. */
typedef int (*PictureSink)(void *ud, const void *bytes, size_t n);

/* Returns the bytes of all samples, row by row; SIZE_MAX: too many to count. */
size_t picture_bytes (const Picture *m);

/*
** picture_read reads what the first bytes of a file say, picture_decode
** writes the samples, picture_bytes() of them, to 'to'. False: it is no such
** file, or incomplete, and 'why' says so; the samples are invalid then.
*/
bool picture_read (const PictureFile *f, Picture *m);
bool picture_decode (const PictureFile *f, Picture *m, void *to);

/* Writes a picture of samples in memory. False: 'why' says so; or, if it is
** empty, the sink has. */
bool picture_write_pnm (Picture *m, const void *from, PictureSink sink,
                        void *ud);
bool picture_write_png (Picture *m, const void *from, PictureSink sink,
                        void *ud);

/* For PNG only: see png.c. */
bool picture_is_png (const PictureFile *f);
bool picture_read_png (const PictureFile *f, Picture *m);
bool picture_decode_png (const PictureFile *f, Picture *m, void *to);

#endif
