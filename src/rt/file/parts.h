/* parts.h - reading and writing parts of files. See parts.c. */
#ifndef TIDE_RT_FILE_PARTS_H
#define TIDE_RT_FILE_PARTS_H

#include "file.h"

enum { FILE_ENDED = -2 };  /* the file is shorter than it was */

enum { FILE_PAGE = 4096 };  /* what reads past the cache are multiples of */

/*
** Reads or writes n bytes at 'off': 0, or an errno or FILE_ENDED, and *done is
** how many there were. For threads of tide's own.
*/
int rt_readpart (RtFile *f, char *to, size_t n, uint64_t off, size_t *done);
int rt_writepart (const RtFile *f, const char *from, size_t n, uint64_t off,
                  size_t *done);

#endif
