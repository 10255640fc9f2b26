/* file_io.h - reads and writes parts of files. See file_io.c. */
#ifndef TIDE_RT_FILE_FILE_IO_H
#define TIDE_RT_FILE_FILE_IO_H

#include "file.h"

enum { FILE_PAGE = 4096 }; /* reads past the cache are multiples of it */

/*
** Read or write n bytes at 'off'. Return 0, an errno or READING_ENDED; *done is
** the number of bytes done. For threads of tide's own.
*/
int file_io_read (RtFile *f, char *to, size_t n, uint64_t off, size_t *done);
int file_io_write (const RtFile *f, const char *from, size_t n, uint64_t off,
                   size_t *done);

#endif
