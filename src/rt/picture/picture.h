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
size_t rt_picturebytes (const Picture *m);

/*
** rt_readpicture reads what the first bytes of a file say, rt_decodepicture
** writes the samples, rt_picturebytes() of them, to 'to'. False: it is no such
** file, or incomplete, and 'why' says so; the samples are invalid then.
*/
bool rt_readpicture (const PictureFile *f, Picture *m);
bool rt_decodepicture (const PictureFile *f, Picture *m, void *to);

/* Writes a picture of samples in memory. False: 'why' says so; or, if it is
** empty, the sink has. */
bool rt_writepnm (Picture *m, const void *from, PictureSink sink, void *ud);
bool rt_writepng (Picture *m, const void *from, PictureSink sink, void *ud);

/* For PNG only: see png.c. */
bool rt_ispng (const PictureFile *f);
bool rt_readpng (const PictureFile *f, Picture *m);
bool rt_decodepng (const PictureFile *f, Picture *m, void *to);

#endif
